package behave

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var editWords = []string{"edit", "rename", "modify", "update", "change", "manage", "reschedule", "adjust", "编辑", "修改"}

// edit proves that a value can be changed: a token that replaces it stands as text in the
// row, the old value is gone there, the other rows and their number stay; what is typed
// and cancelled changes nothing. Rows without a control of that name are clicked and
// double-clicked; where no row can be edited, a form with values is, and shows them as
// text or has them after the document is loaded again. Where a field does not show what it does,
// an option that is selected in a row may be replaced by another. Where the editor opens with several values that the row
// shows, all of them are saved. It cheats who says "Saved", or
// leaves the text in the field. (Relation 5.)
func edit(ctx context.Context, p *prover) answer {
	words := p.labels(editWords)
	named := func(v *view) []rowAct {
		return slices.DeleteFunc(short(p.site.rowControls(v, editWords)), func(a rowAct) bool { return a.control.Role == "checkbox" || textField(a.control) })
	}
	best := p.onRows(ctx, absent("no %s has a control that edits it", p.thing("entry")), named, func(v *view, acts []rowAct) answer {
		return p.editRow(ctx, v, acts, vitrine.ActClick)
	})
	if p.edited && best.verdict == vitrine.VerdictFail {
		return best // its editor saves, but not all of it, or what is cancelled: no other form is meant
	}
	if best.verdict == vitrine.VerdictFail {
		places := slices.DeleteFunc(slices.Clone(p.site.places), func(pl *place) bool { return len(named(pl.view)) == 0 })
		best = bestOf(places, 3, best, func(pl *place) answer {
			v := p.open(ctx, pl)
			return p.editChosen(ctx, v, named(v))
		})
	}
	if best.verdict == vitrine.VerdictWorks {
		return best
	}
	if best.verdict == vitrine.VerdictAbsent {
		if a := p.editInPlace(ctx, best); a.verdict == vitrine.VerdictWorks {
			return a
		}
	}
	for _, kind := range []vitrine.ActionKind{vitrine.ActDoubleClick, vitrine.ActClick} {
		if best.verdict != vitrine.VerdictAbsent {
			break
		}
		acts := plainRows
		if kind == vitrine.ActDoubleClick {
			acts = doubleRows
		}
		a := p.onRows(ctx, best, acts, func(v *view, acts []rowAct) answer { return p.editRow(ctx, v, acts, kind) })
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
	}
	a := p.editProfile(ctx, words)
	if rank(a.verdict) > rank(best.verdict) {
		best = a
	}
	return best
}

// plainRows are the rows of the richest list as they are, to be clicked.
func plainRows(v *view) (all []rowAct) {
	lists := v.lists()
	for _, g := range v.survey.Groups { // rows of one word each, which were made for this
		if len(lists) == 0 && v.rowsWithin(g) {
			lists = append(lists, g)
		}
	}
	for _, g := range top(lists, 1) {
		for i, r := range g.Rows {
			all = append(all, rowAct{group: g, row: i, text: r.Text, control: vitrine.Control{Path: r.Path}})
		}
	}
	return all
}

func (p *prover) editRow(ctx context.Context, v *view, acts []rowAct, kind vitrine.ActionKind) answer {
	act := acts[p.tokens.number(0, len(acts)-1)]
	rows := tableOf(act.group)
	step := p.do(ctx, vitrine.Action{Kind: kind, Target: at(act.control.Path)})
	if n, old := prompts(step); n > 0 {
		return p.editByPrompt(ctx, act, n, old)
	}
	open := p.look(ctx)
	field, ok := prefilled(open, v, act.text)
	if path := open.editor(act); !ok && act.control.Name == "" && path != "" { // the row opens in a detail view with an edit control of its own
		v = open
		p.click(ctx, path)
		open = p.look(ctx)
		field, ok = prefilled(open, v, act.text)
	}
	switch {
	case !ok && act.control.Name == "":
		return absent("no %s can be edited", p.thing("row"))
	case !ok:
		return fails("%q on the row %q opens no field", act.control.Name, clip(act.text))
	}
	old := field.Value
	value, token := p.another(field)
	p.write(ctx, field.Path, value)
	typed := p.look(ctx, token)
	after := p.save(ctx, typed, v, field.Path, func(now *view) bool { return rows.edited(now, act.row, token) }, token)
	if !rows.edited(after, act.row, token) {
		for _, pl := range top(p.elsewhere(p.site.places[0]), 3) {
			if after = p.visit(ctx, pl, token); rows.edited(after, act.row, token) {
				break
			}
		}
	}
	if a := rows.judge(after, act, old, token, v.naming(old)); a.verdict != vitrine.VerdictWorks {
		return a
	}
	p.edited = true
	if why := p.cancels(ctx, after, token, kind); why != "" {
		return fails("%s", why)
	}
	if why := p.editsEvery(ctx, p.look(ctx), kind); why != "" {
		return fails("%s", why)
	}
	return works("%q became %q in its row, the other %d stay", clip(old), token, len(rows.rows)-1)
}

// editor is a control outside of the rows of an act that edits; empty without any.
func (v *view) editor(a rowAct) (path string) {
	best := 60.0
	for _, c := range v.Controls {
		inRow := slices.ContainsFunc(a.group.Rows, func(r interact.Row) bool { return strings.HasPrefix(c.Path, r.Path+" > ") })
		if score := matches(c.Name, editWords); score > best && clickable(c) && !off(c) && !c.Covered && !inRow {
			best, path = score, c.Path
		}
	}
	return path
}

// prompts counts the native dialogs that ask for a text, and gives what the first was answered
// with: what it offered.
func prompts(step vitrine.Step) (n int, offered string) {
	for _, d := range step.Effect.Dialogs {
		if d.Kind != "prompt" {
			continue
		}
		if n++; n == 1 {
			offered = d.Answer
		}
	}
	return n, offered
}

// editByPrompt edits a row whose page asks by native dialogs.
func (p *prover) editByPrompt(ctx context.Context, act rowAct, n int, old string) answer {
	token := p.tokens.word()
	if _, ok := number(old); ok {
		token = fmt.Sprint(p.tokens.number(211, 989))
	}
	now := p.look(ctx)
	named := now.naming(old)
	g, i, ok := act.again(now)
	if !ok {
		return fails("the row is another when its dialog is answered with what is there")
	}
	rows := tableOf(g)
	for k := range n {
		text := token
		if k > 0 {
			text = string(rune('1'+k)) + "23"
		}
		p.do(ctx, vitrine.Action{Kind: vitrine.ActAnswer, Text: text})
	}
	p.click(ctx, act.control.Path)
	after := p.look(ctx, token)
	act.row, act.text = i, g.Rows[i].Text
	return rows.judge(after, act, old, token, named)
}

// edited reports whether a token stands in a row and row i is no more as it was.
func (t table) edited(v *view, i int, token string) bool {
	left := t.left(v)
	return t.holds(v, token) && len(left) == len(t.rows)-1 && subset(left, others(len(t.rows), i))
}

// holds reports whether a token stands in a row beside others of the table.
func (t table) holds(v *view, token string) bool {
	for _, g := range v.survey.Groups {
		with, beside := false, len(t.rows) == 1
		for _, r := range g.Rows {
			with = with || strings.Contains(strings.ToLower(r.Text), strings.ToLower(token))
			beside = beside || slices.Contains(t.keys, keyOf(r.Text))
		}
		if with && beside {
			return true
		}
	}
	return false
}

func others(n, but int) (all []int) {
	for i := range n {
		if i != but {
			all = append(all, i)
		}
	}
	return all
}

// judge says what came of editing a row. Named is in how many rows the old value stood before: others
// may name what was renamed.
func (t table) judge(v *view, act rowAct, old, token string, named int) answer {
	left := t.left(v)
	_, ok := v.shows(token)
	changed := lost(len(t.rows), append(left, act.row)) // beside the row that was edited
	switch {
	case !ok:
		return fails("%q is not shown after it was saved in the place of %q", token, clip(old))
	case len(left) == len(t.rows) || !t.holds(v, token):
		return fails("the row %q stays as it was", clip(act.text))
	case !subset(left, others(len(t.rows), act.row)):
		return fails("another row changes than the one that is edited")
	case !subset(changed, t.naming(act.row, old)) || !t.renamed(v, changed, old, token):
		return fails("editing one of %d rows changes %d", len(t.rows), len(t.rows)-len(left))
	case v.rowsWith(token) > max(1, named) && !nested(v, token) && !common.MatchString(token):
		return fails("%q stands in %d rows", token, v.rowsWith(token))
	case common.MatchString(token) && !t.counts(v, act, token):
		return fails("the row %q does not show %q", clip(act.text), token)
	case !v.spelled(token):
		return fails("what stands in the place of %q is not %q as it was entered", clip(old), token)
	case old != "" && numeral.FindString(old) == "" && v.inRowOf(token, old):
		return fails("the old value %q stands beside the new one", clip(old))
	}
	return works("the row %q shows %q, the other %d stay", clip(act.text), token, len(left))
}

// spelled reports whether a token stands somewhere as it was entered, not as a part of another
// word.
func (v *view) spelled(token string) bool {
	return slices.ContainsFunc(slices.Concat(v.survey.Face, v.survey.Lines), func(text string) bool { return index(wordsOf(text), wordsOf(token)) >= 0 })
}

// nested reports whether all rows with a token lie within one of them.
func nested(v *view, token string) bool {
	outer := ""
	for _, f := range v.survey.Found {
		if f.Where == "text" && f.Token == token && f.Row != "" && (outer == "" || len(f.Row) < len(outer)) {
			outer = f.Row
		}
	}
	for _, f := range v.survey.Found {
		if f.Where == "text" && f.Token == token && f.Row != "" && !strings.HasPrefix(f.Row, outer) {
			return false
		}
	}
	return true
}

func (v *view) inRowOf(token, text string) bool {
	at, _ := v.shows(token)
	return keyOf(text) != "" && hasPhrase(at.RowText, text)
}

// prefilled is the field that came with a value of the row, the longest; else the first
// that is new.
func prefilled(open, before *view, row string) (vitrine.Control, bool) {
	best, found, score := vitrine.Control{}, false, -1
	for _, c := range open.Controls {
		if !textField(c) && c.Role != "spinbutton" || off(c) || c.Type == "password" || c.Type == "date" || c.Type == "time" {
			continue
		}
		old, _, known := before.control(c.Path)
		if known && old.Value == c.Value {
			continue
		}
		n := 0
		if c.Value != "" && strings.Contains(keyOf(row), keyOf(c.Value)) {
			n = 1 + len(c.Value)
		}
		if c.Role == "spinbutton" {
			n = min(n, 1)
		}
		if n > score {
			best, found, score = c, true, n
		}
	}
	return best, found
}

// another is a value for a field that differs from what it has, and the text by which
// it is found.
func (p *prover) another(c vitrine.Control) (value, token string) {
	var e entry
	e.control, e.facts = c, interact.Facts{}
	secret := ""
	p.text(&e, &secret)
	if e.token == "" {
		return e.value, e.value
	}
	return e.value, e.token
}

// cancels is the negative control: a text that is typed and cancelled changes nothing. Why
// is empty where it does not, or where there is no way to cancel.
func (p *prover) cancels(ctx context.Context, v *view, row string, kind vitrine.ActionKind) (why string) {
	acts := short(p.site.rowControls(v, editWords))
	if kind != vitrine.ActClick || len(acts) == 0 {
		return ""
	}
	act := acts[p.tokens.number(0, len(acts)-1)]
	p.click(ctx, act.control.Path)
	open := p.look(ctx)
	field, ok := prefilled(open, v, act.text)
	if !ok {
		return ""
	}
	value, token := p.another(field)
	for _, c := range open.Controls {
		old, _, known := v.control(c.Path)
		if !clickable(c) || !cancelLabel.MatchString(c.Name) || known && old.Name == c.Name {
			continue
		}
		p.write(ctx, field.Path, value)
		p.click(ctx, c.Path)
		if at, shown := p.look(ctx, token).shows(token); shown && at.Where == "text" && token != row {
			return "what is cancelled is changed as well"
		}
		return ""
	}
	return ""
}
