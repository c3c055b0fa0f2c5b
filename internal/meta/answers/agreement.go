package answers

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"vitrine/internal/stats"
)

// said is what each of several voices, such as raters or passes of a judge, says of items:
// said[i][voice] is a place among the values, absent where the voice says nothing.
type said struct {
	scope  *scope
	values []string
	marks  []float64 // the numbers that the values are; NaN for texts
	by     []map[string]int
}

// listen collects what voices say.
func listen(s *scope, voices func(i *item) map[string]*Value) *said {
	heard := &said{scope: s}
	var all []map[string]*Value
	different := map[string]float64{}
	for _, i := range s.items {
		given := voices(i)
		for _, v := range given {
			different[v.Text] = v.Number
		}
		all = append(all, given)
	}
	heard.values = slices.SortedFunc(maps.Keys(different), func(a, b string) int {
		return cmp.Or(cmp.Compare(different[a], different[b]), cmp.Compare(a, b))
	})
	at := map[string]int{}
	for place, text := range heard.values {
		at[text] = place
		heard.marks = append(heard.marks, different[text])
	}
	for _, given := range all {
		places := map[string]int{}
		for voice, v := range given {
			places[voice] = at[v.Text]
		}
		heard.by = append(heard.by, places)
	}
	return heard
}

// voices are all that say anything, sorted.
func (h *said) voices() []string {
	names := map[string]bool{}
	for _, places := range h.by {
		for voice := range places {
			names[voice] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// units count the values of each item; one that is left out is counted nowhere.
func (h *said) units(leftOut string) []stats.Unit {
	units := make([]stats.Unit, len(h.by))
	for i, places := range h.by {
		given := make([]int, 0, len(places))
		for _, p := range places {
			if h.values[p] != leftOut {
				given = append(given, p)
			}
		}
		units[i] = stats.UnitOf(given)
	}
	return units
}

// pairwise is the share of pairs of voices on the same item that say the same.
func pairwise(units []stats.Unit) func(weights []float64) float64 {
	same, all := make([]float64, len(units)), make([]float64, len(units))
	for i, u := range units {
		n := 0.0
		for _, c := range u {
			n += c.N
			same[i] += c.N * (c.N - 1)
		}
		all[i] = n * (n - 1)
	}
	return func(weights []float64) float64 {
		var s, a float64
		for i, w := range weights {
			s, a = s+w*same[i], a+w*all[i]
		}
		return s / a
	}
}

// together adds the figures of all voices together.
func (h *said) together() {
	s := h.scope
	units := h.units("")
	resample := func(statistic func(weights []float64) float64) *stats.Estimate {
		return s.tasks.Resample(statistic, -1, 1, s.seed)
	}
	several := 0 // items that say something of how voices agree
	for _, places := range h.by {
		if len(places) > 1 {
			several++
		}
	}
	s.addOf("pairwise agreement", several, 0, s.tasks.Resample(pairwise(units), 0, 1, s.seed))
	if s.q.kind == Pair {
		s.add("pairwise agreement without ties", s.tasks.Resample(pairwise(h.units(tie)), 0, 1, s.seed))
	}
	s.add("Fleiss' kappa", resample(func(w []float64) float64 { return stats.FleissKappa(units, w) }))
	alpha := func(scale stats.Scale) *stats.Estimate {
		return resample(func(w []float64) float64 { return stats.KrippendorffAlpha(units, scale, h.marks, w) })
	}
	s.add("Krippendorff's alpha", alpha(stats.Nominal))
	if s.q.kind == Rating {
		s.add("Krippendorff's alpha, ordinal", alpha(stats.Ordinal))
		s.add("Krippendorff's alpha, interval", alpha(stats.Interval))
	}
}

// twoByTwo adds the figures of each two voices over the items of which both say something.
func (h *said) twoByTwo(least int) {
	voices := h.voices()
	for n, a := range voices {
		for _, b := range voices[n+1:] {
			h.two(a, b, least)
		}
	}
}

func (h *said) two(a, b string, least int) {
	var both []*item
	var items stats.Crossed
	var x, y []float64
	for i, places := range h.by {
		pa, saysA := places[a]
		pb, saysB := places[b]
		if saysA && saysB {
			both = append(both, h.scope.items[i])
			items = append(items, [2]int{pa, pb})
			x, y = append(x, h.marks[pa]), append(y, h.marks[pb])
		}
	}
	if len(both) < least {
		return
	}
	s := *h.scope
	s.items, s.tasks, s.of = both, tasksOf(both), a+" and "+b
	same := make([]bool, len(items))
	for i, pair := range items {
		same[i] = pair[0] == pair[1]
	}
	s.add("same answer", s.tasks.Share(same))
	kappa := func(power float64) *stats.Estimate {
		return s.tasks.Resample(func(w []float64) float64 { return stats.CohenKappa(items, power, w) }, -1, 1, s.seed)
	}
	s.add("Cohen's kappa", kappa(0))
	if s.q.kind != Rating {
		return
	}
	s.add("Cohen's kappa, quadratic", kappa(2))
	agreed := s.tasks.Agree(x, y, s.seed)
	s.add("Pearson", agreed.Pearson)
	s.add("Spearman", agreed.Spearman)
}

// meanKappa is the mean of Cohen's kappa over each two voices with at least two items in
// common; those of whom it is not defined are left out.
func (h *said) meanKappa() float64 {
	voices := h.voices()
	sum, n := 0.0, 0.0
	for k, a := range voices {
		for _, b := range voices[k+1:] {
			var items stats.Crossed
			for _, places := range h.by {
				pa, saysA := places[a]
				if pb, saysB := places[b]; saysA && saysB {
					items = append(items, [2]int{pa, pb})
				}
			}
			if kappa := stats.CohenKappa(items, 0, nil); len(items) > 1 && !math.IsNaN(kappa) {
				sum, n = sum+kappa, n+1
			}
		}
	}
	return sum / n
}
