package explore

import (
	"context"
	"slices"

	"vitrine"
	"vitrine/internal/interact"
)

// confirm goes the way of a hit from a fresh state, the short one first, and records
// the case where the control shows something there, too.
func (e *explorer) confirm(ctx context.Context, s *interact.Session, h hit) error {
	o, err := e.attempt(ctx, s, h.candidate, h.short, h.plan)
	if err != nil {
		return err
	}
	if o.works {
		if same, err := e.anywhere(ctx, s, h, o); err != nil || same {
			return err
		}
		h.candidate.path, h.candidate.afterOthers = h.short, true
		return e.proven(ctx, s, h.candidate, o)
	}
	if samePath(h.short, h.full) {
		return nil
	}
	if o, err = e.attempt(ctx, s, h.candidate, h.full, h.plan); err != nil || !o.works {
		return err
	}
	h.candidate.path, h.candidate.afterOthers = h.full, true
	if err := e.proven(ctx, s, h.candidate, o); err != nil {
		return err
	}
	return e.credit(ctx, s, h)
}

// anywhere reports whether the same on an empty place does the same: a menu that was
// opened on the way closes then, wherever one clicks.
func (e *explorer) anywhere(ctx context.Context, s *interact.Session, h hit, o outcome) (bool, error) {
	last := o.steps[len(o.steps)-1]
	kind := last.Action.Kind
	if kind != vitrine.ActClick && kind != vitrine.ActHover || len(last.Effect.Gone) == 0 && len(last.Effect.Changed) == 0 {
		return false, nil
	}
	empty := plan{actions: []vitrine.Action{{Kind: kind, Target: &vitrine.Target{Point: []vitrine.Coord{emptyAt, emptyAt}}}}}
	other, err := e.attempt(ctx, s, h.candidate, h.short, empty)
	if err != nil || !other.works {
		return false, err
	}
	a, b := last.Effect, other.steps[len(other.steps)-1].Effect
	return slices.Equal(a.Appeared, b.Appeared) && slices.Equal(a.Gone, b.Gone) && slices.Equal(a.Changed, b.Changed) && slices.Equal(a.Storage, b.Storage), nil
}

// emptyAt is near the right bottom corner, in thousandths of the window.
const emptyAt = 996

const maxCredits = 8

// credit finds, of the controls that showed nothing themselves, those that a hit needs:
// an operator of a calculator shows nothing before there is a result.
func (e *explorer) credit(ctx context.Context, s *interact.Session, h hit) error {
	n := 0
	for _, c := range e.done {
		if n == maxCredits || c == h.candidate || c.inconclusive || e.verdict(c) != vitrine.VerdictDead || c.route != h.candidate.route {
			continue
		}
		p := plans(c)[0].actions[0]
		if !slices.ContainsFunc(h.full, func(a vitrine.Action) bool { return quoteAction(a) == quoteAction(p) }) {
			continue
		}
		n++
		o, err := e.attempt(ctx, s, h.candidate, append(slices.Clone(h.short), p), h.plan)
		if err != nil {
			return err
		}
		if o.works {
			e.record(c, o.steps, vitrine.VerdictWorks, "what "+h.candidate.control.Name+" does afterwards depends on it", vitrine.EndFinished)
		}
	}
	return nil
}
