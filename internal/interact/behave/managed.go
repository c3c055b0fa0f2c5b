package behave

import (
	"context"

	"vitrine"
)

// managed is a relation for editing or deleting, which on what an instruction only calls managed
// ("manage loans") holds as well where the state of one row can be changed and no other's: loans
// are extended and returned, and nobody writes in them. Where the instruction says how something
// is managed, or that it is edited or deleted, that alone is asked.
func managed(relation func(context.Context, *prover) answer) func(context.Context, *prover) answer {
	return func(ctx context.Context, p *prover) answer {
		best := relation(ctx, p)
		if best.verdict == vitrine.VerdictWorks || p.need.Verb != "manage" {
			return best
		}
		defer func(own vitrine.Requirement) { p.need = own }(p.need)
		p.need.Behavior, p.need.Words = vitrine.BehaviorStatus, nil
		if a := status(ctx, p); a.verdict == vitrine.VerdictWorks {
			return a
		}
		return best
	}
}
