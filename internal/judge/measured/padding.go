package measured

import (
	"fmt"

	"vitrine"
)

// leastPadding is the room in CSS pixels that a text needs to the edge of the box
// that it is written in.
const leastPadding = 4.0

// padding asks whether texts keep a distance from the edges of the colored or
// framed boxes that they stand in.
var padding = eachView("No text stands in a coloured or framed box.", (*viewFacts).padding)

func (f *viewFacts) padding() (reading, bool) {
	var r reading
	n := 0
	for _, i := range f.texts {
		box, ok := f.surfaceOf(i)
		if !ok {
			continue
		}
		n++
		if side := f.roomBeside(i, box); side < leastPadding-0.5 {
			r.where = append(r.where, f.place(box, fmt.Sprintf("%s is %.0f px from the edge", quote(f.Elements[i].Text), max(0, side))))
		}
	}
	if n < 2 {
		return r, false
	}
	bad := len(r.where)
	r.score = decay(float64(bad)/float64(n), 3.5)
	r.why = fmt.Sprintf("All of %s in coloured or framed boxes keep a distance from the edge.", count(n, "text"))
	if bad > 0 {
		r.why = fmt.Sprintf("%s too close to the edge of a coloured or framed box; %s.", outOf(bad, n, "text", "is", "are"), r.where[0].Label)
	}
	return r, true
}

// roomBeside is the room between a text and the sides of its box. What runs out of
// the box to the right scrolls or is cut off, which others look at. Nothing is
// asked for above and below: a line is higher than its letters.
func (f *viewFacts) roomBeside(i int, box vitrine.Box) float64 {
	t := f.Elements[i].TextBox
	left, right := t.X-box.X, box.X+box.W-t.X-t.W
	if right < 0 && f.shown(i) != t {
		return left
	}
	return min(left, right)
}

// surfaceOf is the innermost box with a fill of its own or a frame around a text.
// What reaches over most of the page is no box, and a highlighted word in a line
// has no room to keep.
func (f *viewFacts) surfaceOf(i int) (vitrine.Box, bool) {
	for ; i >= 0; i = f.parent(i) {
		e := &f.Elements[i]
		if e.Box.W <= 0 || inline(e) {
			continue
		}
		if e.Box.W > 0.9*f.page.W {
			return vitrine.Box{}, false
		}
		// Icons and initials fill their little boxes; a line on top of a row alone
		// is no frame, and only the upper border is known.
		if f.filled[i] || e.Style.Border >= 1 && (e.Style.Radius > 0 || button(e) || e.Tag == "td" || e.Tag == "th") {
			return e.Box, e.Box.W > 40 || e.Box.H > 40
		}
	}
	return vitrine.Box{}, false
}
