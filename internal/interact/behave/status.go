package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var statusWords = []string{"complete", "mark as complete", "mark complete", "mark as done", "done", "mark", "toggle", "approve", "reject", "accept", "activate", "deactivate", "start", "finish", "resolve", "close", "archive", "pin", "status", "ship", "check in", "check out", "clock in", "clock out", "renew", "extend", "prolong", "resign", "pause", "stop", "return", "borrow", "完成", "标记", "开始"}

// status proves that the state of one row changes and no other's: its text, its section or
// its style is another after the act, and then the same of a second row, while the first
// keeps its new state. A box that is ticked does not count by itself. Where no row has a
// control for it, a control of the page does, whose label turns into another one with a
// text that lasts. It cheats who flips all rows, or shows a message. (Relation 13.)
func status(ctx context.Context, p *prover) answer {
	words := append(asState(p.need.Quote), p.labels(statusWords)...)
	if all := p.flipsAll(ctx); all.verdict == vitrine.VerdictWorks {
		return all
	}
	if cancelsWord.MatchString(p.need.Verb) {
		return p.cancelled(ctx)
	}
	best := p.onRows(ctx, absent("no %s has a control that changes its state", p.thing("entry")), func(v *view) []rowAct { return p.statusActs(v, words) }, func(v *view, acts []rowAct) answer {
		return p.flipRows(ctx, v, acts, func(v *view) []rowAct { return p.statusActs(v, p.labels(statusWords)) })
	})
	if best.verdict == vitrine.VerdictWorks {
		return best
	}
	ofRows := map[string]bool{}
	for _, pl := range p.site.places {
		acts := p.statusActs(pl.view, words)
		rows := rowsOf(acts)
		for _, a := range acts {
			ofRows[a.control.Path] = ofRows[a.control.Path] || len(rows[a.key()]) > 1 && !a.whole()
		}
	}
	controls := slices.DeleteFunc(p.find(words, brief), func(h hit) bool {
		return ofRows[h.control.Path] || h.control.Tag == "summary" || p.site.leads(h.control.Path) || strings.HasPrefix(h.facts.Href, "#")
	})
	return bestOf(controls, 3, best, func(h hit) answer { return p.flipPage(ctx, h) })
}

var asWord = regexp.MustCompile(`(?i)\bas (?:an? )?([a-z]+)\b`)

// asState is the state that a requirement names, "mark one as watered": a control may say just that.
func asState(quote string) (words []string) {
	for _, m := range asWord.FindAllStringSubmatch(quote, 2) {
		if strings.HasSuffix(m[1], "ed") && len(m[1]) > 4 {
			words = append(words, m[1])
		}
	}
	return words
}

// stateLabels are labels by which a control says the state that a row is in, and which it
// changes when it is clicked.
var stateLabels = []string{"not read", "unread", "read", "pending", "in progress", "not started", "to do", "todo", "open", "closed", "active", "inactive", "available", "unavailable", "not done", "done", "incomplete", "completed", "published", "draft", "paid", "unpaid", "packed", "bought", "watched", "unwatched", "on", "off", "已读", "未读"}

// statusActs are the controls of rows that change a state: those of a name, else boxes,
// else lists of states, else buttons that say the state, else buttons of which a row has many, as one for each
// day, else the rows themselves, their titles, or what is drawn in them without a name, as a box is.
func (p *prover) statusActs(v *view, words []string) []rowAct {
	named := short(p.site.rowControls(v, words))
	if len(named) > 0 && named[0].score >= 60 {
		return named
	}
	var boxes, lists, stated, many, whole, titles, drawn []rowAct
	for _, g := range v.survey.Groups {
		for i, r := range g.Rows {
			if c, _, ok := v.control(r.Path); ok && (c.Role == "clickable" || c.Role == "button") && !p.site.leads(c.Path) && !(&place{view: v}).tabbed(c.Path) && g.Region != "header" && g.Region != "footer" && g.Region != "nav" {
				whole = append(whole, rowAct{group: g, row: i, text: r.Text, control: c})
			}
			bare, alike := false, v.alikeIn(r)
			for _, path := range r.Controls {
				c, _, ok := v.control(path)
				switch {
				case !ok || off(c) || g.Region == "nav":
				case c.Role == "clickable" && path != r.Path && hasWords.MatchString(c.Name) && slices.Contains(r.Cells, c.Name) && !p.site.leads(path):
					titles = append(titles, rowAct{group: g, row: i, text: r.Text, control: c})
				case c.Role == "clickable" && path != r.Path && c.Name == "" && !bare:
					bare = true
					drawn = append(drawn, rowAct{group: g, row: i, text: r.Text, control: c})
				case c.Role == "checkbox" || c.Role == "switch":
					boxes = append(boxes, rowAct{group: g, row: i, text: r.Text, control: c})
				case c.Tag == "select":
					lists = append(lists, rowAct{group: g, row: i, text: r.Text, control: c})
				case c.Role == "button" && slices.Contains(stateLabels, keyOf(c.Name)):
					stated = append(stated, rowAct{group: g, row: i, text: r.Text, control: c})
				case alike[path]:
					many = append(many, rowAct{group: g, row: i, text: r.Text, control: c})
				}
			}
		}
	}
	for _, all := range [][]rowAct{boxes, named, lists, stated, many, whole, titles, drawn} {
		if len(all) > 0 {
			return outermost(all)
		}
	}
	return nil
}

// alikeIn are the buttons of a row of which it has five or more of one look.
func (v *view) alikeIn(r interact.Row) map[string]bool {
	looks, all := map[string][]string{}, map[string]bool{}
	for _, path := range r.Controls {
		if c, f, ok := v.control(path); ok && path != r.Path && c.Role == "button" {
			looks[f.Look] = append(looks[f.Look], path)
		}
	}
	for _, paths := range looks {
		for _, path := range paths {
			all[path] = len(paths) >= 5
		}
	}
	return all
}

func (p *prover) flipRows(ctx context.Context, v *view, acts []rowAct, actsOf func(*view) []rowAct) answer {
	i := p.tokens.number(0, len(acts)-1)
	first := acts[i]
	one, why := p.flip(ctx, v, first)
	if why != "" {
		return fails("%s", why)
	}
	var second *rowAct
	for k := range acts {
		if a := acts[(i+1+k)%len(acts)]; a.text != first.text && a.group.Path == first.group.Path {
			second = &a
			break
		}
	}
	if second == nil {
		return works("the state of %q changes", clip(first.text))
	}
	g, row, ok := second.again(one)
	if !ok {
		return fails("the row %q is gone after another one was changed", clip(second.text))
	}
	for _, a := range actsOf(one) {
		if a.group.Path == g.Path && a.row == row && (a.control.Role == second.control.Role || a.control.Name == second.control.Name) {
			if _, why = p.flip(ctx, one, a); why != "" {
				return fails("the second time, %s", why)
			}
			return works("the states of %q and %q change, each by itself", clip(first.text), clip(second.text))
		}
	}
	if c, _, there := one.control(second.control.Path); there && g.Path == second.group.Path && row == second.row && c.Role == second.control.Role {
		if _, why = p.flip(ctx, one, rowAct{group: g, row: row, text: g.Rows[row].Text, control: c}); why != "" {
			return fails("the second time, %s", why)
		}
		return works("the states of %q and %q change, each by itself", clip(first.text), clip(second.text))
	}
	return fails("the row %q has no such control after another one was changed", clip(second.text))
}

// flip operates the control of one row. Why is empty where that row alone changes.
func (p *prover) flip(ctx context.Context, v *view, act rowAct) (after *view, why string) {
	var step vitrine.Step
	if act.control.Tag == "select" {
		_, f, _ := v.control(act.control.Path)
		option := ""
		for _, o := range f.Options {
			if o != act.control.Value && !strings.HasPrefix(o, "\x00") && !placeholder.MatchString(o) {
				option = o
			}
		}
		step = p.choose(ctx, act.control.Path, option)
	} else {
		step = p.click(ctx, act.control.Path)
	}
	if step.Failed != "" {
		return v, "the control " + act.control.Name + " cannot be operated: " + step.Failed
	}
	after = p.look(ctx)
	if same, _ := act.unchanged(v, after); same && len(step.Effect.Storage) == 0 {
		after = p.confirm(ctx, after, v, p.labels(statusWords))
	}
	same, gone := act.unchanged(v, after)
	same = same && !act.toggled(after)
	if other := act.changedToo(v, after); other != "" {
		return after, "another button of the row changes too: " + clip(other)
	}
	switch {
	case !gone && act.whole() && !act.marked(after):
		return after, "the row " + clip(act.text) + " shows no other state when it is clicked"
	case gone && !p.movedAway(ctx, act):
		return after, "the row " + clip(act.text) + " is gone"
	case same && len(step.Effect.Storage) == 0:
		return after, "the row " + clip(act.text) + " stays as it was"
	}
	if n, text := act.othersChanged(v, after); n > 0 {
		return after, "another row changes too: " + clip(text)
	}
	return after, ""
}

// toggled reports whether the button of an act is pressed where it was not, or the reverse.
func (a rowAct) toggled(after *view) bool {
	path, ok := a.pathIn(after, a.control.Path)
	c, _, _ := after.control(path)
	return ok && c.Role == "button" && slices.Contains(c.States, "pressed") != slices.Contains(a.control.States, "pressed")
}

// changedToo is the name of another button of the same look in the row that changes with the operated one; empty
// without one.
func (a rowAct) changedToo(before, after *view) string {
	alike := before.alikeIn(a.group.Rows[a.row])
	if !alike[a.control.Path] {
		return ""
	}
	for _, other := range a.group.Rows[a.row].Controls {
		path, ok := a.pathIn(after, other)
		if ok && alike[other] && other != a.control.Path && before.stateAt(other) != after.stateAt(path) {
			c, _, _ := before.control(other)
			return c.Name
		}
	}
	return ""
}

// stateOf is what a person can tell of the state of a row; the tick of a box alone is not
// of it, nor what a clock in it shows, nor a word that a pointer leaves behind.
func stateOf(r interact.Row) string {
	struck := ""
	if r.Struck {
		struck = "struck"
	}
	return strings.Join([]string{keyOf(clockText.ReplaceAllString(r.Text, "time")), struck, passing.ReplaceAllString(r.Look, "")}, "|")
}

// whole reports whether an act is a click at a row itself, or its title, that no label
// promises anything of.
func (a rowAct) whole() bool {
	title := a.control.Role == "clickable" && a.control.Name != ""
	return a.score == 0 && (a.group.Rows[a.row].Path == a.control.Path || title) && a.control.Role != "checkbox" && a.control.Role != "switch"
}

// marked reports whether the row of an act is struck out where it was not, or the reverse: a
// row that is only chosen is in no other state, and a class may show nothing.
func (a rowAct) marked(after *view) bool {
	g, i, ok := a.again(after)
	was := a.group.Rows[a.row]
	return ok && g.Rows[i].Struck != was.Struck
}

var passing = regexp.MustCompile(`(?i)\b(hover\w*|focus\w*|enter\w*|new|animate\w*|fade\w*|flash\w*|highlight\w*|pop\w*|pulse\w*|bounc\w*|beat\w*|just-\w+)\b`)

// unchanged reports whether the row of an act is as it was, or gone.
func (a rowAct) unchanged(before, after *view) (same, gone bool) {
	was := a.group.Rows[a.row]
	g, i, ok := a.again(after)
	if !ok {
		return false, true
	}
	if g.Path != a.group.Path || i != a.row {
		section := func(v *view, path string) int { g, _ := v.group(path); return g.Total }
		if g.Path != a.group.Path && section(before, a.group.Path) != section(after, a.group.Path) {
			return false, false
		}
	}
	return stateOf(g.Rows[i]) == stateOf(was), false
}

// othersChanged counts the other rows of the group that are no more as they were, styles
// left out, since the first and the last often differ.
func (a rowAct) othersChanged(_, after *view) (n int, text string) {
	bare := func(r interact.Row) string { r.Look = ""; return stateOf(r) }
	now := map[string]int{}
	for _, g := range after.survey.Groups {
		here := map[string]int{}
		for _, r := range g.Rows {
			here[bare(r)]++
		}
		for k, c := range here {
			now[k] = max(now[k], c)
		}
	}
	for i, r := range a.group.Rows {
		if i == a.row {
			continue
		}
		if now[bare(r)] > 0 {
			continue
		}
		n++
		text = r.Text
	}
	return n, text
}

// movedAway reports whether a row that is gone stands at another place of the site.
func (p *prover) movedAway(ctx context.Context, act rowAct) bool {
	for _, pl := range p.elsewhere(p.site.places[0]) {
		if v := p.visit(ctx, pl); p.err == nil {
			if _, _, ok := act.again(v); ok {
				return true
			}
		}
	}
	return false
}
