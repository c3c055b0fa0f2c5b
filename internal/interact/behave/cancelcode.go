package behave

import (
	"context"
	"slices"
	"strings"

	"vitrine"
)

// cancelByCode proves that the code that a page gave for a booking cancels it: a wrong code is
// refused, the right one is answered otherwise, numbers that the booking changed, as of places that
// are left, are as they were, and the code is refused from then on. It cheats who only says so.
func (p *prover) cancelByCode(ctx context.Context, before *view, booked filling) answer {
	if len(booked.issued) == 0 {
		return fails("what was booked has no control that cancels it")
	}
	taken := slices.DeleteFunc(before.fresh(p.look(ctx)), func(line string) bool {
		return len(numbers(line)) == 0 || !slices.Contains(p.site.places[0].view.survey.Lines, line) // else of the dialog that takes the booking
	})
	code := booked.issued[0]
	wrong, there := p.sendCode(ctx, otherCode(code))
	if !there {
		return fails("what was booked has no control that cancels it")
	}
	right, _ := p.sendCode(ctx, code)
	if slices.ContainsFunc(right.said, refusal.MatchString) || len(right.without(nil, wrong)) == 0 {
		return fails("the code %s that was given is answered like a wrong one", code)
	}
	for _, line := range taken {
		if !slices.Contains(right.after.survey.Lines, line) {
			return fails("what was booked is cancelled, but %q is not there again", clip(line))
		}
	}
	if again, _ := p.sendCode(ctx, code); len(again.without(nil, wrong)) > 0 && !slices.ContainsFunc(again.said, refusal.MatchString) {
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

// codeForm are the field of a form that takes a code alone, and the button that cancels by it.
func (v *view) codeForm() (field, button string) {
	for _, form := range v.survey.Forms {
		at := slices.IndexFunc(form.Buttons, func(path string) bool {
			c, _, ok := v.control(path)
			return ok && !c.Covered && callsOff.MatchString(c.Name)
		})
		if len(form.Fields) != 1 || at < 0 {
			continue
		}
		if c, f, ok := v.control(form.Fields[0]); ok && codeLabel.MatchString(strings.Join([]string{c.Name, f.Placeholder, form.Title}, " ")) {
			return c.Path, form.Buttons[at]
		}
	}
	return "", ""
}

// otherCode is a code of the same form as one that was given.
func otherCode(code string) string {
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
