package measured

import "vitrine"

// A coverage is a coarse picture of a page on which boxes that overlap count
// once. It holds the corners of the boxes (a difference array), so that painting
// thousands of large boxes costs no more than painting small ones.
type coverage struct {
	cell       float64 // edge in CSS pixels
	cols, rows int
	corners    []int32 // (cols+1)×(rows+1)
}

func newCoverage(page vitrine.Box) *coverage {
	c := &coverage{cell: max(8, page.H/400, page.W/400)}
	c.cols, c.rows = int(page.W/c.cell)+1, int(page.H/c.cell)+1
	c.corners = make([]int32, (c.cols+1)*(c.rows+1))
	return c
}

// paint covers the cells whose middle lies in the box.
func (c *coverage) paint(b vitrine.Box) {
	x0, x1 := c.cellAt(b.X, c.cols), c.cellAt(b.X+b.W, c.cols)
	y0, y1 := c.cellAt(b.Y, c.rows), c.cellAt(b.Y+b.H, c.rows)
	w := c.cols + 1
	c.corners[y0*w+x0]++
	c.corners[y0*w+x1]--
	c.corners[y1*w+x0]--
	c.corners[y1*w+x1]++
}

func (c *coverage) cellAt(px float64, most int) int {
	return int(min(max(0, px/c.cell+0.5), float64(most)))
}

// share is the covered share of the page, in [0,1].
func (c *coverage) share() float64 {
	w, covered := c.cols+1, 0
	above := make([]int32, w)
	for y := range c.rows {
		row := int32(0)
		for x := range c.cols {
			row += c.corners[y*w+x]
			above[x] += row
			covered += oneIf(above[x] > 0)
		}
	}
	return float64(covered) / float64(c.cols*c.rows)
}
