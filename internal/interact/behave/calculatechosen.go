package behave

import (
	"context"
	"slices"
	"strings"

	"vitrine"
)

// chosenFrom proves that a result follows from options that are clicked, on a page on which nothing can be
// typed, as of the colors of a resistor: with another option of a set another number is shown, and with the
// first one the same as before. Numbers of the options themselves do not count, so that it cheats who
// repeats what was chosen.
func (p *prover) chosenFrom(ctx context.Context) answer {
	for _, pl := range top(p.site.places, 2) {
		if slices.ContainsFunc(pl.view.Controls, func(c vitrine.Control) bool { return !off(c) && (textField(c) || c.Role == "spinbutton") }) {
			continue
		}
		sets := slices.DeleteFunc(pl.choosers(), func(ch chooser) bool {
			return ch.region == "nav" || ch.region == "footer" || ch.kind == "boxes" || len(ch.options) < 3 || ch.narrows() || slices.ContainsFunc(ch.options, func(o option) bool { return p.site.leads(o.path) })
		})
		var proved []answer
		for _, ch := range top(sets, 3) {
			if a := p.resultOfChoice(ctx, pl, ch); a.verdict == vitrine.VerdictWorks {
				proved = append(proved, a)
			}
		}
		if len(proved) > 0 && len(proved) >= min(2, len(sets)) { // one number for each button is no calculation
			return proved[0]
		}
	}
	return fails("no result follows from what is chosen")
}

func (p *prover) resultOfChoice(ctx context.Context, pl *place, ch chooser) answer {
	options := top(p.shuffled(ch.options), 3)
	said := numbers(strings.Join(ch.labels(), "\n"))
	shown := func(o option) []float64 {
		p.open(ctx, pl)
		all := numbers(strings.Join(p.pick(ctx, ch, o).survey.Lines, "\n"))
		return slices.DeleteFunc(all, func(n float64) bool { return slices.Contains(said, n) })
	}
	one, two, three, again := shown(options[0]), shown(options[1]), shown(options[2]), shown(options[0])
	switch {
	case len(one) != len(two) || len(one) != len(three):
		return fails("%q and another option show other things, and no other result", options[0].label)
	case slices.Equal(one, two) || slices.Equal(one, three) || slices.Equal(two, three):
		return fails("%q and another option give the same numbers", options[0].label)
	case !slices.Equal(one, again):
		return fails("%q gives other numbers the second time", options[0].label)
	}
	return works("the result follows from what is chosen: %q, %q and %q give numbers of their own, the first the same twice", options[0].label, options[1].label, options[2].label)
}
