package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var submitWords = []string{"submit", "send message", "send", "book now", "book", "reserve", "confirm", "subscribe", "sign up", "register", "apply", "request", "contact", "contact us", "place order", "get started", "join", "schedule", "提交", "发送", "预订", "预约"}

// submit proves that a form is taken and that the page says so: valid data are confirmed by
// a text, a dialog or what stands in the place of the form; neither typing nor sending the
// empty form off has that effect. Forms of several steps are filled in up to the last one. It cheats who says "Success" to any click, or from the
// start. A form that posts to another host cannot be told. (Relation 6; frame condition as
// in Quickstrom, PLDI 2022.)
func submit(ctx context.Context, p *prover) answer {
	words := p.labels(submitWords)
	forms := p.forms(words)
	if len(forms) == 0 {
		forms = p.choiceForms()
	}
	by := func(h hit) answer { return p.submitBy(ctx, h, words) }
	best := bestOf(likely(forms), 3, absent("no form takes a %s", p.thing("message")), by)
	if best.verdict == vitrine.VerdictWorks || !p.takes() {
		return best
	}
	best = bestOf(p.reached(ctx, words), 1, best, by)
	if best.verdict == vitrine.VerdictAbsent && !p.orders() { // else a form is what takes it
		best = p.submitRows(ctx)
	}
	if best.verdict != vitrine.VerdictWorks {
		if a := p.submitChosen(ctx, words); rank(a.verdict) > rank(best.verdict) {
			return a
		}
	}
	return best
}

// says reports whether a line stands at a known place of the site: going back there confirms nothing.
func (m *sitemap) says(line string) bool {
	return slices.ContainsFunc(m.places, func(pl *place) bool { return slices.Contains(pl.view.survey.Lines, line) })
}

// takes reports whether something is booked or taken, and not a message sent.
func (p *prover) takes() bool {
	return p.orders() || takesAsked.MatchString(strings.Join([]string{p.need.Verb, p.need.Entity, p.need.Quote}, " "))
}

var takesAsked = regexp.MustCompile(`(?i)\b(book(s|ed|ing|ings)?|reserv\w+|appointments?|rent(s|al|als|ing)?|hir(e|es|ing)|sign(s|ing)?[- ]?up|join(s|ing)?|enrol\w*|register\w*|rsvp|attend\w*|claim(s|ing)?|borrow\w*|schedul\w+|tickets?|shifts?)\b|预订|预约|报名`)

// choiceForms are the forms that begin with choices alone and have a button that goes on, as a survey
// of one question a screen.
func (p *prover) choiceForms() (all []hit) {
	for _, pl := range p.site.places {
		for _, form := range pl.view.survey.Forms {
			choices := len(form.Fields) > 1 && !slices.ContainsFunc(form.Fields, func(path string) bool {
				c, _, ok := pl.view.control(path)
				return !ok || c.Role != "radio" && c.Role != "checkbox"
			})
			if choices && pl.view.goesOn(form, nextWords) {
				all = append(all, hit{place: pl, form: form})
			}
		}
	}
	return all
}

func (p *prover) submitBy(ctx context.Context, h hit, words []string) answer {
	empty := p.sendEmpty(ctx, h, words)
	v := p.open(ctx, h.place)
	form, ok := v.form(h.form)
	if !ok {
		return fails("the form is not there")
	}
	s := p.through(ctx, v, form, words, omission{})
	right, toks := s.last, s.filling.tokens()
	if len(s.filling.entries) == 0 {
		return fails("no field of the form takes anything")
	}
	new := slices.DeleteFunc(right.without(toks, empty, s.typed), p.site.says)
	text := confirms(new, toks, !s.stays)
	switch {
	case text != "":
		return works("right data are confirmed: %q; an empty form is not", clip(text))
	case len(right.blocked) > 0:
		return unclear("the form goes to another host: %s", right.blocked[0])
	case confirms(right.said, toks, false) != "":
		return fails("the page says %q whatever is entered", clip(confirms(right.said, toks, false)))
	case len(new) > 0:
		return fails("right data are answered with %q", clip(new[0]))
	}
	return fails("sending the form off says nothing")
}

// sendEmpty is the negative control: the form without any text.
func (p *prover) sendEmpty(ctx context.Context, h hit, words []string) reaction {
	v := p.open(ctx, h.place)
	form, ok := v.form(h.form)
	if !ok {
		return reaction{after: v}
	}
	p.clearForm(ctx, v, form)
	v = p.look(ctx)
	if form, ok = v.form(form); !ok || button(v, form, words) == "" && hasButtons(v, form) {
		return reaction{after: v} // the button is off as long as the form is empty
	}
	return p.reacts(ctx, v, func() vitrine.Step { return p.submit(ctx, v, form, words) })
}

func hasButtons(v *view, form interact.Form) bool {
	return slices.ContainsFunc(form.Buttons, func(b string) bool { c, _, ok := v.control(b); return ok && off(c) })
}

// agree ticks the boxes of a form by which something is agreed to.
func (p *prover) agree(ctx context.Context, v *view, form interact.Form) {
	for _, path := range form.Fields {
		c, _, ok := v.control(path)
		if ok && c.Type == "checkbox" && !slices.Contains(c.States, "checked") && !slices.Contains(c.States, "required") && agreeLabel(c.Name) {
			p.do(ctx, vitrine.Action{Kind: vitrine.ActCheck, Target: at(path)})
		}
	}
}

func agreeLabel(name string) bool {
	name = strings.ToLower(name)
	for _, w := range []string{"agree", "terms", "accept", "consent", "privacy", "同意"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// clip shortens a text for a message.
func clip(text string) string {
	if r := []rune(text); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return text
}
