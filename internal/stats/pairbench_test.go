package stats_test

import (
	"math"
	"testing"

	"vitrine/internal/stats"
)

// Of four pairs two are equal, one is a point apart, and one is three.
func TestRelaxedSymmetryWorkedByHand(t *testing.T) {
	first, second := []float64{8, 5, 7, 2}, []float64{8, 5, 6, 5}
	pairs := stats.Clusters{0, 1, 2, 3}
	for epsilon, want := range map[float64]float64{0: 0.5, 0.5: 0.5, 1: 0.75, 2.9: 0.75, 3: 1} {
		if e := pairs.RelaxedSymmetry(first, second, epsilon); e.Value != want || e.Low >= want || e.High < want {
			t.Errorf("within %g it is %+v, want %g", epsilon, *e, want)
		}
		if a, b := pairs.RelaxedSymmetry(first, second, epsilon), pairs.RelaxedSymmetry(second, first, epsilon); *a != *b {
			t.Errorf("within %g the order counts: %+v and %+v", epsilon, *a, *b)
		}
	}
	if e := stats.Clusters(nil).RelaxedSymmetry(nil, nil, 1); e != nil {
		t.Errorf("of nothing it is %+v", *e)
	}
}

// Entropies of 1/2, 1/4, 1/4 and of equal shares of k grades, in bits.
func TestSmoothnessWorkedByHand(t *testing.T) {
	for name, tt := range map[string]struct {
		scores []float64
		want   float64
	}{
		"always the same":      {[]float64{7, 7, 7}, 0},
		"one score":            {[]float64{3}, 0},
		"two alike":            {[]float64{1, 10}, 1},
		"a half, two quarters": {[]float64{8, 2, 8, 5}, 1.5},
		"all ten grades":       {[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, math.Log2(10)},
	} {
		if got := stats.Smoothness(tt.scores); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %v bits, want %v", name, got, tt.want)
		}
	}
	if !math.IsNaN(stats.Smoothness(nil)) {
		t.Error("without scores there is an entropy")
	}
}
