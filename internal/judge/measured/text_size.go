package measured

import (
	"fmt"
	"math"
)

// Font sizes in CSS pixels: below smallText reading is work, below tinyText it is
// guessing.
const (
	smallText = 12.0
	tinyText  = 10.0
)

// textSize asks how much of the text is too small to read with ease.
var textSize = eachView("There is no text to measure.", (*viewFacts).textSize)

func (f *viewFacts) textSize() (reading, bool) {
	var r reading
	var chars, lost float64
	smallest, small := math.Inf(1), 0
	read := 0
	for _, i := range f.texts {
		e := &f.Elements[i]
		if e.Covered > 0.9 || !hasLetters(e.Text) {
			continue
		}
		n, size := float64(len(e.Text)), e.Style.FontSize
		read++
		chars += n
		if size >= smallText-0.25 {
			continue
		}
		small++
		smallest = min(smallest, size)
		lost += n * (0.35 + 0.65*ramp(size, smallText, tinyText))
		r.where = append(r.where, f.place(e.TextBox, fmt.Sprintf("%.0f px", size)))
	}
	if chars == 0 {
		return r, false
	}
	r.score = decay(lost/chars, 2.5)
	r.why = fmt.Sprintf("None of %s is smaller than %.0f px.", count(read, "text"), smallText)
	if small > 0 {
		r.why = fmt.Sprintf("%s smaller than %.0f px; the smallest has %.3g px.", outOf(small, read, "text", "is", "are"), smallText, smallest)
	}
	return r, true
}
