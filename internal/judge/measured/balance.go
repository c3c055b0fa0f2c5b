package measured

import "fmt"

// balance compares what is drawn in the left half of the page with what is drawn
// in the right half.
var balance = eachView("There is no picture of the page to weigh.", (*viewFacts).balance)

func (f *viewFacts) balance() (reading, bool) {
	r := f.Raster
	if r.Cols < 2 || r.Rows < 1 || len(r.Ink) < r.Cols*r.Rows {
		return reading{}, false
	}
	var left, right float64
	for i, ink := range r.Ink[:r.Cols*r.Rows] {
		switch x := i % r.Cols; {
		case 2*x+1 < r.Cols:
			left += float64(ink)
		case 2*x+1 > r.Cols:
			right += float64(ink)
		}
	}
	if left+right == 0 {
		return reading{}, false
	}
	share := left / (left + right)
	lean := abs(2*share - 1)
	return reading{
		score: ramp(lean, 0.85, 0.35), // a side bar is no fault
		why:   fmt.Sprintf("%.0f%% of what is drawn is in the left half of the page, %.0f%% in the right.", 100*share, 100*(1-share)),
	}, true
}
