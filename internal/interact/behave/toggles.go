package behave

import (
	"context"
	"slices"
	"strings"

	"vitrine"
)

// unsaid are words of an instruction that name no option.
var unsaid = []string{"a", "an", "and", "or", "the", "of", "to", "in", "on", "for", "with", "my", "me", "i", "it", "can", "let", "lets", "change", "changes", "switch", "between", "button", "page", "show", "add", "new", "all", "toggle"}

// toggles are the buttons of the site that are called, by label or id, what the instruction
// says of the setting: "Basic" where it speaks of a basic and a scientific mode.
func (p *prover) toggles() (all []hit) {
	about := p.need.Quote + " " + p.need.Entity
	if len(wordsOf(about)) == 1 { // "toggle": the rest of the clause says what is toggled
		about = clauseOf(p.instruction, p.need.Quote)
	}
	asked := stems(slices.DeleteFunc(wordsOf(about), func(w string) bool { return slices.Contains(unsaid, w) }))
	if len(asked) == 0 {
		return nil
	}
	named := func(words []string) bool {
		return slices.ContainsFunc(stems(words), func(w string) bool { return slices.Contains(asked, w) })
	}
	for _, pl := range p.site.places {
		for i, c := range pl.view.Controls {
			f := pl.view.Facts[i]
			button := c.Role == "button" || c.Role == "switch" || c.Role == "clickable"
			if !button || off(c) || c.Covered || f.Region == "nav" || len(wordsOf(c.Name)) > 4 || inRow(pl.view, c) || p.site.leads(c.Path) {
				continue
			}
			if named(wordsOf(c.Name)) || named(wordsOf(identifier(c.Path))) {
				all = append(all, hit{place: pl, control: c, facts: f})
			}
		}
	}
	return all
}

// clauseOf is the part of a text between two marks of punctuation that holds a phrase, or else the phrase.
func clauseOf(text, phrase string) string {
	for _, clause := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".,;:()!?\n", r) }) {
		if index(wordsOf(clause), wordsOf(phrase)) >= 0 {
			return clause
		}
	}
	return phrase
}

// toggleBy proves a setting of two values that one button switches: other controls, texts or
// backgrounds are there after a click, and the former ones after the next; a click where
// nothing is and time change nothing.
func (p *prover) toggleBy(ctx context.Context, h hit) answer {
	p.open(ctx, h.place)
	p.do(ctx, vitrine.Action{Kind: vitrine.ActHover, Target: at(h.control.Path)}) // scrolls to it: other backgrounds are in the window then
	before := p.look(ctx)
	label := func(v *view) string { c, _, _ := v.control(h.control.Path); return c.Name }
	differ := func(a, b *view) bool {
		return changes(a, b, label(a), label(b)) != "" || !slices.Equal(labelsBut(a, h.control.Path), labelsBut(b, h.control.Path))
	}
	p.aside(ctx)
	p.wait(ctx, 1500)
	calm := p.look(ctx)
	if differ(before, calm) {
		return fails("the page changes without %q", h.control.Name)
	}
	p.click(ctx, h.control.Path)
	after := p.look(ctx)
	if !differ(calm, after) {
		return fails("%q changes nothing", h.control.Name)
	}
	if _, _, ok := after.control(h.control.Path); !ok {
		return fails("%q is gone when it is clicked", h.control.Name)
	}
	p.click(ctx, h.control.Path)
	if back := p.look(ctx); differ(calm, back) {
		return fails("%q does not bring back what was there", h.control.Name)
	}
	return works("%q changes the page, and back", h.control.Name)
}

// labelsBut are the controls of a view by role and label, but one, in their order.
func labelsBut(v *view, path string) (all []string) {
	for _, c := range v.Controls {
		if c.Path != path {
			all = append(all, c.Role+" "+strings.Join(wordsOf(c.Name), " "))
		}
	}
	return all
}
