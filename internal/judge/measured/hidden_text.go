package measured

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vitrine"
)

// hiddenText asks how many of the page's words no person comes to see: too small, of the
// color of the ground, transparent, outside of the page, cut off, covered, or in an
// attribute at large. What an action may show (menus, dialogs, tabs) and short labels for
// screen readers are left out by the capture and here.
var hiddenText = eachView("There is too little text to be hidden.", (*viewFacts).hiddenText)

func (f *viewFacts) hiddenText() (reading, bool) {
	if f.Content == nil {
		return reading{}, false
	}
	shown := wordsOf(f.Content.Blocks)
	hidden, causes := 0, map[vitrine.HiddenCause]int{}
	var r reading
	for _, b := range f.Content.Hidden {
		n := len(tokens(b.Text))
		if b.Cause == vitrine.HiddenClipped && n <= 6 || b.Cause == vitrine.HiddenOffScreen && n <= 6 {
			continue // a label for screen readers
		}
		hidden += n
		causes[b.Cause] += n
		r.where = append(r.where, f.place(b.Box, string(b.Cause)+": "+quote(b.Text)))
	}
	if shown+hidden < 20 {
		return reading{}, false
	}
	part := share(hidden, shown+hidden)
	r.score, r.why = 1, "All text can be seen or be brought to light."
	if hidden > 0 {
		r.why = fmt.Sprintf("%s of the words can be seen by no person: %s.", percent(part), strings.Join(listCauses(causes), ", "))
	}
	if hidden >= 20 {
		r.score = ramp(part, 0.35, 0.08)
	}
	return r, true
}

// listCauses says how many words are hidden in which way, most first.
func listCauses(causes map[vitrine.HiddenCause]int) (said []string) {
	for _, c := range slices.SortedFunc(maps.Keys(causes), func(a, b vitrine.HiddenCause) int {
		return cmp.Or(cmp.Compare(causes[b], causes[a]), cmp.Compare(a, b))
	}) {
		said = append(said, fmt.Sprintf("%s %s", count(causes[c], "word"), c))
	}
	return said
}
