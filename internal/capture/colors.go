package capture

import (
	"image"
	"slices"

	"vitrine"
)

const (
	rasterCols  = 64
	maxSwatches = 32
	maxSamples  = 400_000 // pixels looked at for the palette
	inkStep     = 28      // difference of channels that counts as an edge
)

// probeColors reads from a frame what computed styles cannot tell: which
// colors cover how much, where something is drawn, and what really lies behind
// each text.
func probeColors(view *vitrine.View, s *shot) {
	img, err := s.image()
	if err != nil {
		return // an unreadable frame has no colors; the raster says so with Colors 0
	}
	view.Palette = palette(img)
	view.Raster = raster(img)
	for i := range view.Elements {
		e := &view.Elements[i]
		if e.TextBox.Area() > 0 {
			refineBackdrop(e, img)
		}
	}
}

// bin counts pixels of nearly the same color: 4 bits a channel.
type bin struct{ n, r, g, b int }

func (b *bin) add(p []byte) {
	b.n++
	b.r += int(p[0])
	b.g += int(p[1])
	b.b += int(p[2])
}

func (b bin) color() vitrine.Color {
	return vitrine.Color{R: uint8(b.r / b.n), G: uint8(b.g / b.n), B: uint8(b.b / b.n), A: 255}
}

func binOf(p []byte) int { return int(p[0])>>4<<8 | int(p[1])>>4<<4 | int(p[2])>>4 }

// palette lists the colors of a picture by share, largest first.
func palette(img *image.RGBA) []vitrine.Swatch {
	var bins [4096]bin
	w, h := img.Rect.Dx(), img.Rect.Dy()
	step := 1
	for (w/step)*(h/step) > maxSamples {
		step++
	}
	total := 0
	for y := 0; y < h; y += step {
		row := img.Pix[y*img.Stride:]
		for x := 0; x < w; x += step {
			p := row[x*4:]
			bins[binOf(p)].add(p)
			total++
		}
	}
	swatches := []vitrine.Swatch{}
	for _, b := range bins {
		if share := float64(b.n) / float64(max(total, 1)); share >= 0.001 {
			swatches = append(swatches, vitrine.Swatch{Color: b.color(), Share: share})
		}
	}
	slices.SortStableFunc(swatches, func(a, b vitrine.Swatch) int {
		if a.Share > b.Share {
			return -1
		}
		if a.Share < b.Share {
			return 1
		}
		return 0
	})
	return swatches[:min(len(swatches), maxSwatches)]
}

// raster maps where a picture has edges, in cells of a 64th of its width.
func raster(img *image.RGBA) vitrine.Raster {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	cell := max(4, (w+rasterCols-1)/rasterCols)
	r := vitrine.Raster{Cols: (w + cell - 1) / cell, Rows: (h + cell - 1) / cell, Colors: distinct(img)}
	r.Ink = make([]byte, r.Cols*r.Rows)
	if r.Colors <= 1 {
		return r
	}
	for row := range r.Rows {
		for col := range r.Cols {
			r.Ink[row*r.Cols+col] = ink(img, col*cell, row*cell, cell)
		}
	}
	return r
}

// ink is the share of 4×4 blocks of a cell that differ from their right or lower
// neighbour.
func ink(img *image.RGBA, x0, y0, cell int) byte {
	const block = 4
	w, h := img.Rect.Dx(), img.Rect.Dy()
	edges, all := 0, 0
	for y := y0; y < min(y0+cell, h-block); y += block {
		for x := x0; x < min(x0+cell, w-block); x += block {
			all++
			here := img.Pix[y*img.Stride+x*4:]
			right := img.Pix[y*img.Stride+(x+block)*4:]
			below := img.Pix[(y+block)*img.Stride+x*4:]
			if apart(here, right) > inkStep || apart(here, below) > inkStep {
				edges++
			}
		}
	}
	return byte(edges * 255 / max(all, 1))
}

func apart(a, b []byte) int {
	return max(absDiff(a[0], b[0]), absDiff(a[1], b[1]), absDiff(a[2], b[2]))
}

func absDiff(a, b byte) int {
	if a > b {
		return int(a - b)
	}
	return int(b - a)
}

// distinct counts the colors of a picture, up to 256.
func distinct(img *image.RGBA) int {
	seen := map[[3]byte]struct{}{}
	var last [3]byte
	for y := range img.Rect.Dy() {
		row := img.Pix[y*img.Stride:][:img.Rect.Dx()*4]
		for x := 0; x < len(row); x += 4 {
			c := [3]byte{row[x], row[x+1], row[x+2]}
			if c == last && len(seen) > 0 {
				continue
			}
			last = c
			seen[c] = struct{}{}
			if len(seen) == 256 {
				return 256
			}
		}
	}
	return len(seen)
}

// refineBackdrop replaces what styles say lies behind a text by what the frame
// shows, where the frame is clear about it. A picture or a strong gradient behind
// the text leaves no dominant color: then the backdrop stays unknown.
func refineBackdrop(e *vitrine.Element, img *image.RGBA) {
	bins, total := sample(img, e.TextBox)
	if total == 0 {
		return // outside of the frame: the styles are all there is
	}
	if e.Style.BackdropKnown && near(bins, total, e.Style.Backdrop) >= 0.25 {
		return
	}
	var best bin
	for _, b := range bins {
		if b.n > best.n || b.n == best.n && b.color().String() < best.color().String() {
			best = b
		}
	}
	e.Style.BackdropKnown = near(bins, total, best.color()) >= 0.45
	if e.Style.BackdropKnown {
		e.Style.Backdrop = best.color()
	}
}

// sample looks at a grid of at most 32 × 16 pixels of a box.
func sample(img *image.RGBA, box vitrine.Box) (map[int]bin, int) {
	bins, total := map[int]bin{}, 0
	stepX, stepY := max(1, box.W/32), max(1, box.H/16)
	for y := box.Y; y < box.Y+box.H; y += stepY {
		for x := box.X; x < box.X+box.W; x += stepX {
			if !(image.Point{int(x), int(y)}).In(img.Rect) {
				continue
			}
			p := img.Pix[int(y)*img.Stride+int(x)*4:]
			b := bins[binOf(p)]
			b.add(p)
			bins[binOf(p)] = b
			total++
		}
	}
	return bins, total
}

// near is the share of samples close to a color.
func near(bins map[int]bin, total int, c vitrine.Color) float64 {
	n := 0
	for _, b := range bins {
		k := b.color()
		if apart([]byte{k.R, k.G, k.B}, []byte{c.R, c.G, c.B}) <= 16 {
			n += b.n
		}
	}
	return float64(n) / float64(total)
}
