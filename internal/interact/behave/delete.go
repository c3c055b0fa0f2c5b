package behave

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var deleteWords = []string{"delete", "remove", "discard", "trash", "clear", "cancel", "删除", "移除"}

// remove proves that a row goes when it is deleted, and no other: the row that was acted
// on is gone, the rest stand as they were. A list that begins empty is filled first.
func remove(ctx context.Context, p *prover) answer {
	words := p.labels(deleteWords)
	best, tried := absent("no row has a control that deletes it"), map[string]bool{}
	for _, pl := range p.site.places {
		acts := p.site.rowControls(pl.view, words)
		if len(acts) == 0 || p.ofOthers(pl, acts[0].group) {
			continue
		}
		for _, a := range acts {
			tried[a.key()] = true
		}
		a := p.removeFrom(ctx, p.open(ctx, pl), words)
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
	}
	if a := p.removeOpened(ctx, words); rank(a.verdict) > rank(best.verdict) {
		best = a
	}
	if best.verdict == vitrine.VerdictAbsent {
		best = p.removeBehind(ctx, words)
	}
	if best.verdict == vitrine.VerdictWorks {
		return best
	}
	made, entries := p.seed(ctx, 3)
	if made == nil || p.foreign(strings.Join(made.survey.Headings, " ")) {
		return best
	}
	if g, ok := made.holding(entries); best.verdict == vitrine.VerdictAbsent || ok && !tried[rowAct{group: g}.key()] { // what was there were other rows
		if a := p.removeFrom(ctx, made, words); rank(a.verdict) > rank(best.verdict) {
			return a
		}
	}
	return best
}

func (p *prover) removeFrom(ctx context.Context, v *view, words []string) answer {
	acts, v := p.actsOn(ctx, v, words)
	if len(acts) == 0 {
		return absent("no row has a control that deletes it")
	}
	if several := slices.DeleteFunc(slices.Clone(acts), func(a rowAct) bool { return len(a.group.Rows) < 2 }); len(several) > 0 { // with a single row nothing shows whether others stay
		acts = several
	}
	act := acts[p.tokens.number(0, len(acts)-1)]
	if len(acts) > 2 { // neither the first nor the last, which may be all that can go
		act = acts[p.tokens.number(1, len(acts)-2)]
	}
	rows := tableOf(act.group)
	step := p.click(ctx, act.control.Path)
	if step.Failed != "" {
		return fails("the row cannot be deleted: %s", step.Failed)
	}
	after := p.look(ctx)
	if len(rows.left(after)) == len(rows.rows) {
		after = p.confirm(ctx, after, v, words)
	}
	left := rows.left(after)
	switch {
	case slices.Contains(left, act.row) && len(left) == len(rows.rows):
		return fails("the row stays: %q", act.text)
	case len(left) < len(rows.rows)-1:
		return fails("deleting one of %d rows leaves %d", len(rows.rows), len(left))
	case slices.Contains(left, act.row):
		return fails("another row goes than the one that is deleted")
	}
	return works("the row %q is gone, the other %d stay", act.text, len(left))
}

// deleteBy operates the control that deletes a row, and confirms it where the page asks in a dialog of its own.
func (p *prover) deleteBy(ctx context.Context, v *view, act rowAct) *view {
	rows := tableOf(act.group)
	p.click(ctx, act.control.Path)
	after := p.look(ctx)
	if len(rows.left(after)) == len(rows.rows) {
		after = p.confirm(ctx, after, v, deleteWords)
	}
	return after
}

// removeOpened proves it of entries that have no control for it in a row of their own: by one that
// names the entry, or that stands there once the entry is opened, as the event of a calendar in a
// dialog. Of two entries that are made for this, one is gone then and the other is still there.
func (p *prover) removeOpened(ctx context.Context, words []string) answer {
	none := absent("no row has a control that deletes it")
	made, entries := p.seed(ctx, 2)
	if made == nil {
		return none
	}
	k := p.tokens.number(0, 1)
	own, other := entries[k], entries[1-k]
	shown := p.look(ctx, slices.Concat(own, other)...)
	entry, ok := shown.shownAny(own)
	if _, both := shown.shownAny(other); !ok || !both {
		return none
	}
	path := shown.remover(words, own, nil)
	if path == "" {
		p.click(ctx, entry.Path)
		path = p.look(ctx).remover(words, nil, shown)
	}
	if path == "" {
		return none
	}
	opened := p.look(ctx)
	p.click(ctx, path)
	after := p.look(ctx, own...)
	if _, still := after.shownAny(own); still {
		p.confirm(ctx, after, opened, words)
		after = p.look(ctx, own...)
	}
	if at, still := after.shownAny(own); still {
		return fails("what is deleted stays: %q", at.Token)
	}
	after = p.look(ctx, other...)
	for _, pl := range p.elsewhere(nil) {
		if _, ok := after.shownAny(other); ok {
			break
		}
		after = p.visit(ctx, pl, other...)
	}
	if at, still := p.look(ctx, own...).shownAny(own); still {
		return fails("what is deleted is there again: %q", at.Token)
	}
	if _, ok := after.shownAny(other); !ok {
		return fails("with one entry another one is deleted")
	}
	return works("the entry %q is gone, another one stays", entry.Token)
}

// remover is the likeliest control that deletes: one whose label has a text of an entry, or, of an entry
// that was opened, rather one that was not there before.
func (v *view) remover(words, named []string, before *view) (path string) {
	best := 0.0
	for _, c := range v.Controls {
		score := matches(c.Name, words)
		if score == 0 || !clickable(c) || off(c) || c.Covered || len(wordsOf(c.Name)) > 6 || moreThanOne.MatchString(c.Name) {
			continue
		}
		if before != nil {
			if _, _, known := before.control(c.Path); known {
				score -= 30
			}
		} else if !slices.ContainsFunc(named, func(n string) bool { return strings.Contains(c.Name, n) }) {
			continue
		}
		if score > max(best, 40) {
			best, path = score, c.Path
		}
	}
	return path
}

// moreThanOne are labels that empty a list or take nothing away, though they have a word for it.
var moreThanOne = regexp.MustCompile(`(?i)^\W*cancel\W*$|\b(all|everything|filters?|search)\b`)

// actsOn are the controls in rows whose labels match; those that show only under the
// pointer, too.
func (p *prover) actsOn(ctx context.Context, v *view, words []string) ([]rowAct, *view) {
	if acts := p.site.rowControls(v, words); len(acts) > 0 {
		return acts, v
	}
	for _, g := range top(v.lists(), 2) {
		row := g.Rows[p.tokens.number(0, len(g.Rows)-1)]
		p.do(ctx, vitrine.Action{Kind: vitrine.ActHover, Target: at(row.Path)})
		under := p.look(ctx)
		if acts := p.site.rowControls(under, words); len(acts) > 0 {
			return acts, under
		}
	}
	return nil, v
}

// A rowAct is a control in a row.
type rowAct struct {
	group   interact.Group
	row     int
	text    string
	control vitrine.Control
	score   float64
}

// rowControls are the controls in rows whose labels match best, one for each row.
func (m *sitemap) rowControls(v *view, words []string) (all []rowAct) {
	best := 0.0
	for _, g := range v.survey.Groups {
		if g.Region == "nav" || g.Region == "footer" {
			continue
		}
		for i, r := range g.Rows {
			if v.toolbar(r) {
				continue
			}
			for _, path := range r.Controls {
				c, f, ok := v.control(path)
				if !ok || off(c) || path == r.Path && len(r.Controls) == 1 && len(wordsOf(r.Text)) < 3 {
					continue
				}
				score := max(matches(c.Name, words), 0.8*matches(f.Context, words), 0.5*matches(identifier(path), words))
				if c.Name == "" && f.Context == "" {
					score = max(score, 0.5*matches(verbs(f.Look), words))
				}
				if score > 0 {
					best = max(best, score)
					all = append(all, rowAct{g, i, r.Text, c, score})
				}
			}
		}
	}
	all = slices.DeleteFunc(all, func(a rowAct) bool { return a.score < best-10 })
	rows := rowsOf(all)
	return outermost(slices.DeleteFunc(all, func(a rowAct) bool { return len(rows[a.key()]) < 2 && v.sections(a.group) }))
}

// key names the group of an act.
func (a rowAct) key() string { return a.group.Path + "|" + a.group.Kind }

// rowsOf are the rows of each group that have an act.
func rowsOf(all []rowAct) map[string]map[int]bool {
	rows := map[string]map[int]bool{}
	for _, a := range all {
		if rows[a.key()] == nil {
			rows[a.key()] = map[int]bool{}
		}
		rows[a.key()][a.row] = true
	}
	return rows
}

// sections reports whether the rows of a group are parts of a page: one of them holds a list.
func (v *view) sections(g interact.Group) bool {
	for _, r := range g.Rows {
		text := " " + keyOf(r.Text) + " "
		for _, in := range v.survey.Groups {
			if in.Path == g.Path || len(in.Rows) < 2 || strings.HasPrefix(in.Kind, "td|") || len(text) < 100 {
				continue
			}
			if !slices.ContainsFunc(in.Rows[:2], func(o interact.Row) bool {
				return len(wordsOf(o.Text)) < 3 || o.Path == r.Path || !strings.Contains(text, " "+keyOf(o.Text)+" ")
			}) {
				return true
			}
		}
	}
	return false
}

// outermost leaves one act for each control: of the groups that it is in, the one with most
// rows that have such a control, of these one of several rows rather than
// the box around a list, and of these the one whose row says most. Where a row has two controls that are
// called the same, as a column of cards, the rows within it come first.
func outermost(all []rowAct) []rowAct {
	rows, named := rowsOf(all), map[string]int{}
	for _, a := range all {
		if k := fmt.Sprint(a.key(), a.row, a.control.Name); a.control.Name != "" {
			if named[k]++; named[k] == 2 {
				named[a.key()] = 1
			}
		}
	}
	best := map[string]rowAct{}
	for _, a := range all {
		b, ok := best[a.control.Path]
		n, m := len(rows[a.key()])*(1-named[a.key()]), len(rows[b.key()])*(1-named[b.key()])
		many, were := min(a.group.Total, 2), min(b.group.Total, 2)
		if !ok || n > m || n == m && (many > were || many == were && len(a.text) > len(b.text)) {
			best[a.control.Path] = a
		}
	}
	return slices.DeleteFunc(all, func(a rowAct) bool { return a.key() != best[a.control.Path].key() })
}

var confirmWords = []string{"yes", "confirm", "ok", "delete", "remove", "continue", "sure", "确定", "确认"}

// confirm answers a question that the page asks in a dialog of its own.
func (p *prover) confirm(ctx context.Context, v, before *view, words []string) *view {
	best, path := 0.0, ""
	for _, c := range v.Controls {
		if _, _, known := before.control(c.Path); known || !clickable(c) || c.Covered {
			continue
		}
		if s := matches(c.Name, append(slices.Clone(confirmWords), words...)); s > best {
			best, path = s, c.Path
		}
	}
	if path == "" {
		return v
	}
	p.click(ctx, path)
	return p.look(ctx)
}
