package explore

import (
	"context"

	"vitrine"
	"vitrine/internal/interact"
)

// An Explorer is the [interact.Method] that needs no model and no test cases.
type Explorer struct {
	// Budget is how many cases are judged at most; see [Settings].
	Budget int
}

// By is explore.
func (e Explorer) By() vitrine.TraceBy { return vitrine.ByExplore }

// Cases are not known before the site is open.
func (e Explorer) Cases([]vitrine.TestCase) ([]vitrine.TestCase, bool) { return nil, true }

// Exercise explores the routes that were seen, unless the cache knows the trace.
func (e Explorer) Exercise(ctx context.Context, d *interact.Driver, s interact.Subject) (*vitrine.Trace, error) {
	settings := Settings{N: s.N, Budget: e.Budget, Instruction: s.Instruction, Routes: s.Routes()}
	return s.Cache.Trace(ctx, d, settings, func(d *interact.Driver) (*vitrine.Trace, error) { return Explore(ctx, d, settings) })
}
