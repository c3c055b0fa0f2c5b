package behave

import (
	"context"
	"slices"
	"strings"

	"vitrine/internal/interact"
)

// createChosen proves it of a form in which all is chosen from lists, as a shift of a person from one hour to another:
// what was chosen stands in one row more than before, a second entry of other options in another one while the first
// stays, and a click where nothing is adds none. Where the page refuses a choice, as an end before the start, another
// one is tried, five in all.
func (p *prover) createChosen(ctx context.Context, words []string) answer {
	var forms []hit
	for _, pl := range p.site.places {
		for _, form := range pl.view.survey.Forms {
			if pl.view.allChosen(form) && pl.view.goesOn(form, words) {
				forms = append(forms, hit{place: pl, form: form})
			}
		}
	}
	return bestOf(forms, 2, absent("no form takes a choice"), func(h hit) answer {
		v := p.open(ctx, h.place)
		var made [2][]string
		for i := range made {
			for range 5 {
				form, ok := v.form(h.form)
				if !ok {
					return fails("the form is not there")
				}
				s := p.through(ctx, v, form, words, unrepeated)
				values, after := s.filling.chosen(), p.look(ctx)
				if after.rowsHaving(values) > v.rowsHaving(values) && !slices.Equal(values, made[0]) {
					made[i] = values
					break
				}
				v = p.visitForm(ctx, h)
			}
			if made[i] == nil {
				return fails("what is chosen stands in no new row")
			}
			v = p.visitForm(ctx, h)
		}
		last := p.look(ctx)
		if last.rowsHaving(made[0]) == 0 {
			return fails("%q is gone once another is entered", strings.Join(made[0], ", "))
		}
		p.aside(ctx)
		if now := p.look(ctx); rowsIn(now, nil) > rowsIn(last, nil) {
			return fails("a click where nothing is adds a row")
		}
		return works("two entries that were chosen are shown")
	})
}

// allChosen reports whether a form has two lists or more and nothing that is typed.
func (v *view) allChosen(form interact.Form) bool {
	lists := 0
	for _, path := range form.Fields {
		c, _, ok := v.control(path)
		switch {
		case !ok || textField(c) || c.Role == "spinbutton":
			return false
		case c.Tag == "select":
			lists++
		}
	}
	return lists > 1
}

// chosen are the options of lists that were chosen.
func (f filling) chosen() (all []string) {
	for _, e := range f.entries {
		if e.control.Tag == "select" {
			all = append(all, e.value)
		}
	}
	return all
}

// rowsHaving counts rows that have more than half of some options, two at least.
func (v *view) rowsHaving(options []string) (n int) {
	seen := map[string]bool{}
	for _, g := range v.survey.Groups {
		if strings.HasPrefix(g.Kind, "select|") {
			continue
		}
		for _, r := range g.Rows {
			text, has := " "+keyOf(r.Text)+" ", 0
			for _, o := range options {
				if strings.Contains(text, " "+keyOf(o)+" ") {
					has++
				}
			}
			inner := !slices.ContainsFunc(r.Controls, func(path string) bool { c, _, ok := v.control(path); return ok && c.Tag == "select" })
			if has > 1 && has*2 > len(options) && inner && !seen[r.Path] {
				seen[r.Path] = true
				n++
			}
		}
	}
	return n
}
