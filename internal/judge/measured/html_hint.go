package measured

import (
	"fmt"

	"vitrine"
)

// htmlHint counts what HTMLHint found in the source (rules of AesCoder G.7).
func htmlHint(in *input) vitrine.Finding {
	h := in.ev.Hint
	if !h.Ran {
		return notApplicable("The site has no HTML source of its own to lint.")
	}
	n := len(h.Messages) + h.More
	if n == 0 {
		return scored(reading{score: 1, why: "HTMLHint finds nothing wrong with the source."})
	}
	m := h.Messages
	why := count(n, "mistake") + " in the source"
	if len(m) > 0 {
		why += fmt.Sprintf("; the first is %s in line %d: %s", m[0].Rule, m[0].Line, sentence(m[0].Message))
	}
	return scored(reading{score: 1 / (1 + 0.3*float64(n)), why: why + "."})
}
