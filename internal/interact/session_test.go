package interact

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/browser/browsertest"
)

func TestMain(m *testing.M) {
	os.Exit(browsertest.Run(m, browser.Settings{CommandDeadline: 8 * time.Second, Pages: 4}))
}

func site(files ...string) *vitrine.Site {
	s := &vitrine.Site{Kind: vitrine.KindPage, Base: "/", Routes: []string{"/"}, Files: map[string][]byte{}}
	for i := 0; i < len(files); i += 2 {
		s.Files[files[i]] = []byte(files[i+1])
	}
	return s
}

func body(html string) *vitrine.Site {
	return site("index.html", `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><meta name="viewport" content="width=device-width"><title>T</title></head><body>`+html+`</body></html>`)
}

// driver shows a site on the shared browser.
func driver(t testing.TB, s *vitrine.Site) *Driver {
	t.Helper()
	return &Driver{Browser: browsertest.Shared(t), Site: s, Viewport: vitrine.Desktop, Dir: t.TempDir()}
}

// run runs a session that must succeed.
func run(t testing.TB, d *Driver, act func(context.Context, *Session)) {
	t.Helper()
	v, err := d.Run(t.Context(), "/", func(ctx context.Context, s *Session) error {
		act(ctx, s)
		return nil
	})
	if err != nil || !v.Valid {
		t.Fatalf("got %+v and %v", v, err)
	}
}

func do(t testing.TB, ctx context.Context, s *Session, a vitrine.Action) vitrine.Step {
	t.Helper()
	step, err := s.Do(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	return step
}

// A page that writes again and again, in turns that no clock holds up, must not reach
// the next state.
func TestWhatAPageStoresToItsLastMomentIsGone(t *testing.T) {
	d := driver(t, body(`<p id="found"></p><script>
		found.textContent = [localStorage.length, sessionStorage.length, document.cookie, window.name].join('|')
		const { port1, port2 } = new MessageChannel()
		port1.onmessage = () => { localStorage.left = sessionStorage.left = 'x'; document.cookie = 'left=x'; port2.postMessage(0) }
		port2.postMessage(0)</script>`))
	run(t, d, func(ctx context.Context, s *Session) {
		for range 10 {
			do(t, ctx, s, vitrine.Action{Kind: vitrine.ActWait, MS: 1})
			if err := s.Reset(ctx, "/"); err != nil {
				t.Fatal(err)
			}
			var found string
			if err := s.tab.Eval(ctx, "found.textContent", &found); err != nil || found != "0|0||" {
				t.Fatalf("a fresh state found %q, %v", found, err)
			}
		}
	})
}

// Reset opens a new document after any action, and none in a session that is still fresh.
func TestAFreshSessionIsNotResetAgain(t *testing.T) {
	d := driver(t, body(`<button id="b">Go</button>`))
	run(t, d, func(ctx context.Context, s *Session) {
		opened := func(act func()) bool {
			before := s.page.Start
			act()
			if err := s.Reset(ctx, "/"); err != nil {
				t.Fatal(err)
			}
			return s.page.Start != before
		}
		if _, err := s.Look(ctx); err != nil {
			t.Fatal(err)
		}
		if opened(func() {}) {
			t.Error("opened again though nothing was done")
		}
		for _, a := range []vitrine.Action{{Kind: vitrine.ActClick, Target: &vitrine.Target{CSS: "#b"}}, {Kind: vitrine.ActWait, MS: 1}, {Kind: vitrine.ActHover, Target: &vitrine.Target{CSS: "#b"}}} {
			if !opened(func() { do(t, ctx, s, a) }) {
				t.Errorf("not opened again after %+v", a)
			}
		}
		if !opened(func() {
			if err := s.Reset(ctx, "/?other"); err != nil {
				t.Fatal(err)
			}
		}) {
			t.Error("another route was not left")
		}
	})
}

// A button that is disabled for a moment loses the focus, whether or not the browser
// happened to draw it meanwhile.
func TestFocusDoesNotDependOnWhatWasDrawn(t *testing.T) {
	d := driver(t, body(`<button id="b">Go</button><p id="p">0</p><script>
		b.onclick = () => setTimeout(() => { b.disabled = true; setTimeout(() => { b.disabled = false; p.textContent++ }) })</script>`))
	run(t, d, func(ctx context.Context, s *Session) {
		for n := range 5 {
			step := do(t, ctx, s, vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{CSS: "#b"}})
			var focused string
			if err := s.tab.Eval(ctx, "document.activeElement.localName", &focused); err != nil || focused != "body" || step.Effect.Focus != "" {
				t.Fatalf("click %d: the focus is on %s: %+v, %v", n+1, focused, step.Effect, err)
			}
		}
	})
}

// What comes to lie under the pointer hears of it at the same page time, whenever the browser draws.
func TestThePointerIsOverWhatAppears(t *testing.T) {
	d := driver(t, body(`<button id="b" style="width:200px;height:100px">Go</button><div id="o" hidden style="position:fixed;inset:0;background:white">Over</div><p id="p"></p><script>
		o.onmouseenter = () => setTimeout(() => { p.textContent += ' over at ' + Math.floor(performance.now()) }, 50)
		b.onclick = () => { if (p.textContent) o.hidden = false; else setTimeout(() => { o.hidden = false }, 250) }</script>`))
	run(t, d, func(ctx context.Context, s *Session) {
		said := map[string]bool{}
		for range 5 {
			if err := s.Reset(ctx, "/"); err != nil {
				t.Fatal(err)
			}
			do(t, ctx, s, vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{CSS: "#b"}})
			do(t, ctx, s, vitrine.Action{Kind: vitrine.ActWait, MS: 300})
			var text string
			if err := s.tab.Eval(ctx, "p.textContent", &text); err != nil {
				t.Fatal(err)
			}
			said[text] = true
		}
		if len(said) != 1 || said[""] {
			t.Errorf("five times the same: %v", said)
		}
	})
}

// A session that reads documents does not wait for an animation that never ends.
func TestEndlessAnimationsAreNotWaitedFor(t *testing.T) {
	for name, test := range map[string]struct {
		turns  string
		sparse bool
		waits  bool
	}{
		"endless, documents": {"infinite", true, false}, "endless, pictures": {"infinite", false, true}, "once, documents": {"1", true, true},
	} {
		d := driver(t, body(`<style>@keyframes k { to { opacity: 0.5 } } #b, .new { animation: k 0.7s `+test.turns+` }</style>
			<button id="b">Go</button><p id="p"></p><script>b.onclick = () => { p.className = 'new'; p.textContent = 'done' }</script>`))
		run(t, d, func(ctx context.Context, s *Session) {
			s.Sparing, s.IgnoreEndless = test.sparse, test.sparse
			if step := do(t, ctx, s, vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{CSS: "#b"}}); (step.PageMS >= 700) != test.waits || len(step.Effect.Appeared) != 1 {
				t.Errorf("%s: %+v", name, step)
			}
		})
	}
}

func TestClickTypeAndPress(t *testing.T) {
	d := driver(t, body(`<h1>Tasks</h1><form id="f"><label>New task <input id="new"></label><button>Add</button></form><ul id="list"></ul>
		<script>f.onsubmit = (e) => { e.preventDefault(); const li = document.createElement('li'); li.textContent = document.getElementById('new').value; list.append(li); localStorage.n = list.children.length }</script>`))
	run(t, d, func(ctx context.Context, s *Session) {
		typed := do(t, ctx, s, vitrine.Action{Kind: vitrine.ActType, Target: &vitrine.Target{Label: "new TASK"}, Text: "Buy milk"})
		if !slices.Equal(typed.Effect.Values, []string{"New task: Buy milk"}) {
			t.Errorf("typed: %+v", typed)
		}
		clicked := do(t, ctx, s, vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Role: "button", Name: "add"}})
		if e := clicked.Effect; !slices.Equal(e.Appeared, []string{"Buy milk"}) || e.Added != 1 || !slices.Equal(e.Storage, []string{"n"}) || e.Pixels == 0 {
			t.Errorf("clicked: %+v", clicked)
		}
		if _, err := os.Stat(filepath.Join(d.Dir, clicked.After)); err != nil {
			t.Error(err)
		}
		pressed := do(t, ctx, s, vitrine.Action{Kind: vitrine.ActPress, Target: &vitrine.Target{CSS: "#new"}, Text: "Enter"})
		if pressed.Effect.Added != 1 {
			t.Errorf("pressed: %+v", pressed)
		}
		if err := s.Reset(ctx, "/"); err != nil {
			t.Fatal(err)
		}
		scene, err := s.Look(ctx)
		if err != nil || len(scene.Storage) != 0 || len(scene.Controls) != 2 || scene.Controls[0].Value != "" {
			t.Errorf("after the reset: %+v, %v", scene, err)
		}
	})
}
