package explore

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/browser/browsertest"
	"vitrine/internal/interact"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Run(m, browser.Settings{Pages: 4})) }

func site(files ...string) *vitrine.Site {
	s := &vitrine.Site{Kind: vitrine.KindPage, Base: "/", Routes: []string{"/"}, Files: map[string][]byte{}}
	for i := 0; i < len(files); i += 2 {
		s.Files[files[i]] = []byte(`<!DOCTYPE html><html lang="en"><title>T</title><body>` + files[i+1])
	}
	return s
}

// explore runs on the shared browser.
func explore(t testing.TB, s *vitrine.Site, settings Settings) *vitrine.Trace {
	t.Helper()
	trace, err := Explore(t.Context(), &interact.Driver{Browser: browsertest.Shared(t), Site: s, Viewport: vitrine.Desktop, Dir: t.TempDir()}, settings)
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// verdicts are what a trace says, by role and name.
func verdicts(trace *vitrine.Trace) map[string]string {
	all := map[string]string{}
	for _, c := range trace.Cases {
		all[c.Control.Role+" "+c.Control.Name] = string(c.Verdict)
	}
	return all
}

func TestVerdicts(t *testing.T) {
	for name, test := range map[string]struct {
		site *vitrine.Site
		want map[string]string
	}{
		"links": {site("index.html", `<a href="b.html">There</a> <a href="c.html">Lost</a> <a href="https://example.com">Out</a> <a href="mailto:a@b.co">Mail</a> <a href="#">Hash</a> <a href="#no">Nowhere</a>
			<a href="#far">Far</a> <a href="b.html" target="_blank">Tab</a><div style="height:2000px"></div><p id="far">Far</p>`, "b.html", `<p>B</p><button onclick="this.textContent = 'Deep!'">Deep</button>`),
			map[string]string{"link There": "works", "link Lost": "dead", "link Out": "unclear", "link Mail": "works", "link Hash": "dead", "link Nowhere": "dead", "link Far": "works", "link Tab": "works", "button Deep": "works"}},
		"forms": {site("index.html", `<form id="f"><label>Mail <input type="email" required></label><label>Age <input type="number" min="18" max="99" required></label><button>Join</button></form><p id="out"></p>
			<form id="g"><label>Word <input required></label><button>Vanish</button></form><script>f.onsubmit = (e) => { e.preventDefault(); out.textContent = 'Joined' }; g.onsubmit = (e) => e.preventDefault()</script>`),
			map[string]string{"textbox Mail": "works", "spinbutton Age": "works", "button Join": "works", "textbox Word": "works", "button Vanish": "dead"}},
		"a dialog": {site("index.html", `<button onclick="d.showModal()">Open</button><dialog id="d"><button onclick="d.close()">Close</button><button>Nothing</button></dialog>`),
			map[string]string{"button Open": "works", "button Close": "works", "button Nothing": "dead"}},
		"one that hangs": {site("index.html", `<button onclick="this.textContent = 'Fine!'">Fine</button><button onclick="for (;;);">Hang</button>`), map[string]string{"button Fine": "works", "button Hang": "dead"}},
		"hostile ones": {site("index.html", `<button onclick="while (true) alert(1)">Alerts</button><button onclick="throw 1">Throws</button><button onclick="console.log(1)">Logs</button><button onclick="location.reload()">Reloads</button>`),
			map[string]string{"button Alerts": "works", "button Throws": "dead", "button Logs": "dead", "button Reloads": "dead"}},
		"by style alone": {site("index.html", `<style>#menu { display: none; position: absolute; left: 300px; width: 90px; height: 90px; background: teal } #b:focus ~ #menu { display: block } .x:active { color: red } .x:focus { outline: 3px solid }</style>
			<button id="b">Unfold</button><button class="x">Blink</button><div id="menu"></div>`), map[string]string{"button Unfold": "works", "button Blink": "dead"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trace := explore(t, test.site, Settings{})
			if diff := cmp.Diff(test.want, verdicts(trace)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
				for _, c := range trace.Cases {
					t.Log(c.Control.Name, c.Verdict, c.Why, c.End)
				}
			}
		})
	}
}

func TestScore(t *testing.T) {
	score := func(s *vitrine.Site) *float64 { return explore(t, s, Settings{N: 2}).Score }
	if got := score(site("index.html", `<p>Nothing to try</p>`)); got == nil || *got != 0 {
		t.Errorf("a page without controls has the score %v, want 0", got)
	}
	if got := score(site("index.html", `<a href="https://example.com">Out</a>`)); got == nil || *got != 0 {
		t.Errorf("a page with links to other hosts alone has the score %v, want 0", got)
	}
	if got := score(site("index.html", `<input aria-label="Word" readonly value="x"><a href="https://example.com">Out</a>`)); got != nil {
		t.Errorf("a page of which nothing can be judged has the score %v, want none", *got)
	}
	if got := score(site("index.html", `<button onclick="document.title += 1">A</button><button onclick="document.title += 1">B</button><button onclick="document.title += 1">C</button>`)); got == nil || *got != 2 {
		t.Errorf("two of two work: score %v, want 2", got)
	}
	broken := explore(t, site("index.html", `<script>for (;;);</script>`), Settings{})
	if broken.Score == nil || *broken.Score != 0 || broken.Validity.Reason != vitrine.InvalidTimeout || len(broken.Cases) != 0 {
		t.Errorf("a page that hangs: %+v", broken)
	}
	half := explore(t, site("index.html", `<button style="width:300px" onclick="document.title += 1">Fine</button><button onclick="for (;;);">Hang</button>`), Settings{})
	if half.Score == nil || *half.Score != 1 || !half.Validity.Valid || len(half.Cases) != 2 {
		t.Fatalf("a page that a button ends: %+v", half)
	}
	for _, cost := range []vitrine.Cost{broken.Cost, half.Cost, half.Cases[0].Cost, half.Cases[1].Cost} {
		if cost.USD == nil || *cost.USD != 0 {
			t.Errorf("it asks no model and costs %+v, want 0", cost)
		}
	}
}

// links are n links to other hosts.
func links(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<a href="https://h%d.example/">Host %c</a> `, i, 'A'+i)
	}
	return b.String()
}

func TestWhatCannotBeJudgedLeavesTheBudgetAlone(t *testing.T) {
	trace := explore(t, site("index.html", links(3)+`<footer style="margin-top:1500px"><button onclick="document.title += 1">Shift</button></footer>`), Settings{Budget: 3})
	if got := verdicts(trace)["button Shift"]; got != "works" || trace.Score == nil || *trace.Score != 1 {
		t.Errorf("the button behind the links is %q, the score %v", got, trace.Score)
	}
	if trace := explore(t, site("index.html", links(9)), Settings{Budget: 2}); len(trace.Cases) != 6 {
		t.Errorf("a budget of 2 comes to %d cases that cannot be judged, want 6", len(trace.Cases))
	}
}

func TestWhatAFieldIsFilledInWith(t *testing.T) {
	for least, want := range map[int]string{0: "Sunny day", 12: "Sunny day and more", 20: "Sunny day and more and more", 100_000: "Sunny day", 1<<31 - 1: "Sunny day"} {
		if got := interact.FieldValue(vitrine.Control{Role: "textbox", Tag: "input"}, interact.Facts{MinLength: least}); got != want {
			t.Errorf("of a field that takes %d letters at least: %q, want %q", least, got, want)
		}
	}
}

func TestBudgetAndStates(t *testing.T) {
	html := `<main>` + strings.Repeat(`<p><button onclick="this.textContent += '!'">Go</button></p>`, 4) + `<button onclick="document.body.append('More')">Other</button></main>`
	trace := explore(t, site("index.html", html), Settings{Budget: 2})
	if len(trace.Cases) != 2 || len(trace.States) < 2 || trace.States[0].From != "" || trace.States[1].From != trace.States[0].ID {
		t.Errorf("got %d cases and the states %+v", len(trace.Cases), trace.States)
	}
	for _, c := range trace.Cases {
		if last := c.Steps[len(c.Steps)-1]; last.Before == "" || last.After == "" || last.Before == last.After {
			t.Errorf("%s has no frames as proof: %+v", c.ID, last)
		}
	}
}

func TestTheSameTraceEveryTime(t *testing.T) {
	for _, page := range []string{"todo.html", "stopwatch.html", "dialog-element.html", "iframe.html"} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			wall := cmp.FilterPath(func(p cmp.Path) bool { return strings.HasSuffix(p.String(), "WallMS") }, cmp.Ignore())
			first := explore(t, unitSite(t, page), Settings{Budget: 8})
			for range 2 {
				if diff := cmp.Diff(first, explore(t, unitSite(t, page), Settings{Budget: 8}), wall, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("another trace (-first +now):\n%s", diff)
				}
			}
		})
	}
}

// BenchmarkExplore is a page of the usual size with N = 3, as in training.
func BenchmarkExplore(b *testing.B) {
	d := &interact.Driver{Browser: browsertest.Shared(b), Site: unitSite(b, "contact.html"), Viewport: vitrine.Desktop, Dir: b.TempDir()}
	for b.Loop() {
		trace, err := Explore(context.Background(), d, Settings{N: 3, Budget: 3})
		if err != nil || trace.Score == nil {
			b.Fatal(err, trace)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(time.Millisecond)/float64(b.N), "ms/page")
}
