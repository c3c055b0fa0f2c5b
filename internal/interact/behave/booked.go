package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var (
	// cancelsWord is a verb that asks for cancelling what was booked, ordered or joined; callsOff is a label that does it.
	cancelsWord = regexp.MustCompile(`(?i)^(cancel|withdraw|call off)\b`)
	callsOff    = regexp.MustCompile(`(?i)^\W*(cancel|withdraw|call off|(give up|release) (my|your|the|this) (place|spot|seat)|leave (the )?(waitlist|waiting list|queue))\b|^\W*取消`)
	// ownPart names a part of a site that shows what is a visitor's own.
	ownPart = regexp.MustCompile(`(?i)\b(my|your|account|profile|bookings|reservations|orders|appointments|history|manage|look ?up|find)\b|我的`)
	// ownKey labels a field by which visitors find what is theirs.
	ownKey   = regexp.MustCompile(`(?i)\b(e-?mail|phone|mobile|code|reference|name)\b|邮箱|电话`)
	findsOwn = append([]string{"show my", "find my", "view my", "find", "look up", "show", "view"}, lookupWords...)
)

// cancelled proves that something that was booked is called off: a row that is there, what is
// booked now, or what a control of the page cancels.
func (p *prover) cancelled(ctx context.Context) answer {
	acts := func(v *view) []rowAct {
		return slices.DeleteFunc(p.statusActs(v, p.need.Words), func(a rowAct) bool { return !callsOff.MatchString(a.control.Name) })
	}
	best := p.onRows(ctx, absent("nothing can be cancelled"), acts, func(v *view, all []rowAct) answer { return p.flipRows(ctx, v, all, acts) })
	if best.verdict == vitrine.VerdictWorks {
		return best
	}
	if a := p.cancelBooked(ctx); rank(a.verdict) > rank(best.verdict) || best.verdict == vitrine.VerdictAbsent {
		best = a
	}
	if best.verdict == vitrine.VerdictWorks {
		return best
	}
	controls := p.find(p.need.Words, func(c vitrine.Control, f interact.Facts) bool {
		return brief(c, f) && callsOff.MatchString(c.Name) && c.Tag != "summary" && f.Form == ""
	})
	return bestOf(controls, 2, best, func(h hit) answer { return p.flipPage(ctx, h) })
}

// cancelBooked proves that what a visitor takes by a form can be called off again: afterwards one
// place of the site, as it stands or once it is asked for by what was entered, has one control to
// cancel more than before; a click on no control removes none, and operating it removes one,
// which does not come back when the place is visited again. It cheats who hides the row for the
// moment, or cancels all. (Relations 6 and 13 in sequence: a chained precondition.)
func (p *prover) cancelBooked(ctx context.Context) answer {
	defer func(own vitrine.Requirement) { p.need = own }(p.need)
	for _, n := range p.others {
		if n.Behavior == vitrine.BehaviorSubmit || n.Behavior == vitrine.BehaviorJoin {
			p.need = n // by which the form is found
			break
		}
	}
	words := p.labels(submitWords)
	by := func(h hit) answer {
		v := p.open(ctx, h.place)
		form, ok := v.form(h.form)
		if !ok {
			return fails("the form is not there")
		}
		s := p.through(ctx, p.look(ctx), form, words, omission{})
		if confirms(s.last.said, s.filling.tokens(), !s.stays) == "" {
			return fails("nothing could be booked that could be cancelled")
		}
		s.filling.issued = issuedIn(s.last.said, s.filling)
		if v := p.cancellable(ctx, p.look(ctx), len(cancels(s.early)), s.filling); v != nil {
			return p.cancel(ctx, v, len(cancels(s.early)), h.place, s.filling)
		}
		if field, _ := p.look(ctx).codeForm(); field != "" && len(s.filling.issued) > 0 {
			return p.cancelByCode(ctx, h, words, v, s.filling)
		}
		for _, pl := range p.own() {
			before := len(cancels(pl.view))
			if v := p.cancellable(ctx, p.visit(ctx, pl), before, s.filling); v != nil {
				return p.cancel(ctx, v, before, pl, s.filling)
			}
		}
		return p.cancelByCode(ctx, h, words, v, s.filling)
	}
	best := bestOf(p.forms(words), 2, absent("nothing is booked that could be cancelled"), by)
	if best.verdict != vitrine.VerdictWorks {
		best = bestOf(p.reached(ctx, words), 1, best, by)
	}
	if best.verdict != vitrine.VerdictWorks {
		best = p.cancelRow(ctx, best)
	}
	return best
}

// cancelRow proves the same of what is booked by the control of a row.
func (p *prover) cancelRow(ctx context.Context, best answer) answer {
	at := p.takeRow(ctx)
	if at == nil {
		return best
	}
	before := len(cancels(at.view))
	if v := p.look(ctx); moreCancels(v, before) {
		return p.cancel(ctx, v, before, at, filling{})
	}
	for _, pl := range p.own() {
		before := len(cancels(pl.view))
		if v := p.visit(ctx, pl); moreCancels(v, before) {
			return p.cancel(ctx, v, before, pl, filling{})
		}
	}
	return best
}

// own are the likeliest places for what is a visitor's own: those whose names say so, else a few.
func (p *prover) own() []*place {
	near := slices.DeleteFunc(slices.Clone(p.site.places), func(pl *place) bool { return p.site.depth(pl) > 1 })
	named := slices.DeleteFunc(slices.Clone(near), func(pl *place) bool { return !ownPart.MatchString(pl.via.Name) })
	if len(named) > 0 {
		return top(named, 3)
	}
	return top(near, 3)
}

// cancellable is the view that has one control to cancel more than there were before anything was
// booked, or two, as in a schedule and in a list of own bookings: as the page stands, or once what was
// booked is looked up.
func (p *prover) cancellable(ctx context.Context, v *view, before int, booked filling) *view {
	if !moreCancels(v, before) {
		v = p.askOwn(ctx, v, booked)
	}
	if !moreCancels(v, before) {
		return nil
	}
	return v
}

func moreCancels(v *view, before int) bool {
	n := len(cancels(v)) - before
	return n == 1 || n == 2
}

// codeLabel labels a field that takes a code that was issued.
var codeLabel = regexp.MustCompile(`(?i)\b(code|reference|(booking|confirmation|reservation|order|ticket) (number|no|id))\b`)

// issuedCode is a code that a page issues: letters and digits, as "LARGO-7K2P9".
var issuedCode = regexp.MustCompile(`\b(?:[A-Z0-9]{2,8}[-–]){0,2}[A-Z0-9]{4,10}\b`)

// issuedIn are the codes in what a page says that were not entered, the longest first.
func issuedIn(said []string, entered filling) (all []string) {
	for _, text := range said {
		for _, code := range issuedCode.FindAllString(text, -1) {
			typed := slices.ContainsFunc(entered.entries, func(e entry) bool { return strings.Contains(e.value, code) })
			if strings.ContainsAny(code, "0123456789") && strings.ToLower(code) != code && !typed {
				all = append(all, code)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

// cancels are the controls of a view that cancel something that stands there: those of a form
// of several fields leave it.
func cancels(v *view) (all []vitrine.Control) {
	for _, c := range v.Controls {
		inForm := !inRow(v, c) && slices.ContainsFunc(v.survey.Forms, func(f interact.Form) bool { return len(f.Fields) > 1 && slices.Contains(f.Buttons, c.Path) })
		if clickable(c) && !off(c) && !inForm && callsOff.MatchString(c.Name) && len(wordsOf(c.Name)) <= 12 {
			all = append(all, c)
		}
	}
	return all
}

// askOwn looks up what was booked by what was entered, where a form takes that and nothing else.
func (p *prover) askOwn(ctx context.Context, v *view, booked filling) *view {
	for _, form := range v.survey.Forms {
		entered := map[string]string{}
		for _, path := range form.Fields {
			c, f, _ := v.control(path)
			if codeLabel.MatchString(c.Name+" "+f.Placeholder) && len(booked.issued) > 0 && c.Value == "" {
				entered[path] = booked.issued[0]
			}
			for _, e := range booked.entries {
				key := keyOf(ownKey.FindString(e.control.Name))
				if entered[path] != "" {
					break // it was issued
				}
				if key != "" && e.control.Type == c.Type && c.Value == "" && key == keyOf(ownKey.FindString(c.Name+" "+f.Placeholder)) {
					entered[path] = e.value
				}
			}
		}
		labels := form.Title
		for _, path := range form.Buttons {
			c, _, _ := v.control(path)
			labels += " " + c.Name
		}
		if len(entered) == 0 || len(entered) != len(form.Fields) || len(entered) > 2 || matches(labels, findsOwn) < 50 {
			continue
		}
		for _, path := range form.Fields {
			p.write(ctx, path, entered[path])
		}
		p.submit(ctx, p.look(ctx), form, findsOwn)
		return p.look(ctx)
	}
	return v
}

// cancel operates a control to cancel, of which there is one more than before anything was booked.
func (p *prover) cancel(ctx context.Context, v *view, before int, at *place, booked filling) answer {
	p.aside(ctx)
	calm := p.look(ctx)
	all := cancels(calm)
	if len(all) != len(cancels(v)) {
		return fails("a click where nothing is changes what can be cancelled")
	}
	c := all[len(all)-1]
	if step := p.click(ctx, c.Path); step.Failed != "" {
		return fails("%q cannot be operated: %s", c.Name, step.Failed)
	}
	after := p.confirm(ctx, p.look(ctx), calm, []string{"cancel booking", "yes, cancel", "cancel it", "withdraw", "confirm", "yes"})
	if n := len(cancels(after)); n != before {
		return fails("after %q there are %d controls to cancel, where %d were", c.Name, n, len(all))
	}
	p.visit(ctx, p.site.places[0])
	if after = p.visit(ctx, at); len(cancels(after)) <= before {
		after = p.askOwn(ctx, after, booked)
	}
	if len(cancels(after)) > before {
		return fails("what was cancelled is back when the page is visited again")
	}
	return works("what was booked can be cancelled by %q, and stays so", clip(c.Name))
}
