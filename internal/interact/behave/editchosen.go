package behave

import (
	"context"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// editChosen proves that what is chosen in a row can be changed, by a list of options in which
// an option of the row is selected when its control opens: once another one is chosen and
// saved, the row says the other in the place of the first, and the other rows stay. It cheats
// who changes each row.
func (p *prover) editChosen(ctx context.Context, v *view, acts []rowAct) answer {
	if len(acts) == 0 {
		return absent("the rows are gone when the page is opened again")
	}
	act := acts[p.tokens.number(0, len(acts)-1)]
	rows := tableOf(act.group)
	p.click(ctx, act.control.Path)
	open := p.look(ctx)
	list, other, ok := chosenOf(open, v, act.text)
	if !ok {
		return absent("%q on the row %q opens no list of which one is chosen", act.control.Name, clip(act.text))
	}
	p.choose(ctx, list.Path, other)
	changed := func(now *view) bool { return rows.rechosen(now, act.row, list.Value, other) }
	typed := p.look(ctx)
	if changed(typed) { // without a button to save
		return works("%q became %q in its row, the other %d stay", list.Value, other, len(rows.rows)-1)
	}
	after := p.save(ctx, typed, v, list.Path, changed)
	if !changed(after) {
		for _, pl := range top(p.elsewhere(p.site.places[0]), 3) {
			if after = p.visit(ctx, pl); changed(after) {
				break
			}
		}
	}
	if !changed(after) {
		return fails("%q is not said in the place of %q after it was saved", other, list.Value)
	}
	return works("%q became %q in its row, the other %d stay", list.Value, other, len(rows.rows)-1)
}

// chosenOf is a list that was not there before, with an option selected that a row says, and
// another option that it does not.
func chosenOf(open, before *view, row string) (list vitrine.Control, other string, ok bool) {
	for i, c := range open.Controls {
		if old, _, known := before.control(c.Path); c.Tag != "select" || off(c) || known && old.Value == c.Value {
			continue
		}
		if len(c.Value) < 2 || !hasPhrase(row, c.Value) {
			continue
		}
		for _, o := range open.Facts[i].Options {
			if o != c.Value && len(o) > 1 && !placeholder.MatchString(o) && !strings.HasPrefix(o, "\x00") && !hasPhrase(row, o) {
				return c, o, true
			}
		}
	}
	return vitrine.Control{}, "", false
}

// hasPhrase reports whether a text has the words of another.
func hasPhrase(text, words string) bool {
	return strings.Contains(" "+keyOf(text)+" ", " "+keyOf(words)+" ")
}

// rechosen reports whether row i says another option in the place of the first, and the others
// are as they were.
func (t table) rechosen(v *view, i int, first, other string) bool {
	left := t.left(v)
	if len(left) != len(t.rows)-1 || !subset(left, others(len(t.rows), i)) {
		return false
	}
	for _, g := range v.survey.Groups {
		beside := len(t.rows) == 1 || slices.ContainsFunc(g.Rows, func(r interact.Row) bool { return slices.Contains(t.keys, keyOf(r.Text)) })
		if beside && slices.ContainsFunc(g.Rows, func(r interact.Row) bool {
			return !slices.Contains(t.keys, keyOf(r.Text)) && hasPhrase(r.Text, other) && !hasPhrase(r.Text, first)
		}) {
			return true
		}
	}
	return false
}
