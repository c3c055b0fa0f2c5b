package measured

import (
	"fmt"
	"strings"

	"vitrine"
)

// What Chromium paints without styles of the page.
var (
	defaultLink   = vitrine.Color{R: 0, G: 0, B: 0xee, A: 255}
	defaultButton = vitrine.Color{R: 0xef, G: 0xef, B: 0xef, A: 255}
)

// modernStyling asks how far the page has come from what a browser shows without
// any styles: a chosen typeface, own controls, rounded corners, depth, surfaces
// and room at the sides. No single one of these is needed; together they are what
// a person calls "made".
var modernStyling = eachView("There is nothing whose styles could be looked at.", (*viewFacts).modernStyling)

func (f *viewFacts) modernStyling() (reading, bool) {
	if len(f.all) == 0 {
		return reading{}, false
	}
	signs := f.craft()
	var sum float64
	var lacks []string
	for _, s := range signs {
		sum += s.value
		if s.value < 0.5 {
			lacks = append(lacks, s.lack)
		}
	}
	r := reading{score: sum / float64(len(signs)), why: "Typeface, controls, corners, depth, surfaces and margins are all styled."}
	if len(lacks) > 0 {
		r.why = "Looks unstyled in these points: " + strings.Join(lacks, ", ") + "."
	}
	return r, true
}

// A sign is one mark of craft, in [0,1], and what to say when it is absent.
type sign struct {
	value float64
	lack  string
}

func (f *viewFacts) craft() []sign {
	var chars, chosen, controls, styled, rounded, deep float64
	for _, i := range f.all {
		e := &f.Elements[i]
		chars += float64(len(e.Text))
		if !defaultTypeface(e.Style.FontFamily) {
			chosen += float64(len(e.Text))
		}
		if e.Tag == "a" || button(e) || field(e) {
			controls++
			styled += float64(oneIf(!defaultControl(e)))
		}
		if e.Style.Radius >= 2 && (f.filled[i] || e.Style.Border > 0 || isMedia(e)) {
			rounded++
		}
		if e.Style.Shadow || e.Style.Gradient || f.framed(e) {
			deep++
		}
	}
	signs := []sign{
		{ramp(rounded, 0, 6), "hardly any rounded corners"},
		{ramp(deep, 0, 6), "hardly any shadows, gradients or fine lines"},
		{ramp(float64(f.surfaces()), 1, 4), "one flat surface"},
		{f.margin(), "text at the very edge of the window"},
	}
	if chars > 0 {
		signs = append(signs, sign{chosen / chars, "the browser's default typeface"})
	}
	if controls > 0 {
		signs = append(signs, sign{styled / controls, fmt.Sprintf("%.0f of %.0f links and controls in the browser's default look", controls-styled, controls)})
	}
	return signs
}

func defaultTypeface(name string) bool {
	switch strings.ToLower(strings.Trim(name, `"' `)) {
	case "", "serif", "times", "times new roman":
		return true
	}
	return false
}

func defaultControl(e *vitrine.Element) bool {
	switch {
	case e.Tag == "a":
		return e.Style.Color == defaultLink
	case button(e) && e.Tag != "a":
		return e.Style.Background == defaultButton && e.Style.Border >= 1 && e.Style.Radius == 0
	}
	return e.Style.Border == 2 && e.Style.Radius == 0 && e.Style.PaddingLeft < 3
}

// framed: a thin line around a box, as around a card.
func (f *viewFacts) framed(e *vitrine.Element) bool {
	return e.Style.Border > 0 && e.Style.Border <= 2 && !button(e) && !field(e) && e.Tag != "td" && e.Tag != "th" && e.Tag != "iframe"
}

// surfaces counts backgrounds that can be told apart and are large enough to
// give the page its parts; pictures and gradients are surfaces too.
func (f *viewFacts) surfaces() int {
	var kinds []lab
	n := 0
	for _, i := range f.all {
		e := &f.Elements[i]
		if e.Box.Area() < 0.004*f.page.Area() || button(e) && e.Style.Background == defaultButton {
			continue
		}
		if e.Style.Gradient || e.Style.Image || e.Tag == "img" || e.Painted {
			n++
			continue
		}
		if f.filled[i] && len(kinds) < 8 {
			kinds = addShade(kinds, toLab(e.Style.Background))
		}
	}
	return min(n, 2) + len(kinds) + 1
}

func addShade(kinds []lab, c lab) []lab {
	for _, k := range kinds {
		if deltaE(k, c) < 2 {
			return kinds
		}
	}
	return append(kinds, c)
}

// margin is 1 if the text keeps at least 16 pixels from the left edge of the
// window, 0 at the 8 pixels that browsers leave.
func (f *viewFacts) margin() float64 {
	least := f.page.W
	for _, i := range f.texts {
		if e := &f.Elements[i]; !e.Fixed {
			least = min(least, e.TextBox.X)
		}
	}
	return ramp(least, 8, 16)
}
