package behave

import (
	"context"
	"slices"

	"vitrine"
)

// submitChosen proves that what is chosen without a form, as seats of a plan, is taken: once two of many
// things that are alike are chosen, the control that takes them says so, and says nothing without a choice;
// then these two are no longer there to be chosen, and a third one is.
func (p *prover) submitChosen(ctx context.Context, words []string) answer {
	places := slices.DeleteFunc(slices.Clone(p.site.places), func(pl *place) bool { return len(pl.view.cells()) < manyCells })
	return bestOf(places, 2, absent("no form takes a %s", p.thing("message")), func(pl *place) answer {
		v := p.open(ctx, pl)
		empty := reaction{}
		if path := v.taker(words); path != "" {
			empty = p.reacts(ctx, v, func() vitrine.Step { return p.click(ctx, path) })
			v = p.open(ctx, pl)
		}
		all := p.shuffled(v.cells())
		if len(all) < manyCells {
			return fails("what could be chosen is gone when the page is opened again")
		}
		for _, o := range all[:2] {
			p.click(ctx, p.again(ctx, o))
		}
		v = p.look(ctx)
		path := v.taker(words)
		if path == "" {
			return absent("nothing takes what is chosen")
		}
		r := p.reacts(ctx, v, func() vitrine.Step { return p.click(ctx, path) })
		text := confirms(r.without(nil, empty), nil, false)
		if text == "" {
			return fails("taking what is chosen says nothing")
		}
		free := p.look(ctx).cells()
		for i, o := range all[:3] {
			switch there := slices.Contains(free, o); {
			case i < 2 && there:
				return fails("%q was taken, and can be chosen again", o.label)
			case i == 2 && !there:
				return fails("%q was not chosen, and cannot be afterwards", o.label)
			}
		}
		return works("%q and %q are taken, and %q is not: %q", all[0].label, all[1].label, all[2].label, clip(text))
	})
}

// cells are the controls of which many are alike that can be chosen, as the free seats of a plan.
func (v *view) cells() (all []option) {
	for i, c := range v.Controls {
		if isCell(c, v.Facts[i].Region) && !off(c) && !c.Covered && c.Name != "" && v.alike(c) >= manyCells {
			all = append(all, option{c.Name, c.Path})
		}
	}
	return all
}

// taker is the control that takes what is chosen, by its label.
func (v *view) taker(words []string) (path string) {
	best := 60.0
	for i, c := range v.Controls {
		if region := v.Facts[i].Region; clickable(c) && !off(c) && !c.Covered && region != "nav" && region != "footer" && v.alike(c) < manyCells && matches(c.Name, words) >= best {
			best, path = matches(c.Name, words), c.Path
		}
	}
	return path
}
