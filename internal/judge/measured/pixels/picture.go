package pixels

import (
	"image"
	"image/draw"
	"math"
)

const (
	// workWidth is about how wide a picture is when it is looked at: a screenshot
	// of a dense screen is brought to the size a person sees it in.
	workWidth = 1200
	// side is the edge of a block in pixels: about the height of a line of text.
	side = 16
	// edgeStep is the difference of luma between neighbours that the eye takes for
	// an edge.
	edgeStep = 32
)

// A picture is the first screen of a page, made ready to be measured.
type picture struct {
	w, h int
	rgb  []uint8   // three a pixel
	luma []float64 // of ITU-R BT.601, 0 to 255
	edge []bool    // differs from the pixel to the right or below

	cols, rows int
	blocks     []block
}

// A block is a square of side × side pixels.
type block struct {
	kind      kind
	edges     float64 // share of pixels at an edge
	luma      float64 // mean
	colors    int     // distinct, at 4 bits a channel
	most      float64 // share of the most frequent color
	low, high float64 // of luma
}

// A kind says what a block looks like.
type kind uint8

const (
	plain   kind = iota // one color
	smooth              // a gradient, or a soft part of a photograph
	drawing             // neither of the others: lines, icons, borders
	text                // strong edges on a ground of one color
	photo               // many colors, none of which is the ground
)

// newPicture takes the top of an image, as high as it is wide: what a person sees
// first. It returns nil for an image smaller than two blocks.
func newPicture(img image.Image) *picture {
	b := img.Bounds()
	b.Max.Y = min(b.Max.Y, b.Min.Y+b.Dx())
	shrink := max(1, int(math.Round(float64(b.Dx())/workWidth)))
	p := &picture{w: b.Dx() / shrink, h: b.Dy() / shrink}
	if p.w < 2*side || p.h < 2*side {
		return nil
	}
	full := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(full, full.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(full, full.Rect, img, b.Min, draw.Over)
	p.shrink(full, shrink)
	p.findEdges()
	p.findBlocks()
	return p
}

// shrink takes the mean of n × n pixels.
func (p *picture) shrink(full *image.RGBA, n int) {
	p.rgb = make([]uint8, 3*p.w*p.h)
	p.luma = make([]float64, p.w*p.h)
	for y := range p.h {
		for x := range p.w {
			var sum [3]int
			for dy := range n {
				at := (y*n+dy)*full.Stride + x*n*4
				for dx := range n {
					for c := range 3 {
						sum[c] += int(full.Pix[at+4*dx+c])
					}
				}
			}
			i := y*p.w + x
			for c := range 3 {
				p.rgb[3*i+c] = uint8((sum[c] + n*n/2) / (n * n))
			}
			p.luma[i] = 0.299*float64(p.rgb[3*i]) + 0.587*float64(p.rgb[3*i+1]) + 0.114*float64(p.rgb[3*i+2])
		}
	}
}

func (p *picture) findEdges() {
	p.edge = make([]bool, p.w*p.h)
	for y := range p.h - 1 {
		for x := range p.w - 1 {
			i := y*p.w + x
			p.edge[i] = math.Abs(p.luma[i]-p.luma[i+1]) > edgeStep || math.Abs(p.luma[i]-p.luma[i+p.w]) > edgeStep
		}
	}
}

func (p *picture) findBlocks() {
	p.cols, p.rows = p.w/side, p.h/side
	p.blocks = make([]block, p.cols*p.rows)
	var seen [4096]uint16
	for row := range p.rows {
		for col := range p.cols {
			clear(seen[:])
			b := p.look(col*side, row*side, &seen)
			b.kind = b.judge()
			p.blocks[row*p.cols+col] = b
		}
	}
}

// look gathers the facts of the block at x0, y0; seen is scratch space, all zero.
func (p *picture) look(x0, y0 int, seen *[4096]uint16) block {
	b := block{low: 255}
	edges, most := 0, uint16(0)
	for y := y0; y < y0+side; y++ {
		for x := x0; x < x0+side; x++ {
			i := y*p.w + x
			if p.edge[i] {
				edges++
			}
			b.luma += p.luma[i]
			b.low, b.high = min(b.low, p.luma[i]), max(b.high, p.luma[i])
			bin := p.bin(i)
			if seen[bin] == 0 {
				b.colors++
			}
			seen[bin]++
			most = max(most, seen[bin])
		}
	}
	const all = side * side
	b.luma /= all
	b.edges, b.most = float64(edges)/all, float64(most)/all
	return b
}

// bin is the color of pixel i at 4 bits a channel.
func (p *picture) bin(i int) int {
	return int(p.rgb[3*i])>>4<<8 | int(p.rgb[3*i+1])>>4<<4 | int(p.rgb[3*i+2])>>4
}

func (b *block) judge() kind {
	switch {
	case b.colors <= 2 && b.high-b.low < 10:
		return plain
	case b.edges < 0.02:
		return smooth
	case b.colors >= 24 && b.most < 0.35:
		return photo
	case b.edges >= 0.08 && b.most >= 0.3:
		return text
	}
	return drawing
}

// share is the share of blocks of these kinds.
func (p *picture) share(kinds ...kind) float64 {
	n := 0
	for i := range p.blocks {
		for _, k := range kinds {
			if p.blocks[i].kind == k {
				n++
			}
		}
	}
	return float64(n) / float64(len(p.blocks))
}

// regions are the sizes of connected areas of blocks, as shares of the picture.
func (p *picture) regions(in func(*block) bool) []float64 {
	done := make([]bool, len(p.blocks))
	var sizes []float64
	var stack []int
	for start := range p.blocks {
		if done[start] || !in(&p.blocks[start]) {
			continue
		}
		done[start] = true
		stack = append(stack[:0], start)
		n := 0
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			n++
			for _, next := range p.around(at) {
				if next >= 0 && !done[next] && in(&p.blocks[next]) {
					done[next] = true
					stack = append(stack, next)
				}
			}
		}
		sizes = append(sizes, float64(n)/float64(len(p.blocks)))
	}
	return sizes
}

// around are the blocks left, right, above and below; -1 beyond the edge.
func (p *picture) around(i int) [4]int {
	near := [4]int{i - 1, i + 1, i - p.cols, i + p.cols}
	if i%p.cols == 0 {
		near[0] = -1
	}
	if i%p.cols == p.cols-1 {
		near[1] = -1
	}
	if near[3] >= len(p.blocks) {
		near[3] = -1
	}
	return near // the one above the first row is below 0 by itself
}
