package measured

import "fmt"

// Shares of the page that texts and buttons cover when it is crammed, and in
// which anything is drawn at all when it is bare.
const (
	fullPage    = 0.40
	crowdedPage = 0.70
	emptyPage   = 0.01
	airyPage    = 0.06
)

// whiteSpace asks whether a page is neither bare nor crammed.
var whiteSpace = eachView("There is nothing to leave room around.", (*viewFacts).whiteSpace)

func (f *viewFacts) whiteSpace() (reading, bool) {
	c := newCoverage(f.page)
	for _, i := range f.texts {
		c.paint(f.Elements[i].TextBox)
	}
	for _, i := range f.all {
		if button(&f.Elements[i]) {
			c.paint(f.Elements[i].Box)
		}
	}
	cells, drawn := len(f.Raster.Ink), 0
	for _, ink := range f.Raster.Ink {
		drawn += oneIf(ink > 0)
	}
	if cells == 0 {
		return reading{}, false
	}
	text, used := c.share(), float64(drawn)/float64(cells)
	return reading{
		score: min(ramp(text, crowdedPage, fullPage), 0.2+0.8*ramp(used, emptyPage, airyPage)),
		why:   fmt.Sprintf("Text and buttons cover %s of the page, and %s of it shows anything.", percent(text), percent(used)),
	}, true
}
