package behave

import (
	"context"

	"vitrine"
)

// managed proves editing. Where an instruction only says "manage" ("manage loans") and no row can be
// edited, changing the state of one row and of no other proves it as well: loans are extended and
// returned. An instruction that names editing requires editing.
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
