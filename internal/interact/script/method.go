package script

import (
	"context"
	"fmt"

	"vitrine"
	"vitrine/internal/interact"
)

// Scripts are an [interact.Method]: each is one test case.
type Scripts []Script

// By is script.
func (all Scripts) By() vitrine.TraceBy { return vitrine.ByScript }

// Cases are those of the scripts, whatever the task has.
func (all Scripts) Cases([]vitrine.TestCase) (cases []vitrine.TestCase, ok bool) {
	for _, s := range all {
		cases = append(cases, vitrine.TestCase{Task: s.Task, ExpectedResult: s.Expected, Category: s.Category})
	}
	return cases, true
}

// Exercise runs each script from a fresh state of the site.
func (all Scripts) Exercise(ctx context.Context, d *interact.Driver, s interact.Subject) (*vitrine.Trace, error) {
	t := s.NewTrace(vitrine.ByScript, d)
	for _, script := range all {
		c, err := Run(ctx, d, script, nil)
		if err != nil {
			return nil, fmt.Errorf("script %s: %w", script.ID, err)
		}
		t.Cases = append(t.Cases, c)
	}
	interact.Score(t)
	return t, nil
}
