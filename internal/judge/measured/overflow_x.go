package measured

import (
	"cmp"
	"fmt"
	"slices"
)

// overflowX asks at each viewport whether the page must be scrolled sideways. A
// phone shows a page without a viewport meta tag small instead: that is for the
// check responsive.
var overflowX = eachView("No view of the site could be looked at.", (*viewFacts).overflowX)

func (f *viewFacts) overflowX() (reading, bool) {
	if f.Viewport.Width <= 0 || f.Viewport.Width < narrow && !f.HasViewport {
		return reading{}, false
	}
	excess := f.PageWidth - f.Viewport.Width
	if excess <= 1 {
		return reading{score: 1, why: fmt.Sprintf("The page fits into the %d pixels of the window.", f.Viewport.Width)}, true
	}
	r := reading{
		score: 0.75 * ramp(float64(excess), 0.3*float64(f.Viewport.Width), 0),
		why:   fmt.Sprintf("The page is %d pixels wide in a window of %d: it scrolls sideways.", f.PageWidth, f.Viewport.Width),
	}
	for _, i := range f.beyond(float64(f.Viewport.Width)) {
		r.where = append(r.where, f.place(f.Elements[i].Box, "reaches beyond the window"))
	}
	return r, true
}

// beyond lists the elements that reach furthest over the right edge, the widest
// culprits first and of a chain of ancestors only the innermost.
func (f *viewFacts) beyond(edge float64) []int {
	var out []int
	for _, i := range f.all {
		b := f.Elements[i].Box
		if right := b.X + b.W; right <= edge+1 || right > f.page.W+1 {
			continue
		}
		if n := len(out); n > 0 && f.related(out[n-1], i) {
			out = out[:n-1] // what a child overflows, its parent overflows too
		}
		out = append(out, i)
	}
	right := func(i int) float64 { return f.Elements[i].Box.X + f.Elements[i].Box.W }
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(right(b), right(a)) })
	return out[:min(len(out), maxPlaces)]
}
