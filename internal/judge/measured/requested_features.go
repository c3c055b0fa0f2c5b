package measured

import (
	"fmt"
	"strings"

	"vitrine"
)

// requestedFeatures holds the site against the parts that the instruction names.
func requestedFeatures(in *input) vitrine.Finding {
	if in.asked.text == "" {
		return notApplicable("There is no instruction to hold the site against.")
	}
	var found, missing []string
	for i := range features {
		f := &features[i]
		if !in.asked.wants(phrases(f.ask, singular), phrases(f.except, singular)) {
			continue
		}
		switch {
		case f.seenIn(&in.seen):
			found = append(found, f.name)
		case !f.hidden:
			missing = append(missing, f.name)
		}
	}
	n := len(found) + len(missing)
	if n == 0 {
		return notApplicable("The instruction names no part that can be looked for.")
	}
	why := fmt.Sprintf("%d of %s that the instruction names can be seen", len(found), count(n, "part"))
	if len(found) > 0 {
		why += ": " + strings.Join(found, ", ")
	}
	if len(missing) > 0 {
		why += "; not seen: " + strings.Join(missing, ", ")
	}
	return scored(reading{score: float64(len(found)) / float64(n), why: why + "."})
}

func (f *feature) seenIn(s *siteFacts) bool {
	if f.tags != "" && s.has(strings.Split(f.tags, ",")...) {
		return true
	}
	// What is written on a control or in its class is also text of the page.
	return s.controls.hasAny(phrases(f.controls, stem)) || s.classWords.hasAny(phrases(f.classWords, stem)) ||
		s.text.hasAny(phrases(f.text, stem)) || f.test != nil && f.test(s)
}
