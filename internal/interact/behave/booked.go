package behave

import (
	"context"
	"regexp"
	"slices"

	"vitrine"
	"vitrine/internal/interact"
)

var (
	// callsOff is a verb or a label by which what was booked, ordered or joined is called off.
	callsOff = regexp.MustCompile(`(?i)^\W*(cancel|withdraw|call off|give up|release|leave)\b|^\W*取消`)
	// ownPart names a part of a site that shows what is a visitor's own.
	ownPart = regexp.MustCompile(`(?i)\b(my|your|account|profile|bookings|reservations|orders|appointments|history|manage|look ?up|find)\b|我的`)
	// ownKey labels a field by which a visitor finds what is his own.
	ownKey = regexp.MustCompile(`(?i)\b(e-?mail|phone|mobile|code|reference|name)\b|邮箱|电话`)
)

// cancelled proves that something that was booked is called off: one of the site's own rows, or
// else what is booked now.
func (p *prover) cancelled(ctx context.Context) answer {
	best := p.onRows(ctx, absent("nothing can be cancelled"), func(v *view) []rowAct {
		return slices.DeleteFunc(p.statusActs(v, p.need.Words), func(a rowAct) bool { return !callsOff.MatchString(a.control.Name) })
	}, func(v *view, acts []rowAct) answer { return p.flipRows(ctx, v, acts) })
	if best.verdict == vitrine.VerdictWorks {
		return best
	}
	if a := p.cancelBooked(ctx); rank(a.verdict) > rank(best.verdict) || best.verdict == vitrine.VerdictAbsent {
		return a
	}
	return best
}

// cancelBooked proves that what a visitor takes by a form can be called off again: afterwards one
// place of the site, as it stands or once it is asked for by what was entered, has one control to
// cancel more than before; a click where nothing is takes none away, and operating it takes away
// that one, which does not come back when the place is visited again. It cheats who hides the
// row for the moment, or cancels all. (Relations 6 and 13 in sequence: a chained precondition.)
func (p *prover) cancelBooked(ctx context.Context) answer {
	defer func(own vitrine.Requirement) { p.need = own }(p.need)
	for _, n := range p.others {
		if n.Behavior == vitrine.BehaviorSubmit || n.Behavior == vitrine.BehaviorJoin {
			p.need = n // by which the form is found
			break
		}
	}
	words := p.labels(submitWords)
	return bestOf(p.forms(words), 2, absent("nothing is booked that could be cancelled"), func(h hit) answer {
		form, ok := p.open(ctx, h.place).form(h.form)
		if !ok {
			return fails("the form is not there")
		}
		s := p.through(ctx, p.look(ctx), form, words, omission{})
		if confirms(s.last.said, s.filling.tokens(), !s.stays) == "" {
			return fails("nothing could be booked that could be cancelled")
		}
		if v, before := p.cancellable(ctx, p.look(ctx), nil, s.filling); v != nil {
			return p.cancel(ctx, v, before, nil)
		}
		for _, pl := range p.own() {
			if v, before := p.cancellable(ctx, p.visit(ctx, pl), pl, s.filling); v != nil {
				return p.cancel(ctx, v, before, pl)
			}
		}
		return fails("what was booked has no control that cancels it")
	})
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

// cancellable is the view of a place, nil for where the page stands, that has more controls to
// cancel than it had before anything was booked, and how many these were.
func (p *prover) cancellable(ctx context.Context, v *view, at *place, booked filling) (found *view, before int) {
	if at != nil {
		before = len(cancels(at.view))
	}
	if len(cancels(v)) <= before {
		v = p.askOwn(ctx, v, booked)
	}
	if len(cancels(v)) <= before {
		return nil, 0
	}
	return v, before
}

// cancels are the controls of a view that cancel something that stands there: those of a form
// leave it.
func cancels(v *view) (all []vitrine.Control) {
	for _, c := range v.Controls {
		inForm := slices.ContainsFunc(v.survey.Forms, func(f interact.Form) bool { return len(f.Fields) > 1 && slices.Contains(f.Buttons, c.Path) && f.Native })
		if clickable(c) && !off(c) && !inForm && callsOff.MatchString(c.Name) && len(wordsOf(c.Name)) <= 6 {
			all = append(all, c)
		}
	}
	return all
}

// askOwn looks up what was booked by what was entered, where a form of few fields takes that.
func (p *prover) askOwn(ctx context.Context, v *view, booked filling) *view {
	for _, form := range v.survey.Forms {
		n := 0
		for _, path := range form.Fields {
			c, f, ok := v.control(path)
			i := slices.IndexFunc(booked.entries, func(e entry) bool {
				return e.control.Type == c.Type && ownKey.FindString(e.control.Name) != "" && keyOf(ownKey.FindString(e.control.Name)) == keyOf(ownKey.FindString(c.Name+" "+f.Placeholder))
			})
			if ok && i >= 0 && c.Value == "" {
				p.write(ctx, path, booked.entries[i].value)
				n++
			}
		}
		if n > 0 && n == len(form.Fields) && n <= 2 {
			p.submit(ctx, p.look(ctx), form, lookupWords)
			return p.look(ctx)
		}
	}
	return v
}

// cancel operates the last control to cancel, which is of what was booked last or of the only one.
func (p *prover) cancel(ctx context.Context, v *view, before int, at *place) answer {
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
	after := p.confirm(ctx, p.look(ctx), calm, []string{"cancel booking", "yes, cancel", "cancel it"})
	if n := len(cancels(after)); n != len(all)-1 {
		return fails("after %q there are %d controls to cancel, where %d were", c.Name, n, len(all))
	}
	if at != nil {
		p.visit(ctx, p.site.places[0])
		after = p.visit(ctx, at)
		if n := len(cancels(after)); n > before {
			return fails("what was cancelled is back when the page is visited again")
		}
	}
	return works("what was booked can be cancelled by %q, and stays so", clip(c.Name))
}
