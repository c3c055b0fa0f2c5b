package interact

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"vitrine/internal/browser"
	"vitrine/internal/fixtures"
)

// fickle is another script each time it is asked for; the last one for ever.
type fickle struct {
	scripts []string
	mu      sync.Mutex
	asked   int
}

func (f *fickle) Answer(string, string) (fixtures.Answer, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	script := f.scripts[min(f.asked, len(f.scripts)-1)]
	f.asked++
	return fixtures.Answer{Name: "go.js", Body: []byte(script)}, true
}

// A page that is another in each run cannot be held against itself: it is watched, or
// the action is one that cannot be carried out. Neither is our fault.
func TestAPageThatIsAnotherInEachRun(t *testing.T) {
	const with, without = `const go = document.createElement('button'); go.id = 'go'; go.textContent = 'Go'; go.onclick = () => { out.textContent = 'done' }; document.body.append(go)`, `1`
	html := `<p id="n">0</p><p id="out">-</p><script>setInterval(() => { n.textContent = +n.textContent + 1 }, 70)</script><script src="https://example.com/go.js"></script>`
	for name, test := range map[string]struct {
		scripts []string
		failed  string
		shows   []string
	}{
		"gone once":     {[]string{with, without, with}, "", []string{"done"}},
		"gone for good": {[]string{with, without}, "the page is another when it is run again: nothing on the page is at #go", nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := driver(t, body(html))
			d.Mirror = &fickle{scripts: test.scripts}
			run(t, d, func(ctx context.Context, s *Session) {
				s.Exact = true
				step := do(t, ctx, s, clickOn("#go"))
				if step.Failed != test.failed || !slices.Equal(step.Effect.Appeared, test.shows) {
					t.Errorf("got %+v", step)
				}
			})
		})
	}
}

// Each state of a page gets what it asks of other hosts, not the first one alone.
func TestEveryStateGetsWhatOtherHostsGive(t *testing.T) {
	mirror, err := fixtures.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := driver(t, body(`<img id="picture" src="https://placehold.co/40x30">`))
	d.Mirror = mirror
	run(t, d, func(ctx context.Context, s *Session) {
		for i := range 3 {
			if i > 0 {
				if err := s.Reset(ctx, "/"); err != nil {
					t.Fatal(err)
				}
			}
			if seen, err := s.Survey(ctx); err != nil || seen.Pictures != 1 {
				t.Fatalf("state %d: %d pictures, %v", i, seen.Pictures, err)
			}
		}
	})
}

// What ends a session before its page is open is blamed on something all the same: on what
// is beside it, since the page does not hang.
func TestBlameBeforeThePageIsOpen(t *testing.T) {
	run(t, driver(t, body(`<p>Hello</p>`)), func(ctx context.Context, s *Session) {
		early := &Session{driver: s.driver, tab: s.tab}
		late, cancel := context.WithDeadline(ctx, time.Now().Add(-time.Second))
		defer cancel()
		err := early.Reset(late, "/")
		if err == nil {
			t.Fatal("a session was set when it was too late")
		}
		if v, err := early.classify(ctx, err); !errors.Is(err, browser.ErrContended) {
			t.Errorf("got %+v and %v", v, err)
		}
	})
}
