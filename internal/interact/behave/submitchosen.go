package behave

import (
	"context"
	"slices"
	"strings"

	"vitrine"
)

// submitChosen proves that a selection is taken without a form, as seats of a plan are: two of many similar
// controls are selected and the control that confirms is clicked, which must be answered with a confirmation that
// is not given without a selection. What was selected must then be unavailable: off, gone, or in a state that is
// neither the free nor the selected one and that a click does not change; another control keeps its state. It
// cheats who marks what is selected as taken, or confirms anything.
func (p *prover) submitChosen(ctx context.Context, words []string) answer {
	places := slices.DeleteFunc(slices.Clone(p.site.places), func(pl *place) bool { return len(pl.view.selectable()) < manyCells })
	return bestOf(places, 2, absent("no form takes a %s", p.thing("message")), func(pl *place) answer {
		v := p.open(ctx, pl)
		empty := reaction{}
		if path := v.confirmer(words); path != "" {
			empty = p.reacts(ctx, v, func() vitrine.Step { return p.click(ctx, path) })
			v = p.open(ctx, pl)
		}
		all := p.shuffled(v.selectable())
		if len(all) < manyCells {
			return fails("what could be selected is gone when the page is opened again")
		}
		p.click(ctx, all[0].path)
		p.click(ctx, p.again(ctx, all[1]))
		both := p.look(ctx)
		chosen := slices.DeleteFunc(slices.Clone(all[:2]), func(o option) bool { return both.stateAt(o.path) == v.stateAt(o.path) })
		if len(chosen) == 0 { // selection shows in colors alone: at least the last one is selected
			chosen = all[1:2]
		}
		path := both.confirmer(words)
		if path == "" {
			return absent("no control confirms what is selected")
		}
		r := p.reacts(ctx, both, func() vitrine.Step { return p.click(ctx, path) })
		text := confirms(r.without(nil, empty), nil, false)
		if text == "" {
			return fails("confirming the selection says nothing")
		}
		after := p.look(ctx)
		if len(after.selectable()) == 0 { // the page shows a confirmation instead
			after = p.visit(ctx, pl)
		}
		if now := after.stateAt(all[2].path); now != v.stateAt(all[2].path) {
			return fails("%q was not selected, and is in another state afterwards", all[2].label)
		}
		for _, o := range chosen {
			if !p.isTaken(ctx, o, v, both) {
				return fails("%q was taken, and can be selected again", o.label)
			}
		}
		return works("%q is taken, and %q is not: %q", chosen[0].label, all[2].label, clip(text))
	})
}

// isTaken reports whether a control can no longer be selected, see [prover.submitChosen].
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

// selectable are the cells of a view that are named and many alike, as the free seats of a plan.
func (v *view) selectable() (all []option) {
	for _, path := range cells(v) {
		if c, f, _ := v.control(path); isCell(c, f.Region) && c.Name != "" && v.alike(c) >= manyCells {
			all = append(all, option{c.Name, path})
		}
	}
	return all
}

// confirmer is the path of the control that confirms a selection, by its label.
func (v *view) confirmer(words []string) (path string) {
	best := 60.0
	for i, c := range v.Controls {
		if region := v.Facts[i].Region; clickable(c) && !off(c) && !c.Covered && region != "nav" && region != "footer" && v.alike(c) < manyCells && matches(c.Name, words) >= best {
			best, path = matches(c.Name, words), c.Path
		}
	}
	return path
}
