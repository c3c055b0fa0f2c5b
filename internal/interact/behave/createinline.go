package behave

import (
	"context"
	"slices"

	"vitrine"
	"vitrine/internal/interact"
)

// createInline proves it of rows that are made first and written in then, as those of an invoice or of an
// editable table: the button adds a field that takes text; what is typed into it stays when the button
// adds another one, which begins without it; a click elsewhere adds none. It cheats who shows the same
// row again.
func (p *prover) createInline(ctx context.Context, words []string) answer {
	adds := p.find(words, func(c vitrine.Control, _ interact.Facts) bool { return c.Role == "button" && !c.Covered })
	adds = slices.DeleteFunc(adds, func(h hit) bool { return h.place.view.partOfForm(h.control.Path) || p.addsOther(h.control.Name) })
	return bestOf(adds, 2, absent("no form takes a new %s", p.thing("entry")), func(h hit) answer {
		v := p.open(ctx, h.place)
		var paths, typed []string
		for range 2 {
			step := p.click(ctx, h.control.Path)
			now := p.look(ctx)
			path := now.newField(v)
			if step.Failed != "" || path == "" || now.newFields(v) > maxRowFields {
				return absent("%q adds no row to be written in", h.control.Name)
			}
			if c, _, _ := now.control(path); slices.Contains(typed, c.Value) {
				return fails("a new row begins with what was typed into another one")
			}
			word := p.tokens.word()
			p.write(ctx, path, word)
			paths, typed, v = append(paths, path), append(typed, word), p.look(ctx)
		}
		p.aside(ctx)
		after := p.look(ctx)
		if after.newFields(v) > 0 {
			return fails("a click where nothing is adds a row")
		}
		for i, path := range paths {
			if c, _, ok := after.control(path); !ok || c.Value != typed[i] {
				return fails("%q is gone from its row", typed[i])
			}
		}
		return works("%q adds a row each time, and what is typed into it stays", h.control.Name)
	})
}

// partOfForm reports whether a button stands in a form that another one sends off, as one that adds an ingredient
// to a recipe does.
func (v *view) partOfForm(path string) bool {
	return slices.ContainsFunc(v.survey.Forms, func(form interact.Form) bool {
		return slices.Contains(form.Buttons, path) && slices.ContainsFunc(form.Buttons, func(other string) bool {
			c, f, ok := v.control(other)
			return ok && other != path && (f.Submits || matches(c.Name, saveWords) > 60)
		})
	})
}

// addsOther reports whether a label names another thing than the requirement does.
func (p *prover) addsOther(label string) bool {
	plain := stems(append([]string{"row", "line", "item", "entry", "another", "one", "more", "a", "an"}, createWords...))
	named := slices.DeleteFunc(stems(wordsOf(label)), func(w string) bool { return slices.Contains(plain, w) })
	own := stems(wordsOf(p.need.Entity))
	return len(own) > 0 && len(named) > 0 && !slices.ContainsFunc(named, func(w string) bool { return slices.Contains(own, w) })
}

// maxRowFields is how many fields a row has at most.
const maxRowFields = 12

// newField is the first field for text that was not there before; empty without one.
func (v *view) newField(before *view) string {
	for _, c := range v.Controls {
		if _, _, known := before.control(c.Path); !known && textField(c) && c.Type != "search" && !off(c) && !c.Covered {
			return c.Path
		}
	}
	return ""
}

// newFields counts the fields that were not there before.
func (v *view) newFields(before *view) (n int) {
	for _, c := range v.Controls {
		if _, _, known := before.control(c.Path); !known && (textField(c) || c.Role == "spinbutton" || c.Tag == "select") {
			n++
		}
	}
	return n
}
