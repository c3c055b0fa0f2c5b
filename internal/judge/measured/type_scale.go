package measured

import (
	"fmt"
	"math"
	"strings"
)

// typeScale asks whether the page keeps to a handful of font sizes and to one or
// two typefaces.
var typeScale = eachView("There is too little text to compare sizes.", (*viewFacts).typeScale)

func (f *viewFacts) typeScale() (reading, bool) {
	sizes, families := map[int]bool{}, map[string]bool{}
	n := 0
	for _, i := range f.texts {
		e := &f.Elements[i]
		if !hasLetters(e.Text) {
			continue
		}
		n++
		sizes[int(math.Round(e.Style.FontSize))] = true
		if name := strings.ToLower(e.Style.FontFamily); !strings.Contains(name, "mono") && !strings.Contains(name, "courier") {
			families[name] = true
		}
	}
	if n < 5 {
		return reading{}, false
	}
	score := ramp(float64(len(sizes)), 16, 8)
	if len(sizes) < 3 {
		score = 0.3 + 0.35*float64(len(sizes)-1)
	}
	return reading{
		score: score * ramp(float64(len(families)), 6, 3),
		why:   fmt.Sprintf("%s are set in %s of %s.", count(n, "text"), count(len(sizes), "size"), count(max(1, len(families)), "typeface")),
	}, true
}
