package behave

import (
	"context"
	"regexp"
	"strings"
)

// What people say of a card that they have turned over.
var (
	knewLabel   = regexp.MustCompile(`(?i)^\W*(i )?(knew|know|got it|remember(ed)?)\b|认识|记得`)
	missedLabel = regexp.MustCompile(`(?i)^\W*(again|(i )?(did not|didn't|don't|do not|forgot)|missed|repeat|review again|still learning|not yet)\b|不认识|忘记`)
	turnWords   = []string{"show answer", "reveal answer", "flip", "flip card", "reveal", "turn over", "显示答案", "翻转"}
)

// maxCards is how many cards are answered in one run.
const maxCards = 3

// quizCards proves it of cards of which people say themselves whether they knew them: each answer brings
// something else, and a figure is another after some cards that were known than after as many that were not,
// the same when it is repeated; a click where nothing is counts no card. It cheats who counts all answers alike.
func (p *prover) quizCards(ctx context.Context, pl *place) answer {
	v := p.turnedOver(ctx, p.open(ctx, pl))
	if v.said(knewLabel) == "" || v.said(missedLabel) == "" {
		return absent("no card is answered by who turns it over")
	}
	knew, all := p.answerCards(ctx, pl, knewLabel)
	missed, others := p.answerCards(ctx, pl, missedLabel)
	again, _ := p.answerCards(ctx, pl, knewLabel)
	if !all || !others {
		return fails("what is said of a card brings no other one")
	}
	before := quantities(p.open(ctx, pl))
	p.aside(ctx)
	aside := quantities(p.look(ctx))
	for _, key := range sortedKeys(knew) {
		n, ok := missed[key]
		same, there := again[key]
		if ok && there && n != knew[key] && same == knew[key] && before[key] == aside[key] {
			return works("%d cards that were known and %d that were not make a difference of %g and %g", maxCards, maxCards, knew[key], n)
		}
	}
	return fails("no figure tells cards that were known from those that were not")
}

// said is the control by which one says something of a card.
func (v *view) said(label *regexp.Regexp) string {
	for i, c := range v.Controls {
		if clickable(c) && !off(c) && !c.Covered && v.Facts[i].Region != "nav" && label.MatchString(c.Name) {
			return c.Path
		}
	}
	return ""
}

// turnedOver is the view with a card turned over, where that is what shows the answers.
func (p *prover) turnedOver(ctx context.Context, v *view) *view {
	if v.said(knewLabel) != "" {
		return v
	}
	if turn := v.best(turnWords); turn != "" {
		p.click(ctx, turn)
		return p.look(ctx)
	}
	return v
}

// answerCards says the same of some cards, one after the other, and gives the figures of the page then, and
// whether each answer changed more than figures.
func (p *prover) answerCards(ctx context.Context, pl *place, label *regexp.Regexp) (figures map[string]float64, changes bool) {
	v, changes := p.turnedOver(ctx, p.open(ctx, pl)), true
	for range maxCards {
		path := v.said(label)
		if path == "" {
			return quantities(v), false
		}
		was := v.plainFace()
		if p.click(ctx, path); p.err != nil || p.spent {
			break
		}
		v = p.look(ctx)
		changes = changes && v.plainFace() != was
		v = p.turnedOver(ctx, v)
	}
	return quantities(v), changes
}

// plainFace is the text of a page without its figures.
func (v *view) plainFace() string {
	return numeral.ReplaceAllString(strings.Join(v.survey.Lines, "\n"), "#")
}
