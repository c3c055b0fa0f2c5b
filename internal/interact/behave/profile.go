package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var ownWords = []string{"edit profile", "profile", "account", "settings", "my account", "personal information", "edit", "个人", "设置"}

var ownLabel = regexp.MustCompile(`(?i)\b(profile|account|settings?|preferences|personal|about me|bio|edit)\b|个人|资料`)

// editProfile edits what there is one of: a form with values, or one that is about the
// own account.
func (p *prover) editProfile(ctx context.Context, words []string) answer {
	var all []hit
	for _, h := range p.forms(slices.Concat(p.need.Words, saveWords, ownWords)) {
		values := 0
		for _, path := range h.form.Fields {
			if c, _, ok := h.place.view.control(path); ok && textField(c) && c.Value != "" {
				values++
			}
		}
		if p.foreign(h.form.Title + " " + h.place.via.Name) {
			continue
		}
		if values > 0 || ownLabel.MatchString(h.form.Title+" "+h.place.via.Name) {
			all = append(all, h)
		}
	}
	return bestOf(all, 3, absent("no %s can be edited", p.thing("entry")), func(h hit) answer { return p.editForm(ctx, h, slices.Concat(saveWords, words)) })
}

func (p *prover) editForm(ctx context.Context, h hit, words []string) answer {
	unsaved := p.keepsUnsaved(ctx, h)
	v := p.open(ctx, h.place)
	form, ok := v.form(h.form)
	if !ok {
		return fails("the form is not there")
	}
	f := p.fill(ctx, v, form)
	toks := f.tokens()
	if len(toks) == 0 {
		return fails("no field of the form takes text")
	}
	typed := p.look(ctx, toks...)
	_, early := typed.shownAny(toks)
	p.submit(ctx, typed, form, words)
	after := p.look(ctx, toks...)
	if at, ok := after.shownAny(toks); ok && !early {
		if p.adds(ctx, h, words, at, nil) {
			return fails("the form adds %q beside what was entered before", at.Token)
		}
		return works("the new value %q is shown", at.Token)
	}
	for _, pl := range p.elsewhere(h.place) {
		after = p.visit(ctx, pl, toks...)
		if at, ok := after.shownAny(toks); ok && !early {
			if p.adds(ctx, h, words, at, pl) {
				return fails("the form adds %q beside what was entered before", at.Token)
			}
			return works("the new value %q is shown elsewhere", at.Token)
		}
	}
	p.reload(ctx)
	after = p.walk(ctx, h.place.way, toks...)
	if unsaved && !after.stores(toks[0]) {
		return fails("what was saved, such as %q, is shown nowhere", toks[0])
	}
	if slices.ContainsFunc(f.entries, func(e entry) bool {
		c, _, ok := after.control(e.control.Path)
		return ok && e.token != "" && c.Value == e.value
	}) {
		return works("the new value %q is there when the page is loaded again", toks[0])
	}
	if at, ok := after.shownAny(toks); ok {
		return works("the new value %q is there when the page is loaded again", at.Token)
	}
	return fails("what was saved, such as %q, is shown nowhere", toks[0])
}

// adds reports whether what was entered by a form stays when other values are: such a form
// adds entries and edits none. Shown is where the first one stands, nil for where the page does.
func (p *prover) adds(ctx context.Context, h hit, words []string, first interact.Found, shown *place) bool {
	v := p.visit(ctx, h.place)
	form, ok := v.form(h.form)
	if !ok {
		return false
	}
	p.fill(ctx, v, form)
	p.submit(ctx, p.look(ctx), form, words)
	if shown != nil {
		p.visit(ctx, shown)
	}
	at, stays := p.look(ctx, first.Token).shows(first.Token)
	return stays && at.Row != ""
}

// keepsUnsaved is the negative control: what is typed and not saved is not there after the
// document is loaded again, as browsers restore fields by themselves.
func (p *prover) keepsUnsaved(ctx context.Context, h hit) bool {
	v := p.open(ctx, h.place)
	form, ok := v.form(h.form)
	if !ok || len(form.Buttons) == 0 {
		return false
	}
	for _, path := range form.Fields {
		c, _, ok := v.control(path)
		if !ok || !textField(c) || off(c) || c.Type != "" && c.Type != "text" {
			continue
		}
		word := p.tokens.word()
		p.write(ctx, path, word)
		p.do(ctx, vitrine.Action{Kind: vitrine.ActReload})
		after := p.walk(ctx, h.place.way, word)
		now, _, _ := after.control(path)
		return now.Value == word
	}
	return false
}

// stores reports whether a text is in the storage of the page.
func (v *view) stores(text string) bool {
	for _, value := range v.Storage {
		if strings.Contains(strings.ToLower(value), strings.ToLower(text)) {
			return true
		}
	}
	return false
}
