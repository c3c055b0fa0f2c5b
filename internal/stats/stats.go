// Package stats holds the few statistics by which models and judges are compared:
// correlations, shares, and intervals that say how far to trust them. It is pure,
// and the same seed always gives the same interval.
package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

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
	apart := make(Clusters, len(x))
	for i := range apart {
		apart[i] = i
	}
	return apart.Agree(x, y, seed)
}

// Agree compares two lists as long as the clusters; intervals draw whole clusters.
func (c Clusters) Agree(x, y []float64, seed uint64) Agreement {
	p, a := NewPaired(x, y), Agreement{N: len(x)}
	var work sync.WaitGroup // the three share nothing that they write
	work.Go(func() { a.Pearson = c.Resample(p.Pearson, -1, 1, seed) })
	work.Go(func() { a.Spearman = c.Resample(p.Spearman, -1, 1, seed) })
	work.Go(func() { a.Kendall = c.Resample(p.KendallTauB, -1, 1, seed) })
	work.Wait()
	return a
}

// Share is hits of n with its 95 % score interval (Wilson 1927), which has a width also
// where all or none hit. It is nil where n is 0.
func Share(hits, n int) *Estimate {
	if n == 0 {
		return nil
	}
	return wilson(float64(hits)/float64(n), float64(n))
}

// wilson is the interval of a share p of as many cases, which need not be whole.
func wilson(p, count float64) *Estimate {
	const z2 = 1.959963984540054 * 1.959963984540054 // of the normal distribution's middle 95 %
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
	return weighted(x, y, nil)
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
// takes n·log n steps.
func KendallTauB(x, y []float64) float64 {
	once := make([]float64, len(x))
	for i := range once {
		once[i] = 1
	}
	return NewPaired(x, y).KendallTauB(once)
}

func sorted(n int, compare func(a, b int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	return order
}
