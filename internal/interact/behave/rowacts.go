package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// onRows tries an act on rows: at each place where acts finds controls for it in rows, then
// on entries that are made for it by the form of the site.
func (p *prover) onRows(ctx context.Context, otherwise answer, acts func(*view) []rowAct, try func(*view, []rowAct) answer) answer {
	var places []*place
	tried := map[string]bool{}
	for _, pl := range p.site.places {
		if all := acts(pl.view); len(all) > 0 && !p.ofOthers(pl, all[0].group) {
			places = append(places, pl)
			for _, a := range all {
				tried[a.key()] = true
			}
		}
	}
	best := bestOf(places, 3, otherwise, func(pl *place) answer {
		v := p.open(ctx, pl)
		if all := acts(v); len(all) > 0 {
			return try(v, all)
		}
		return fails("what was there before is gone when the page is opened again")
	})
	if best.verdict == vitrine.VerdictWorks {
		return best
	}
	made, entries := p.seed(ctx, 2)
	if made == nil || p.foreign(strings.Join(made.survey.Headings, " ")) {
		return best
	}
	all := acts(made)
	if best.verdict != otherwise.verdict { // what was there may have been other rows
		g, ok := made.holding(entries)
		if !ok || tried[rowAct{group: g}.key()] {
			return best
		}
		all = acts(made.only(func(o interact.Group) bool { return o.Path == g.Path && o.Kind == g.Kind }))
	}
	if len(all) > 0 {
		if a := try(made, all); rank(a.verdict) >= rank(best.verdict) {
			return a
		}
	}
	return best
}

// only is a view with some of its groups of rows.
func (v *view) only(keep func(interact.Group) bool) *view {
	some := *v.survey
	some.Groups = slices.DeleteFunc(slices.Clone(some.Groups), func(g interact.Group) bool { return !keep(g) })
	return &view{v.Scene, &some}
}

// again finds the row of an act on the page as it stands now: among all groups, the row
// that shares most of its words, and at least half of them.
func (a rowAct) again(v *view) (interact.Group, int, bool) {
	want, best := wordsOf(a.text), 0.0
	group, at := interact.Group{}, -1
	for _, g := range v.survey.Groups {
		for i, r := range g.Rows {
			score := overlap(want, wordsOf(r.Text))
			if g.Path == a.group.Path && g.Kind == a.group.Kind {
				score += 0.05
			}
			if score > best && score >= 0.5 {
				best, group, at = score, g, i
			}
		}
	}
	return group, at, at >= 0
}

// pathIn is the path in another view of a control of the row of an act; false where the row or the control is gone.
func (a rowAct) pathIn(v *view, path string) (string, bool) {
	g, i, ok := a.again(v)
	k := slices.Index(a.group.Rows[a.row].Controls, path)
	if !ok || k < 0 || k >= len(g.Rows[i].Controls) {
		return "", false
	}
	return g.Rows[i].Controls[k], true
}

// overlap is how much two lists of words share: 2·|a ∩ b| / (|a| + |b|).
func overlap(a, b []string) float64 {
	if len(a)+len(b) == 0 {
		return 0
	}
	count, same := map[string]int{}, 0
	for _, w := range a {
		count[w]++
	}
	for _, w := range b {
		if count[w] > 0 {
			count[w]--
			same++
		}
	}
	return 2 * float64(same) / float64(len(a)+len(b))
}

// formOf is the form that a field belongs to; its own where it stands alone.
func (v *view) formOf(path string) interact.Form {
	for _, f := range v.survey.Forms {
		if slices.Contains(f.Fields, path) {
			return f
		}
	}
	return interact.Form{Path: path, Fields: []string{path}}
}

var (
	saveWords   = []string{"save", "save changes", "update", "confirm", "ok", "done", "apply", "submit", "✓", "✔", "保存", "更新", "确定"}
	cancelLabel = regexp.MustCompile(`(?i)^(cancel|close|discard|dismiss|back|×|✕|✖|取消|关闭)\b`)
)

// save sends off what was typed into a field: by a button that says so, in its form or
// new on the page; by Enter; by leaving the field. Done says whether that was enough.
func (p *prover) save(ctx context.Context, v, before *view, path string, done func(*view) bool, toks ...string) *view {
	after := v
	if b := p.saver(v, before, path); b != "" {
		p.click(ctx, b)
		if after = p.look(ctx, toks...); done(after) {
			return after
		}
	}
	if _, _, ok := after.control(path); ok {
		p.press(ctx, path, "Enter")
		if after = p.look(ctx, toks...); done(after) {
			return after
		}
	}
	if _, _, ok := after.control(path); ok {
		p.press(ctx, path, "Tab")
		after = p.look(ctx, toks...)
	}
	return after
}

// saver is the button by which a field is saved.
func (p *prover) saver(v, before *view, path string) string {
	form := v.formOf(path)
	_, _, lasts := before.control(path)
	best, found := 0.0, ""
	for _, c := range v.Controls {
		if !clickable(c) || off(c) || refuses.MatchString(c.Name) || c.Role == "checkbox" || c.Role == "radio" {
			continue
		}
		score := max(matches(c.Name, saveWords), 0.3*matches(c.Name, submitLabels))
		old, _, known := before.control(c.Path)
		switch {
		case known && old.Name == c.Name && !lasts:
			continue // of a new field, not this one
		case slices.Contains(form.Buttons, c.Path):
			score += 30
		case known && old.Name == c.Name && score > 0:
			score -= 40
		}
		if near(path, c.Path) {
			score += 15
		}
		if score > best && (score >= 45 || slices.Contains(form.Buttons, c.Path)) {
			best, found = score, c.Path
		}
	}
	return found
}

// near reports whether two paths share all but their last two steps.
func near(a, b string) bool {
	x, y := strings.Split(a, " > "), strings.Split(b, " > ")
	n := min(len(x), len(y)) - 2
	return n > 0 && slices.Equal(x[:n], y[:n])
}

// aside clicks where nothing is: an act that must not have any effect.
func (p *prover) aside(ctx context.Context) vitrine.Step {
	return p.do(ctx, vitrine.Action{Kind: vitrine.ActClick, Target: nowhere()})
}

// fresh are the lines of a view that another one does not have.
func (v *view) fresh(before *view) (all []string) {
	for _, line := range v.survey.Lines {
		if !slices.Contains(before.survey.Lines, line) {
			all = append(all, line)
		}
	}
	return all
}

// short leaves the acts whose controls have labels of a few words, or of a few before the name of the row, or
// show a few words of a longer label, as "Add to agenda" of "Add Opening talk to my agenda": else a longer one
// is a row.
func short(acts []rowAct) []rowAct {
	return slices.DeleteFunc(acts, func(a rowAct) bool {
		label, row := wordsOf(a.control.Name), wordsOf(a.text)
		own := slices.IndexFunc(label, func(w string) bool { return slices.Contains(row, w) })
		named := own > 0 && own <= 3 && !slices.ContainsFunc(label[own:], func(w string) bool { return !slices.Contains(row, w) })
		return len(label) > 5 && !named && !a.shows(label)
	})
}

// shows reports whether a part of the row is a few words of a label, the first among them.
func (a rowAct) shows(label []string) bool {
	if a.row < 0 || a.row >= len(a.group.Rows) {
		return false
	}
	return slices.ContainsFunc(a.group.Rows[a.row].Cells, func(cell string) bool {
		words, at := wordsOf(cell), 0
		for _, w := range label {
			if at < len(words) && words[at] == w {
				at++
			}
		}
		return len(words) > 0 && len(words) <= 5 && at == len(words) && words[0] == label[0]
	})
}

// brief keeps what can be clicked and is labelled by a few words.
func brief(c vitrine.Control, _ interact.Facts) bool {
	return clickable(c) && len(wordsOf(c.Name)) <= 5
}
