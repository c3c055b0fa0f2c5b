package capture

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/browser/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Run(m, browser.Settings{Pages: 4})) }

// capturer captures with the shared browser.
func capturer(t testing.TB) *Capturer {
	t.Helper()
	return &Capturer{Browser: browsertest.Shared(t)}
}

// capturerOf captures with a browser of the test's own.
func capturerOf(t *testing.T, s browser.Settings) *Capturer {
	t.Helper()
	c := capturer(t)
	c.Browser = browser.New(s)
	t.Cleanup(c.Browser.Close)
	return c
}

func document(html string) *vitrine.Site {
	return site("index.html", html)
}

func site(files ...string) *vitrine.Site {
	s := &vitrine.Site{Kind: vitrine.KindPage, Base: "/", Routes: []string{"/"}, Files: map[string][]byte{}}
	for i := 0; i < len(files); i += 2 {
		s.Files[files[i]] = []byte(files[i+1])
	}
	return s
}

func body(html string) *vitrine.Site {
	return document(`<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><meta name="viewport" content="width=device-width"><title>T</title></head><body>` + html + `</body></html>`)
}

func see(t *testing.T, c *Capturer, s *vitrine.Site, settings vitrine.CaptureSettings) (*vitrine.Evidence, string) {
	t.Helper()
	dir := t.TempDir()
	ev, err := c.Site(t.Context(), s, settings, dir)
	if err != nil {
		t.Fatal(err)
	}
	return ev, dir
}

var once = vitrine.CaptureSettings{TimesMS: []int{0}}

func find(t *testing.T, v vitrine.View, id string) vitrine.Element {
	t.Helper()
	for _, e := range v.Elements {
		if e.Attrs["id"] == id {
			return e
		}
	}
	t.Fatalf("no visible element has the id %q", id)
	return vitrine.Element{}
}

func TestValidity(t *testing.T) {
	t.Parallel()
	c := capturerOf(t, browser.Settings{CommandDeadline: 4 * time.Second})
	for name, test := range map[string]struct {
		html string
		want vitrine.InvalidReason
	}{
		"text":                        {`<p>Hello</p>`, ""},
		"picture without text":        {`<svg width="90" height="90"><circle r="40" cx="45" cy="45" fill="red"/></svg>`, ""},
		"box without text":            {`<div style="width:50px;height:50px;background:teal"></div>`, ""},
		"speck without text":          {`<div style="width:10px;height:10px;background:teal"></div>`, vitrine.InvalidBlank},
		"empty":                       {``, vitrine.InvalidBlank},
		"white on white":              {`<p style="color:#fff">Hello</p>`, vitrine.InvalidBlank},
		"hidden text":                 {`<p hidden>Hello</p><p style="opacity:0">Hi</p>`, vitrine.InvalidBlank},
		"only a backdrop":             {`<style>body{background:linear-gradient(red,blue)}</style>`, vitrine.InvalidBlank},
		"throws with nothing mounted": {`<div id="root"></div><script>undefinedFunction()</script>`, vitrine.InvalidThrewBeforePaint},
		"rejects with nothing there":  {`<script>Promise.reject(new Error('no key'))</script>`, vitrine.InvalidThrewBeforePaint},
		"throws with a page":          {`<p>Hello</p><script>undefinedFunction()</script>`, ""},
		"mounts late":                 {`<script>setTimeout(() => document.body.append('Hello'), 2500)</script>`, ""},
		"error overlay":               {`<p>Hello</p><vite-error-overlay></vite-error-overlay>`, vitrine.InvalidErrorOverlay},
		"endless loop":                {`<p>Hello</p><script>for (;;);</script>`, vitrine.InvalidTimeout},
		"endless loop in a timer":     {`<p>Hello</p><script>setTimeout(() => { for (;;); }, 100)</script>`, vitrine.InvalidTimeout},
		"waits for the clock":         {`<p>Hello</p><script>const t = Date.now(); while (Date.now() - t < 200);</script>`, ""},
		"endless timers":              {`<p>Hello</p><script>(function f() { setTimeout(f, 0) })()</script>`, ""},
		"reloads for ever":            {`<p>Hello</p><script>location.reload()</script>`, vitrine.InvalidLoadFailed},
		"refreshes for ever":          {`<p>Hello</p><meta http-equiv="refresh" content="0;url=/?x">`, vitrine.InvalidLoadFailed},
		"removes its document":        {`<p>Hello</p><script>document.documentElement.remove()</script>`, vitrine.InvalidBlank},
		"replaces builtins":           {`<p>Hello</p><script>Promise = Map = null; Array.prototype.map = () => { throw 1 }; JSON.stringify = () => 'x'</script>`, ""},
		"answers what was not asked":  {`<p>Hello</p><a href="#">top</a><script>Array.from = () => 'x'</script>`, vitrine.InvalidLoadFailed},
		"fragment is no escape":       {`<p>Hello</p><a href="#100%">all of it</a>`, ""},
		"half a character":            {`<p>Hello</p><p id="p"></p><script>p.textContent = p.title = document.title = '👍 Anna'.slice(0, 1); console.log(p.title)</script>`, ""},
		"goes elsewhere":              {`<p>Hello</p><script>location = 'https://example.com/'</script>`, vitrine.InvalidBlank},
		"writes itself anew":          {`<p>Hello</p><script>setTimeout(() => { document.open(); document.write('<p>New'); document.close() }, 100)</script>`, ""},
		"fields named as methods":     {`<p>Hello</p><form tabindex="0"><input name="matches"><input name="checkVisibility"></form><script>document.forms[0].focus()</script>`, ""},
		"a form named as a member":    {`<p>Hello</p><form name="querySelectorAll"></form>`, vitrine.InvalidLoadFailed},
		"dialogs":                     {`<script>for (let i = 0; i < 99; i++) alert(i); document.write(confirm('x') + ' ' + prompt('y'))</script>`, ""},
	} {
		ev, _ := see(t, c, body(test.html), vitrine.CaptureSettings{})
		got := ev.Validity
		if got.Valid != (test.want == "") || got.Reason != test.want || !got.Valid && got.Why == "" {
			t.Errorf("%s: got %+v, want %q", name, ev.Validity, test.want)
		}
	}
}

func TestServiceWorkersAreNotInstalledAndNotMissed(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	ev, _ := see(t, c, site("index.html", `<!DOCTYPE html><title>T</title><p>Hello</p><script>navigator.serviceWorker.register('/sw.js')</script>`, "sw.js", ""), once)
	if !ev.Validity.Valid || len(ev.Console) != 0 {
		t.Errorf("got %+v, console %+v", ev.Validity, ev.Console)
	}
}

func TestPageDoesNotNoticeTheScreenshot(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	ev, _ := see(t, c, body(`<canvas id="c" width="600" height="2000"></canvas><script>
		const g = c.getContext('2d'); g.fillStyle = 'navy'; g.fillRect(0, 0, 600, 1800);
		addEventListener('resize', () => { c.width = 600; });
	</script>`), vitrine.CaptureSettings{})
	v := ev.Views[0]
	if !find(t, v, "c").Painted || v.Palette[0].Color.B < 100 && v.Palette[1].Color.B < 100 || v.Moved != 0 {
		t.Errorf("the canvas was cleared: palette %v, moved %v", v.Palette, v.Moved)
	}
}

func TestFullPageAdaptsToTheContentUpToTheCap(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	ev, _ := see(t, c, body(`<div style="height:3000px">tall</div>`), once)
	if f := ev.Views[0].Frames[0]; f.Height < 3000 || f.Width != 1280 || f.Capped {
		t.Errorf("got %+v", f)
	}
	ev, _ = see(t, c, body(`<div style="height:30000px">taller</div>`), once)
	if f := ev.Views[0].Frames[0]; f.Height != DefaultMaxHeight || !f.Capped {
		t.Errorf("got %+v", f)
	}
	ev, _ = see(t, c, body(`<div style="width:2000px;background:red">wide</div>`), vitrine.CaptureSettings{TimesMS: []int{0}, Viewports: []vitrine.Viewport{vitrine.Mobile}})
	if v := ev.Views[0]; v.Frames[0].Width != 390 || v.PageWidth < 2000 {
		t.Errorf("frame %+v, page width %d", v.Frames[0], v.PageWidth)
	}
}

func TestWhatAppearsOnScrollingIsSeen(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	ev, _ := see(t, c, body(`<style>.late { opacity: 0; transition: opacity .4s } .late.in { opacity: 1 }</style>
		<div style="height:2500px">above</div><p class="late" id="late">Revealed</p>
		<script>new IntersectionObserver((es) => es.forEach((e) => e.isIntersecting && e.target.classList.add('in'))).observe(late)</script>`), vitrine.CaptureSettings{})
	if e := find(t, ev.Views[0], "late"); e.Style.Opacity < 0.9 {
		t.Errorf("opacity %v", e.Style.Opacity)
	}
}

func TestConsoleAndRequests(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	s := site("index.html", `<!DOCTYPE html><title>T</title><link rel="stylesheet" href="style.css"><script src="https://cdn.example.com/lib.js"></script>
		<p>Hello</p><img id="gone" src="gone.png"><script>console.error('bad', 42, {a: 1}); console.log('fine'); fetch('/api/x').then(r => console.warn(r.status));
		setTimeout(() => { throw new Error('from a timer') }, 50)</script>`, "style.css", "p { color: rgb(0, 0, 128) }")
	s.Steps = []vitrine.BuildStep{{Name: "build", Command: "npm run build", Log: "made it"}}
	ev, _ := see(t, c, s, once)
	if diff := cmp.Diff(s.Steps, ev.Site.Steps); diff != "" {
		t.Errorf("the log of the build is not kept with what was seen (-want +got):\n%s", diff)
	}
	var lines []string
	for _, m := range ev.Console {
		lines = append(lines, m.Level+" "+strings.Split(m.Text, "\n")[0])
		if strings.Contains(m.Text, "vitrine-clock.js") {
			t.Errorf("our clock shows in a stack: %s", m.Text)
		}
	}
	slices.Sort(lines)
	if diff := cmp.Diff([]string{"error bad 42 Object", "exception Error: from a timer", "log fine", "warning 404"}, lines); diff != "" {
		t.Errorf("console (-want +got):\n%s", diff)
	}
	results := map[string]string{}
	for _, r := range ev.Requests {
		results[r.URL] = r.Result
	}
	want := map[string]string{"/style.css": "site", "https://cdn.example.com/lib.js": "blocked", "/gone.png": "missing", "/api/x": "missing"}
	if diff := cmp.Diff(want, results); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if !find(t, ev.Views[0], "gone").Broken {
		t.Error("the missing image is not broken")
	}
}

func TestWhatIsNotFetchedIsNamedWhereNothingShows(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	ev, _ := see(t, c, body(`<div id="map"></div><script src="https://cdn.example.com/map.js"></script><script>Map2.draw('#map')</script>`), once)
	if ev.Validity.Reason != vitrine.InvalidThrewBeforePaint || !strings.Contains(ev.Validity.Why, "https://cdn.example.com/map.js") {
		t.Errorf("got %+v", ev.Validity)
	}
}

func TestDocumentProbe(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	ev, _ := see(t, c, body(`<main><h1 id="h">Title</h1>
		<p id="pale" style="color:#999;background:#fff">Pale text</p>
		<div style="background:#112233"><p id="light" style="color:#ffffff">On dark</p></div>
		<div style="background:repeating-linear-gradient(45deg,red 0 3px,blue 3px 6px)"><p id="over" style="color:#fff;margin:0">On stripes</p></div>
		<form><label for="name">Name</label><input id="name"><input id="nameless" placeholder="x"><button id="go" onclick="1">Go</button></form>
		<div style="width:60px;overflow:hidden;white-space:nowrap"><span id="cut">A text that is far too long</span></div>
		<div style="width:60px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis" id="dots">A text that is far too long</div>
		<div style="display:flex;width:120px"><div style="width:60px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis" id="beside">A text that is far too long</div><b style="background:gold">on top</b></div>
		<p id="grades" style="color:#fff;background:linear-gradient(#1c1c2c,#242434);width:300px">On a slight gradient</p>
		<div style="position:relative;height:60px"><p id="under" style="position:absolute;top:0">Below</p><div style="position:absolute;inset:0;background:teal"></div></div>
		<img id="noalt" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
		<details><summary>More</summary><p id="folded">Folded</p></details></main>`), once)
	v := ev.Views[0]
	if e := find(t, v, "h"); e.Role != "heading" || e.Text != "Title" || e.Style.FontSize != 32 {
		t.Errorf("heading: %+v", e)
	}
	if e := find(t, v, "pale"); e.Style.Color.String() != "#999999" || e.Style.Backdrop.String() != "#ffffff" || !e.Style.BackdropKnown {
		t.Errorf("pale: %+v", e.Style)
	}
	if e := find(t, v, "light"); e.Style.Backdrop.String() != "#112233" {
		t.Errorf("backdrop %v", e.Style.Backdrop)
	}
	if e := find(t, v, "over"); e.Style.BackdropKnown {
		t.Errorf("a backdrop of stripes is known: %v", e.Style.Backdrop)
	}
	if !find(t, v, "name").Labelled || find(t, v, "nameless").Labelled || find(t, v, "name").Name != "Name" {
		t.Error("labels")
	}
	if e := find(t, v, "go"); !e.Interactive || e.Role != "button" {
		t.Errorf("button: %+v", e)
	}
	if !find(t, v, "cut").Clipped || find(t, v, "dots").Clipped {
		t.Error("clipping")
	}
	if e := find(t, v, "under"); e.Covered < 0.9 {
		t.Errorf("covered %v", e.Covered)
	}
	if e := find(t, v, "beside"); e.Covered != 0 {
		t.Errorf("what an ellipsis leaves out is covered: %v", e.Covered)
	}
	if e := find(t, v, "grades"); !e.Style.BackdropKnown || e.Style.Backdrop.R < 0x18 || e.Style.Backdrop.R > 0x28 {
		t.Errorf("a slight gradient: %+v", e.Style)
	}
	if slices.ContainsFunc(v.Elements, func(e vitrine.Element) bool { return e.Attrs["id"] == "folded" }) {
		t.Error("what a closed <details> holds is listed as visible")
	}
	if !v.AxeRan || !slices.ContainsFunc(v.Axe, func(a vitrine.AxeResult) bool { return a.ID == "image-alt" && a.Impact == "critical" && a.Count == 1 }) || v.AxePasses == 0 {
		t.Errorf("axe: %+v", v.Axe)
	}
	if !slices.ContainsFunc(v.Accessibility, func(n vitrine.AXNode) bool { return n.Role == "heading" && n.Name == "Title" && n.Level == 1 }) {
		t.Errorf("accessibility tree: %+v", v.Accessibility)
	}
}

// A form has its fields in the place of what they are named like: a booking form may well
// ask for children.
func TestFieldsNamedAsMembers(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	const plain, odd = "adults children id title style type value name text labels", "childNodes contains closest checkVisibility getAttribute hasAttribute shadowRoot isContentEditable textContent"
	for _, names := range []string{plain, odd} {
		html := `<form id="form" title="Book" style="padding:20px;background:#eee">`
		for name := range strings.FieldsSeq(names) {
			html += fmt.Sprintf(`<p><label>%s <input name="%s" data-of="%s"></label></p>`, strings.ToUpper(name), name, name)
		}
		ev, _ := see(t, c, body(html+`<button id="last">Send</button></form>`), once)
		if !ev.Validity.Valid || len(ev.Views) != 1 || names == plain && !ev.Views[0].AxeRan { // which does not get over the odd ones
			t.Fatalf("%s: got %+v, axe ran: %v", names, ev.Validity, ev.Views[0].AxeRan)
		}
		v := ev.Views[0]
		if e := find(t, v, "form"); e.Role != "form" || e.Name != "Book" || e.Disabled {
			t.Errorf("%s: the form is %+v", names, e)
		}
		fields := 0
		for _, e := range v.Elements {
			if e.Tag == "input" && e.Labelled {
				fields++
			}
		}
		if want := len(strings.Fields(names)); fields != want {
			t.Errorf("%s: %d fields have labels, want %d", names, fields, want)
		}
		find(t, v, "last")
	}
}

func TestSlugsAreSafeAndDistinct(t *testing.T) {
	t.Parallel()
	for route, want := range map[string]string{"/": "index", "/a/b": "a~b", "/about.html": "about.html"} {
		if got := slug(route); got != want {
			t.Errorf("%s: got %q, want %q", route, got, want)
		}
	}
	if slug("/ü") == slug("/ö") || strings.ContainsAny(slug("/ü?x=1\n"), "/?\n") || len(slug("/"+strings.Repeat("x", 500))) > 100 {
		t.Error("odd routes")
	}
}

func BenchmarkCapture(b *testing.B) {
	c := capturer(b)
	s := body(`<h1>Hello</h1>` + strings.Repeat(`<section><h2>Part</h2><p>Some words about it.</p><button>Go</button></section>`, 20))
	dir := b.TempDir()
	for b.Loop() {
		if _, err := c.Site(b.Context(), s, vitrine.CaptureSettings{}, dir); err != nil {
			b.Fatal(err)
		}
	}
}
