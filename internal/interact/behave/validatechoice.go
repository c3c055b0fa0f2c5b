package behave

import (
	"context"
	"maps"
	"slices"

	"vitrine"
	"vitrine/internal/interact"
)

// needsChoice proves that what asks for a choice does not go on without one, and does with one.
func (p *prover) needsChoice(ctx context.Context, words []string) answer {
	words = slices.Concat(words, nextWords, calculateWords)
	best := absent("nothing is to be chosen")
	for _, pl := range top(p.site.places, 3) {
		for _, form := range pl.view.survey.Forms {
			var boxes []string
			for _, path := range form.Fields {
				if c, _, ok := pl.view.control(path); ok && (c.Role == "radio" || c.Role == "checkbox") && !off(c) {
					boxes = append(boxes, path)
				}
			}
			if len(boxes) < 2 || button(pl.view, form, words) == "" {
				continue
			}
			a := p.chooses(ctx, pl, form, boxes, words)
			if rank(a.verdict) > rank(best.verdict) {
				best = a
			}
		}
	}
	return best
}

// chooses proves it of a form with boxes: one of each group of radio buttons is chosen, or else
// one box. What is chosen from the start and cannot be taken back tells nothing.
func (p *prover) chooses(ctx context.Context, pl *place, form interact.Form, boxes, words []string) answer {
	v := p.open(ctx, pl)
	groups, picks, others := map[string][]string{}, []string{}, false
	for _, path := range boxes {
		c, f, _ := v.control(path)
		checked := slices.Contains(c.States, "checked")
		switch {
		case c.Role == "radio" && checked:
			return absent("%q is chosen from the start", c.Name)
		case c.Role == "radio":
			group := radioGroup(c, f)
			groups[group] = append(groups[group], path)
		case checked:
			picks = []string{path}
			p.click(ctx, path)
		default:
			others = true
		}
	}
	none := p.look(ctx)
	for _, path := range boxes {
		if c, _, _ := none.control(path); slices.Contains(c.States, "checked") {
			return absent("%q cannot be unticked", c.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		picks = append(picks, groups[name][p.tokens.number(0, len(groups[name])-1)])
	}
	if len(picks) == 0 {
		picks = []string{boxes[p.tokens.number(0, len(boxes)-1)]}
	}
	shows := func(v *view) string {
		out := v.survey.Main
		for _, c := range v.Controls {
			if textField(c) {
				out += "|" + c.Value
			}
		}
		return out
	}
	without := p.reacts(ctx, none, func() vitrine.Step { return p.submit(ctx, none, form, words) })
	if shows(without.after) != shows(none) && !slices.ContainsFunc(without.said, func(t string) bool { return refusal.MatchString(t) || limits.MatchString(t) }) {
		return fails("it goes on although nothing is chosen")
	}
	for _, path := range picks {
		p.click(ctx, path)
	}
	chosen := p.look(ctx)
	with := p.reacts(ctx, chosen, func() vitrine.Step { return p.submit(ctx, chosen, form, words) })
	if shows(with.after) == shows(chosen) {
		if others && len(groups) > 0 || slices.ContainsFunc(form.Fields, func(path string) bool { return !slices.Contains(boxes, path) }) {
			return absent("what else the form needs is not known")
		}
		return fails("it does not go on when something is chosen either")
	}
	return works("without a choice it does not go on, with one it does")
}
