package verify

import (
	"context"

	"vitrine"
	"vitrine/internal/interact"
)

// By is verify.
func (v *Verifier) By() vitrine.TraceBy { return vitrine.ByVerify }

// Cases are the test cases of the task: without any there is nothing to verify.
func (v *Verifier) Cases(given []vitrine.TestCase) ([]vitrine.TestCase, bool) {
	return given, len(given) > 0
}

// Exercise verifies each test case of the subject. The planner of scripts is told what
// the explorer found.
func (v *Verifier) Exercise(ctx context.Context, d *interact.Driver, s interact.Subject) (*vitrine.Trace, error) {
	explored, err := v.Explorer.Exercise(ctx, d, s)
	if err != nil {
		return nil, err
	}
	known := Context{Instruction: s.Instruction, Code: s.Files, Explored: explored}
	t := s.NewTrace(vitrine.ByVerify, d)
	t.Model = v.Settings.Model
	return t, s.Test(t, func(tc vitrine.TestCase) (vitrine.Case, error) { return v.Verify(ctx, d, tc, known) })
}
