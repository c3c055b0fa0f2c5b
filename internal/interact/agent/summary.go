package agent

import (
	"slices"

	"vitrine"
)

// planned are the dimensions that have leaves, in the order of a tree.
func planned(leaves []Leaf) (some []string) {
	for _, d := range dimensions {
		if slices.ContainsFunc(leaves, func(l Leaf) bool { return l.Dimension == d }) {
			some = append(some, d)
		}
	}
	return some
}

// Sum is the score of WebDevJudge's summarizer (B.3): the weighted sum of the dimensions'
// pass rates, all weights 1, from 0 to the number of dimensions. It is nil where none of
// the leaves of a dimension could be judged: sums of fewer dimensions do not compare.
func Sum(cases []vitrine.Case) *float64 {
	rates := Rates(cases)
	if len(rates) == 0 {
		return nil
	}
	total := 0.0
	for _, c := range cases {
		if _, judged := rates[c.Category]; !judged {
			return nil
		}
	}
	for _, d := range dimensions {
		total += rates[d]
	}
	return &total
}
