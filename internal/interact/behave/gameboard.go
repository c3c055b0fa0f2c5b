package behave

import (
	"context"
	"fmt"
	"image"
	"regexp"

	"vitrine"
)

// A game on a board shows as many fields, or pieces, as that of the game has. Of one that is drawn
// the lines between the fields are counted, of those through most of it.
type squares struct {
	least, most int // fields; most allows for elements of the page that look like fields
	lines       int // between columns, and between rows; 0 where the fields are round
}

// broken says that the board is that of another game.
func (b squares) broken(p *prover, ctx context.Context, start *place) string {
	v := p.begin(ctx, start)
	if p.err != nil || p.spent || sized.MatchString(p.need.Quote) {
		return ""
	}
	drawn := false
	for _, c := range v.survey.Canvases {
		if c.Box.W < 150 || c.Box.H < 150 {
			continue
		}
		if drawn = true; ruled(p.window(ctx), c.Box, b.lines) {
			return ""
		}
	}
	switch n := v.survey.Fields; {
	case n >= b.least && n <= b.most || p.err != nil:
		return ""
	case drawn:
		return "what is drawn has not the fields of the board"
	default:
		return fmt.Sprintf("the board has %d fields, and not %d to %d", n, b.least, b.most)
	}
}

// sized are words for boards that are not the usual ones, or not seen from above.
var sized = regexp.MustCompile(`(?i)\d ?[x×] ?\d|\b(3d|three[- ]dimensional|mini)\b`)

// ruled reports whether a part of a picture shows at least so many lines, or edges between
// colours, in either direction, each through a third of it.
func ruled(img image.Image, box vitrine.Box, least int) bool {
	if img == nil {
		return true // without a picture there is no verdict
	}
	r := image.Rect(int(box.X), int(box.Y), int(box.X+box.W), int(box.Y+box.H)).Intersect(img.Bounds())
	count := func(along, across int, at func(i, j int) (x, y int)) (n int) {
		const apart = 6 // pixels between two lines, at least
		last := -apart
		for i := 1; i < along; i++ {
			edges, all := 0, 0
			for j := 0; j < across; j += 2 {
				x, y := at(i, j)
				before, beside := at(i-1, j)
				red, green, blue, _ := img.At(x, y).RGBA()
				if all++; !alike(red, green, blue, img, before, beside) {
					edges++
				}
			}
			if all > 0 && 3*edges >= all {
				if i-last >= apart {
					n++
				}
				last = i
			}
		}
		return n
	}
	return count(r.Dx(), r.Dy(), func(i, j int) (int, int) { return r.Min.X + i, r.Min.Y + j }) >= least &&
		count(r.Dy(), r.Dx(), func(i, j int) (int, int) { return r.Min.X + j, r.Min.Y + i }) >= least
}
