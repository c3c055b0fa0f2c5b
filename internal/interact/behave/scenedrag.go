package behave

import (
	"cmp"
	"context"
	"image"
	"maps"
	"regexp"
	"slices"

	"vitrine"
	"vitrine/internal/interact"
)

// dragged are words of instructions for what can be taken by the pointer.
var dragged = regexp.MustCompile(`(?i)\b(drag\w*|grab\w*|throw\w*|pull\w*|fling\w*)\b|拖`)

// dragsMoving reports whether what moves by itself can be taken and dragged, as the bob of a pendulum: from
// the same moment on, dragging it one way leads to another picture than dragging it the other way. Page
// time stands still between acts, so that it is where the last picture shows it.
func (p *prover) dragsMoving(ctx context.Context, start *place) bool {
	const beforeMS = 400
	p.open(ctx, start)
	p.wait(ctx, beforeMS)
	earlier := p.window(ctx)
	p.wait(ctx, beforeMS)
	_, cells := differing(earlier, p.window(ctx), p.look(ctx).Texts)
	for _, cell := range farthest(cells) {
		from := []vitrine.Coord{vitrine.Coord(cell.X*cellSide + cellSide/2), vitrine.Coord(cell.Y*cellSide + cellSide/2)}
		var texts []interact.TextBox // what is dragged over may be selected
		after := func(kind vitrine.ActionKind, dx, dy float64) image.Image {
			p.open(ctx, start)
			p.wait(ctx, 2*beforeMS)
			p.do(ctx, vitrine.Action{Kind: kind, Target: &vitrine.Target{Point: from}, DX: dx, DY: dy})
			p.wait(ctx, beforeMS)
			texts = append(texts, p.look(ctx).Texts...)
			return p.window(ctx)
		}
		left, right, over := after(vitrine.ActDrag, -120, -30), after(vitrine.ActDrag, 120, 30), after(vitrine.ActHover, 0, 0)
		ways, _ := differing(left, right, texts)
		pressed, _ := differing(over, right, texts)
		if p.err == nil && min(ways, pressed) >= leastMotion/4 {
			return true
		}
	}
	return false
}

// farthest are the parts of the window that moved farthest to each side, and the one that moved most.
func farthest(cells map[image.Point]int) (all []image.Point) {
	maps.DeleteFunc(cells, func(_ image.Point, points int) bool { return points < cellSide/4 })
	for _, better := range []func(a, b image.Point) int{
		func(a, b image.Point) int { return b.Y - a.Y },
		func(a, b image.Point) int { return a.Y - b.Y },
		func(a, b image.Point) int { return a.X - b.X },
		func(a, b image.Point) int { return b.X - a.X },
		func(a, b image.Point) int { return cells[b] - cells[a] },
	} {
		sorted := slices.SortedFunc(maps.Keys(cells), func(a, b image.Point) int {
			return cmp.Or(better(a, b), cmp.Compare(cells[b], cells[a]), cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y))
		})
		for _, cell := range top(sorted, 1) {
			if !slices.Contains(all, cell) {
				all = append(all, cell)
			}
		}
	}
	return all
}
