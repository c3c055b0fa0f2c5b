package stats_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"vitrine/internal/stats"
)

func about(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 || math.IsNaN(got) != math.IsNaN(want) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// units are items with how many ratings each category has.
func units(counts [][]float64) (all []stats.Unit) {
	for _, row := range counts {
		var u stats.Unit
		for category, n := range row {
			if n > 0 {
				u = append(u, stats.Count{Category: category, N: n})
			}
		}
		all = append(all, u)
	}
	return all
}

// Of 50 items 20 are yes to both, 15 no to both, 5 and 10 to one alone: observed 0.7,
// by chance 0.5. Of grades 0, 1, 2 the weights are worked by hand.
func TestCohenWorkedByHand(t *testing.T) {
	var items stats.Crossed
	for pair, n := range map[[2]int]int{{1, 1}: 20, {0, 0}: 15, {1, 0}: 5, {0, 1}: 10} {
		items = append(items, slices.Repeat(stats.Crossed{pair}, n)...)
	}
	about(t, "kappa", stats.CohenKappa(items, 0, nil), 0.4)
	about(t, "kappa of two categories by squares", stats.CohenKappa(items, 2, nil), 0.4)
	graded := stats.Crossed{{0, 0}, {1, 1}, {2, 0}, {2, 2}} // rows 1,1,2; columns 2,1,1
	about(t, "linear kappa", stats.CohenKappa(graded, 1, nil), 1-2/((1.*1+1*2+1*2+1*1+2*2*2+2*1)/4))
	about(t, "kappa of one category", stats.CohenKappa(stats.Crossed{{0, 0}, {0, 0}}, 0, nil), math.NaN())
	about(t, "kappa of nothing", stats.CohenKappa(nil, 0, nil), math.NaN())
}

// Fleiss 1971, as it is worked in his Table 1: 10 items, 14 raters, 5 categories.
func TestFleissOfAWorkedTable(t *testing.T) {
	table := units([][]float64{
		{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1},
		{7, 7, 0, 0, 0}, {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7},
	})
	if got := stats.FleissKappa(table, nil); math.Abs(got-0.210) > 0.0005 {
		t.Errorf("kappa is %v, want 0.210", got)
	}
	about(t, "with one rating fewer", stats.FleissKappa(append(table, units([][]float64{{1, 0, 0, 0, 12}})[0]), nil), math.NaN())
	about(t, "by one rater", stats.FleissKappa(units([][]float64{{1, 0}, {0, 1}}), nil), math.NaN())
	about(t, "with one category", stats.FleissKappa(units([][]float64{{2, 0}, {2, 0}}), nil), math.NaN())
	about(t, "of nothing", stats.FleissKappa(nil, nil), math.NaN())
}

// Krippendorff 2011, example C: twelve units, four observers, values missing.
func TestAlphaOfAWorkedTable(t *testing.T) {
	table := units([][]float64{
		{3, 0, 0, 0, 0}, {0, 3, 1, 0, 0}, {0, 0, 4, 0, 0}, {0, 0, 4, 0, 0}, {0, 4, 0, 0, 0}, {1, 1, 1, 1, 0},
		{0, 0, 0, 4, 0}, {3, 1, 0, 0, 0}, {0, 4, 0, 0, 0}, {0, 0, 0, 0, 3}, {2, 0, 0, 0, 0}, {0, 0, 1, 0, 0},
	})
	values := []float64{1, 2, 3, 4, 5}
	for scale, want := range map[stats.Scale]float64{stats.Nominal: 0.743, stats.Ordinal: 0.815, stats.Interval: 0.849} {
		if got := stats.KrippendorffAlpha(table, scale, values, nil); math.Abs(got-want) > 0.0005 {
			t.Errorf("%s alpha is %v, want %v", scale, got, want)
		}
	}
	about(t, "with one value", stats.KrippendorffAlpha(units([][]float64{{2, 0}, {3, 0}}), stats.Nominal, nil, nil), math.NaN())
	about(t, "with no two ratings", stats.KrippendorffAlpha(units([][]float64{{1, 0}, {0, 1}}), stats.Nominal, nil, nil), math.NaN())
	about(t, "of nothing", stats.KrippendorffAlpha(nil, stats.Nominal, nil, nil), math.NaN())
}

// Of 8 items on which one alone is right, it is A on 1: 2 × (1 + 8)/2⁸.
func TestMcNemarWorkedByHand(t *testing.T) {
	about(t, "p", stats.McNemar(1, 7).P, 18./256)
	about(t, "p the other way", stats.McNemar(7, 1).P, 18./256)
	about(t, "p of as many", stats.McNemar(3, 3).P, 1)
	about(t, "p without a difference", stats.McNemar(0, 0).P, 1)
	chi, ok := stats.McNemarChi2(5, 15) // (10 - 1)² / 20 = 4.05
	if about(t, "chi-square", chi.Statistic, 4.05); !ok || math.Abs(chi.P-0.04417) > 1e-5 {
		t.Errorf("p is %v", chi.P)
	}
	if _, ok := stats.McNemarChi2(0, 0); ok {
		t.Error("a chi-square of nothing")
	}
}

// Of three differences the sum that was seen is the largest of eight.
func TestPermutationWorkedByHand(t *testing.T) {
	got, ok := stats.Permutation([]float64{1, 2, 3}, 1)
	if about(t, "p", got.P, 2./8); !ok || got.Statistic != 2 {
		t.Errorf("%+v", got)
	}
	if _, ok := stats.Permutation(nil, 1); ok {
		t.Error("a test of nothing")
	}
	many := slices.Repeat([]float64{1, -0.2}, 30)
	clear, _ := stats.Permutation(many, 1)
	none, _ := stats.Permutation(slices.Repeat([]float64{1, -1}, 30), 1)
	if clear.P > 0.01 || none.P < 0.8 {
		t.Errorf("p is %v with a difference, %v with none", clear.P, none.P)
	}
}

func TestHolmWorkedByHand(t *testing.T) {
	want := []float64{0.03, 0.06, 0.06, 0.02}
	if diff := cmp.Diff(want, stats.Holm([]float64{0.01, 0.04, 0.03, 0.005}), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Error(diff)
	}
	if got := stats.Holm([]float64{0.9, 0.8}); got[0] != 1 || got[1] != 1 {
		t.Errorf("corrected beyond 1: %v", got)
	}
}

// With 0.25 and 0.15 right alone: (1.96·√0.4 + 0.8416·√(0.4 - 0.01))²/0.01 = 311.6.
func TestItemsToSeparateWorkedByHand(t *testing.T) {
	about(t, "items", stats.ItemsToSeparate(0.25, 0.15), 312)
	about(t, "items the other way", stats.ItemsToSeparate(0.15, 0.25), 312)
	about(t, "items of the same", stats.ItemsToSeparate(0.2, 0.2), math.NaN())
}

// slowAlpha compares each two ratings, as the definition has it.
func slowAlpha(rows [][]float64, distance func(a, b float64, totals map[float64]float64) float64) float64 {
	totals := map[float64]float64{}
	n := 0.0
	for _, row := range rows {
		for _, v := range row {
			totals[v]++
			n++
		}
	}
	var observed, expected float64
	for _, row := range rows {
		for _, a := range row {
			for _, b := range row {
				observed += distance(a, b, totals) / float64(len(row)-1)
			}
		}
	}
	for a, t := range totals {
		for b, u := range totals {
			expected += t * u * distance(a, b, totals)
		}
	}
	return 1 - (n-1)*observed/expected
}

// Of values of which hardly one comes twice, sums give what all pairs give.
func TestAlphaOfDecimalsIsItsDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 0))
	var rows [][]float64
	var all []float64
	for range 60 {
		middle := random.NormFloat64()
		row := []float64{middle + random.NormFloat64(), math.Round(middle), middle}
		rows, all = append(rows, row), append(all, row...)
	}
	values, places := stats.Categories(all)
	var items []stats.Unit
	for i := range rows {
		items = append(items, stats.UnitOf(places[3*i:3*i+3]))
	}
	about(t, "nominal", stats.KrippendorffAlpha(items, stats.Nominal, values, nil), slowAlpha(rows, func(a, b float64, _ map[float64]float64) float64 {
		if a == b {
			return 0
		}
		return 1
	}))
	about(t, "interval", stats.KrippendorffAlpha(items, stats.Interval, values, nil), slowAlpha(rows, func(a, b float64, _ map[float64]float64) float64 { return (a - b) * (a - b) }))
	about(t, "ordinal", stats.KrippendorffAlpha(items, stats.Ordinal, values, nil), slowAlpha(rows, func(a, b float64, totals map[float64]float64) float64 {
		if a == b {
			return 0
		}
		between := -(totals[a] + totals[b]) / 2
		for v, total := range totals {
			if v >= min(a, b) && v <= max(a, b) {
				between += total
			}
		}
		return between * between
	}))
}

// Of 20,000 items each rated twice with values that occur once, a table of all values by all
// would take 10 GB: memory goes with the ratings.
func TestMemoryGoesWithRatings(t *testing.T) {
	const n = 20000
	var items []stats.Unit
	var crossed stats.Crossed
	values := make([]float64, 2*n)
	for i := range n {
		values[2*i], values[2*i+1] = float64(2*i), float64(2*i+1)
		items = append(items, stats.UnitOf([]int{2 * i, 2*i + 1}))
		crossed = append(crossed, [2]int{2 * i, 2*i + 1})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, scale := range []stats.Scale{stats.Nominal, stats.Ordinal, stats.Interval} {
		stats.KrippendorffAlpha(items, scale, values, nil)
	}
	stats.FleissKappa(items, nil)
	stats.CohenKappa(crossed, 2, nil)
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 16*8*2*n {
		t.Errorf("%d bytes for %d ratings", bytes, 2*n)
	}
}
