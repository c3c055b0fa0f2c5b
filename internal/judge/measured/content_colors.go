package measured

import (
	"fmt"

	"vitrine"
)

// lightTolerance is how far (ΔE by CIEDE2000) a light background may be from the named one: plain
// white is 4 from mint cream, and 9 from lavender.
const lightTolerance = 2.5

// contentColors is requestedColors without its tolerance for light backgrounds: a page that is
// left white has not the background that was asked for.
func contentColors(in *input) vitrine.Finding {
	f := requestedColors(in)
	if f.Score == nil {
		return f
	}
	asks, areas, sum := askedColors(in.asked.text), colorAreas(in.views[0]), 0.0
	for _, ask := range asks {
		score, _ := ask.holdAgainst(areas)
		if ask.role == roleBackground && ask.lab.l > 90 && !ask.broad && !ask.painted(areas) {
			score = 0
		}
		sum += score
	}
	return scored(reading{score: sum / float64(len(asks)), why: fmt.Sprintf("%s Light backgrounds must be within ΔE %g.", f.Why, lightTolerance)})
}

// painted reports whether the asked color lies behind a large part of the page.
func (a colorAsk) painted(areas []colorArea) bool {
	for _, c := range areas {
		if c.background && deltaE(a.lab, c.lab) <= lightTolerance {
			return true
		}
	}
	return false
}
