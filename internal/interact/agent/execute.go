package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/interact"
)

// A Leaf is a requirement of a rubric tree (WebDevJudge §3.2).
type Leaf struct {
	ID          string // dimension and places: static.2.1
	Dimension   string // static, dynamic or intention
	Description string
	Complex     bool // of dynamic: a complex interaction
}

// The dimensions of a rubric tree, in its order.
var dimensions = []string{"intention", "static", "dynamic"}

// together is how many static leaves are looked for in one run, unless that is done as
// published.
const together = 10

// Workflow is the judging workflow of WebDevJudge B.3: the leaves of a rubric tree
// are the plan, each is executed, static ones up to ten at a time as a list, and
// [Rates] sums up. The trace's score is the mean of the dimensions' rates, which
// weigh the same; nil where no leaf could be judged. In the published profile all static
// leaves are one list, the score is [Sum], the temperature is that of the paper, and a run that
// goes in circles ends at its limit of steps alone.
func (a *Agent) Workflow(ctx context.Context, d *interact.Driver, leaves []Leaf, s interact.Subject) (*vitrine.Trace, error) {
	published := s.Profile == vitrine.ProfilePublished
	t, err := a.trace(ctx, d)
	if err != nil {
		return nil, err
	}
	t.Wanted, t.Of = len(leaves), vitrine.OfLeaves
	most := together
	if published {
		most = len(leaves)
	}
	for _, batch := range batches(leaves, most) {
		cases, err := a.execute(ctx, d, batch, s)
		if err != nil {
			return nil, err
		}
		for _, c := range cases {
			t.Cost = t.Cost.Plus(c.Cost)
		}
		t.Cases = append(t.Cases, cases...)
	}
	t.Score = mean(Rates(t.Cases))
	if published {
		t.Score = Sum(t.Cases)
	}
	return t, nil
}

// batches are the leaves of one run each, of which static ones have at most so many.
func batches(leaves []Leaf, most int) [][]Leaf {
	var static, each [][]Leaf
	for _, l := range leaves {
		if l.Dimension != "static" {
			each = append(each, []Leaf{l})
		} else if n := len(static); n > 0 && len(static[n-1]) < most {
			static[n-1] = append(static[n-1], l)
		} else {
			static = append(static, []Leaf{l})
		}
	}
	return append(static, each...)
}

// Rates is the share of leaves that are met in each dimension. One that was not
// judged does not count; a dimension without any is left out.
func Rates(cases []vitrine.Case) map[string]float64 {
	sums, counts := map[string]float64{}, map[string]float64{}
	for i := range cases {
		if s := cases[i].Score; s != nil {
			sums[cases[i].Category] += *s
			counts[cases[i].Category]++
		}
	}
	for dimension := range sums {
		sums[dimension] /= counts[dimension]
	}
	return sums
}

func mean(rates map[string]float64) *float64 {
	if len(rates) == 0 {
		return nil
	}
	total := 0.0
	for _, d := range dimensions {
		total += rates[d]
	}
	total /= float64(len(rates))
	return &total
}

// execute carries out one leaf, or a list of static ones.
func (a *Agent) execute(ctx context.Context, d *interact.Driver, leaves []Leaf, s interact.Subject) ([]vitrine.Case, error) {
	began := time.Now()
	a, err := a.ready()
	if err != nil {
		return nil, err
	}
	for _, l := range leaves {
		if !slices.Contains(dimensions, l.Dimension) {
			return nil, usage(fmt.Sprintf("leaf %s is of dimension %q", l.ID, l.Dimension), "Say static, dynamic or intention.")
		}
	}
	r := &run{
		name: "leaf-" + id(leaves[0].ID), form: pixelForm(leaves, d.Viewport),
		brief: brief{
			instruction: s.Instruction, kind: "the requirement", items: items(leaves), most: cmp.Or(a.Settings.Steps, limit(leaves[0])),
			published: s.Profile == vitrine.ProfilePublished,
		},
	}
	e, err := a.perform(ctx, d, r, r.converse)
	if err != nil {
		return nil, err
	}
	return r.leaves(leaves, e, began), nil
}

// limit is how many actions a leaf may take (WebDevJudge Table 10).
func limit(l Leaf) int {
	switch {
	case l.Dimension == "static":
		return stepsStatic
	case l.Dimension == "intention":
		return stepsIntention
	case l.Complex:
		return stepsComplex
	}
	return stepsBasic
}

// items are leaves in words, numbered where they are a list.
func items(leaves []Leaf) string {
	if leaves[0].Dimension != "static" {
		return leaves[0].Description
	}
	var b strings.Builder
	for i, l := range leaves {
		fmt.Fprintf(&b, "%d. %s\n", i+1, oneLine(l.Description))
	}
	return strings.TrimSpace(b.String())
}

// leaves makes the cases of a run. What the run did and cost is with the first.
func (r *run) leaves(leaves []Leaf, e ending, began time.Time) []vitrine.Case {
	whole := r.tell(e, began)
	cases := make([]vitrine.Case, len(leaves))
	for i, l := range leaves {
		c := vitrine.Case{Route: "/", Steps: []vitrine.Step{}, Verdict: whole.Verdict, Score: whole.Score, Why: whole.Why, End: whole.End, Error: whole.Error, Cost: vitrine.Free()}
		if i == 0 {
			c = whole
		}
		if l.Dimension == "static" && e.conclusion.verdict != "" {
			c.Verdict, c.Why = vitrine.VerdictFail, "it was not found"
			if slices.Contains(e.conclusion.found, i+1) {
				c.Verdict, c.Why = vitrine.VerdictPass, "it was found"
			}
			c.Why, c.Score = strings.Join(filled(c.Why, e.why), "; "), score(c.Verdict)
		}
		if i > 0 {
			c.Why += "; the steps are with " + leaves[0].ID
		}
		c.ID, c.Task, c.Category = l.ID, l.Description, l.Dimension
		cases[i] = c
	}
	return cases
}

// pixelForm asks a GUI model about leaves of one dimension.
func pixelForm(leaves []Leaf, window vitrine.Viewport) form {
	tell := tellMet
	if leaves[0].Dimension == "static" {
		tell = func(text string) (conclusion, error) { return tellFound(text, len(leaves)) }
	}
	return form{
		prompt: "execute-" + leaves[0].Dimension, ends: "finished",
		again: "a line that begins with Thought: and a line that begins with Action: with exactly one call",
		read: func(text string, t *turn) (move, error) {
			thought, c, err := parsePixel(text)
			if err != nil {
				return move{}, err
			}
			m, err := t.seen.grid.move(c, window)
			if err == nil && m.done {
				m.conclusion, err = tell(m.conclusion.why)
			}
			intoFocus(m.actions, t.seen.scene)
			if len([]rune(thought)) > maxThought {
				err = errors.Join(err, fmt.Errorf("the thought is longer than %d letters", maxThought))
			}
			m.thought = thought
			return m, err
		},
	}
}

// intoFocus aims typing at the field that has the focus: GUI models name none.
func intoFocus(actions []vitrine.Action, scene *interact.Scene) {
	for i := range actions {
		if actions[i].Kind == vitrine.ActType {
			actions[i].Target = &vitrine.Target{CSS: cmp.Or(scene.Focus, ":focus")}
		}
	}
}
