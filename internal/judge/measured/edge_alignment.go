package measured

import (
	"fmt"
	"math"

	"vitrine"
)

// edgeAlignment asks whether the parts of a page stand on common lines. A part is
// in line if others share its left edge, centre or right edge, or if a neighbour
// shares its top, middle or bottom.
var edgeAlignment = eachView("There are too few parts to stand in line.", (*viewFacts).edgeAlignment)

func (f *viewFacts) edgeAlignment() (reading, bool) {
	parts := f.parts()
	n := len(parts)
	if n < 6 {
		return reading{}, false
	}
	shared := map[edge]int{}
	for _, p := range parts {
		for e := range p.edges {
			shared[e]++
		}
	}
	least := 2
	if n >= 16 {
		least = 3 // among many parts, two meet by chance
	}
	var r reading
	for _, p := range parts {
		if !p.inLine(shared, least) {
			r.where = append(r.where, f.place(p.box, "stands on no common line"))
		}
	}
	loose := len(r.where)
	r.score = ramp(float64(loose)/float64(n), 0.5, 0.08)
	r.why = fmt.Sprintf("%d of the %d parts of the page stand on a line with others.", n-loose, n)
	return r, true
}

// A part is something whose position the eye compares with that of others: a
// text, a picture, a control, or a box that can be seen.
type part struct {
	box   vitrine.Box
	edges map[edge]bool
}

// An edge is a line on the page: which edge of a box, and where, in steps of 3
// pixels (the eye forgives one).
type edge struct {
	kind byte
	at   int
}

func (p part) add(b vitrine.Box) {
	for _, e := range []struct {
		kind byte
		at   float64
	}{{'l', b.X}, {'c', b.X + b.W/2}, {'r', b.X + b.W}, {'t', b.Y}, {'m', b.Y + b.H/2}, {'b', b.Y + b.H}} {
		p.edges[edge{e.kind, int(math.Round(e.at / 3))}] = true
	}
}

// inLine counts a line together with the steps beside it, since two boxes a pixel
// apart may fall into neighbouring steps. In a row, one neighbour is enough.
func (p part) inLine(shared map[edge]int, least int) bool {
	for e := range p.edges {
		want := least
		if e.kind == 't' || e.kind == 'm' || e.kind == 'b' {
			want = 2
		}
		n := shared[e]
		for _, beside := range [2]edge{{e.kind, e.at - 1}, {e.kind, e.at + 1}} {
			n += shared[beside] - oneIf(p.edges[beside])
		}
		if n >= want {
			return true
		}
	}
	return false
}

func (f *viewFacts) parts() []part {
	var out []part
	for _, i := range f.all {
		e := &f.Elements[i]
		p := part{e.Box, map[edge]bool{}}
		switch parent := f.parent(i); {
		case inline(e) && f.flow(i) != i, !f.onPage(e.Box), parent >= 0 && button(&f.Elements[parent]):
			continue
		case f.readable(i) && hasLetters(e.Text):
			p.box = e.TextBox
			p.add(e.TextBox)
		case isMedia(e) || button(e) || field(e) || e.Tag != "body" && f.filled[i]:
		default:
			continue
		}
		p.add(e.Box)
		out = append(out, p)
	}
	return out
}
