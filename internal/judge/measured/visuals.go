package measured

import (
	"fmt"
	"unicode"
)

// visuals asks whether there is something to look at besides text: pictures,
// drawings, charts, icons, pictographs, gradients.
var visuals = eachView("There is nothing to look at.", (*viewFacts).visuals)

func (f *viewFacts) visuals() (reading, bool) {
	if len(f.all) == 0 {
		return reading{}, false
	}
	var pictures, icons, gradients int
	for _, i := range f.all {
		e := &f.Elements[i]
		big := e.Box.W >= drawingSize && e.Box.H >= drawingSize
		switch {
		case e.Broken:
		case isMedia(e) && big && (e.Tag != "canvas" || e.Painted):
			pictures++
		case isMedia(e) && e.Tag != "canvas", pictograph(e.Text), e.Tag == "i" && e.Text == "" && e.Attrs["class"] != "":
			icons++
		}
		gradients += oneIf(e.Style.Gradient)
	}
	return reading{
		score: 0.15 + 0.85*ramp(float64(2*pictures+icons)+0.5*float64(gradients), 0, 10),
		why:   fmt.Sprintf("Beside text the page shows pictures and drawings: %d, icons: %d, gradients: %d.", pictures, icons, gradients),
	}, true
}

func pictograph(s string) bool {
	for _, r := range s {
		if r > 0x2190 && unicode.Is(unicode.So, r) {
			return true
		}
	}
	return false
}
