package report

import (
	"math"
	"slices"
)

// A Mean is the mean of some rewards with its 95 % confidence interval.
//
// The interval is Student's: mean ± t(0.975, n−1) · s/√n, where s² is the sample
// variance with n−1 below the line. It takes the samples to be independent; of
// several samples of one task it promises a little too much.
type Mean struct {
	Mean *float64 `json:"mean"` // nil if N is 0
	Low  *float64 `json:"low"`  // nil if N is below 2
	High *float64 `json:"high"` // nil if N is below 2
	N    int      `json:"n"`
	// Unjudged is how many samples have no reward and are left out.
	Unjudged int `json:"unjudged"`
}

func meanOf(values []float64, unjudged int) Mean {
	m := Mean{N: len(values), Unjudged: unjudged}
	if m.N == 0 {
		return m
	}
	mean := average(values)
	m.Mean = &mean
	if m.N < 2 {
		return m
	}
	var squares float64
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	df := float64(m.N - 1)
	half := studentT975(m.N-1) * math.Sqrt(squares/df/float64(m.N))
	low, high := mean-half, mean+half
	m.Low, m.High = &low, &high
	return m
}

func average(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// studentT975 is the 0.975 quantile of Student's t with df degrees of freedom.
// The first five are from the tables; from there on the expansion in 1/df around
// the normal quantile (Abramowitz and Stegun 26.7.5) is right to three decimals.
func studentT975(df int) float64 {
	exact := []float64{12.7062, 4.3027, 3.1824, 2.7764, 2.5706}
	if df <= len(exact) {
		return exact[df-1]
	}
	const x = 1.959964 // of the normal distribution
	const x2 = x * x
	n := float64(df)
	return x + x*(x2+1)/4/n +
		x*((5*x2+16)*x2+3)/96/(n*n) +
		x*(((3*x2+19)*x2+17)*x2-15)/384/(n*n*n) +
		x*((((79*x2+776)*x2+1482)*x2-1920)*x2-945)/92160/(n*n*n*n)
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
