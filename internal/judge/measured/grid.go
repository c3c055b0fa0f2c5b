package measured

import "vitrine"

// cellSize is the edge of a bucket in CSS pixels: about as large as a small card.
const cellSize = 160

// maxNeighbours bounds how many boxes one box is compared with, so that a pile of
// thousands of boxes in one place stays cheap.
const maxNeighbours = 64

// A grid finds boxes near a box without comparing all pairs.
type grid map[[2]int][]int

func (g grid) add(id int, b vitrine.Box) {
	cells(b, func(c [2]int) bool {
		g[c] = append(g[c], id)
		return true
	})
}

// near calls visit for each box that shares a bucket with b, maybe more than
// once, at most maxNeighbours times.
func (g grid) near(b vitrine.Box, visit func(id int)) {
	left := maxNeighbours
	cells(b, func(c [2]int) bool {
		for _, id := range g[c] {
			if left == 0 {
				return false
			}
			left--
			visit(id)
		}
		return true
	})
}

// cells visits the buckets a box lies in; of a huge box the first few hundred.
func cells(b vitrine.Box, visit func([2]int) bool) {
	const most = 16
	x0, y0 := int(b.X/cellSize), int(b.Y/cellSize)
	x1, y1 := min(int((b.X+b.W)/cellSize), x0+most), min(int((b.Y+b.H)/cellSize), y0+most)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if !visit([2]int{x, y}) {
				return
			}
		}
	}
}
