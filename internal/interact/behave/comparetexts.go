package behave

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"vitrine"
)

// document is a text that tools for texts and tools for JSON both take.
const document = "{\n  \"kind\": \"plain\",\n  \"amount\": %s\n}"

// compareTexts proves that two texts are compared: for two that differ in a number it shows
// that number and something that it does not show for equal ones, and the same for another
// second text but for the number. An echo of both shows nothing more.
func (p *prover) compareTexts(ctx context.Context, pl *place) answer {
	var areas []string
	for _, c := range pl.view.Controls {
		if c.Tag == "textarea" && !off(c) {
			areas = append(areas, c.Path)
		}
	}
	if len(areas) != 2 {
		return absent("nothing compares two things")
	}
	x, y, z := p.figure(), p.figure(), p.figure()
	shown := func(second string) (*view, string) {
		p.open(ctx, pl)
		p.write(ctx, areas[0], fmt.Sprintf(document, x))
		p.write(ctx, areas[1], fmt.Sprintf(document, second))
		v := p.look(ctx)
		if path := v.best(compareWords); path != "" {
			p.click(ctx, path)
			v = p.look(ctx)
		}
		all := strings.Join(slices.Concat(v.survey.Face, v.survey.Styles), "\n")
		return v, strings.NewReplacer(x, "…", second, "…").Replace(all)
	}
	_, equal := shown(x)
	first, one := shown(y)
	second, other := shown(z)
	switch {
	case one == equal:
		return fails("texts that differ show what equal ones do")
	case !first.has(y) || !second.has(z) || second.has(y):
		return fails("the comparison of two texts does not show %q, in which they differ", y)
	case one != other:
		return fails("two texts that differ in one number are compared in different ways")
	}
	return answer{vitrine.VerdictWorks, fmt.Sprintf("texts that differ in %q and %q are told from equal ones", x, y)}
}

// figure is a number that tools which compare letter by letter do not take apart.
func (p *prover) figure() string { return fmt.Sprint(p.tokens.number(1000000, 9999999)) }
