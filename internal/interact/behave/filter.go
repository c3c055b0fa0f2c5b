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
	sortLabel   = regexp.MustCompile(`(?i)\b(sort|order by|newest|oldest|ascending|descending|asc|desc|low to high|high to low|a-z|z-a)\b|排序`)
)

// filter proves that an option leaves the rows that it names: where its value stands in
// rows, those and no others; where it does not, a part of them, another one for another
// option, and the same one for the same option; options for what is done and what is not part
// the rows by that. The neutral option, or taking the choice
// back, brings all rows back. A limit of a value leaves all rows within it and no others. It
// cheats who hides rows at random or marks them. (Relation 9; subset, disjoint and complete
// of Segura et al., TSE 2018.)
func filter(ctx context.Context, p *prover) answer {
	words := p.labels(filterWords)
	choosers := p.ranked(func(ch chooser) float64 { return p.filters(ch, words) })
	none := absent("no choice that rows could be filtered by")
	best := bestOf(choosers, 4, none, func(ch chooser) answer { return p.filterBy(ctx, ch) })
	if best.verdict != vitrine.VerdictWorks {
		best = bestOf(p.menus(ctx), 3, best, func(ch chooser) answer { return p.filterBy(ctx, ch) })
	}
	if best.verdict != vitrine.VerdictWorks {
		best = bestOf(p.bounds(), 3, best, func(b bound) answer { return p.boundBy(ctx, b) })
	}
	if best.verdict == vitrine.VerdictWorks {
		return best
	}
	fields := p.find([]string{"filter", "筛选"}, func(c vitrine.Control, _ interact.Facts) bool { return textField(c) })
	return bestOf(fields, 1, best, func(h hit) answer { return p.searchBy(ctx, h) })
}

// filters says how likely a set of options filters the rows of its place.
func (p *prover) filters(ch chooser, words []string) float64 {
	if ch.region == "nav" || ch.region == "footer" || sortLabel.MatchString(strings.Join(ch.labels(), " | ")) {
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
		if lists := ch.place.view.lists(); len(lists) > 0 {
			t := tableOf(lists[0])
			if n := len(t.holding(o.label)); n > 0 && n < len(t.rows) {
				named++
			}
		}
	}
	return score + 60*float64(named)/float64(len(ch.options))
}

func (p *prover) filterBy(ctx context.Context, ch chooser) answer {
	rows, v := p.rows(ctx, p.open(ctx, ch.place), 2)
	if len(rows.rows) < 2 {
		return fails("there are no rows to filter")
	}
	if rows.offer(ch) || rows.buttons(v) {
		return fails("what %q changes are choices, not rows", strings.Join(top(ch.labels(), 4), ", "))
	}
	if _, _, ok := v.control(ch.options[0].path); !ok {
		v = p.visit(ctx, ch.place)
	}
	if all := v.pickNeutral(ctx, p, ch); all != nil { // a list that begins filtered
		if lists := all.lists(); len(lists) > 0 && lists[0].Total >= len(rows.rows) {
			rows = tableOf(lists[0])
		}
	}
	f := filtering{rows: rows, ch: ch, sets: map[string]bool{}}
	for _, o := range top(p.shuffled(slices.DeleteFunc(slices.Clone(ch.options), func(o option) bool { return isNeutral(o.label) })), 4) {
		if why := f.try(ctx, p, o); why != "" {
			return fails("%s", why)
		}
	}
	switch {
	case f.changed == 0:
		return fails("no option of %q changes the %d rows", strings.Join(top(ch.labels(), 4), ", "), len(rows.rows))
	case f.told == 0 && (f.partial == 0 && !f.hasNeutral() || len(f.sets) < 2):
		return fails("the options leave nothing that tells them apart")
	}
	if why := f.back(ctx, p); why != "" {
		return fails("%s", why)
	}
	if why := f.statesApart(ctx, p); why != "" {
		return fails("%s", why)
	}
	return works("of %d rows each option leaves its own: %s", len(rows.rows), strings.Join(f.said, ", "))
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
