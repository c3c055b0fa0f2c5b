package behave

import (
	"context"
	"math"
	"slices"
	"strings"

	"vitrine"
)

// drag proves that what is dragged ends up elsewhere: the order of the rows, or the list
// that one is in, is another afterwards, and what was dragged is still there. Where nothing has to
// be dragged, rows may be moved by buttons. (Of the further
// relations; Genie's frame condition, OOPSLA 2021.)
func drag(ctx context.Context, p *prover) answer {
	best := absent("nothing can be dragged")
	for _, pl := range p.site.places {
		c, drops, ok := pl.view.movable()
		if !ok {
			continue
		}
		a := p.dragFrom(ctx, func() *view { return p.open(ctx, pl) }, c, drops)
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
	}
	if best.verdict == vitrine.VerdictAbsent {
		best = p.moved(ctx)
	}
	if best.verdict != vitrine.VerdictAbsent {
		return best
	}
	made, _ := p.seed(ctx, 3)
	if made == nil {
		return best
	}
	if c, drops, ok := made.movable(); ok {
		return p.dragFrom(ctx, func() *view { return p.look(ctx) }, c, drops)
	}
	return best
}

// movable is the first control of a view that can be dragged, with where it may be let fall.
func (v *view) movable() (c vitrine.Control, drops []string, ok bool) {
	for i, c := range v.Controls {
		if f := v.Facts[i]; f.Draggable || f.Drags && c.Tag != "img" {
			return c, f.DropsAt, true
		}
	}
	return vitrine.Control{}, nil, false
}

// dragFrom drags a control in several ways until one moves it. Start brings the page to where
// it lies.
func (p *prover) dragFrom(ctx context.Context, start func() *view, c vitrine.Control, drops []string) answer {
	ways := []vitrine.Action{}
	for _, to := range drops {
		ways = append(ways, vitrine.Action{Kind: vitrine.ActDrag, Target: at(c.Path), To: at(to)})
	}
	for _, by := range [][2]float64{{0, 90}, {260, 0}, {0, -90}, {-260, 0}} {
		ways = append(ways, vitrine.Action{Kind: vitrine.ActDrag, Target: at(c.Path), DX: by[0], DY: by[1]})
	}
	for _, a := range ways {
		before := start()
		if p.do(ctx, a).Failed != "" {
			continue
		}
		after := p.look(ctx)
		if !reordered(before, after) && !movedAlone(before, after, c) {
			continue
		}
		if text := keyOf(c.Name); strings.Count(keyOf(before.Text), text) > 0 && strings.Count(keyOf(after.Text), text) == 0 {
			return fails("%q is gone after it was dragged", c.Name)
		}
		return works("%q lies elsewhere after it was dragged", c.Name)
	}
	return fails("dragging %q leaves everything where it was", c.Name)
}

// reordered reports whether the rows that there were stand in another order, or in other
// lists. Rows that are new, such as those of a log, and numbers in rows do not count.
func reordered(before, after *view) bool {
	known := map[string]bool{}
	for _, r := range order(before) {
		known[r[1]] = true
	}
	again := slices.DeleteFunc(order(after), func(r [2]string) bool { return !known[r[1]] })
	still := map[string]bool{}
	for _, r := range again {
		still[r[1]] = true
	}
	return !slices.Equal(slices.DeleteFunc(order(before), func(r [2]string) bool { return !still[r[1]] }), again)
}

// order is the rows as they stand: the path of the list and the words of the row.
func order(v *view) (all [][2]string) {
	for _, g := range v.survey.Groups {
		for _, r := range g.Rows {
			all = append(all, [2]string{g.Path, numeral.ReplaceAllString(keyOf(r.Text), "")})
		}
	}
	return all
}

// movedAlone reports whether a control lies elsewhere and not merely because all do, as
// where something was put above them.
func movedAlone(before, after *view, c vitrine.Control) bool {
	shift := func(path string) (x, y float64, ok bool) {
		a, _, ok := before.control(path)
		b, _, there := after.control(path)
		return b.Box.X - a.Box.X, b.Box.Y - a.Box.Y, ok && there
	}
	x, y, ok := shift(c.Path)
	if !ok || math.Abs(x)+math.Abs(y) < 4 {
		return false
	}
	return !slices.ContainsFunc(before.Controls, func(o vitrine.Control) bool {
		ox, oy, ok := shift(o.Path)
		return ok && o.Path != c.Path && !strings.HasPrefix(o.Path, c.Path) && math.Abs(ox-x)+math.Abs(oy-y) < 2
	})
}
