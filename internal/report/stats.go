package report

import (
	"math"
	"slices"

	"vitrine/internal/stats"
)

// A Mean is the mean of some rewards with its 95 % confidence interval.
//
// The interval is the percentile bootstrap's: between the 2.5 % and the 97.5 %
// quantile of the means of [stats.Resamples] draws with replacement, always from
// the same seed. It lies between the lowest and the highest reward, so it never
// leaves the recipe's scale. It takes the samples to be independent, and of few of
// them it promises a little too much.
type Mean struct {
	Mean *float64 `json:"mean"` // nil if N is 0
	Low  *float64 `json:"low"`  // nil if N is below 2
	High *float64 `json:"high"` // nil if N is below 2
	// Interval names how Low and High were made; empty without them.
	Interval string `json:"interval,omitempty"`
	N        int    `json:"n"`
	// Unjudged is how many samples have no reward and are left out.
	Unjudged int `json:"unjudged"`
}

// interval is the name of the intervals of means.
const interval = "95 % percentile bootstrap"

func meanOf(values []float64, unjudged int) Mean {
	m := Mean{N: len(values), Unjudged: unjudged}
	if m.N == 0 {
		return m
	}
	least, most := slices.Min(values), slices.Max(values)
	mean := func(v, _ []float64) float64 { return max(least, min(most, average(v))) } // rounding must not leave the scale
	e := stats.Bootstrap(values, values, mean, 1)
	m.Mean = &e.Value
	if m.N > 1 {
		m.Low, m.High, m.Interval = &e.Low, &e.High, interval
	}
	return m
}

func average(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// quantile is the nearest-rank quantile of sorted values: the smallest value
// with at least the share q of all values at or below it.
func quantile(sorted []float64, q float64) float64 {
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}

// A StageTime is how long one stage took over the samples that it worked on.
// Samples that it had nothing to do for, or that the cache answered, are left
// out: their time says nothing about the stage.
type StageTime struct {
	Stage  string  `json:"stage"`
	N      int     `json:"n"`
	Cached int     `json:"cached"` // answered from the cache
	MeanMS float64 `json:"mean_ms"`
	P50MS  float64 `json:"p50_ms"` // nearest rank
	P95MS  float64 `json:"p95_ms"` // nearest rank
}

func stageTime(stage string, times []float64, cached int) StageTime {
	t := StageTime{Stage: stage, N: len(times), Cached: cached}
	if len(times) > 0 {
		slices.Sort(times)
		t.MeanMS, t.P50MS, t.P95MS = average(times), quantile(times, 0.5), quantile(times, 0.95)
	}
	return t
}
