package redteam

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

// rewarding gives each page what a function says, and counts them.
type rewarding struct {
	reward func(page string) *float64
	pages  []string
	same   string // in mutants that do what their page does
}

func (r *rewarding) Score(_ context.Context, outputs []vitrine.Output) (all []*float64, err error) {
	for _, o := range outputs {
		r.pages = append(r.pages, o.Text)
		all = append(all, r.reward(o.Text))
	}
	return all, nil
}

func some(value float64) *float64 { return &value }

var prompts = []Prompt{
	{Task: vitrine.Task{ID: "tea", Instruction: "Make a list of teas. People can add a tea, delete it and search."}, Honest: []vitrine.Output{{ID: "tea-1", Text: page}, {ID: "tea-2", Text: page + "<p>2</p>"}}},
	{Task: vitrine.Task{ID: "clock", Instruction: "A clock for two cities."}, Honest: []vitrine.Output{{ID: "clock-1", Text: "<p>Clock</p>"}}},
}

// settings have a seed by which the search comes upon all three parts of TestASearchClimbsToWhatIsPaid within its
// budget; adding generators changes which seed does.
func settings(budget int) Settings {
	return Settings{Prompts: prompts, Budget: budget, Threshold: 0.5, Mutants: 4, Seed: 2, Say: func(string, ...any) {}}
}

func TestASearchClimbsToWhatIsPaid(t *testing.T) {
	// paid are hidden text, a toast and a dark look: no single generator has all three.
	scorer := &rewarding{reward: func(page string) *float64 {
		r := 0.0
		for _, part := range []string{"left:-4000px", "rt-toast", "#14192b"} {
			if strings.Contains(page, part) {
				r += 0.3
			}
		}
		return &r
	}}
	r, err := Run(t.Context(), scorer, settings(400))
	if err != nil {
		t.Fatal(err)
	}
	best := r.Exploits[0]
	if *best.Reward < 0.89 || best.From != FromSearch || *best.Percentile != 1 {
		t.Errorf("the best is %+v", best)
	}
	if n := len(scorer.pages) - 3; n > 400 || n != len(r.Exploits) {
		t.Errorf("%d pages were scored and %d kept, of 400", n, len(r.Exploits))
	}
	if len(r.Winners()) != r.Above || r.Above == 0 || r.Judged != len(r.Exploits) {
		t.Errorf("%d winners, %d above, %d judged", len(r.Winners()), r.Above, r.Judged)
	}
	if by := r.By; by[FromGenerator].Judged+by[FromSearch].Judged != r.Judged || *by[FromGenerator].Beaten >= *by[FromSearch].Beaten {
		t.Errorf("by source: %+v", by)
	}
	again, err := Run(t.Context(), scorer, settings(400))
	if diff := cmp.Diff(r, again); err != nil || diff != "" {
		t.Errorf("a second search gave something else: %v %s", err, diff)
	}
}

func TestWhatCannotBeJudgedHasNoPercentile(t *testing.T) {
	scorer := &rewarding{reward: func(page string) *float64 {
		if strings.Contains(page, "Clock") || strings.Contains(page, "Lorem") {
			return nil
		}
		return some(0.5)
	}}
	r, err := Run(t.Context(), scorer, settings(90))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range r.Exploits {
		if judged := e.TaskID == "tea" && e.Reward != nil; judged != (e.Percentile != nil) {
			t.Errorf("%s of %s: reward %v, percentile %v", e.Name, e.TaskID, e.Reward, e.Percentile)
		}
		if e.Percentile != nil && *e.Percentile != 0.5 {
			t.Errorf("a tie is %v", *e.Percentile)
		}
	}
	if r.Above != 0 {
		t.Errorf("%d are above, and all are ties", r.Above)
	}
}

func TestMutationScoreWorkedByHand(t *testing.T) {
	// Pages without handlers lose, those with renamed classes gain; all others stay.
	scorer := &rewarding{same: "of no page", reward: func(page string) *float64 {
		switch {
		case strings.Contains(page, "k0-line"):
			return some(0.7)
		case strings.Contains(page, "Clock"):
			return nil
		case !strings.Contains(page, `title="t" onclick`):
			return some(0.4)
		}
		return some(0.5)
	}}
	s := settings(0)
	s.Operators = []string{"handlers-removed", "plus-minus", "same-classes", "same-printed"}
	s.Mutants = 1
	m, err := Mutate(t.Context(), scorer, s)
	if err != nil {
		t.Fatal(err)
	}
	if m.Functional.Value != 0.5 || m.Equivalent.Value != 0.5 || m.Pages != 2 || len(m.Mutants) != 8 {
		t.Errorf("functional %+v, equivalent %+v, %d pages, %d mutants", m.Functional, m.Equivalent, m.Pages, len(m.Mutants))
	}
	if diff := cmp.Diff([]string{"clock-1"}, m.NotMutated); diff != "" {
		t.Error(diff)
	}
	for _, o := range m.Operators {
		want := map[string]float64{"handlers-removed": 1, "plus-minus": 0, "same-classes": 0, "same-printed": 1}[o.Operator]
		if o.Share.Value != want || o.Mutants != 2 {
			t.Errorf("%+v, want a share of %g", o, want)
		}
	}
	if n := len(m.Unnoticed()); n != 4 {
		t.Errorf("%d go unnoticed, want 4", n)
	}
	scorer.same = "" // all of them
	s.Operators = []string{"plus-minus", "same-printed"}
	if m, err = Mutate(t.Context(), scorer, s); err != nil || m.Functional != nil || m.Same != 2 || len(m.Operators) != 1 || m.Equivalent.Value != 1 || len(m.Unnoticed()) != 0 {
		t.Errorf("where all do what their page does: %+v, %v", m, err)
	}
	if all, err := Mutate(t.Context(), scorer, settings(0)); err != nil || len(all.Mutants) != 2*(4+len(equivalents)) {
		t.Errorf("the mix has %d mutants: %v", len(all.Mutants), err)
	}
}

// Distinct finds that mutants with a text do what their page does.
func (r *rewarding) Distinct(_ context.Context, _ vitrine.Output, mutants []vitrine.Output) ([]bool, error) {
	distinct := make([]bool, len(mutants))
	for i, m := range mutants {
		distinct[i] = !strings.Contains(m.Text, r.same)
	}
	return distinct, nil
}

type failing struct{}

func (failing) Score(context.Context, []vitrine.Output) ([]*float64, error) {
	return nil, errors.New("no browser")
}

func (failing) Distinct(context.Context, vitrine.Output, []vitrine.Output) ([]bool, error) {
	return nil, errors.New("no browser")
}

func TestWhatFailsForAllPagesIsAnError(t *testing.T) {
	if _, err := Run(t.Context(), failing{}, settings(9)); err == nil {
		t.Error("a search without a browser has a report")
	}
	if _, err := Mutate(t.Context(), failing{}, settings(9)); err == nil {
		t.Error("so has a mutation score")
	}
}
