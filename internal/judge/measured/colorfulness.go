package measured

import "fmt"

// loudChroma is where a color is as strong as a screen can show most hues.
const loudChroma = 70.0

// colorfulness asks whether a page uses color, and keeps its strongest colors
// for small areas.
var colorfulness = eachView("There is no picture of the page to look at.", (*viewFacts).colorfulness)

func (f *viewFacts) colorfulness() (reading, bool) {
	var total, colored, loud float64
	for _, s := range f.Palette {
		c := toLab(s.Color).chroma()
		total += s.Share
		if c >= greyChroma {
			colored += s.Share
		}
		if c >= loudChroma {
			loud += s.Share
		}
	}
	if total <= 0 {
		return reading{}, false
	}
	colored, loud = colored/total, loud/total
	if f.colored() {
		colored = max(colored, 0.03)
	}
	return reading{
		score: min(0.3+0.7*ramp(colored, 0.001, 0.04), ramp(loud, 0.85, 0.35)),
		why:   fmt.Sprintf("%s of the page is coloured, %s in loud colours.", percent(colored), percent(loud)),
	}, true
}

// colored: the page paints something in a color that it chose itself; the blue
// of an unstyled link is not one.
func (f *viewFacts) colored() bool {
	var area float64
	for _, i := range f.all {
		s := &f.Elements[i].Style
		if s.Gradient || s.Background.A > 100 && toLab(s.Background).chroma() >= greyChroma {
			area += f.Elements[i].Box.Area()
		}
	}
	return area > 0.01*f.page.Area()
}
