package behave

import (
	"context"
	"slices"

	"vitrine/internal/interact"
)

// resultWords are labels of the button of a last step, which shows the result.
var resultWords = []string{"see result", "show result", "view result", "get result", "see estimate", "show estimate", "get estimate", "see quote", "get quote", "show total", "view summary", "review", "查看结果"}

// furtherSteps fills in and sends off the steps that follow a form, as long as its fields are no
// longer shown and others are, with a button that leads to the next step or the result: enter fills
// these in. It gives the page at the end.
func (p *prover) furtherSteps(ctx context.Context, before, now *view, form interact.Form, words []string, enter func(*view, interact.Form) filling) *view {
	for range maxStages {
		next, ok := now.nextStep(before, form, nextWords, words, sendWords, resultWords)
		if !ok || p.spent || p.err != nil {
			break
		}
		step := enter(now, next)
		before, now, form = now, p.send(ctx, now, next, step, words), next
	}
	return now
}

// nextStep is a form with a button of one of some labels, each list of them with the likeliest first,
// whose fields the page did not show before, where those of the form that was sent are no longer shown.
// A form that takes an e-mail address, as to send the result there, is no step.
func (v *view) nextStep(before *view, form interact.Form, labels ...[]string) (next interact.Form, ok bool) {
	sent, known := fieldsOf(before, form), map[string]bool{}
	for i, c := range before.Controls {
		known[keyOfField(c, before.Facts[i])] = !c.Covered
	}
	for _, other := range v.survey.Forms {
		fresh, email := false, false
		for _, path := range other.Fields {
			c, f, there := v.control(path)
			if !there || c.Covered {
				continue
			}
			if slices.Contains(sent, keyOfField(c, f)) {
				return form, false
			}
			fresh = fresh || !known[keyOfField(c, f)]
			email = email || c.Type == "email"
		}
		if !ok && fresh && !email && slices.ContainsFunc(labels, func(words []string) bool { return v.goesOn(other, words) }) {
			next, ok = other, true
		}
	}
	return next, ok
}
