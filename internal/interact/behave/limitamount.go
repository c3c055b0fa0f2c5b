package behave

import (
	"context"
	"fmt"
	"maps"
	"regexp"
)

// amountBounded proves it of a field that takes a number: a small one is taken, another one too, one above the limit is
// not, and then a small one is.
func (p *prover) amountBounded(ctx context.Context, words []string) answer {
	high, of, known := limitIn(p.need.Quote)
	defer func() { p.fixed = nil }()
	return p.onNumbers(words, func(h hit, path string) answer {
		c, f, _ := h.place.view.control(path)
		least := max(1, numberOr(f.Min, 1))
		wrong := float64(p.tokens.number(70, 90) * 1000)
		if known {
			wrong = max(high, least) + 1
		}
		p.fixed = p.namedOptions(h)
		send := func(v *view, n float64) (actAtLimit, bool) {
			return p.tryAct(ctx, v, h, words, omission{keyOfField(c, f), fmt.Sprint(n)})
		}
		one, ok := send(p.open(ctx, h.place), least)
		began := ok && one.taken
		if ok && !one.taken && p.putIn(ctx, h, path) { // there may be nothing yet
			one, ok = send(p.visitForm(ctx, h), least)
		}
		if !ok || !one.taken {
			return absent("nothing is taken by %q", c.Name)
		}
		v := p.visitForm(ctx, h)
		much, ok := send(v, wrong)
		kept, _, _ := much.sent.early.control(path)
		stays, isNumber := number(kept.Value)
		clipped := isNumber && (known && stays <= high || !known && stays < wrong)
		switch below := fellBelowZero(v, p.look(ctx)); {
		case !ok:
			return fails("the form is not there after %q took %v", c.Name, least)
		case below != "":
			return fails("with %v in %q, %s is below zero", wrong, c.Name, clip(below))
		case clipped:
			return works("%q keeps %s where %v is typed", c.Name, kept.Value, wrong)
		case much.taken:
			return fails("%v is taken by %q", wrong, c.Name)
		case much.refused == "":
			return fails("nothing says that %v is too much for %q", wrong, c.Name)
		}
		if again, ok := send(p.visitForm(ctx, h), least); !ok || !again.taken {
			return fails("after %v was refused by %q, %v is, too", wrong, c.Name, least)
		}
		if known && perPeriod.MatchString(p.need.Quote) {
			maps.Copy(p.fixed, p.kindOf(one.sent.filling, of))
			if all, ok := send(p.visitForm(ctx, h), high); ok && all.taken {
				return fails("%q takes %v and then %v, which is more together", c.Name, least, high)
			}
		} else if next := p.nextAmount(high, known, least); began && next > least {
			if more, ok := send(p.open(ctx, h.place), next); !ok || !more.taken {
				return fails("%q takes %v, and not %v, which is no more than there may be", c.Name, least, next)
			}
		}
		return works("%q takes %v, and %v is refused: %q", c.Name, least, wrong, much.refused)
	})
}

// nextAmount is a number that must be taken, too: the limit of one act, or else one more than the least.
func (p *prover) nextAmount(high float64, known bool, least float64) float64 {
	if known && perAct.MatchString(p.need.Quote) {
		return high
	}
	if known && high < least+2 {
		return least
	}
	return least + 1
}

// perAct are words of limits on one act.
var perAct = regexp.MustCompile(`(?i)\b(per|an|each|every|one) (order|booking|reservation|purchase|ticket|loan|request|entry)\b|\bat a time\b`)

// numberOr parses a number, with a default for what is none.
func numberOr(s string, otherwise float64) float64 {
	if n, ok := number(s); ok {
		return n
	}
	return otherwise
}

// putIn enters an amount by another button of a form that takes from what there is, or makes an entry, and reports
// whether it was taken.
func (p *prover) putIn(ctx context.Context, h hit, path string) bool {
	c, f, _ := h.place.view.control(path)
	v := p.visitForm(ctx, h)
	for _, button := range h.form.Buttons {
		if b, _, ok := v.control(button); ok && matches(b.Name, putsIn) > 0 {
			a, ok := p.tryAct(ctx, v, h, putsIn, omission{keyOfField(c, f), fmt.Sprint(p.tokens.number(40, 60))})
			return ok && a.taken
		}
	}
	made, _ := p.seed(ctx, 1)
	return made != nil
}

var putsIn = []string{"pay in", "deposit", "put in", "add", "restock", "delivery", "deliver", "top up", "fill up", "stock up"}

// perPeriod are words of limits on what is taken together.
var perPeriod = regexp.MustCompile(`(?i)\b(a|per|each|every|one) (day|night|week|weekend|month|year)\b|\b(daily|weekly|monthly|total|altogether|all together|in all)\b`)
