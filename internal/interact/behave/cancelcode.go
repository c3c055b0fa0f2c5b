package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// cancelByCode proves that the code that a page gave for a booking cancels it: wrong codes are refused, before the
// right one and after it, the right one is answered otherwise, numbers of the first view that the booking changed, as
// of places that are left, are as they were, and the code cancels nothing a second time. Another booking does the
// same after another number of wrong codes. It cheats who says so to any code, or to the second one.
func (p *prover) cancelByCode(ctx context.Context, h hit, words []string, before *view, booked filling) answer {
	wrongs := p.tokens.number(1, 3)
	first := p.cancelAfter(ctx, before, booked, wrongs)
	if first.verdict != vitrine.VerdictWorks {
		return first
	}
	before = p.open(ctx, h.place)
	form, ok := before.form(h.form)
	if !ok {
		return fails("the form is not there a second time")
	}
	s := p.through(ctx, before, form, words, omission{})
	s.filling.issued = issuedIn(s.last.said, s.filling)
	if again := p.cancelAfter(ctx, before, s.filling, wrongs%3+1); again.verdict != vitrine.VerdictWorks {
		return again
	}
	return first
}

// cancelAfter enters so many wrong codes, and then the right one: of those that the page gave, the first that is
// answered otherwise.
func (p *prover) cancelAfter(ctx context.Context, before *view, booked filling, wrongs int) answer {
	none := fails("what was booked has no control that cancels it")
	if len(booked.issued) == 0 {
		return none
	}
	changed := slices.DeleteFunc(before.fresh(p.look(ctx)), func(line string) bool {
		return len(numbers(line)) == 0 || !slices.Contains(p.site.places[0].view.survey.Lines, line) // else of the dialog that takes the booking
	})
	var wrong reaction
	for i := range wrongs {
		r, there := p.sendCode(ctx, wrongCode(booked.issued[0]))
		switch {
		case !there:
			return none
		case i == 0:
			wrong = r
		case len(r.without(nil, wrong)) > 0:
			return fails("a wrong code is answered otherwise the next time")
		}
	}
	var right reaction
	codes := top(booked.issued, 3)
	at := slices.IndexFunc(codes, func(code string) bool {
		right, _ = p.sendCode(ctx, code)
		return len(right.without(nil, wrong)) > 0 && !slices.ContainsFunc(right.said, refusal.MatchString)
	})
	if at < 0 {
		return fails("the code %s that was given is answered like a wrong one", codes[0])
	}
	code := codes[at]
	lacks := func(v *view) int {
		return slices.IndexFunc(changed, func(line string) bool { return !slices.Contains(v.survey.Lines, line) })
	}
	if i := lacks(right.after); i >= 0 {
		return fails("what was booked is cancelled, but %q is not there again", clip(changed[i]))
	}
	confirmed := func(r reaction) bool {
		return lacks(r.after) >= 0 || slices.ContainsFunc(r.without(nil, wrong), func(line string) bool { return slices.Contains(right.said, line) })
	}
	if r, _ := p.sendCode(ctx, wrongCode(code)); confirmed(r) {
		return fails("a wrong code cancels, too, once something was cancelled")
	}
	if r, _ := p.sendCode(ctx, code); confirmed(r) {
		return fails("the code %s cancels a second time", code)
	}
	return works("a booking is cancelled by the code %s that was given for it, once", code)
}

// sendCode enters a code where a form takes one to cancel something, and reports whether there is one.
func (p *prover) sendCode(ctx context.Context, code string) (reaction, bool) {
	v := p.look(ctx)
	field, button := v.codeForm()
	for _, pl := range p.own() {
		if field != "" {
			break
		}
		v = p.visit(ctx, pl)
		field, button = v.codeForm()
	}
	if field == "" {
		return reaction{after: v}, false
	}
	p.write(ctx, field, code)
	full := p.look(ctx)
	return p.reacts(ctx, full, func() vitrine.Step { return p.click(ctx, button) }), true
}

// codeForm are the field of a form that takes the code of a booking alone, and the button that cancels by it.
func (v *view) codeForm() (field, button string) {
	for _, form := range v.survey.Forms {
		at := slices.IndexFunc(form.Buttons, func(path string) bool {
			c, _, ok := v.control(path)
			return ok && !c.Covered && callsOff.MatchString(c.Name) && (len(form.Buttons) == 1 || len(wordsOf(c.Name)) > 1)
		})
		if len(form.Fields) != 1 || at < 0 {
			continue
		}
		c, f, ok := v.control(form.Fields[0])
		if about := strings.Join([]string{c.Name, f.Placeholder, form.Title}, " "); ok && codeLabel.MatchString(about) && !otherCodeLabel.MatchString(about) {
			return c.Path, form.Buttons[at]
		}
	}
	return "", ""
}

// otherCodeLabel labels fields of codes that stand for no booking.
var otherCodeLabel = regexp.MustCompile(`(?i)\b(gift|promo\w*|discount|coupon|voucher|postal|zip)\b`)

// wrongCode is a code of the same form as one that was given.
func wrongCode(code string) string {
	runes := []rune(code)
	for i := len(runes) - 1; i >= 0; i-- {
		switch r := runes[i]; {
		case r >= 'A' && r < 'Z', r >= '0' && r < '9':
			runes[i]++
			return string(runes)
		case r == 'Z', r == '9':
			runes[i]--
			return string(runes)
		}
	}
	return code + "X"
}
