package measured

import (
	"fmt"
	"math"

	"vitrine"
)

// Sizes from which WCAG 2 calls a text large, in CSS pixels, and the contrast it
// asks for (success criterion 1.4.3).
const (
	largeText     = 24.0
	largeBoldText = 18.66
	askedContrast = 4.5
	askedOfLarge  = 3.0
)

// contrast compares each text with the color behind it where that is known.
var contrast = eachView("No text lies on a colour that is known.", (*viewFacts).contrast)

func (f *viewFacts) contrast() (reading, bool) {
	var r reading
	var n, low, unknown int
	var weight, lost float64
	worst, worstSaid := math.Inf(1), ""
	for _, i := range f.texts {
		e := &f.Elements[i]
		s := &e.Style
		if s.Color.A == 0 || e.Disabled || e.Covered > 0.9 || !hasLetters(e.Text) {
			continue
		}
		if !s.BackdropKnown {
			unknown++
			continue
		}
		ink := over(s.Color, s.Backdrop, s.Opacity)
		ratio, want := contrastRatio(ink, s.Backdrop), wantedContrast(s)
		w := math.Sqrt(e.TextBox.Area()) // big texts weigh more, but not as much as they are bigger
		n++
		weight += w
		if ratio >= want-0.05 {
			continue
		}
		low++
		miss := (want - ratio) / (want - 1)
		lost += w * (0.1 + 0.9*miss*miss) // just under the bound can still be read
		said := fmt.Sprintf("%s (%v on %v, %.1f:1)", quote(e.Text), ink, s.Backdrop, ratio)
		r.where = append(r.where, f.place(e.TextBox, said))
		if ratio/want < worst {
			worst, worstSaid = ratio/want, said
		}
	}
	if n == 0 {
		return r, false
	}
	r.score, r.why = 1, fmt.Sprintf("%s the contrast that WCAG asks for.", outOf(n, n, "text", "has", "have"))
	if low > 0 {
		r.score = decay(lost/weight, 7)
		r.why = fmt.Sprintf("%s less contrast than WCAG asks for; the worst is %s.", outOf(low, n, "text", "has", "have"), worstSaid)
	}
	if unknown > 0 {
		r.why += fmt.Sprintf(" On no plain colour and left out: %s.", count(unknown, "text"))
	}
	return r, true
}

func wantedContrast(s *vitrine.Style) float64 {
	if s.FontSize >= largeText || s.FontSize >= largeBoldText && s.FontWeight >= 700 {
		return askedOfLarge
	}
	return askedContrast
}
