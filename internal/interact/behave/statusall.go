package behave

import (
	"context"
	"regexp"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var (
	allAsked = regexp.MustCompile(`(?i)\b(all|every(thing)?)\b|全部|一键|所有`)
	allWords = []string{"mark all as read", "mark all read", "mark all", "complete all", "read all", "check all", "toggle all", "approve all", "全部已读", "全部标记", "全部完成", "一键已读", "全选"}
)

// flipsAll proves it where the instruction asks for the state of all rows at once: a control of
// the page, which says so, gives two rows and more another style or text each, all stay, and
// once more it changes nothing, or brings the first state back. A click where nothing is
// changes none.
func (p *prover) flipsAll(ctx context.Context) answer {
	otherwise := absent("nothing changes the state of all")
	if !allAsked.MatchString(p.need.Quote) {
		return otherwise
	}
	controls := p.find(allWords, func(c vitrine.Control, f interact.Facts) bool { return brief(c, f) && allAsked.MatchString(c.Name) })
	return bestOf(controls, 2, otherwise, func(h hit) answer {
		v := p.open(ctx, h.place)
		g, ok := v.stated(h.control.Path)
		if !ok {
			return otherwise
		}
		p.aside(ctx)
		calm := p.look(ctx)
		p.click(ctx, h.control.Path)
		done := p.look(ctx)
		if flipped(g, done) == 0 {
			done = p.confirm(ctx, done, calm, allWords)
		}
		n := flipped(g, done)
		p.click(ctx, h.control.Path)
		twice := p.look(ctx)
		after, _ := done.same(g)
		switch {
		case flipped(g, calm) != 0:
			return fails("a click where nothing is changes rows")
		case n < 2:
			return fails("%q changes %d of %d rows", h.control.Name, max(n, 0), len(g.Rows))
		case flipped(after, twice) != 0 && flipped(g, twice) != 0:
			return fails("%q changes other rows the second time", h.control.Name)
		}
		return works("%q changes the state of %d of %d rows", h.control.Name, n, len(g.Rows))
	})
}

// stated is the richest list of several rows in which a control does not lie.
func (v *view) stated(path string) (interact.Group, bool) {
	for _, g := range v.lists() {
		inside := false
		for _, r := range g.Rows {
			inside = inside || path == r.Path || strings.HasPrefix(path, r.Path+" > ")
		}
		if same, ok := v.same(g); ok && !inside && len(same.Rows) > 2 && !v.sections(g) {
			return same, true
		}
	}
	return interact.Group{}, false
}

// same is the group of a view at the path and of the kind of another one.
func (v *view) same(as interact.Group) (interact.Group, bool) {
	for _, g := range v.survey.Groups {
		if g.Path == as.Path && g.Kind == as.Kind {
			return g, true
		}
	}
	return interact.Group{}, false
}

// flipped counts the rows of a group that are in another state in a view; -1 where rows came,
// went or are others.
func flipped(g interact.Group, v *view) (n int) {
	now, ok := v.same(g)
	if !ok || len(now.Rows) != len(g.Rows) {
		return -1
	}
	for i, r := range g.Rows {
		if overlap(wordsOf(r.Text), wordsOf(now.Rows[i].Text)) < 0.5 {
			return -1
		}
		if stateOf(r) != stateOf(now.Rows[i]) || r.Ticked != now.Rows[i].Ticked {
			n++
		}
	}
	return n
}
