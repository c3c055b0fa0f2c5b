package pixels

import (
	"math"
	"slices"
)

// inked: something is drawn in the block.
func (b *block) inked() bool { return b.kind != plain && b.edges > 0.02 }

// edges is the share of pixels that lie at an edge.
func (p *picture) edges() float64 {
	n := 0
	for _, e := range p.edge {
		if e {
			n++
		}
	}
	return float64(n) / float64(len(p.edge))
}

// symmetry is how alike the left and right halves are in what is drawn where, as
// the correlation of the blocks' edges with their mirror images, in [-1,1].
func (p *picture) symmetry() float64 {
	var sum sums
	for i := range p.blocks {
		sum.add(math.Sqrt(p.blocks[i].edges))
	}
	variance := sum.deviation() * sum.deviation()
	if variance == 0 {
		return 1
	}
	var both float64
	for i := range p.blocks {
		mirror := i - i%p.cols + p.cols - 1 - i%p.cols
		both += (math.Sqrt(p.blocks[i].edges) - sum.mean()) * (math.Sqrt(p.blocks[mirror].edges) - sum.mean())
	}
	return both / float64(len(p.blocks)) / variance
}

// lean is how far what is drawn lies to one side: 0 in the middle, 1 all on the
// left or all on the right.
func (p *picture) lean() float64 {
	var left, right float64
	for i := range p.blocks {
		switch col := i % p.cols; {
		case 2*col+1 < p.cols:
			left += math.Sqrt(p.blocks[i].edges)
		case 2*col+1 > p.cols:
			right += math.Sqrt(p.blocks[i].edges)
		}
	}
	if left+right == 0 {
		return 0
	}
	return math.Abs(left-right) / (left + right)
}

// margins are the shares of the width that are empty on the left and on the right,
// in the middle of the rows that have anything drawn.
func (p *picture) margins() (left, right float64) {
	var lefts, rights []float64
	for row := range p.rows {
		first, last := -1, -1
		for col := range p.cols {
			if p.blocks[row*p.cols+col].inked() {
				if first < 0 {
					first = col
				}
				last = col
			}
		}
		if first >= 0 {
			lefts = append(lefts, float64(first)/float64(p.cols))
			rights = append(rights, float64(p.cols-1-last)/float64(p.cols))
		}
	}
	return median(lefts), median(rights)
}

// fields is the share of 6 × 5 fields of the picture in which something is drawn.
func (p *picture) fields() float64 {
	var used [30]bool
	for i := range p.blocks {
		if p.blocks[i].inked() {
			used[i/p.cols*5/p.rows*6+i%p.cols*6/p.cols] = true
		}
	}
	n := 0.0
	for _, u := range used {
		n += oneIf(u)
	}
	return n / float64(len(used))
}

// lines is the share of the long vertical edges that stand in the twelve columns
// with the most: high where parts share their edges, low where they stand anywhere.
func (p *picture) lines() float64 {
	const long = 24 // pixels: longer than a letter is high
	columns, runs := make([]float64, p.w), make([]int, p.w)
	for y := range p.h + 1 { // one row more ends every run
		for x := range p.w - 1 {
			i := y*p.w + x
			if y < p.h && math.Abs(p.luma[i]-p.luma[i+1]) > edgeStep/4 {
				runs[x]++
				continue
			}
			if runs[x] >= long {
				columns[x] += float64(runs[x])
			}
			runs[x] = 0
		}
	}
	var all float64
	for _, c := range columns {
		all += c
	}
	if all == 0 {
		return 1
	}
	slices.Sort(columns)
	var top float64
	for _, c := range columns[p.w-12:] {
		top += c
	}
	return top / all
}

// relief is the deviation of luma between the fields of a coarse grid: what is left
// of a page when it is looked at with half-closed eyes.
func (p *picture) relief() float64 {
	var fields [12 * 9]sums
	for i := range p.blocks {
		fields[i/p.cols*9/p.rows*12+i%p.cols*12/p.cols].add(p.blocks[i].luma)
	}
	var all sums
	for i := range fields {
		if fields[i].n > 0 {
			all.add(fields[i].mean())
		}
	}
	return all.deviation()
}

// contrast is the middle of the ranges of luma in blocks of text; ok is false where
// there is none.
func (p *picture) contrast() (r float64, ok bool) {
	var ranges []float64
	for i := range p.blocks {
		if b := &p.blocks[i]; b.kind == text {
			ranges = append(ranges, b.high-b.low)
		}
	}
	return median(ranges), len(ranges) > 0
}

// leaves counts the leaves of a quadtree that splits a field as long as its luma
// varies (as Reinecke et al. 2013 count them, here by variance).
func (p *picture) leaves() int {
	sum, squares := p.integrals()
	return p.split(sum, squares, 0, 0, p.w, p.h)
}

func (p *picture) integrals() (sum, squares []float64) {
	w := p.w + 1
	sum, squares = make([]float64, w*(p.h+1)), make([]float64, w*(p.h+1))
	for y := range p.h {
		var s, q float64
		for x := range p.w {
			l := p.luma[y*p.w+x]
			s += l
			q += l * l
			sum[(y+1)*w+x+1] = sum[y*w+x+1] + s
			squares[(y+1)*w+x+1] = squares[y*w+x+1] + q
		}
	}
	return sum, squares
}

func (p *picture) split(sum, squares []float64, x0, y0, x1, y1 int) int {
	const smallest, varied = 16, 15.0
	n := float64((x1 - x0) * (y1 - y0))
	mean := p.over(sum, x0, y0, x1, y1) / n
	if min(x1-x0, y1-y0) < 2*smallest || p.over(squares, x0, y0, x1, y1)/n-mean*mean < varied*varied {
		return 1
	}
	x, y := (x0+x1)/2, (y0+y1)/2
	return p.split(sum, squares, x0, y0, x, y) + p.split(sum, squares, x, y0, x1, y) +
		p.split(sum, squares, x0, y, x, y1) + p.split(sum, squares, x, y, x1, y1)
}

// over is the sum in a rectangle, from a table of sums.
func (p *picture) over(table []float64, x0, y0, x1, y1 int) float64 {
	w := p.w + 1
	return table[y1*w+x1] - table[y0*w+x1] - table[y1*w+x0] + table[y0*w+x0]
}

// median is the middle value; 0 of none.
func median(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	slices.Sort(xs)
	return xs[len(xs)/2]
}
