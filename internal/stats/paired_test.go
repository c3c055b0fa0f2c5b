package stats_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"vitrine/internal/stats"
)

// A weight says how often a pair counts: the same as to repeat it.
func TestWeightsRepeat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		grades := rapid.SliceOfN(rapid.Map(rapid.IntRange(-3, 3), func(v int) float64 { return float64(v) }), n, n)
		x, y := grades.Draw(t, "x"), grades.Draw(t, "y")
		weights := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 3), func(k int) float64 { return float64(k) }), n, n).Draw(t, "weights")
		var repeatedX, repeatedY []float64
		for i, w := range weights {
			for range int(w) {
				repeatedX, repeatedY = append(repeatedX, x[i]), append(repeatedY, y[i])
			}
		}
		p := stats.NewPaired(x, y)
		for name, pair := range map[string][2]float64{
			"Pearson":     {p.Pearson(weights), stats.Pearson(repeatedX, repeatedY)},
			"Spearman":    {p.Spearman(weights), stats.Spearman(repeatedX, repeatedY)},
			"KendallTauB": {p.KendallTauB(weights), stats.KendallTauB(repeatedX, repeatedY)},
			"error":       {stats.MeanAbsoluteError(x, y, weights), stats.MeanAbsoluteError(repeatedX, repeatedY, nil)},
		} {
			if math.IsNaN(pair[0]) != math.IsNaN(pair[1]) || math.Abs(pair[0]-pair[1]) > 1e-9 {
				t.Errorf("%s is %v with weights, %v with repeated pairs", name, pair[0], pair[1])
			}
		}
	})
}

func drawnUnits(t *rapid.T, raters int) (all []stats.Unit, weights []float64, repeated []stats.Unit) {
	for range rapid.IntRange(1, 20).Draw(t, "units") {
		u := stats.UnitOf(rapid.SliceOfN(rapid.IntRange(0, 3), raters, raters).Draw(t, "categories"))
		w := rapid.IntRange(0, 3).Draw(t, "weight")
		all, weights = append(all, u), append(weights, float64(w))
		for range w {
			repeated = append(repeated, u)
		}
	}
	return all, weights, repeated
}

func TestWeightsOfUnitsRepeat(t *testing.T) {
	values := []float64{1, 2, 4, 9}
	rapid.Check(t, func(t *rapid.T) {
		all, weights, repeated := drawnUnits(t, 3)
		pairs := map[string][2]float64{"Fleiss": {stats.FleissKappa(all, weights), stats.FleissKappa(repeated, nil)}}
		for _, scale := range []stats.Scale{stats.Nominal, stats.Ordinal, stats.Interval} {
			pairs[string(scale)] = [2]float64{
				stats.KrippendorffAlpha(all, scale, values, weights), stats.KrippendorffAlpha(repeated, scale, values, nil),
			}
		}
		for name, pair := range pairs {
			if math.IsNaN(pair[0]) != math.IsNaN(pair[1]) || math.Abs(pair[0]-pair[1]) > 1e-9 {
				t.Errorf("%s is %v with weights, %v with repeated items", name, pair[0], pair[1])
			}
		}
	})
}

// An isotonic map never falls, keeps the mean, and leaves as it is what rises already.
func TestIsotonicNeverFalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		grades := rapid.SliceOfN(rapid.Map(rapid.IntRange(-5, 5), func(v int) float64 { return float64(v) }), n, n)
		x, y := grades.Draw(t, "x"), grades.Draw(t, "y")
		steps := stats.Isotonic(x, y)
		var left, sum float64
		for i, v := range x {
			left += stats.ReadIsotonic(steps, v)
			sum += y[i]
		}
		if math.Abs(left-sum) > 1e-9 {
			t.Errorf("the sum is %v, fitted %v", sum, left)
		}
		for i := 1; i < len(steps); i++ {
			if steps[i].Y < steps[i-1].Y || steps[i].X <= steps[i-1].X {
				t.Errorf("it falls at %v: %v", steps[i].X, steps)
			}
			middle := stats.ReadIsotonic(steps, (steps[i].X+steps[i-1].X)/2)
			if math.Abs(middle-(steps[i].Y+steps[i-1].Y)/2) > 1e-9 {
				t.Errorf("between %v and %v it is %v", steps[i-1], steps[i], middle)
			}
		}
		if first, last := steps[0], steps[len(steps)-1]; stats.ReadIsotonic(steps, first.X-1) != first.Y || stats.ReadIsotonic(steps, last.X+1) != last.Y {
			t.Error("it goes on beyond its ends")
		}
	})
	if v := stats.ReadIsotonic(nil, 1); !math.IsNaN(v) {
		t.Errorf("a map without points gives %v", v)
	}
}
