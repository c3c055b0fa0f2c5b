package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var (
	filterWords = []string{"filter", "category", "type", "status", "genre", "tag", "brand", "price range", "show", "level", "region", "date", "筛选", "分类"}
	applyWords  = []string{"apply", "apply filters", "filter", "search", "go", "update", "show results", "应用", "筛选", "查询"}
	resetWords  = []string{"reset", "clear", "clear filters", "clear all", "show all", "reset filters", "all", "重置", "清除", "全部"}
	sortLabel   = regexp.MustCompile(`(?i)\b(sort|order by|newest|oldest|ascending|descending|asc|desc|low to high|high to low|a-z|z-a)\b|排序|升序|降序|从[低小]到[高大]|从[高大]到[低小]|优先`)
)

// filter proves that an option leaves the rows that it names: where its value stands in
// rows, those and no others; where it does not, a part of them, another one for another
// option, and the same one for the same option; options for what is done and what is not part
// the rows by that. The neutral option, or taking the choice back, brings all rows back. A
// limit of a value leaves all rows within it and no others. Where it holds of one set of
// options, no other set may leave rows that do not have its value, and it must hold of those that
// the instruction names. It cheats who hides rows at random or marks them. (Relation 9; subset, disjoint and complete
// of Segura et al., TSE 2018.)
func filter(ctx context.Context, p *prover) answer {
	words := p.labels(filterWords)
	choosers := top(p.ranked(func(ch chooser) float64 { return p.filters(ch, words) }), 4)
	best := absent("no choice that rows could be filtered by")
	for i, ch := range choosers {
		a := p.filterBy(ctx, ch, i < 3)
		if a.verdict == vitrine.VerdictWorks {
			if a = p.andTheOthers(ctx, a, slices.Delete(slices.Clone(choosers), i, i+1)); a.verdict == vitrine.VerdictWorks {
				a = p.byEach(ctx, a, ch.label)
			}
			return a
		}
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
	}
	best = bestOf(p.menus(ctx), 3, best, func(ch chooser) answer { return p.filterBy(ctx, ch, false) })
	if best.verdict != vitrine.VerdictWorks {
		best = bestOf(p.bounds(), 3, best, func(b bound) answer { return p.boundBy(ctx, b) })
	}
	if best.verdict == vitrine.VerdictWorks {
		return p.byEach(ctx, best, "")
	}
	fields := p.find([]string{"filter", "筛选"}, func(c vitrine.Control, _ interact.Facts) bool { return textField(c) })
	return bestOf(fields, 1, best, func(h hit) answer { return p.searchBy(ctx, h) })
}

// ofForm labels buttons of a form or of a thing, which filter nothing.
var ofForm = regexp.MustCompile(`(?i)^\W*(save|submit|cancel|edit|delete)\b|^(保存|提交|取消|编辑|删除)`)

// filters says how likely a set of options filters the rows of its place.
func (p *prover) filters(ch chooser, words []string) float64 {
	if ch.region == "footer" || sortLabel.MatchString(strings.Join(ch.labels(), " | ")) || ch.kind == "buttons" && slices.ContainsFunc(ch.labels(), ofForm.MatchString) {
		return 0
	}
	score := 0.6 * matches(ch.label, words)
	named := 0
	for _, o := range ch.options {
		if isNeutral(o.label) {
			score += 30
			continue
		}
		if matches(o.label, p.need.Values) > 0 {
			score += 15
		}
		if t, ok := ch.place.view.rowsBeside(ch); ok {
			if n := len(t.holding(o.label)); n > 0 && n < len(t.rows) {
				named++
			}
		}
	}
	if ch.region == "nav" && 2*named < len(ch.options) { // a navigation may be one of tags
		return 0
	}
	return score + 60*float64(named)/float64(len(ch.options))
}

// filterBy proves it of the rows that a place shows or, where the options change nothing
// there and some may be made, of entries that are made for it.
func (p *prover) filterBy(ctx context.Context, ch chooser, mayMake bool) answer {
	v := p.open(ctx, ch.place)
	best := fails("there are no rows to filter")
	for i, rows := range top(v.allBeside(ch), 2) {
		if i > 0 {
			v = p.open(ctx, ch.place)
		}
		if a, changed := p.filterRows(ctx, ch, rows, v); changed || i == 0 {
			if best = a; changed {
				return best
			}
		}
	}
	if !mayMake {
		return best
	}
	if made, entries := p.seed(ctx, 3); made != nil {
		if g, ok := made.holding(entries); ok && !tableOf(g).offer(ch) {
			best, _ = p.filterRows(ctx, ch, tableOf(body(g)), made)
		}
	}
	return best
}

// rowsBeside is the richest list of a view that is none of the choices itself; what changes in
// others is the choice, not the data.
func (v *view) rowsBeside(ch chooser) (table, bool) {
	all := v.allBeside(ch)
	if len(all) == 0 {
		return table{}, false
	}
	return all[0], true
}

// allBeside are the lists of which that is the richest.
func (v *view) allBeside(ch chooser) (all []table) {
	for _, g := range v.lists() {
		if t := tableOf(body(g)); len(t.rows) > 1 && !t.offer(ch) && !t.buttons(v) {
			all = append(all, t)
		}
	}
	for _, g := range v.survey.Groups { // more than a few things to click are no menu
		if t := tableOf(g); len(all) == 0 && len(t.rows) > maxMenu && g.Region != "nav" && g.Region != "footer" && !t.offer(ch) {
			all = append(all, t)
		}
	}
	return all
}

// maxMenu is how many items a menu has at most.
const maxMenu = 24

// filterRows picks the options one by one and compares the rows that each leaves. Changed
// reports whether any did not leave all.
func (p *prover) filterRows(ctx context.Context, ch chooser, rows table, v *view) (a answer, changed bool) {
	if _, _, ok := v.control(ch.options[0].path); !ok {
		v = p.visit(ctx, ch.place)
	}
	if all := v.pickNeutral(ctx, p, ch); all != nil { // a list that begins filtered
		if more, ok := all.rowsBeside(ch); ok && more.covers(rows) {
			rows = more
		}
	}
	f := filtering{rows: rows, ch: ch, sets: map[string]bool{}}
	for _, o := range top(p.shuffled(slices.DeleteFunc(slices.Clone(ch.options), func(o option) bool { return isNeutral(o.label) })), 4) {
		if why := f.try(ctx, p, o); why != "" {
			if f.kinds && f.parts(ctx, p) {
				return works("the %d options part the %d rows", len(ch.options), len(rows.rows)), true
			}
			return fails("%s", why), f.changed > 0
		}
	}
	switch {
	case f.changed == 0:
		return fails("no option of %q changes the %d rows", strings.Join(top(ch.labels(), 4), ", "), len(rows.rows)), false
	case f.told == 0 && (f.partial == 0 && !f.hasNeutral() || len(f.sets) < 2):
		return fails("%s", undecided), true
	case f.told == 0 && f.mostly():
		return fails("each option leaves most of the rows, as if it hid its own"), true
	}
	if why := f.back(ctx, p); why != "" {
		return fails("%s", why), true
	}
	if why := f.statesApart(ctx, p); why != "" {
		return fails("%s", why), true
	}
	return works("of %d rows each option leaves its own: %s", len(rows.rows), strings.Join(f.said, ", ")), true
}

// undecided is why a filter is not shown to work whose options do something.
const undecided = "the options leave nothing that tells them apart"

// covers reports whether a table has all rows of another one.
func (t table) covers(other table) bool {
	return !slices.ContainsFunc(other.keys, func(k string) bool { return !slices.Contains(t.keys, k) })
}

// andTheOthers is an answer, unless another set of options filters the same rows wrongly: one
// of them leaves a part of the rows in which some do not have the value that others have.
func (p *prover) andTheOthers(ctx context.Context, a answer, others []chooser) answer {
	for _, ch := range others {
		v := p.open(ctx, ch.place)
		rows, ok := v.rowsBeside(ch)
		if !ok {
			continue
		}
		for _, o := range top(ch.options, 5) {
			want, may := rows.named(o.label)
			if isNeutral(o.label) || len(want) == 0 || len(want) == len(rows.rows) {
				continue
			}
			got := rows.left(p.applied(ctx, ch, o, &rows))
			if p.err == nil && !p.spent && len(got) < len(rows.rows) && !subset(got, may) {
				return fails("%q leaves %d rows, of which %d have this value", o.label, len(got), len(want))
			}
		}
	}
	return a
}

func (v *view) pickNeutral(ctx context.Context, p *prover, ch chooser) *view {
	for _, o := range ch.options {
		if isNeutral(o.label) && ch.kind != "boxes" {
			return p.applied(ctx, ch, o, nil)
		}
	}
	return nil
}

// applied picks an option, and presses what applies it where picking alone left the rows.
func (p *prover) applied(ctx context.Context, ch chooser, o option, rows *table) *view {
	before := p.look(ctx)
	v := p.only(ctx, ch, o)
	if rows != nil && !slices.Equal(rows.left(before), rows.left(v)) {
		return v
	}
	path := v.applier(ch.options)
	if path == "" {
		return v
	}
	p.click(ctx, path)
	return p.look(ctx)
}

// applier is the button that applies what was chosen; none of the options is.
func (v *view) applier(options []option) (path string) {
	best := 55.0
	for _, c := range v.Controls {
		if s := matches(c.Name, applyWords); s > best && c.Role == "button" && !off(c) && !slices.ContainsFunc(options, func(o option) bool { return o.path == c.Path }) {
			best, path = s, c.Path
		}
	}
	return path
}

// offer reports whether options of a set lie in the rows, or hold them: what changes then
// is the choice, not the data.
func (t table) offer(ch chooser) bool {
	for _, r := range t.rows {
		for _, o := range ch.options {
			if r.Path == o.path || slices.Contains(r.Controls, o.path) || strings.HasPrefix(o.path, r.Path+" > ") || strings.HasPrefix(r.Path, o.path+" > ") {
				return true
			}
		}
	}
	return false
}

// buttons reports whether the rows are nothing but buttons: what a person may choose.
func (t table) buttons(v *view) bool {
	for _, r := range t.rows {
		if r.Pictures > 0 || len(strings.Fields(r.Text)) > 4 || !slices.ContainsFunc(r.Controls, func(path string) bool {
			c, _, ok := v.control(path)
			return ok && c.Name == r.Text && slices.Contains([]string{"button", "option", "menuitem", "tab"}, c.Role)
		}) {
			return false
		}
	}
	return true
}
