package agent

import (
	"context"

	"vitrine"
	"vitrine/internal/interact"
)

// By is agent.
func (a *Agent) By() vitrine.TraceBy { return vitrine.ByAgent }

// Cases are the test cases of the task, or else the leaves.
func (a *Agent) Cases(given []vitrine.TestCase) ([]vitrine.TestCase, bool) {
	if len(given) == 0 {
		for _, l := range a.Leaves {
			given = append(given, vitrine.TestCase{Task: l.Description, Category: l.Dimension})
		}
	}
	return given, true
}

// Exercise carries out the test cases of the subject; without any the leaves, and without
// those interactions of the model's own choice.
func (a *Agent) Exercise(ctx context.Context, d *interact.Driver, s interact.Subject) (*vitrine.Trace, error) {
	switch {
	case len(s.Cases) > 0:
		t := s.NewTrace(vitrine.ByAgent, d)
		t.Model = a.Settings.Model
		return t, s.Test(t, func(tc vitrine.TestCase) (vitrine.Case, error) { return a.Test(ctx, d, tc, s.Instruction) })
	case len(a.Leaves) > 0:
		t, err := a.Workflow(ctx, d, a.Leaves, s.Instruction)
		if err == nil && t.Score != nil { // N times their rate, as with test cases
			score := *t.Score * float64(s.N)
			t.Score, t.Wanted = &score, s.N
		}
		return t, err
	}
	return a.Aesthetics(ctx, d, s.Instruction)
}
