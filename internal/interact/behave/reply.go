package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

var replyWords = []string{"reply", "comment", "comments", "answer", "add comment", "post comment", "review", "add note", "note", "respond", "discuss", "write a review", "回复", "评论", "回答"}

// openWords are labels by which a row is opened.
var openWords = []string{"view", "open", "read", "read more", "details", "view details", "comments", "discussion", "查看", "详情"}

// reply proves that what is written under one thing stands there, and under no other: after
// a reply to each of two rows, the first token stands in the first row alone and the
// second in the second; or, where rows are opened for it, each opened row shows its own
// reply and not the other's. It cheats who has one list for all. (Relation 12.)
func reply(ctx context.Context, p *prover) answer {
	words := p.labels(replyWords)
	best := p.onRows(ctx, absent("no %s can be replied to", p.thing("post")), func(v *view) []rowAct { return p.replyActs(v, words) }, func(v *view, acts []rowAct) answer {
		return p.replyInRows(ctx, v, acts, words)
	})
	if best.verdict == vitrine.VerdictWorks {
		return best
	}
	for _, acts := range []func(*view) []rowAct{func(v *view) []rowAct { return p.replyLinks(v, words) }, p.openActs} {
		opened := p.onRows(ctx, best, acts, func(v *view, acts []rowAct) answer { return p.replyOpened(ctx, v, acts, words) })
		if rank(opened.verdict) > rank(best.verdict) {
			best = opened
		}
		if best.verdict == vitrine.VerdictWorks {
			break
		}
	}
	return best
}

// replyLinks are links of rows that are named as replies and lead to where they stand.
func (p *prover) replyLinks(v *view, words []string) []rowAct {
	return slices.DeleteFunc(short(p.site.rowControls(v, words)), func(a rowAct) bool { return a.control.Role != "link" })
}

// replyActs are fields of rows that take a reply, or else controls that open one.
func (p *prover) replyActs(v *view, words []string) (all []rowAct) {
	for _, g := range v.survey.Groups {
		for i, r := range g.Rows {
			for _, path := range r.Controls {
				if c, f, ok := v.control(path); ok && textField(c) && !off(c) && matches(c.Name+" "+f.Placeholder, words) > 0 && len(wordsOf(r.Text)) > 1 {
					all = append(all, rowAct{group: g, row: i, text: r.Text, control: c})
				}
			}
		}
	}
	if len(all) > 1 {
		return outermost(all)
	}
	return short(p.site.rowControls(v, words))
}

// openActs are what opens each row: a link or button of that label, else the row itself.
func (p *prover) openActs(v *view) []rowAct {
	if named := short(p.site.rowControls(v, openWords)); len(named) > 1 {
		return named
	}
	all := plainRows(v)
	for i, a := range all {
		for _, path := range a.group.Rows[a.row].Controls {
			if c, _, ok := v.control(path); ok && !off(c) && (c.Role == "link" || c.Role == "clickable" || c.Role == "button") {
				all[i].control = c
				break
			}
		}
	}
	return all
}

// another picks a row of the same list as one.
func another(acts []rowAct, i int) (rowAct, bool) {
	for k := range acts {
		if a := acts[(i+1+k)%len(acts)]; a.group.Path == acts[i].group.Path && a.row != acts[i].row && a.text != acts[i].text {
			return a, true
		}
	}
	return rowAct{}, false
}

func (p *prover) replyInRows(ctx context.Context, v *view, acts []rowAct, words []string) answer {
	acts = sameList(acts)
	i := p.tokens.number(0, len(acts)-1)
	first := acts[i]
	second, two := another(acts, i)
	one, why := p.replyTo(ctx, v, first, words)
	if why != "" {
		return fails("%s", why)
	}
	now := p.look(ctx, one)
	if !first.holds(now, one) && !(two && first.above(now, one)) {
		return fails("the reply %q does not stand under %q", one, clip(first.text))
	}
	if two && (second.holds(now, one) || !first.holds(now, one) && second.above(now, one)) {
		return fails("the reply %q stands under another row, too", one)
	}
	if !two {
		return works("the reply %q stands under its row", one)
	}
	for _, a := range p.replyActs(now, words) { // the paths may have changed
		if g, row, ok := second.again(now); ok && a.group.Path == g.Path && a.row == row {
			second.control = a.control
			break
		}
	}
	other, why := p.replyTo(ctx, now, second, words)
	if why != "" {
		return fails("the second time, %s", why)
	}
	now = p.look(ctx, one, other)
	inside := second.holds(now, other) && first.holds(now, one) && !first.holds(now, other)
	beside := second.above(now, other) && first.above(now, one) && !first.above(now, other) && !second.above(now, one)
	if !inside && !beside {
		return fails("the replies %q and %q do not stand each under its own row", one, other)
	}
	return works("the replies %q and %q stand each under its own row", one, other)
}

// holds reports whether a text stands in the row of an act.
func (a rowAct) holds(v *view, text string) bool {
	g, i, ok := a.again(v)
	own := a.group.Rows[a.row].Path
	if around, found := v.group(a.group.Path); ok && found && a.row < len(around.Rows) && strings.HasPrefix(g.Path+" > ", own+" > ") && around.Rows[a.row].Path == own {
		g, i = around, a.row // a part of the row that was opened is most like what it was
	}
	if !ok { // the row may be longer by much: the same place of the same list
		if g, ok = v.group(a.group.Path); !ok || a.row >= len(g.Rows) || !strings.HasPrefix(masked(keyOf(g.Rows[a.row].Text), nil), masked(keyOf(firstCell(a)), nil)) {
			return false
		}
		i = a.row
	}
	return strings.Contains(strings.ToLower(g.Rows[i].Text), strings.ToLower(text))
}

// above reports whether a text stands outside of the rows of a list, after the row of an act
// and before the next one, as an answer does that is put beside what it answers.
func (a rowAct) above(v *view, text string) bool {
	g, row, ok := a.again(v)
	if !ok {
		return false
	}
	line := func(text string) int {
		return slices.IndexFunc(v.survey.Lines, func(l string) bool { return strings.Contains(strings.ToLower(l), strings.ToLower(text)) })
	}
	at, last := line(text), -1
	for i, r := range g.Rows {
		if strings.Contains(strings.ToLower(r.Text), strings.ToLower(text)) {
			return false
		}
		if n := line(longest(r.Cells)); n >= 0 && n < at && i != row && n > last {
			last = n
		}
	}
	own := line(longest(g.Rows[row].Cells))
	return own >= 0 && own < at && own > last
}

// longest is the cell that says most.
func longest(cells []string) (best string) {
	for _, c := range cells {
		if len(c) > len(best) {
			best = c
		}
	}
	return best
}

// sameList leaves the acts of the list that has most of them.
func sameList(acts []rowAct) []rowAct {
	count, best := map[string]int{}, ""
	for _, a := range acts {
		if count[a.group.Path]++; count[a.group.Path] > count[best] {
			best = a.group.Path
		}
	}
	return slices.DeleteFunc(slices.Clone(acts), func(a rowAct) bool { return a.group.Path != best })
}

func firstCell(a rowAct) string {
	if cells := a.group.Rows[a.row].Cells; len(cells) > 0 {
		return cells[0]
	}
	return a.text
}

// replyTo writes a reply by the control of a row. Why says what went wrong.
func (p *prover) replyTo(ctx context.Context, v *view, act rowAct, words []string) (token, why string) {
	open, field := v, act.control
	if !textField(field) {
		p.click(ctx, act.control.Path)
		open = p.look(ctx)
		c, ok := replyField(open, v, words)
		if !ok {
			return "", "\"" + clip(act.control.Name) + "\" opens no field"
		}
		field = c
	}
	return p.writeReply(ctx, open, field)
}

// writeReply fills the form of a field in, sends it off, and says where it went wrong.
func (p *prover) writeReply(ctx context.Context, open *view, field vitrine.Control) (token, why string) {
	form := open.formOf(field.Path)
	f := p.fill(ctx, open, form)
	for _, e := range f.entries {
		if e.control.Path == field.Path {
			token = e.token
		}
	}
	if token == "" {
		return "", "the field for it takes no text"
	}
	typed := p.look(ctx, token)
	if _, ok := typed.shows(token); ok {
		return "", "what is typed is shown before it is sent off"
	}
	done := func(now *view) bool { _, ok := now.shows(token); return ok }
	if after := p.save(ctx, typed, typed, field.Path, done, token); !done(after) {
		return token, "the reply " + token + " is not shown when it is sent off"
	}
	return token, ""
}

var replyLabel = regexp.MustCompile(`(?i)\b(repl(y|ies)|comments?|answers?|reviews?|notes?|thoughts|respon\w+|message)\b|回复|评论|回答`)

// replyField is the field that takes a reply: a new one, else one of that label.
func replyField(open, before *view, words []string) (vitrine.Control, bool) {
	best, found, ok := -1.0, vitrine.Control{}, false
	for i, c := range open.Controls {
		if !textField(c) || off(c) || c.Type == "search" {
			continue
		}
		score := 0.0
		if _, _, known := before.control(c.Path); !known {
			score += 40
		}
		label := c.Name + " " + open.Facts[i].Placeholder
		if replyLabel.MatchString(label) || matches(label, words) > 0 {
			score += 60
		}
		if c.Tag == "textarea" {
			score += 20
		}
		if score >= 40 && score > best {
			best, found, ok = score, c, true
		}
	}
	return found, ok
}

// replyOpened replies to two rows that are opened for it.
func (p *prover) replyOpened(ctx context.Context, v *view, acts []rowAct, words []string) answer {
	i := p.tokens.number(0, len(acts)-1)
	second, two := another(acts, i)
	first := acts[i]
	p.click(ctx, first.control.Path)
	open := p.look(ctx)
	field, ok := replyField(open, v, words)
	if !ok || !replyLabel.MatchString(field.Name+" "+open.formOf(field.Path).Title) {
		return absent("no %s can be replied to", p.thing("post"))
	}
	one, why := p.writeReply(ctx, open, field)
	if why != "" {
		return fails("%s", why)
	}
	if !two {
		return works("the reply %q stands under the row that was opened", one)
	}
	if other := p.openRow(ctx, v, second, one); other == nil {
		return fails("there is no way back to the list")
	} else if _, ok := other.shows(one); ok && (second.holds(other, one) || !first.holds(other, one)) {
		return fails("the reply %q stands under another row, too", one)
	}
	back := p.openRow(ctx, v, first, one)
	if back == nil {
		return fails("there is no way back to the list")
	}
	if _, ok := back.shows(one); !ok { // a row that was open still is closed by that
		if back = p.openRow(ctx, v, first, one); back == nil {
			return fails("there is no way back to the list")
		}
	}
	if _, ok := back.shows(one); !ok {
		return fails("the reply %q is gone when its row is opened again", one)
	}
	return works("the reply %q stands under its own row, also when that is opened again", one)
}

var backLabel = regexp.MustCompile(`(?i)^\W*(back|close|all|cancel|return|×|✕|✖|x)\b|^[×✕✖←‹]|返回|关闭`)

// openRow goes back to the list, without a fresh state, and opens a row of it; nil where
// the list is not found.
func (p *prover) openRow(ctx context.Context, list *view, act rowAct, texts ...string) *view {
	now := p.look(ctx, texts...)
	listed := func(v *view) (vitrine.Control, bool) {
		g, i, ok := act.again(v)
		if !ok || g.Total < 2 {
			return vitrine.Control{}, false
		}
		was := act.group.Rows[act.row]
		k := slices.Index(was.Controls, act.control.Path)
		if k >= 0 && k < len(g.Rows[i].Controls) {
			c, _, ok := v.control(g.Rows[i].Controls[k])
			return c, ok && !c.Covered
		}
		return vitrine.Control{Path: g.Rows[i].Path}, act.control.Path == was.Path
	}
	for try := range 3 {
		if c, ok := listed(now); ok {
			if step := p.click(ctx, c.Path); step.Failed == "" {
				return p.look(ctx, texts...)
			}
		}
		switch path := newBack(now, list); {
		case try == 0 && path != "":
			p.click(ctx, path)
		case try <= 1:
			p.do(ctx, vitrine.Action{Kind: vitrine.ActBack})
		}
		now = p.look(ctx, texts...)
		if _, ok := listed(now); !ok && try == 1 {
			now = p.home(ctx, p.site.places[0], texts...)
		}
	}
	return nil
}

// newBack is a control that leads back, and was not there before.
func newBack(now, before *view) string {
	for _, c := range now.Controls {
		if _, _, known := before.control(c.Path); !known && clickable(c) && backLabel.MatchString(c.Name) {
			return c.Path
		}
	}
	return ""
}
