package measured

import (
	"fmt"
	"math"
	"slices"

	"vitrine"
	"vitrine/internal/require"
)

// usualLines is the number of alignment points that three of four web pages have at least:
// the lower quartile of 427 pages (AIM, aalto-ui/aim, evaluation ALEXA_500). A page with
// fewLines has next to nothing on it.
const (
	usualLines = 52
	fewLines   = 8
)

// leastPart is how many pixels wide and high what is no text is, at least, to be seen as a part.
const leastPart = 8

// sparse asks whether there is about as much on a page as pages have, counted by the lines
// on which its texts, pictures and controls begin. It is asked only where the instruction
// leaves open what is to be done and shown on the page ("the interface of a mail program"): there neither
// behaviours nor most defects tell a page with three words from one that was worked out.
// More than usual wins nothing.
func sparse(in *input) vitrine.Finding {
	if !in.open() {
		return notApplicable("The instruction says what is to be done on the page or counts up what is to be shown, or wants no page, site or screen.")
	}
	return eachView("There is nothing on the page.", (*viewFacts).sparse)(in)
}

func (f *viewFacts) sparse() (reading, bool) {
	lefts, tops := map[float64]bool{}, map[float64]bool{}
	for _, i := range f.all {
		e := &f.Elements[i]
		drawn := (isMedia(e) || button(e) || field(e)) && e.Box.W >= leastPart && e.Box.H >= leastPart && (e.Tag != "svg" && e.Tag != "canvas" || e.Painted || f.end[i] > i+1)
		if !drawn && !slices.Contains(f.texts, i) {
			continue
		}
		lefts[math.Round(e.Box.X)], tops[math.Round(e.Box.Y)] = true, true
	}
	n := len(lefts) + len(tops)
	return reading{
		score: ramp(float64(n), fewLines, usualLines),
		why:   fmt.Sprintf("What is on the page begins on %d lines, where three of four web pages have %d or more.", n, usualLines),
	}, true
}

// open reports whether the instruction leaves open what is to be done and shown on the page.
func (in *input) open() bool {
	if in.asked.text == "" {
		return false
	}
	return require.Open(in.asked.text)
}
