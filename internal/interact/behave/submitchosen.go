package behave

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"vitrine"
)

// submitChosen proves that what is chosen without a form, as seats of a plan, is taken: once one or two of many
// things that are alike are chosen, the control that takes them says so, and says nothing without a choice;
// then these are in another state than free and chosen ones and cannot be chosen again, and another thing is as
// it was.
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
		p.click(ctx, all[0].path)
		p.click(ctx, p.again(ctx, all[1]))
		both := p.look(ctx)
		chosen := slices.DeleteFunc(slices.Clone(all[:2]), func(o option) bool { return both.stateAt(o.path) == v.stateAt(o.path) })
		if len(chosen) == 0 { // it shows in colors alone: at least the last one is chosen
			chosen = all[1:2]
		}
		path := both.taker(words)
		if path == "" {
			return absent("nothing takes what is chosen")
		}
		r := p.reacts(ctx, both, func() vitrine.Step { return p.click(ctx, path) })
		text := confirms(r.without(nil, empty), nil, false)
		if text == "" {
			return fails("taking what is chosen says nothing")
		}
		after := p.look(ctx)
		if len(after.cells()) == 0 { // it stands elsewhere
			after = p.visit(ctx, pl)
		}
		if now := after.stateAt(all[2].path); now != v.stateAt(all[2].path) {
			return fails("%q was not chosen, and is in another state afterwards", all[2].label)
		}
		for _, o := range chosen {
			if !p.isTaken(ctx, o, v, both) {
				return fails("%q was taken, and can be chosen again", o.label)
			}
		}
		return works("%q is taken, and %q is not: %q", chosen[0].label, all[2].label, clip(text))
	})
}

// isTaken reports whether a thing can be chosen no more: it is off or gone, or in a state that is neither that
// of a free one nor that of a chosen one, and a click leaves it so.
func (p *prover) isTaken(ctx context.Context, o option, free, chosen *view) bool {
	now := p.look(ctx)
	c, _, ok := now.control(o.path)
	if !ok || off(c) {
		return true
	}
	state := now.stateAt(o.path)
	if state == free.stateAt(o.path) || state == chosen.stateAt(o.path) {
		return false
	}
	p.click(ctx, o.path)
	return p.look(ctx).stateAt(o.path) == state
}

// stateAt is what a control is called, and the states and classes that it has.
func (v *view) stateAt(path string) string {
	c, f, ok := v.control(path)
	if !ok {
		return ""
	}
	states := slices.DeleteFunc(slices.Clone(c.States), func(s string) bool { return s == "focused" })
	return strings.Join([]string{c.Name, passing.ReplaceAllString(f.Look, ""), strings.Join(states, ",")}, "|")
}

// cells are the controls of one size of which many are alike that can be chosen, as the free seats of a plan.
func (v *view) cells() []option {
	sizes, most := map[string][]option{}, ""
	for i, c := range v.Controls {
		if !isCell(c, v.Facts[i].Region) || off(c) || c.Covered || c.Name == "" || v.alike(c) < manyCells {
			continue
		}
		key := fmt.Sprintf("%s %.0f %.0f", c.Tag, c.Box.W, c.Box.H)
		if sizes[key] = append(sizes[key], option{c.Name, c.Path}); len(sizes[key]) > len(sizes[most]) || len(sizes[key]) == len(sizes[most]) && key < most {
			most = key
		}
	}
	return sizes[most]
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
