package behave

import (
	"context"

	"vitrine"
)

// managed is editing, which of what an instruction only calls managed ("manage loans") holds as
// well where no row can be edited and the state of one can be changed, and of no other: loans are
// extended and returned, and nobody writes in them. Where the instruction says how something is
// managed, or that it is edited, that alone is asked.
func managed(ctx context.Context, p *prover) answer {
	best := edit(ctx, p)
	if best.verdict != vitrine.VerdictAbsent || p.need.Verb != "manage" {
		return best
	}
	named := func(v *view) []rowAct { return short(p.site.rowControls(v, statusWords)) }
	a := p.onRows(ctx, best, named, func(v *view, acts []rowAct) answer { return p.flipRows(ctx, v, acts, named) })
	if a.verdict == vitrine.VerdictWorks {
		return a
	}
	return best
}
