package interact

import (
	"context"
	"strings"
	"testing"

	"vitrine"
)

func clickOn(css string) vitrine.Action {
	return vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{CSS: css}}
}

// attempt clicks #go on a page and returns what came of it. A page that broke gives its
// validity.
func attempt(t *testing.T, html string) (step vitrine.Step, v vitrine.Validity) {
	t.Helper()
	v, err := driver(t, body(html)).Run(t.Context(), "/", func(ctx context.Context, s *Session) (err error) {
		step, err = s.Do(ctx, clickOn("#go"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return step, v
}

const goButton = `<button id="go">Go</button><p id="out">-</p>`

func TestPagesThatResist(t *testing.T) {
	for name, test := range map[string]struct {
		html string
		want func(vitrine.Step) bool
	}{
		"dialogs without end": {goButton + `<script>go.onclick = () => { while (confirm('again?')); out.textContent = 'done' }; setInterval(() => alert('x'), 10)</script>`, func(s vitrine.Step) bool {
			return len(s.Effect.Dialogs) > 0 && strings.Contains(strings.Join(s.Effect.Appeared, " "), "done")
		}},
		"a loop of alerts": {goButton + `<script>go.onclick = () => { for (;;) alert('x') }</script>`, func(s vitrine.Step) bool {
			return len(s.Effect.Dialogs) > 0 && len(s.Effect.Threw) == 1
		}},
		"talks before it asks": {goButton + `<script>go.onclick = () => { for (let i = 0; i < 5000; i++) console.log(i); alert('here'); open('page'); out.textContent = 'done' }</script>`, func(s vitrine.Step) bool {
			return len(s.Effect.Dialogs) == 1 && len(s.Effect.Popups) == 1 && len(s.Effect.Console) == maxWords
		}},
		"goes to another host": {goButton + `<script>go.onclick = () => { location.href = 'https://example.com/x' }</script>`, func(s vitrine.Step) bool {
			return len(s.Effect.Asked) == 1 && s.Effect.Asked[0] == "go to https://example.com/x" && !s.Effect.Loaded
		}},
		"reloads itself": {goButton + `<script>go.onclick = () => location.reload()</script>`, func(s vitrine.Step) bool { return s.Effect.Loaded && s.Effect.URL == "" }},
		"goes to a missing page": {goButton + `<script>go.onclick = () => location = 'gone.html'</script>`, func(s vitrine.Step) bool {
			return s.Effect.Loaded && s.Effect.Missing && s.Effect.URL == "/gone.html"
		}},
		"replaces its tree each frame": {goButton + `<div id="all"></div><script>let n = 0; const draw = () => { all.innerHTML = '<b>' + ++n + '</b>'; requestAnimationFrame(draw) }; draw(); go.onclick = () => { out.textContent = 'done' }</script>`, func(s vitrine.Step) bool {
			return strings.Join(s.Effect.Appeared, "|") == "done"
		}},
		"removes itself on hover": {`<div style="width:200px"><button id="go" onmouseenter="this.remove()">Go</button></div>`, func(s vitrine.Step) bool { return s.Failed == "" || s.Failed != "" && s.Control != nil }},
		"throws":                  {goButton + `<script>go.onclick = () => { nothing.here() }</script>`, func(s vitrine.Step) bool { return len(s.Effect.Threw) == 1 && Empty(s.Effect) }},
		"rejects": {goButton + `<script>go.onclick = async () => { await fetch('https://example.com/') }</script>`, func(s vitrine.Step) bool {
			return len(s.Effect.Threw) == 1 && len(s.Effect.Requests) == 1 && Empty(s.Effect)
		}},
		"only logs":     {goButton + `<script>go.onclick = () => console.log('clicked', {a: 1})</script>`, func(s vitrine.Step) bool { return Empty(s.Effect) && len(s.Effect.Console) == 1 }},
		"opens windows": {goButton + `<script>go.onclick = () => { for (let i = 0; i < 500; i++) open('page' + i) }</script>`, func(s vitrine.Step) bool { return len(s.Effect.Popups) == maxWords }},
		"disabled":      {`<button id="go" disabled>Go</button>`, func(s vitrine.Step) bool { return s.Failed == "it is disabled" }},
		"covered":       {goButton + `<div id="lid" style="position:fixed;inset:0"></div>`, func(s vitrine.Step) bool { return s.Failed == "it is covered by #lid" }},
		"hidden":        {`<button id="go" hidden>Go</button>`, func(s vitrine.Step) bool { return s.Failed == "it is not visible" }},
		"missing":       {`<p>Nothing</p>`, func(s vitrine.Step) bool { return s.Failed == "nothing on the page is at #go" }},
		"prints and copies": {goButton + `<script>go.onclick = () => { print(); navigator.clipboard.writeText('x'); new Audio('a.mp3').play() }</script>`, func(s vitrine.Step) bool {
			return strings.Join(s.Effect.Asked, "|") == "print|copy: x|play"
		}},
		"files":            {goButton + `<input type="file" id="f" hidden><script>go.onclick = () => f.click()</script>`, func(s vitrine.Step) bool { return strings.Join(s.Effect.Asked, "|") == "a file" }},
		"files by a label": {`<label id="go" for="f">Choose a picture</label><input type="file" id="f" hidden>`, func(s vitrine.Step) bool { return strings.Join(s.Effect.Asked, "|") == "a file" }},
		"files from nowhere": {goButton + `<script>go.onclick = () => Object.assign(document.createElement('input'), { type: 'file' }).click()</script>`, func(s vitrine.Step) bool {
			return strings.Join(s.Effect.Asked, "|") == "a file"
		}},
		"downloads": {`<a id="go" download="a.txt" href="data:text/plain,x">Go</a>`, func(s vitrine.Step) bool { return strings.Join(s.Effect.Asked, "|") == "download: a.txt" }},
		"downloads by script": {goButton + `<script>go.onclick = () => { const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['x'])); a.download = 'b.txt'; a.click() }</script>`, func(s vitrine.Step) bool {
			return strings.Join(s.Effect.Asked, "|") == "download: b.txt"
		}},
		"a new tab":        {`<a id="go" target="_blank" href="/x.html">Go</a>`, func(s vitrine.Step) bool { return strings.Join(s.Effect.Popups, "|") == "/x.html" && !s.Effect.Loaded }},
		"writes anew":      {goButton + `<script>go.onclick = () => { document.open(); document.write('<p>New</p>'); document.close() }</script>`, func(s vitrine.Step) bool { return strings.Join(s.Effect.Appeared, "|") == "New" }},
		"breaks builtins":  {goButton + `<script>Promise = Map = null; Array.prototype.map = () => { throw 1 }; JSON.stringify = () => 'x'; go.onclick = () => { out.textContent = 'done' }</script>`, func(s vitrine.Step) bool { return strings.Join(s.Effect.Appeared, "|") == "done" }},
		"says it late":     {goButton + `<script>go.onclick = () => setTimeout(() => { out.textContent = 'done' }, 2500)</script>`, func(s vitrine.Step) bool { return strings.Join(s.Effect.Appeared, "|") == "done" && s.PageMS >= 2500 }},
		"shows it briefly": {goButton + `<script>go.onclick = () => { out.textContent = 'done'; setTimeout(() => { out.textContent = '-' }, 500) }</script>`, func(s vitrine.Step) bool { return strings.Join(s.Effect.Appeared, "|") == "done" }},
	} {
		t.Run(name, func(t *testing.T) {
			step, v := attempt(t, test.html)
			if !v.Valid || !test.want(step) {
				t.Errorf("got %+v and %+v", step, v)
			}
		})
	}
}

func TestPagesThatEnd(t *testing.T) {
	for name, test := range map[string]struct {
		html string
		want []vitrine.InvalidReason
	}{
		"hangs":            {goButton + `<script>go.onclick = () => { for (;;); }</script>`, []vitrine.InvalidReason{vitrine.InvalidTimeout}},
		"hangs on loading": {`<script>for (;;);</script>`, []vitrine.InvalidReason{vitrine.InvalidTimeout}},
		"crashes":          {goButton + `<script>go.onclick = () => { const all = []; for (;;) all.push(new Array(1 << 22).fill(1.5)) }</script>`, []vitrine.InvalidReason{vitrine.InvalidCrashed, vitrine.InvalidTimeout}},
		"answers for us":   {goButton + `<script>Object.prototype.then = function (done) { done({ then: 0, stirred: true, value: 'x', next: 'x' }) }</script>`, []vitrine.InvalidReason{vitrine.InvalidLoadFailed, vitrine.InvalidTimeout, vitrine.InvalidCrashed}},
		"reloads for ever": {`<p>Hello</p><script>location.reload()</script>`, []vitrine.InvalidReason{vitrine.InvalidLoadFailed, vitrine.InvalidTimeout}},
	} {
		t.Run(name, func(t *testing.T) {
			_, v := attempt(t, test.html)
			ok := false
			for _, r := range test.want {
				ok = ok || v.Reason == r
			}
			if v.Valid || !ok || v.Why == "" {
				t.Errorf("got %+v, want %v", v, test.want)
			}
		})
	}
}
