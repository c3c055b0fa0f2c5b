package meta

import (
	"maps"
	"math"
	"slices"

	"vitrine"
	"vitrine/internal/stats"
)

// A Preference is a pair of sites with the label that people gave it and what a judge
// says. A pair that could not be judged has a comparison without a verdict.
type Preference struct {
	ID         string             `json:"id,omitempty"`
	Category   string             `json:"category,omitempty"`
	Label      vitrine.Verdict    `json:"label"`
	Comparison vitrine.Comparison `json:"comparison"`
}

// PreferenceFigures are the figures of a judge over a set of pairs. Rates are in [0,1].
type PreferenceFigures struct {
	Agreement []PreferenceAgreement `json:"agreement"` // of all pairs, then of each category
	Position  *PositionFigures      `json:"position"`  // nil where no pair was asked in both orders
}

// PreferenceAgreement is the agreement rate right/all of WebDevJudge (§4.1, Table 3). A
// pair that could not be judged is in all and not in right.
type PreferenceAgreement struct {
	Category string          `json:"category,omitempty"` // empty: all
	N        int             `json:"n"`
	Unjudged int             `json:"unjudged"`
	Rate     *stats.Estimate `json:"rate"`
	// Decided are the pairs that people did not label a tie, with the rate over them
	// (D.3, Table 13): a verdict of tie is wrong there.
	Decided     int             `json:"decided"`
	DecidedRate *stats.Estimate `json:"decided_rate"`
}

// PositionFigures say what the order of a pair does (WebDevJudge §4.3, Table 5), over the
// pairs that one judge was asked in both orders. Consistent, First and Second add up to 1.
type PositionFigures struct {
	N          int             `json:"n"`
	Consistent *stats.Estimate `json:"consistent"` // the same site, or a tie, in both orders
	// First and Second are of pairs whose verdicts differ: the site that is shown first
	// fares better than in second place, or the other way round.
	First  *stats.Estimate `json:"first"`
	Second *stats.Estimate `json:"second"`
	// Given and Swapped are the agreement rates of the verdicts with A first and with B
	// first, and Delta is their distance, ΔAR.
	Given   *stats.Estimate `json:"given"`
	Swapped *stats.Estimate `json:"swapped"`
	Delta   *stats.Estimate `json:"delta"`
}

// Preferences computes the figures. The seed is that of the interval of Delta.
func Preferences(pairs []Preference, seed uint64) PreferenceFigures {
	members := map[string][]Preference{}
	for _, p := range pairs {
		members[p.Category] = append(members[p.Category], p)
	}
	f := PreferenceFigures{Agreement: []PreferenceAgreement{agreementRate("", pairs)}, Position: position(pairs, seed)}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if name != "" {
			f.Agreement = append(f.Agreement, agreementRate(name, members[name]))
		}
	}
	return f
}

func agreementRate(category string, pairs []Preference) PreferenceAgreement {
	right := func(p Preference) bool { return p.Comparison.Verdict == p.Label }
	decided := func(p Preference) bool { return p.Label != vitrine.VerdictTie }
	a := PreferenceAgreement{
		Category: category, N: len(pairs), Decided: count(pairs, decided),
		Unjudged: count(pairs, func(p Preference) bool { return p.Comparison.Verdict == "" }),
	}
	a.Rate = stats.Share(count(pairs, right), a.N)
	a.DecidedRate = stats.Share(count(pairs, func(p Preference) bool { return decided(p) && right(p) }), a.Decided)
	return a
}

// inOrders is one pair's verdicts, both on the caller's A and B.
type inOrders struct{ label, given, swapped vitrine.Verdict }

// toFirst is above 0 where the first place is worth more to the judge than the second,
// below 0 the other way round, and 0 exactly where both verdicts are the same: each one
// counts 1 if it goes to the site shown first, -1 if to the other, 0 if it is a tie.
func (p inOrders) toFirst() int {
	sides := map[vitrine.Verdict]int{vitrine.VerdictA: 1, vitrine.VerdictB: -1}
	return sides[p.given] - sides[p.swapped]
}

// position is over the pairs with one pass in each order by one judge. The passes of a
// panel are of several.
func position(pairs []Preference, seed uint64) *PositionFigures {
	var all []inOrders
	for _, p := range pairs {
		o := p.Comparison.Orders
		if p.Comparison.Panel == nil && len(o) == 2 && !o[0].Swapped && o[1].Swapped {
			all = append(all, inOrders{p.Label, o[0].Verdict, o[1].Verdict})
		}
	}
	if len(all) == 0 {
		return nil
	}
	of := func(hit func(p inOrders) bool) *stats.Estimate { return stats.Share(count(all, hit), len(all)) }
	given := func(p inOrders) bool { return p.given == p.label }
	swapped := func(p inOrders) bool { return p.swapped == p.label }
	return &PositionFigures{
		N:          len(all),
		Consistent: of(func(p inOrders) bool { return p.toFirst() == 0 }),
		First:      of(func(p inOrders) bool { return p.toFirst() > 0 }),
		Second:     of(func(p inOrders) bool { return p.toFirst() < 0 }),
		Given:      of(given), Swapped: of(swapped),
		Delta: stats.Resample(len(all), func(drawn []int) float64 {
			sample := make([]inOrders, len(drawn))
			for i, k := range drawn {
				sample[i] = all[k]
			}
			return math.Abs(float64(count(sample, given)-count(sample, swapped))) / float64(len(sample))
		}, seed),
	}
}

// count is how many pairs hit.
func count[T any](all []T, hit func(T) bool) (n int) {
	for _, one := range all {
		if hit(one) {
			n++
		}
	}
	return n
}
