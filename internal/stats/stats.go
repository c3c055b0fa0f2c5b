// Package stats holds the few statistics by which models and judges are compared:
// correlations, shares, and intervals that say how far to trust them. It is pure,
// and the same seed always gives the same interval.
package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Resamples is the number of samples that a bootstrap draws.
const Resamples = 2000

// An Estimate is a statistic with its 95 % interval.
type Estimate struct {
	Value float64 `json:"value" yaml:"value"`
	Low   float64 `json:"low" yaml:"low"`
	High  float64 `json:"high" yaml:"high"`
}

// An Agreement says how far two lists of numbers go together. A statistic that is
// not defined, such as that of a constant list, is nil.
type Agreement struct {
	N        int       `json:"n" yaml:"n"`
	Pearson  *Estimate `json:"pearson" yaml:"pearson"`
	Spearman *Estimate `json:"spearman" yaml:"spearman"`
	Kendall  *Estimate `json:"kendall_tau_b" yaml:"kendall_tau_b"`
}

// Agree compares two lists of the same length.
func Agree(x, y []float64, seed uint64) Agreement {
	return Agreement{
		N:        len(x),
		Pearson:  Bootstrap(x, y, Pearson, seed),
		Spearman: Bootstrap(x, y, Spearman, seed),
		Kendall:  Bootstrap(x, y, KendallTauB, seed),
	}
}

// Share is hits of n with its 95 % score interval (Wilson 1927), which has a width also
// where all or none hit. It is nil where n is 0.
func Share(hits, n int) *Estimate {
	if n == 0 {
		return nil
	}
	const z2 = 1.959963984540054 * 1.959963984540054 // of the normal distribution's middle 95 %
	p, count := float64(hits)/float64(n), float64(n)
	middle := (p + z2/(2*count)) / (1 + z2/count)
	half := math.Sqrt(z2*(p*(1-p)/count+z2/(4*count*count))) / (1 + z2/count)
	return &Estimate{p, max(0, min(p, middle-half)), min(1, max(p, middle+half))}
}

// Bootstrap is [Resample] of a statistic of pairs.
func Bootstrap(x, y []float64, statistic func(x, y []float64) float64, seed uint64) *Estimate {
	drawnX, drawnY := make([]float64, len(x)), make([]float64, len(y))
	return Resample(len(x), func(drawn []int) float64 {
		for i, k := range drawn {
			drawnX[i], drawnY[i] = x[k], y[k]
		}
		return statistic(drawnX, drawnY)
	}, seed)
}

// Resample gives a statistic of n cases with its 95 % percentile interval (Efron 1979)
// from [Resamples] draws of n cases with replacement. The statistic is given the numbers
// of the cases that were drawn, from 0, and keeps none of them. Draws on which it is not
// defined, NaN, are left out. The estimate is nil where it is not defined on the cases
// themselves.
func Resample(n int, statistic func(drawn []int) float64, seed uint64) *Estimate {
	drawn := make([]int, n)
	for i := range drawn {
		drawn[i] = i
	}
	value := statistic(drawn)
	if math.IsNaN(value) {
		return nil
	}
	random := rand.New(rand.NewPCG(seed, 0))
	var values []float64
	for range Resamples {
		for i := range drawn {
			drawn[i] = random.IntN(n)
		}
		if v := statistic(drawn); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	if len(values) == 0 {
		return &Estimate{value, value, value}
	}
	return &Estimate{value, stat.Quantile(0.025, stat.LinInterp, values, nil), stat.Quantile(0.975, stat.LinInterp, values, nil)}
}

// Pearson is the product-moment correlation, in [-1,1]; NaN for fewer than two
// pairs and where a list is constant.
func Pearson(x, y []float64) float64 {
	if len(x) < 2 || constant(x) || constant(y) {
		return math.NaN()
	}
	return max(-1, min(1, stat.Correlation(x, y, nil)))
}

// Spearman is Pearson's correlation of the ranks; equal values share the mean of
// their ranks.
func Spearman(x, y []float64) float64 { return Pearson(Ranks(x), Ranks(y)) }

// Ranks are the places of values in rising order, from 1; equal values share the
// mean of their places.
func Ranks(x []float64) []float64 {
	order := sorted(len(x), func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	ranks := make([]float64, len(x))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && x[order[to]] == x[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return ranks
}

// KendallTauB is the share of pairs in the same order less that in opposite order,
// corrected for ties (Kendall 1945), in [-1,1]; NaN where a list is constant. It
// takes n·log n steps (Knight 1966).
func KendallTauB(x, y []float64) float64 {
	order := sorted(len(x), func(a, b int) int {
		return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[a], y[b]))
	})
	byX := make([]float64, len(x))
	byY := make([]float64, len(y))
	for to, from := range order {
		byX[to], byY[to] = x[from], y[from]
	}
	both := ties(len(byX), func(i int) bool { return byX[i] == byX[i-1] && byY[i] == byY[i-1] })
	tiedX := ties(len(byX), func(i int) bool { return byX[i] == byX[i-1] })
	swaps := mergeSort(byY, make([]float64, len(byY)))
	tiedY := ties(len(byY), func(i int) bool { return byY[i] == byY[i-1] })
	all := float64(len(x)) * float64(len(x)-1) / 2
	if len(x) < 2 || tiedX == all || tiedY == all {
		return math.NaN()
	}
	return (all - tiedX - tiedY + both - 2*swaps) / math.Sqrt((all-tiedX)*(all-tiedY))
}

// ties counts the pairs within runs of equal neighbours.
func ties(n int, likeBefore func(i int) bool) (pairs float64) {
	run := 0.0
	for i := 1; i < n; i++ {
		if !likeBefore(i) {
			run = 0
			continue
		}
		run++
		pairs += run
	}
	return pairs
}

// mergeSort sorts v and returns how many pairs were in the wrong order.
func mergeSort(v, spare []float64) (swaps float64) {
	if len(v) < 2 {
		return 0
	}
	mid := len(v) / 2
	swaps = mergeSort(v[:mid], spare[:mid]) + mergeSort(v[mid:], spare[mid:])
	copy(spare, v)
	left, right := spare[:mid], spare[mid:]
	for i := range v {
		if len(left) > 0 && (len(right) == 0 || left[0] <= right[0]) {
			v[i], left = left[0], left[1:]
			continue
		}
		v[i], right = right[0], right[1:]
		swaps += float64(len(left))
	}
	return swaps
}

func sorted(n int, compare func(a, b int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	return order
}

func constant(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return v != x[0] })
}
