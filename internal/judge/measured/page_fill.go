package measured

import (
	"fmt"
	"math"
)

// The first screen is cut into this many fields; a field is used if something is
// drawn in it.
const (
	fillCols = 6
	fillRows = 5
)

// pageFill asks how much of the first screen is put to use.
var pageFill = eachView("There is no picture of the page to look at.", (*viewFacts).pageFill)

func (f *viewFacts) pageFill() (reading, bool) {
	r := f.Raster
	if r.Cols < fillCols || r.Rows < 1 || len(r.Ink) < r.Cols*r.Rows {
		return reading{}, false
	}
	screen := min(1, float64(max(f.Viewport.Height, 1))/f.page.H)
	rows := min(r.Rows, max(1, int(math.Ceil(screen*float64(r.Rows)))))
	var used [fillCols * fillRows]bool
	for i, ink := range r.Ink[:rows*r.Cols] {
		if ink > 4 {
			used[(i/r.Cols)*fillRows/rows*fillCols+(i%r.Cols)*fillCols/r.Cols] = true
		}
	}
	n := 0
	for _, u := range used {
		n += oneIf(u)
	}
	share := float64(n) / float64(len(used))
	return reading{
		score: ramp(share, 0.1, 0.75),
		why:   fmt.Sprintf("Something is drawn in %.0f%% of the first screen.", 100*share),
	}, true
}
