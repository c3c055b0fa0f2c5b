package script

import "vitrine"

// Verdict is what checks say of a test case, and its score: pass and 1 where all
// hold that count, partial and 0.5 where the first of them holds and at least half
// of the weight, else fail and 0. A check of weight 0 counts nothing. Without any
// that counts the verdict is unclear and the score nil.
func Verdict(checks []vitrine.Check) (vitrine.CaseVerdict, *float64) {
	var all, held float64
	first := false
	for _, c := range checks {
		if c.Held {
			held += c.Weight
			first = first || all == 0 && c.Weight > 0
		}
		all += c.Weight
	}
	switch {
	case all == 0:
		return vitrine.VerdictUnclear, nil
	case held == all:
		return vitrine.VerdictPass, new(1.0)
	case first && held >= all/2:
		return vitrine.VerdictPartial, new(0.5)
	}
	return vitrine.VerdictFail, new(0.0)
}
