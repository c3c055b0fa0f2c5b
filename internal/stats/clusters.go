package stats

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Clusters say which cases belong together, such as several pages of one task: Clusters[i]
// is the number, from 0, of the cluster of case i. Intervals draw whole clusters, since
// cases of one are alike and tell less than as many of their own.
type Clusters []int

// ClustersOf numbers names, in the order in which they first come.
func ClustersOf(names []string) Clusters {
	numbers := map[string]int{}
	c := make(Clusters, len(names))
	for i, name := range names {
		if _, known := numbers[name]; !known {
			numbers[name] = len(numbers)
		}
		c[i] = numbers[name]
	}
	return c
}

// Count is how many clusters there are.
func (c Clusters) Count() int {
	if len(c) == 0 {
		return 0
	}
	return slices.Max(c) + 1
}

// Apart says that each case is a cluster of its own.
func (c Clusters) Apart() bool { return c.Count() == len(c) }

// Sums are those of the values of each cluster.
func (c Clusters) Sums(values []float64) []float64 {
	sums := make([]float64, c.Count())
	for i, k := range c {
		sums[k] += values[i]
	}
	return sums
}

// leastClusters is of how many clusters draws are worth anything: the 95 % interval of a mean
// covers it in 49, 71 and 81 % of draws of two, three and four normal numbers, in 88 % of five.
const leastClusters = 5

// Resample is [Resample] of whole clusters (Field and Welsh 2007). The statistic is given
// how often each case was drawn, and is NaN or infinite where it is not defined; it keeps none of the
// weights. The interval holds the value. With fewer than five clusters nothing is said of chance: the interval is then the
// whole of the bounds that are given.
func (c Clusters) Resample(statistic func(weights []float64) float64, low, high float64, seed uint64) *Estimate {
	weights := make([]float64, len(c))
	for i := range weights {
		weights[i] = 1
	}
	value, n := statistic(weights), c.Count()
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0):
		return nil
	case n < leastClusters:
		return &Estimate{value, min(low, value), max(high, value)}
	}
	random := rand.New(rand.NewPCG(seed, 0))
	drawn := make([]float64, n)
	values := make([]float64, 0, Resamples)
	for range Resamples {
		clear(drawn)
		for range n {
			drawn[random.IntN(n)]++
		}
		for i, k := range c {
			weights[i] = drawn[k]
		}
		if v := statistic(weights); !math.IsNaN(v) && !math.IsInf(v, 0) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	if len(values) == 0 {
		return &Estimate{value, min(low, value), max(high, value)}
	}
	// Cases that are drawn twice bias some statistics, such as a kappa of grades that are all
	// different, so far that all draws are to one side of the value, which then is an end.
	return &Estimate{value, min(value, stat.Quantile(0.025, stat.LinInterp, values, nil)), max(value, stat.Quantile(0.975, stat.LinInterp, values, nil))}
}

// Share is the share of cases that hit, with its 95 % score interval for as many cases as
// the clusters are worth: n divided by the design effect, the variance of the share over
// clusters by that over independent cases (Kish 1965; Korn and Graubard 1998), which here
// is never below 1. Where all or none hit the effect cannot be seen, and each cluster counts
// once. It is [Share] where each case is a cluster, and nil without cases.
func (c Clusters) Share(hit []bool) *Estimate {
	n, k := len(hit), c.Count()
	hits := 0
	for _, h := range hit {
		if h {
			hits++
		}
	}
	if n == 0 || k == n {
		return Share(hits, n)
	}
	p := float64(hits) / float64(n)
	if hits == 0 || hits == n {
		return wilson(p, float64(k))
	}
	if k < 2 {
		return &Estimate{p, 0, 1}
	}
	residuals := make([]float64, k)
	for i, h := range hit {
		residuals[c[i]] -= p
		if h {
			residuals[c[i]]++
		}
	}
	sum := 0.0
	for _, r := range residuals {
		sum += r * r
	}
	variance := sum * float64(k) / float64(k-1) / float64(n*n)
	effect := max(1, variance/(p*(1-p)/float64(n)))
	return wilson(p, float64(n)/effect)
}
