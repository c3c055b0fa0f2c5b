package behave

import (
	"context"
	"maps"
	"slices"
	"strings"

	"vitrine"
)

// settingForms are the forms that have values and are named as what is set, or stand in a
// part of the site that is.
func (p *prover) settingForms(words []string) []hit {
	return slices.DeleteFunc(p.forms(slices.Concat(saveWords, words)), func(h hit) bool {
		text := []string{h.form.Title, h.place.via.Name}
		set := 0
		for _, path := range h.form.Fields {
			if c, _, ok := h.place.view.control(path); ok && c.Value != "" && c.Type != "password" {
				set++
			}
		}
		for _, path := range h.form.Buttons {
			if c, _, ok := h.place.view.control(path); ok {
				text = append(text, c.Name)
			}
		}
		return set == 0 || matches(strings.Join(text, " "), words) == 0
	})
}

// keepsForm proves that what is set by a form and saved is still set after the document is
// loaded again. What is typed and not saved is not, unless the page stores it itself:
// browsers restore fields.
func (p *prover) keepsForm(ctx context.Context, h hit) answer {
	v := p.open(ctx, h.place)
	form, ok := v.form(h.form)
	if !ok {
		return fails("the form is not there")
	}
	p.fill(ctx, v, form)
	p.reload(ctx)
	loose := p.visit(ctx, h.place)
	unsaved := slices.ContainsFunc(form.Fields, func(path string) bool {
		was, _, _ := v.control(path)
		c, _, ok := loose.control(path)
		return ok && c.Value != was.Value
	})
	if unsaved && !slices.ContainsFunc(form.Fields, func(path string) bool { // browsers restore fields by themselves
		c, _, ok := loose.control(path)
		return ok && c.Value != "" && loose.stores(c.Value)
	}) {
		return fails("what is typed and not saved is there when the page is loaded again")
	}
	v = p.open(ctx, h.place)
	f := p.fill(ctx, v, form)
	p.submit(ctx, p.look(ctx), form, slices.Concat(saveWords, settingWords))
	p.wait(ctx, 1000)
	p.reload(ctx)
	after := p.visit(ctx, h.place)
	set, kept := 0, 0
	for _, e := range f.entries {
		if e.control.Value == e.value {
			continue
		}
		set++
		if c, _, ok := after.control(e.control.Path); ok && c.Value == e.value {
			kept++
		}
	}
	if set == 0 || kept*2 < set || kept == 0 {
		return fails("of %d values that are set and saved %d are there when the page is loaded again", set, kept)
	}
	return works("%d values that are set and saved are there when the page is loaded again", kept)
}

// keepsSwitches proves that a switch in a part of the site that is named as what is set
// keeps its state when the document is loaded again.
func (p *prover) keepsSwitches(ctx context.Context, words []string) answer {
	best := absent("no control for a setting")
	for _, pl := range p.site.places {
		if matches(pl.via.Name, words) == 0 {
			continue
		}
		tried := 0
		for _, c := range pl.view.Controls {
			if c.Role != "switch" && c.Role != "checkbox" || off(c) || c.Covered || tried >= 2 {
				continue
			}
			tried++
			before := p.open(ctx, pl)
			was, _, _ := before.control(c.Path)
			p.do(ctx, vitrine.Action{Kind: vitrine.ActClick, Target: at(c.Path)})
			p.saved(ctx, p.look(ctx))
			now, _, _ := p.look(ctx).control(c.Path)
			p.reload(ctx)
			after := p.visit(ctx, pl)
			kept, _, ok := after.control(c.Path)
			if ok && !same(was, now) && same(now, kept) && !maps.Equal(before.Storage, after.Storage) {
				return works("%q is kept when the page is loaded again", c.Name)
			}
			best = fails("%q is not kept when the page is loaded again", c.Name)
		}
	}
	return best
}
