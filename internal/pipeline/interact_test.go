package pipeline

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/interact"
	"vitrine/internal/interact/explore"
	"vitrine/internal/interact/script"
	"vitrine/internal/interact/verify"
	"vitrine/internal/reward"
)

// shop has a button that works, and two that are dead.
const shop = `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><meta name="viewport" content="width=device-width"><title>Tea</title></head><body><main><h1>Tea shop</h1>
<p id="cart" role="status">Your cart is empty</p><button type="button" id="add">Add green tea</button> <button type="button">Pay now</button> <button type="button">Show all</button></main>
<script>document.getElementById('add').addEventListener('click', () => { document.getElementById('cart').textContent = '1 tea in your cart' })</script></body></html>`

func exercising(t *testing.T, recipeName string, i *interact.Settings) *Pipeline {
	return pipe(t, func(s *Settings) { s.Recipe, s.Interact = recipe(t, recipeName), i })
}

func finding(t *testing.T, s *Scored, check string) vitrine.Finding {
	t.Helper()
	for _, f := range s.Sample.Findings {
		if f.Check == check {
			return f
		}
	}
	t.Fatalf("no finding %s in %v", check, s.Sample.Findings)
	return vitrine.Finding{}
}

func TestExploringGivesTheInteractivePart(t *testing.T) {
	t.Parallel()
	p := exercising(t, "aescoder", &interact.Settings{Method: explore.Explorer{}})
	dir := t.TempDir()
	s := mustScore(t, p, vitrine.Output{ID: "shop", Text: shop, Instruction: "A tea shop"}, dir)
	if s.Trace == nil || s.Trace.Score == nil || *s.Trace.Score != 1 || s.Trace.Wanted != 3 {
		t.Fatalf("one of three controls works: got %+v", s.Trace)
	}
	// r_interact = s - 1 (AesCoder §4.4): one that works is 0.
	if got := s.Sample.Parts["interact"]; got != 0 || s.Sample.TimingMS.Interact <= 0 {
		t.Errorf("interact is %g, in %g ms", got, s.Sample.TimingMS.Interact)
	}
	for _, f := range s.Sample.Fallbacks {
		if f.Part == "interact" {
			t.Errorf("fell back: %+v", f)
		}
	}
	f := finding(t, s, "controls")
	if f.Score == nil || math.Abs(*f.Score-1.0/3) > 1e-9 || len(f.Where) != 2 {
		t.Fatalf("got %+v", f)
	}
	for _, place := range f.Where {
		if !strings.Contains(place.Label, "Pay now") && !strings.Contains(place.Label, "Show all") || place.Box.Area() == 0 {
			t.Errorf("a dead control is %+v", place)
		}
	}
	kept, err := evidence.LoadTrace(dir)
	must(t, err)
	if diff := cmp.Diff(s.Trace, kept, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the trace that was kept differs:\n%s", diff)
	}
	for _, c := range kept.Cases {
		for _, step := range c.Steps {
			for _, frame := range []string{step.Before, step.After} {
				if info, err := os.Stat(filepath.Join(dir, frame)); frame == "" || err != nil || info.Size() == 0 {
					t.Errorf("%s: frame %q: %v", c.Task, frame, err)
				}
			}
		}
	}
	again, err := Judge(t.Context(), dir, Settings{Recipe: recipe(t, "aescoder")})
	must(t, err)
	if *again.Sample.Reward != *s.Sample.Reward {
		t.Errorf("judged again: %g, was %g", *again.Sample.Reward, *s.Sample.Reward)
	}
	other := t.TempDir()
	cached := mustScore(t, p, vitrine.Output{ID: "shop", Text: shop, Instruction: "A tea shop"}, other)
	if diff := cmp.Diff(s.Trace, cached.Trace, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("from the cache:\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(other, s.Trace.Cases[0].Steps[0].Before)); err != nil {
		t.Errorf("from the cache: %v", err)
	}
}

func TestScriptsGiveTheShareOfPassedCases(t *testing.T) {
	t.Parallel()
	const two = `
- id: add
  task: Put a tea into the cart
  expected: The cart says so
  steps:
    - click: {role: button, name: Add green tea}
    - expect: {text: 1 tea in your cart}
- id: pay
  task: Pay
  steps:
    - click: {role: button, name: Pay now}
    - expect: {text: Thank you}
`
	scripts, err := script.Parse("two.yaml", []byte(two))
	must(t, err)
	r, err := reward.Load("use.yaml", func(string) ([]byte, error) {
		return []byte("name: use\nsource: own\ndescription: passed test cases\nbuild: strict\ncombine: sum\nparts:\n  use:\n    from: interact.fsr\n    fallback: 0\n    weight: 1\n"), nil
	})
	must(t, err)
	p := pipe(t, func(s *Settings) { s.Recipe, s.Interact = r, &interact.Settings{Method: script.Scripts(scripts)} })
	s := mustScore(t, p, vitrine.Output{ID: "shop", Text: shop}, t.TempDir())
	if s.Sample.Status != vitrine.SampleScored || *s.Sample.Reward != 0.5 || s.Sample.Scores["interact.fsr"] != 0.5 || *s.Trace.Score != 1.5 {
		t.Fatalf("got %v, %v, trace %+v", s.Sample.Reward, s.Sample.Error, s.Trace)
	}
	if c := s.Trace.Cases; c[0].Verdict != vitrine.VerdictPass || c[1].Verdict != vitrine.VerdictFail {
		t.Errorf("verdicts %s and %s", c[0].Verdict, c[1].Verdict)
	}
}

// A site that does not start fails all of its test cases.
func TestASiteThatDoesNotStartFailsItsCases(t *testing.T) {
	t.Parallel()
	cases := []vitrine.TestCase{{Task: "Open the menu", ExpectedResult: "It opens", Category: "navigation"}, {Task: "Pay"}}
	p := exercising(t, "looks", &interact.Settings{Method: &verify.Verifier{}, Cases: cases})
	for name, text := range map[string]string{"blank": blankPage, "broken": broken, "none": "no site at all"} {
		s := mustScore(t, p, vitrine.Output{ID: name, Text: text}, t.TempDir())
		if s.Trace == nil || len(s.Trace.Cases) != 2 || s.Sample.Scores["interact.fsr"] != 0 || s.Trace.Cases[0].Verdict != vitrine.VerdictFail || s.Trace.Cases[0].Category != "navigation" {
			t.Errorf("%s: got %+v", name, s.Trace)
		}
		if _, told := s.Sample.Scores["interact.fsr"]; !told {
			t.Errorf("%s: no share", name)
		}
	}
}
