package behave

import (
	"context"
	"slices"

	"vitrine/internal/interact"
)

// resultWords are labels of the button of a last step, which shows the result of all.
var resultWords = []string{"see result", "show result", "view result", "get result", "see estimate", "show estimate", "get estimate", "see quote", "get quote", "show total", "view summary", "review", "查看结果"}

// onward goes through the steps that follow a form which was sent off, as long as its fields have
// made way for others with a button that goes on: enter fills these in. It gives the page at the end.
func (p *prover) onward(ctx context.Context, before, now *view, form interact.Form, words []string, enter func(*view, interact.Form) filling) *view {
	for range maxStages {
		next, ok := now.replaced(fieldsOf(before, form), nextWords, words, sendWords, resultWords)
		if !ok || p.spent || p.err != nil {
			break
		}
		step := enter(now, next)
		before, now, form = now, p.send(ctx, now, next, step, words), next
	}
	return now
}

// replaced is the form that stands on a page where the fields of another one are gone, with a
// button of one of some labels, each list of them with the likeliest first.
func (v *view) replaced(gone []string, labels ...[]string) (next interact.Form, ok bool) {
	for _, form := range v.survey.Forms {
		fields := 0
		for _, path := range form.Fields {
			if c, f, known := v.control(path); known && !c.Covered {
				fields++
				if slices.Contains(gone, keyOfField(c, f)) {
					return form, false
				}
			}
		}
		if !ok && fields > 0 && slices.ContainsFunc(labels, func(words []string) bool { return v.goesOn(form, words) }) {
			next, ok = form, true
		}
	}
	return next, ok
}
