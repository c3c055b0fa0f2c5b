package measured

import (
	"fmt"

	"vitrine"
)

// inoperableControls asks how much of what looks like a button is one: whether anything on
// the page handles its being pressed. A document that handles all presses itself leaves
// that open. A drawing of an application, whose buttons do nothing, loses a part; a page
// whose words stand mostly on such buttons loses all.
func inoperableControls(in *input) vitrine.Finding {
	if in.lacksScript() {
		return notApplicable("%s", noScript)
	}
	return eachView("Too little looks like a button.", (*viewFacts).inoperable)(in)
}

func (f *viewFacts) inoperable() (reading, bool) {
	if f.Content == nil || f.Content.Controls < 3 {
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
	r.score = 1 - 0.45*ramp(part, 0.2, 0.8)
	if n := wordsOf(inert); n >= 20 {
		r.score = min(r.score, ramp(share(n, wordsOf(f.Content.Blocks)), 0.8, 0.4))
	}
	return r, true
}
