package capture

import (
	"encoding/base64"
	"fmt"
	"html"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/browser"
)

func inFrame(attributes, content string) string {
	return `<iframe ` + attributes + ` srcdoc="` + html.EscapeString(content) + `"></iframe>`
}

func TestWhatAFrameShowsIsPartOfThePage(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	inner := `<!DOCTYPE html><html lang="en"><title>In</title><style>body { margin: 0 } #box { margin: 0; position: absolute; left: 10px; top: 20px; width: 100px; height: 30px; color: #333 }</style>
		<main><h2 id="box">Inside</h2><a id="dead" href="#nowhere" style="position: absolute; top: 60px">Dead</a><a id="lives" href="#" onclick="0" style="position: absolute; top: 90px">Lives</a>
		<img id="noalt" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="30" height="30" style="position: absolute; top: 120px"><p id="far" style="position: absolute; top: 5000px">Far</p></main>`
	for _, sandbox := range []string{"", `sandbox="allow-scripts"`, "sandbox"} {
		ev, _ := see(t, c, body(`<h1>Top</h1>`+inFrame(sandbox+` title="Frame" style="position: absolute; left: 200px; top: 300px; width: 400px; height: 200px; border: 5px solid red; padding: 10px; transform: scale(.5); transform-origin: 0 0; background: #eef"`, inner)), once)
		v := ev.Views[0]
		frame, in := find(t, v, "box"), vitrine.Box{X: 200 + 7.5 + 5, Y: 300 + 7.5 + 10, W: 50, H: 15}
		if frame.Box != in {
			t.Errorf("%s: the box is at %v, want %v", sandbox, frame.Box, in)
		}
		if got := frame.Style.Backdrop.String(); got != "#eeeeff" || !frame.Style.BackdropKnown {
			t.Errorf("%s: behind the text is %s", sandbox, got)
		}
		if !v.Elements[frame.Parent].Document { // body and main have no height
			t.Errorf("%s: the parent is %s", sandbox, v.Elements[frame.Parent].Tag)
		}
		if !strings.Contains(v.Text, "Inside") || !strings.Contains(v.Text, "Top") {
			t.Errorf("%s: the text is %q", sandbox, v.Text)
		}
		dead := slices.IndexFunc(v.Links, func(l vitrine.Link) bool { return l.Text == "Dead" && l.Dead })
		lives := slices.IndexFunc(v.Links, func(l vitrine.Link) bool { return l.Text == "Lives" && l.Kind == vitrine.LinkAction })
		if dead < 0 || lives < 0 && sandbox != "sandbox" {
			t.Errorf("%s: the links are %+v", sandbox, v.Links)
		}
		if !slices.ContainsFunc(v.Axe, func(r vitrine.AxeResult) bool { return r.ID == "image-alt" }) {
			t.Errorf("%s: axe finds %+v (ran: %v)", sandbox, v.Axe, v.AxeRan)
		}
		if !slices.ContainsFunc(v.Accessibility, func(n vitrine.AXNode) bool { return n.Role == "heading" && n.Name == "Inside" && n.Depth > 1 }) {
			t.Errorf("%s: the accessibility tree is %+v", sandbox, v.Accessibility)
		}
	}
}

// A frame that is not visible holds nothing.
// What is written as a page within a drawing is part of the page, and no drawing. A label in
// a diagram leaves it one.
func TestAPageInADrawing(t *testing.T) {
	c := capturer(t)
	for _, tt := range []struct {
		size     string
		document bool
	}{{`width="100%" height="100%"`, true}, {`width="60" height="30"`, false}} {
		ev, _ := see(t, c, body(`<svg id="drawing" width="600" height="400"><circle cx="200" cy="200" r="50"/><foreignObject `+tt.size+`><p id="text">Some words</p></foreignObject></svg>`), once)
		if e := find(t, ev.Views[0], "text"); e.Text != "Some words" {
			t.Errorf("%s: the text is %q", tt.size, e.Text)
		}
		if e := find(t, ev.Views[0], "drawing"); e.Document != tt.document {
			t.Errorf("%s: it is a document: %v", tt.size, e.Document)
		}
	}
}

func TestHiddenFramesCountForNothing(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	for _, style := range []string{"display: none", "visibility: hidden", "width: 0; height: 0; border: 0", "width: 10px; height: 10px", "position: absolute; left: -5000px", "opacity: 0"} {
		ev, _ := see(t, c, body(`<p>Top</p>`+inFrame(`style="`+style+`"`, `<h1 id="in">Inside</h1>`)), once)
		v := ev.Views[0]
		if strings.Contains(v.Text, "Inside") || slices.ContainsFunc(v.Elements, func(e vitrine.Element) bool { return e.Attrs["id"] == "in" }) {
			t.Errorf("%s: it is seen: %q", style, v.Text)
		}
	}
}

func TestShadowTreesAreSeen(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	for _, mode := range []string{"open", "closed"} {
		ev, _ := see(t, c, body(`<div id="host"><b id="given">Given</b><i>Not given</i></div><script>
			host.attachShadow({ mode: '`+mode+`' }).innerHTML = '<h2 id="title">Title</h2><slot name="x"></slot><label for="f">Name</label><input id="f"><p id="words">Words <a href="#" id="link">link</a></p><section id="nest"></section>';
			given.slot = 'x'</script>`), once)
		v := ev.Views[0]
		title, words := find(t, v, "title"), find(t, v, "words")
		if title.Role != "heading" || words.TextBox.W == 0 || words.Covered > 0 || !find(t, v, "f").Labelled {
			t.Errorf("%s: got %+v and %+v", mode, title, words)
		}
		if find(t, v, "given").Box.Y < title.Box.Y || !strings.Contains(v.Text, "Words") || strings.Contains(v.Text, "Not given") {
			t.Errorf("%s: text %q", mode, v.Text)
		}
		if len(v.Links) != 1 || v.Links[0].Kind != vitrine.LinkEmpty {
			t.Errorf("%s: links %+v", mode, v.Links)
		}
	}
}

func TestValidityLooksAtAllDocuments(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	closed := func(content string) string {
		return `<div id="host"></div><script>host.attachShadow({ mode: 'closed' }).innerHTML = '` + content + `'</script>`
	}
	for name, test := range map[string]struct {
		html string
		want vitrine.InvalidReason
	}{
		"text in a frame":           {inFrame("", "<p>Hello"), ""},
		"text in a sandboxed frame": {inFrame("sandbox", "<p>Hello"), ""},
		"a frame with nothing":      {inFrame(`style="border: 0"`, ""), vitrine.InvalidBlank},
		"a backdrop in a frame":     {inFrame(`style="border: 0"`, `<style>html { background: linear-gradient(red, blue) }</style>`), vitrine.InvalidBlank},
		"text in a closed root":     {closed("<p>Hello</p>"), ""},
		"nothing in a closed root":  {closed(`<p style="opacity: 0">Hello</p>`), vitrine.InvalidBlank},
		"late in a closed root":     {`<div id="host"></div><script>setTimeout(() => { host.attachShadow({ mode: 'closed' }).innerHTML = '<p>Hello' }, 2500)</script>`, ""},
		"late in a frame":           {`<script>setTimeout(() => { document.body.innerHTML = '<iframe sandbox srcdoc="Hello">' }, 2500)</script>`, ""},
		"a canvas alone":            {`<canvas id="c" width="300" height="200"></canvas><script>const g = c.getContext('2d'); g.fillStyle = 'teal'; g.fillRect(20, 20, 90, 90)</script>`, ""},
		"a canvas in a closed root": {closed(`<canvas width="300" height="200"></canvas>`) + `<script>0</script>`, vitrine.InvalidBlank},
		"a picture in an object":    {`<object style="width:90px;height:90px" data="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22><circle r=%2240%22 fill=%22red%22/></svg>"></object>`, ""},
		"another host's frame":      {`<iframe src="https://example.com/"></iframe>`, ""},
		"an overlay in a frame":     {inFrame("", `<p>Hello</p><vite-error-overlay></vite-error-overlay>`), vitrine.InvalidErrorOverlay},
	} {
		ev, _ := see(t, c, body(test.html), vitrine.CaptureSettings{})
		if got := ev.Validity; got.Valid != (test.want == "") || got.Reason != test.want {
			t.Errorf("%s: got %+v, want %q", name, got, test.want)
		}
	}
}

// Page time is that of every document: of other origins, without scripts, in shadow trees.
func TestFramesAndShadowTreesFollowPageTime(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	slide := `<style>@keyframes slide { to { transform: translateX(600px) } } .s { animation: slide 4s linear infinite; width: 40px; height: 40px; background: red }</style><div class="s"></div>`
	moves := slide + `<p id="p">0</p><svg width="90" height="20"><circle r="9" cy="9" fill="teal"><animate attributeName="cx" from="0" to="90" dur="4s"/></circle></svg><script>setInterval(() => p.textContent = Date.now() + ' ' + Math.random(), 100); (function f() { p.title = performance.now(); requestAnimationFrame(f) })()</script>`
	shadow := func(content string) string {
		return `<div id="h"></div><script>h.attachShadow({ mode: 'closed' }).innerHTML = new TextDecoder().decode(Uint8Array.from(atob('` + base64.StdEncoding.EncodeToString([]byte(content)) + `'), (c) => c.charCodeAt(0)))</script>`
	}
	for name, content := range map[string]string{
		"frame": inFrame("", moves), "sandboxed": inFrame("sandbox", slide), "sandboxed with scripts": inFrame(`sandbox="allow-scripts"`, moves),
		"nested": inFrame("sandbox=allow-scripts", inFrame("", moves)), "closed": shadow(slide), "frame in closed": shadow(inFrame("", moves)),
		"data": `<iframe src="data:text/html;base64,` + base64.StdEncoding.EncodeToString([]byte(moves)) + `"></iframe>`,
	} {
		var hashes []string
		for range 3 {
			ev, _ := see(t, c, body(`<style>iframe { width: 900px; height: 200px }</style>`+content), vitrine.CaptureSettings{})
			v := ev.Views[0]
			if len(v.Frames) != 3 {
				t.Fatalf("%s: %+v", name, v.Validity)
			}
			hashes = append(hashes, fmt.Sprint(v.Frames[0].SHA256, v.Frames[1].SHA256, v.Frames[2].SHA256))
			if v.Frames[0].SHA256 == v.Frames[1].SHA256 || v.Frames[1].SHA256 == v.Frames[2].SHA256 || !v.Validity.Valid {
				t.Errorf("%s: nothing moves, or nothing is there: %+v", name, v.Validity)
			}
		}
		if hashes[0] != hashes[1] || hashes[1] != hashes[2] {
			t.Errorf("%s: the frames differ", name)
		}
	}
}

// Pages that make it hard to look into them cost their own result, in bounded time.
func TestHostileFrames(t *testing.T) {
	t.Parallel()
	c := capturerOf(t, browser.Settings{CommandDeadline: 4 * time.Second})
	for name, page := range map[string]string{
		"many":          `<script>for (let i = 0; i < 2000; i++) document.body.append(document.createElement('iframe'))</script>`,
		"many sandbox":  `<script>for (let i = 0; i < 1000; i++) { const f = document.createElement('iframe'); f.sandbox = 'allow-scripts'; f.srcdoc = 'x'; document.body.append(f) }</script>`,
		"nests itself":  `<script>const page = document.documentElement.outerHTML; const f = document.createElement('iframe'); f.srcdoc = page; document.body.append(f)</script>`,
		"made again":    `<script>(function again() { document.querySelector('iframe')?.remove(); const f = document.createElement('iframe'); f.srcdoc = '<p>x'; document.body.append(f); setTimeout(again, 5) })()</script>`,
		"made in real":  `<script>const w = new Worker('data:,setInterval(() => postMessage(0), 1)'); const c = new MessageChannel(); c.port1.onmessage = () => { document.querySelector('iframe')?.remove(); const f = document.createElement('iframe'); f.sandbox = ''; f.srcdoc = '<p>x'; document.body.append(f); c.port2.postMessage(0) }; c.port2.postMessage(0)</script>`,
		"many roots":    `<script>for (let i = 0; i < 3e4; i++) { const d = document.createElement('div'); d.attachShadow({ mode: 'closed' }).textContent = 'x'; document.body.append(d) }</script>`,
		"deep roots":    `<script>let at = document.body; for (let i = 0; i < 3000; i++) { const d = document.createElement('div'); at.append(d); at = d.attachShadow({ mode: 'closed' }) } at.append('deep')</script>`,
		"frame hangs":   `<iframe sandbox="allow-scripts" srcdoc="<script>setTimeout(() => { for (;;); }, 50)</script>"></iframe>`,
		"never answers": `<iframe sandbox="allow-scripts" srcdoc="<script>Promise = null; MessagePort.prototype.postMessage = () => {}; Array.from = () => { throw 1 }; setInterval(() => {}, 9)</script>"></iframe>`,
		"takes ours":    `<iframe srcdoc="<script>Object.defineProperty(Document.prototype, 'defaultView', { get() { throw 1 } }); Node.prototype.getRootNode = () => { throw 1 }; __vitrine.adopt(document.body)</script>"></iframe>`,
	} {
		t.Run(name, func(t *testing.T) {
			ev, _ := see(t, c, body(`<p>Hello</p>`+page), once)
			if v := ev.Validity; !v.Valid && v.Reason != vitrine.InvalidTimeout && v.Reason != vitrine.InvalidLoadFailed && v.Reason != vitrine.InvalidCrashed {
				t.Errorf("got %+v", v)
			}
			t.Logf("%+v, %d elements and %d more", ev.Validity, len(ev.Views[0].Elements), ev.Views[0].MoreElements)
		})
	}
}
