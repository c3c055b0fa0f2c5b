package behave

import (
	"context"
	"regexp"
	"slices"

	"vitrine"
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
		changed, kept, record := 0, 0, false
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
		switch {
		case changed == 0:
			return absent("nothing can be entered or changed that could be kept")
		case len(p.look(ctx).Storage) == 0 || kept == 0 || kept*2 < changed && !record:
			return fails("of %d figures that an act changes %d are there when the page is loaded again", changed, kept)
		}
		return works("%d of %d figures that an act changes are there when the page is loaded again", kept, changed)
	})
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
