package behave

import (
	"context"
	"regexp"
	"strings"
)

// Labels by which people rate the card that they turned over, and by which they turn it over.
var (
	knewLabel   = regexp.MustCompile(`(?i)^\W*(i )?(knew|know|got it|remember(ed)?)\b|认识|记得`)
	missedLabel = regexp.MustCompile(`(?i)^\W*(again|(i )?(did not|didn't|don't|do not|forgot)|missed|repeat|review again|still learning|not yet)\b|不认识|忘记`)
	turnWords   = []string{"show answer", "reveal answer", "flip", "flip card", "reveal", "turn over", "显示答案", "翻转"}
)

// maxCards is how many cards are rated in one run.
const maxCards = 3

// quizCards proves it of flash cards that people rate themselves: each rating changes more than figures, and some
// figure differs between cards rated as known and as many rated as not known, and is the same when the first run is
// repeated; a click where nothing is changes none. It cheats who counts both ratings alike.
func (p *prover) quizCards(ctx context.Context, pl *place) answer {
	v := p.turnedOver(ctx, p.open(ctx, pl))
	if v.rater(knewLabel) == "" || v.rater(missedLabel) == "" {
		return absent("no flash card is rated as known or not")
	}
	knew, all := p.answerCards(ctx, pl, knewLabel)
	missed, others := p.answerCards(ctx, pl, missedLabel)
	again, _ := p.answerCards(ctx, pl, knewLabel)
	if !all || !others {
		return fails("rating a card changes nothing but figures")
	}
	before := quantities(p.open(ctx, pl))
	p.aside(ctx)
	aside := quantities(p.look(ctx))
	for _, key := range sortedKeys(knew) {
		n, ok := missed[key]
		same, there := again[key]
		if ok && there && n != knew[key] && same == knew[key] && before[key] == aside[key] {
			return works("after %d cards rated as known and %d as not known a figure is %g and %g", maxCards, maxCards, knew[key], n)
		}
	}
	return fails("no figure differs between cards rated as known and as not known")
}

// rater is the path of the control by which a card is rated as known or not.
func (v *view) rater(label *regexp.Regexp) string {
	for i, c := range v.Controls {
		if clickable(c) && !off(c) && !c.Covered && v.Facts[i].Region != "nav" && label.MatchString(c.Name) {
			return c.Path
		}
	}
	return ""
}

// turnedOver is the view with a card turned over, where that is what shows the answers.
func (p *prover) turnedOver(ctx context.Context, v *view) *view {
	if v.rater(knewLabel) != "" {
		return v
	}
	if turn := v.best(turnWords); turn != "" {
		p.click(ctx, turn)
		return p.look(ctx)
	}
	return v
}

// answerCards rates some cards alike, one after the other, and gives the figures of the page then, and whether
// each rating changed more than figures.
func (p *prover) answerCards(ctx context.Context, pl *place, label *regexp.Regexp) (figures map[string]float64, changes bool) {
	v, changes := p.turnedOver(ctx, p.open(ctx, pl)), true
	for range maxCards {
		path := v.rater(label)
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
