package measured

import (
	"fmt"
	"math"

	"vitrine"
)

// spacing asks whether gaps repeat: neighbours in the same parent that are as far
// apart as other neighbours. Gaps that occur once on the whole page look random.
var spacing = eachView("There are too few neighbours to compare their gaps.", (*viewFacts).spacing)

// A gap is the room between an element and the sibling before it.
type gap struct {
	size  int // whole pixels
	place vitrine.Box
}

func (f *viewFacts) spacing() (reading, bool) {
	gaps := f.gaps()
	if len(gaps) < 8 {
		return reading{}, false
	}
	times := map[int]int{}
	for _, g := range gaps {
		times[g.size]++
	}
	var r reading
	for _, g := range gaps {
		if times[g.size-1]+times[g.size]+times[g.size+1] < 2 {
			r.where = append(r.where, f.place(g.place, fmt.Sprintf("a gap of %d px, like no other", g.size)))
		}
	}
	n, odd := len(gaps), len(r.where)
	r.score = ramp(float64(odd)/float64(n), 0.75, 0.15)
	r.why = fmt.Sprintf("%d of %s between neighbours are repeated elsewhere on the page.", n-odd, count(n, "gap"))
	return r, true
}

// maxGap is where a gap stops being spacing and becomes empty room.
const maxGap = 200

func (f *viewFacts) gaps() []gap {
	var out []gap
	last := make([]int, len(f.Elements)+1) // by parent+1: the sibling before, plus 1
	for _, i := range f.all {
		e := &f.Elements[i]
		if e.Fixed || e.Style.Position == "absolute" || inline(e) || e.Style.Display == "table-cell" {
			continue
		}
		p := f.parent(i) + 1
		if before := last[p] - 1; before >= 0 {
			if size, b := between(f.Elements[before].Box, e.Box); size >= 1 && size <= maxGap {
				out = append(out, gap{int(math.Round(size)), b})
			}
		}
		last[p] = i + 1
	}
	return out
}

// between is the room from a to b, if b is below a or to its right.
func between(a, b vitrine.Box) (size float64, room vitrine.Box) {
	if down := b.Y - (a.Y + a.H); down > -1 {
		return down, vitrine.Box{X: b.X, Y: a.Y + a.H, W: b.W, H: down}
	}
	right := b.X - (a.X + a.W)
	return right, vitrine.Box{X: a.X + a.W, Y: b.Y, W: right, H: b.H}
}
