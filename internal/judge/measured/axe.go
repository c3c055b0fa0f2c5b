package measured

import (
	"fmt"
	"math"
)

// impactWeight is how many passed rules one broken rule outweighs.
var impactWeight = map[string]float64{"minor": 0.5, "moderate": 1.5, "serious": 4, "critical": 7}

// axe weighs the accessibility rules that axe-core found broken against those
// that passed.
var axe = eachView("axe-core did not run on this site.", (*viewFacts).axe)

func (f *viewFacts) axe() (reading, bool) {
	if !f.AxeRan {
		return reading{}, false
	}
	var lost, worst float64
	said := ""
	for _, a := range f.Axe {
		w := impactWeight[a.Impact]
		lost += w * (1 + 0.25*math.Log2(float64(max(1, a.Count))))
		if w > worst {
			worst, said = w, fmt.Sprintf("; the gravest is %s (%s, %s)", a.ID, a.Impact, count(a.Count, "place"))
		}
	}
	passed := float64(max(f.AxePasses, 10))
	return reading{
		score: passed / (passed + 2*lost),
		why:   fmt.Sprintf("%s of axe-core broken, %d passed%s.", count(len(f.Axe), "rule"), f.AxePasses, said),
	}, true
}
