package behave

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// A change is a field of an editor with what is put in its place.
type change struct {
	field vitrine.Control
	value string
}

// editsEvery proves, of an editor that opens with several values of a row, that each is saved: another row is edited
// once more, in all of them. It says what is wrong; nothing where the row does not show what was saved.
func (p *prover) editsEvery(ctx context.Context, v *view, kind vitrine.ActionKind) (why string) {
	acts := short(p.site.rowControls(v, editWords))
	if kind != vitrine.ActClick || len(acts) == 0 {
		return ""
	}
	act := acts[p.tokens.number(0, len(acts)-1)]
	rows := tableOf(act.group)
	p.click(ctx, act.control.Path)
	open := p.look(ctx)
	changes, token := p.changes(open, v, act)
	if len(changes) < 2 || token == "" {
		return ""
	}
	for _, c := range changes {
		if c.field.Tag == "select" {
			p.choose(ctx, c.field.Path, c.value)
		} else {
			p.write(ctx, c.field.Path, c.value)
		}
	}
	typed := p.look(ctx, token)
	after := p.save(ctx, typed, v, changes[0].field.Path, func(now *view) bool { return rows.edited(now, act.row, token) }, token)
	if at, ok := after.shows(token); !ok || at.Row == "" || p.spent {
		return ""
	}
	for _, c := range changes {
		elsewhere := c.field.Tag != "select" && c.field.Role != "spinbutton" && showsValue(strings.Join(after.survey.Lines, " "), c.value)
		saved := slices.ContainsFunc(after.survey.Found, func(f interact.Found) bool { // a message may say the text, too
			return f.Where == "text" && f.Token == token && showsValue(f.RowText, c.value)
		})
		if !saved && !elsewhere { // a word that was drawn stands nowhere else by chance
			return fmt.Sprintf("%q of the row %q is not saved as %q", c.field.Name, clip(act.text), c.value)
		}
	}
	return ""
}

// changes are the fields that opened with values that the row of an act shows, each with another value, and the text by
// which the row is found afterwards. Of lists one is taken, since another may depend on it, with an option that another row shows.
func (p *prover) changes(open, before *view, act rowAct) (all []change, token string) {
	listed := false
	for i, c := range open.Controls {
		f := open.Facts[i]
		if old, _, known := before.control(c.Path); known && old.Value == c.Value || off(c) || c.Value == "" || !showsValue(act.text, c.Value) {
			continue
		}
		switch {
		case c.Tag == "select" && !listed:
			o := slices.IndexFunc(f.Options, func(o string) bool {
				return !strings.HasPrefix(o, "\x00") && o != c.Value && !isNeutral(o) && hasWords.MatchString(o) &&
					slices.ContainsFunc(act.group.Rows, func(r interact.Row) bool { return r.Text != act.text && hasPhrase(r.Text, o) })
			})
			if listed = o >= 0; listed {
				all = append(all, change{c, f.Options[o]})
			}
		case c.Role == "spinbutton" && c.Type != "range":
			if n, ok := number(c.Value); ok && withNumber(act.text, n) == 1 {
				all = append(all, change{c, strconv.FormatFloat(nextTo(n, f), 'f', -1, 64)})
			}
		case textField(c) && c.Type != "email" && c.Type != "tel" && c.Type != "url" && c.Type != "password" && f.InputMode == "" && len(numbers(c.Value)) == 0:
			value, found := p.another(c)
			all = append(all, change{c, value})
			if token == "" {
				token = found
			}
		}
	}
	return all, token
}

// nextTo is a number one more or one step more than one that a field has, or less where it takes no more.
func nextTo(n float64, f interact.Facts) float64 {
	step, ok := number(f.Step)
	if !ok || step < 1 { // 1 is a multiple of most steps below 1
		step = 1
	}
	if high, ok := number(f.Max); ok && n+step > high {
		step = -step
	}
	return math.Round((n+step)*1e4) / 1e4
}

// withNumber counts how often a text has a number.
func withNumber(text string, n float64) (times int) {
	for _, m := range numbers(text) {
		if math.Abs(m-n) < 1e-6 {
			times++
		}
	}
	return times
}

// showsValue reports whether a text has a value of a field: its words in one piece, or its number.
func showsValue(text, value string) bool {
	if n, ok := number(value); ok {
		return withNumber(text, n) > 0
	}
	return len(wordsOf(value)) > 0 && hasPhrase(text, value)
}
