package behave

import (
	"image"
	"math"

	"vitrine"
)

// A stroke is a way of the pointer through an area of the window, in pixels.
type stroke struct {
	area     image.Rectangle
	from, to [2]float64
}

// stroke is one through a part of an area, at a part of its height, at an offset that the page cannot foresee.
func (p *prover) stroke(window image.Rectangle, b vitrine.Box, height float64) stroke {
	area := image.Rect(int(b.X), int(b.Y), int(b.X+b.W), int(b.Y+b.H)).Intersect(window)
	const longest = 240
	w, h := area.Dx(), area.Dy()
	x, y := area.Min.X+3*w/10+p.tokens.number(0, w/10), area.Min.Y+int(float64(h)*height)+p.tokens.number(0, h/16)
	return stroke{area, [2]float64{float64(x), float64(y)}, [2]float64{float64(x + min(9*w/20, longest)), float64(y + h/12)}}
}

// at is a point of the way, from 0 to 1.
func (s stroke) at(part float64) (x, y float64) {
	return s.from[0] + part*(s.to[0]-s.from[0]), s.from[1] + part*(s.to[1]-s.from[1])
}

// reach is how far from the way of the pointer lies what it paints, in pixels.
const reach = 14

// margin is the distance from the way within which a change counts as painted by the stroke, in
// pixels: less in a small area.
func (s stroke) margin() float64 { return max(cellSide, min(60, float64(s.area.Dy())/6)) }

// painted reports whether two pictures differ along most of the way.
func (s stroke) painted(before, after image.Image) bool {
	const points = 20
	n := 0
	for i := range points {
		x, y := s.at(float64(i) / (points - 1))
		if _, ok := around(before, after, int(x), int(y)); ok {
			n++
		}
	}
	return 5*n >= 3*points
}

// around is the color of the point nearest to another one that differs between two pictures.
func around(before, after image.Image, x, y int) (color [3]float64, ok bool) {
	nearest := math.MaxInt
	for dy := -reach; dy <= reach; dy++ {
		for dx := -reach; dx <= reach; dx++ {
			p, far := image.Pt(x+dx, y+dy), dx*dx+dy*dy
			if far >= nearest || !p.In(before.Bounds()) {
				continue
			}
			if r, g, b, _ := after.At(p.X, p.Y).RGBA(); !alike(r, g, b, before, p.X, p.Y) {
				color, nearest = [3]float64{float64(r >> 8), float64(g >> 8), float64(b >> 8)}, far
			}
		}
	}
	return color, nearest < math.MaxInt
}

// stray reports whether most of what differs around two strokes lies outside of the margin of this
// one. What is further away than that is not compared: panels may cover the area there.
func (s stroke) stray(other stroke, before, after image.Image) bool {
	about := s.bounds().Union(other.bounds()).Inset(-120).Intersect(s.area)
	_, cells := differing(crop(before, boxOf(about)), crop(after, boxOf(about)), nil)
	near, all := 0, 0
	for c, n := range cells {
		all += n
		for i := range 21 {
			x, y := s.at(float64(i) / 20)
			if math.Hypot((float64(c.X)+0.5)*cellSide-x, (float64(c.Y)+0.5)*cellSide-y) <= s.margin() {
				near += n
				break
			}
		}
	}
	return 5*near < 2*all
}

func (s stroke) bounds() image.Rectangle {
	return image.Rect(int(s.from[0]), int(s.from[1]), int(s.to[0]), int(s.to[1]))
}

func boxOf(r image.Rectangle) vitrine.Box {
	return vitrine.Box{X: float64(r.Min.X), Y: float64(r.Min.Y), W: float64(r.Dx()), H: float64(r.Dy())}
}
