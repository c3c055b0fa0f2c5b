package stats

import (
	"maps"
	"math"
	"slices"
)

// RelaxedSymmetry is PairBench's ε-RelaxSym, as WebGen-R1 gives it in Table 9 (1 − RS):
// the share of pairs whose scores in the two orders of input differ by at most epsilon,
// in points of the scale, with its interval. The lists are as long as the clusters; a pair
// of which a score is missing must be left out before. WebGen-R1 does not give its ε; 0
// asks for equal scores. It is nil without pairs.
func (c Clusters) RelaxedSymmetry(first, second []float64, epsilon float64) *Estimate {
	kept := make([]bool, len(first))
	for i := range first {
		kept[i] = math.Abs(first[i]-second[i]) <= epsilon
	}
	return c.Share(kept)
}

// Smoothness is PairBench's: the Shannon entropy, in bits, of how often a judge gives each
// score. It is 0 for a judge who always gives the same and at most log₂ k for k grades. It
// is in bits since Table 9 of WebGen-R1 has 2.88 on a scale of ten grades, where the
// natural logarithm gives at most 2.30. NaN without scores.
func Smoothness(scores []float64) float64 {
	if len(scores) == 0 {
		return math.NaN()
	}
	counts := map[float64]int{}
	for _, s := range scores {
		counts[s]++
	}
	entropy := 0.0
	for _, s := range slices.Sorted(maps.Keys(counts)) { // in a fixed order, or the last digit varies
		p := float64(counts[s]) / float64(len(scores))
		entropy += p * math.Log2(1/p)
	}
	return entropy
}
