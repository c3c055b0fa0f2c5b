package measured

import (
	"fmt"
	"math"
	"slices"

	"vitrine"
)

// allInert is the score of a page none of whose controls does anything.
const allInert = 0.45

// inoperableControls asks how much of what looks like a button is one: whether anything on
// the page handles its being pressed. A document that handles all presses itself leaves
// that open. Each control that does nothing costs alike, all of them together a part of the
// page: a drawing of an application may be what was asked for. A page whose words stand
// mostly on such buttons loses all. Where the instruction leaves open what is to be done on a
// page, one without a control and without a link loses what one without a working control
// does: nothing is won by attempting less.
func inoperableControls(in *input) vitrine.Finding {
	if in.lacksScript() {
		return notApplicable("%s", noScript)
	}
	lacking := eachView("Nothing looks like a button.", (*viewFacts).inoperable)(in)
	if lacking.Score == nil && in.open() && len(in.contents()) > 0 && !in.linked() {
		return scored(reading{score: allInert, why: "There is neither a button nor a link, where the instruction leaves open what is to be done here."})
	}
	return lacking
}

// linked reports whether a page has a link.
func (in *input) linked() bool {
	return slices.ContainsFunc(in.views, func(v *viewFacts) bool { return len(v.Links) > 0 })
}

func (f *viewFacts) inoperable() (reading, bool) {
	if f.Content == nil || f.Content.Controls == 0 {
		return reading{}, false
	}
	inert := f.Content.Inert
	part := share(len(inert), f.Content.Controls)
	r := reading{score: 1, why: fmt.Sprintf("Something handles each of %s.", count(f.Content.Controls, "control"))}
	for _, b := range inert {
		r.where = append(r.where, f.place(b.Box, b.Text))
	}
	if len(inert) == 0 {
		return r, true
	}
	r.why = fmt.Sprintf("Nothing handles %d of %s, such as %s.", len(inert), count(f.Content.Controls, "control"), quote(inert[0].Text))
	r.score = 1 - (1-allInert)*math.Sqrt(part) // the roll-up squares what is missing
	if n := wordsOf(inert); n >= 20 {
		r.score = min(r.score, ramp(share(n, wordsOf(f.Content.Blocks)), 0.8, 0.4))
	}
	return r, true
}
