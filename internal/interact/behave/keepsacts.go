package behave

import (
	"context"
	"regexp"
	"slices"

	"vitrine"
	"vitrine/internal/interact"
)

// bestYet are labels of figures that outlast what they were reached in.
var bestYet = regexp.MustCompile(`\b(best|high(est)?|record|top)\b|最高`)

// keepsActs proves it where nothing can be entered: figures that operating the main controls
// or playing by keys has changed are shown again when the document is loaded again, most of
// them or the best ones, and are not where it is loaded without the act.
func (p *prover) keepsActs(ctx context.Context) answer {
	start := p.site.places[0]
	var acts [][]vitrine.Action
	for _, path := range top(buttons(start.view), 3) {
		act := []vitrine.Action{}
		for range p.tokens.number(2, 4) {
			act = append(act, vitrine.Action{Kind: vitrine.ActClick, Target: at(path)})
		}
		acts = append(acts, act)
	}
	keys, arrows := []vitrine.Action{}, []string{"ArrowLeft", "ArrowDown", "ArrowRight", "ArrowDown"}
	for i := range 24 {
		keys = append(keys, vitrine.Action{Kind: vitrine.ActPress, Text: arrows[i%4], MS: holdMS})
	}
	acts = append(acts, keys)
	fresh, loaded := p.afterActs(ctx, start, nil)
	return bestOf(acts, len(acts), absent("nothing can be entered or changed that could be kept"), func(act []vitrine.Action) answer {
		after, again := p.afterActs(ctx, start, act)
		changed, kept, record := keptOf(fresh, loaded, after, again)
		switch {
		case changed == 0:
			return absent("nothing can be entered or changed that could be kept")
		case len(p.look(ctx).Storage) == 0 || kept == 0 || kept*2 < changed && !record:
			return fails("of %d figures that an act changes %d are there when the page is loaded again", changed, kept)
		}
		return works("%d of %d figures that an act changes are there when the page is loaded again", kept, changed)
	})
}

// keptOf counts the figures that an act changed, and those of them that are the same when the page is
// loaded again; record reports whether a best one is. Figures that loading alone changes do not count.
func keptOf(fresh, loaded, after, again map[string]float64) (changed, kept int, record bool) {
	for what, n := range after {
		if was, known := fresh[what]; !known || was == n || loaded[what] != was {
			continue
		}
		changed++
		if got, there := again[what]; there && got == n {
			kept++
			record = record || bestYet.MatchString(what)
		}
	}
	return changed, kept, record
}

// keepsBooked proves it of what is booked, where the instruction asks for nothing else to be created: the figures of
// the first view that sending the form off changes, as of places that are left, are shown again when the document is
// loaded again. Anything else is absent: figures may be of the form, and where a row has what was entered, that is what
// must be kept.
func (p *prover) keepsBooked(ctx context.Context) answer {
	none := absent("nothing can be booked that could be kept")
	booking, booked := p.alsoAsked(vitrine.BehaviorSubmit)
	if _, created := p.alsoAsked(vitrine.BehaviorCreate); created || !booked {
		return none
	}
	defer func(own vitrine.Requirement) { p.need = own }(p.need)
	p.need = booking
	words, start := p.labels(submitWords), p.site.places[0]
	fresh, loaded := p.afterActs(ctx, start, nil)
	by := func(h hit) answer {
		form, ok := p.open(ctx, h.place).form(h.form)
		if !ok {
			return none
		}
		s := p.through(ctx, p.look(ctx), form, words, omission{})
		if confirms(s.last.said, s.filling.tokens(), !s.stays) == "" {
			return none
		}
		after, filled := quantities(s.last.after), quantities(s.early)
		for what, n := range after {
			if filled[what] == n { // by what was entered, not by its being sent off
				delete(after, what)
			}
		}
		if slices.ContainsFunc(p.look(ctx, s.filling.tokens()...).survey.Found, func(f interact.Found) bool { return f.Where == "text" && f.Row != "" }) {
			return none
		}
		p.reload(ctx)
		changed, kept, _ := keptOf(fresh, loaded, after, quantities(p.walk(ctx, start.way)))
		if changed == 0 || kept < changed {
			return none
		}
		return works("%d figures that a booking changes are there when the page is loaded again", kept)
	}
	if best := bestOf(p.forms(words), 2, none, by); best.verdict != vitrine.VerdictAbsent {
		return best
	}
	return bestOf(p.reached(ctx, words), 1, none, by)
}

// afterActs are the figures of a place after an act, and when it is loaded again then.
func (p *prover) afterActs(ctx context.Context, start *place, act []vitrine.Action) (after, again map[string]float64) {
	p.open(ctx, start)
	for _, a := range act {
		p.do(ctx, a)
	}
	p.wait(ctx, 1500)
	after = quantities(p.look(ctx))
	p.reload(ctx)
	return after, quantities(p.walk(ctx, start.way))
}

// keepsFields proves it of fields of numbers and choices: what is set is in the storage of
// the page, as browsers restore fields by themselves, and shown when it is loaded again.
func (p *prover) keepsFields(ctx context.Context) answer {
	forms := slices.DeleteFunc(p.forms(settingWords), func(h hit) bool {
		return slices.ContainsFunc(h.form.Fields, func(path string) bool {
			c, _, ok := h.place.view.control(path)
			return ok && textField(c)
		})
	})
	return bestOf(forms, 2, absent("no setting is kept"), func(h hit) answer {
		v := p.open(ctx, h.place)
		form, ok := v.form(h.form)
		if !ok {
			return fails("the form is not there")
		}
		f := p.fill(ctx, v, form)
		p.aside(ctx)
		p.reload(ctx)
		again := p.walk(ctx, h.place.way)
		set, kept := 0, 0
		for _, e := range f.entries {
			if e.value == "" || e.control.Value == e.value {
				continue
			}
			set++
			if c, _, ok := again.control(e.control.Path); ok && c.Value == e.value && again.stores(e.value) {
				kept++
			}
		}
		if set == 0 {
			return absent("no setting is kept")
		}
		if kept*2 < set || kept == 0 {
			return fails("of %d values that are set %d are there when the page is loaded again", set, kept)
		}
		return works("%d values that are set are there when the page is loaded again", kept)
	})
}
