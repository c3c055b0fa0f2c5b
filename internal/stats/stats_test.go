package stats_test

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"vitrine/internal/leak"
	"vitrine/internal/stats"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

// Worked by hand: x and y rank 1 to 5, with one pair of neighbours swapped in the
// second and ties in the third.
func TestKnownValues(t *testing.T) {
	nan := math.NaN()
	tests := map[string]struct {
		x, y                       []float64
		pearson, spearman, kendall float64
	}{
		"same":             {[]float64{1, 2, 3, 4, 5}, []float64{10, 20, 30, 40, 50}, 1, 1, 1},
		"opposite":         {[]float64{1, 2, 3}, []float64{3, 2, 1}, -1, -1, -1},
		"a swap":           {[]float64{1, 2, 3, 4, 5}, []float64{1, 3, 2, 4, 5}, 0.9, 0.9, 0.8},
		"rising, not even": {[]float64{0, 1, 2, 3}, []float64{0, 1, 4, 9}, 0.9583148474999099, 1, 1},
		"ties in both":     {[]float64{1, 2, 2, 3}, []float64{1, 1, 2, 2}, 1 / math.Sqrt2, 1 / math.Sqrt2, 3 / math.Sqrt(5*4)},
		"no relation":      {[]float64{1, 1, 2, 2}, []float64{1, 2, 1, 2}, 0, 0, 0},
		"far out":          {[]float64{1e200, 2e200, 3e200}, []float64{1, 2, 4}, 0.9819805060619657, 1, 1},
		"near 0":           {[]float64{1e-200, 2e-200, 3e-200}, []float64{1, 2, 4}, 0.9819805060619657, 1, 1},
		"at both ends":     {[]float64{-1e308, 0, 1e308}, []float64{1, 2, 4}, 0.9819805060619657, 1, 1},
		"the least":        {[]float64{5e-324, 1e-323, 15e-324}, []float64{1, 2, 4}, 0.9819805060619657, 1, 1},
		"steps far from 0": {[]float64{1e15, 1e15 + 1, 1e15 + 2}, []float64{1, 2, 4}, 0.9819805060619657, 1, 1},
		"constant":         {[]float64{1, 2, 3}, []float64{7, 7, 7}, nan, nan, nan},
		"one pair":         {[]float64{1}, []float64{2}, nan, nan, nan},
		"nothing":          {nil, nil, nan, nan, nan},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for what, got := range map[string][2]float64{
				"Pearson":     {stats.Pearson(tt.x, tt.y), tt.pearson},
				"Spearman":    {stats.Spearman(tt.x, tt.y), tt.spearman},
				"KendallTauB": {stats.KendallTauB(tt.x, tt.y), tt.kendall},
			} {
				if math.Abs(got[0]-got[1]) > 1e-12 || math.IsNaN(got[0]) != math.IsNaN(got[1]) {
					t.Errorf("%s is %v, want %v", what, got[0], got[1])
				}
			}
		})
	}
}

// Worked by hand: of 8 in 10, (0.8 + z²/20 ± z·√(0.016 + z²/400))/(1 + z²/10).
func TestSharesWorkedByHand(t *testing.T) {
	for _, tt := range []struct {
		passed, n        int
		value, low, high float64
	}{
		{8, 10, 0.8, 0.4901625, 0.9433178},
		{0, 10, 0, 0, 0.2775328},
		{10, 10, 1, 0.7224672, 1},
		{1, 1, 1, 0.2065493, 1},
	} {
		e := stats.Share(tt.passed, tt.n)
		for what, v := range map[string][2]float64{"value": {e.Value, tt.value}, "low": {e.Low, tt.low}, "high": {e.High, tt.high}} {
			if math.Abs(v[0]-v[1]) > 1e-6 {
				t.Errorf("%s of %d/%d is %v, want %v", what, tt.passed, tt.n, v[0], v[1])
			}
		}
	}
}

func TestRanksShareTies(t *testing.T) {
	if diff := cmp.Diff([]float64{3.5, 1, 3.5, 2, 5}, stats.Ranks([]float64{4, 1, 4, 2, 9})); diff != "" {
		t.Errorf("ranks (-want +got):\n%s", diff)
	}
}

// slowTauB compares all pairs, as the definition has it.
func slowTauB(x, y []float64) float64 {
	var sum, inX, inY float64
	for i := range x {
		for j := range i {
			a, b := sign(x[i]-x[j]), sign(y[i]-y[j])
			sum += a * b
			inX += a * a
			inY += b * b
		}
	}
	return sum / math.Sqrt(inX*inY)
}

func sign(v float64) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

func TestKendallIsItsDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 0))
	for range 200 {
		n := 2 + random.IntN(40)
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = float64(random.IntN(8)), float64(random.IntN(8))
		}
		got, want := stats.KendallTauB(x, y), slowTauB(x, y)
		if math.Abs(got-want) > 1e-12 || math.IsNaN(got) != math.IsNaN(want) {
			t.Fatalf("tau-b of %v and %v is %v, want %v", x, y, got, want)
		}
	}
}

func TestBootstrap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	x, y := make([]float64, 400), make([]float64, 400)
	for i := range x { // the true correlation is 0.6
		common := random.NormFloat64()
		x[i] = common
		y[i] = 0.6*common + 0.8*random.NormFloat64()
	}
	e := stats.Bootstrap(x, y, stats.Pearson, 1)
	if e.Low > 0.6 || e.High < 0.6 || e.Low >= e.Value || e.Value >= e.High {
		t.Errorf("interval %+v, want one around 0.6", e)
	}
	// Fisher's interval of a correlation of 0.6 on 400 pairs is 0.126 wide.
	if w := e.High - e.Low; math.Abs(w-0.126) > 0.03 {
		t.Errorf("the interval is %.3f wide, want about 0.126", w)
	}
	if diff := cmp.Diff(e, stats.Bootstrap(x, y, stats.Pearson, 1)); diff != "" {
		t.Errorf("the same seed gave another interval:\n%s", diff)
	}
	if again := stats.Bootstrap(x, y, stats.Pearson, 2); again.Low == e.Low {
		t.Error("another seed drew the same")
	}
}

// Newcombe 1998, Table I, gives the score intervals of 81 of 263, 15 of 148, 0 of 20 and 1 of 29.
func TestSharesHaveScoreIntervals(t *testing.T) {
	for name, c := range map[string]struct {
		hits, n int
		want    stats.Estimate
	}{
		"81 of 263": {81, 263, stats.Estimate{Value: 0.3080, Low: 0.2553, High: 0.3662}},
		"15 of 148": {15, 148, stats.Estimate{Value: 0.1014, Low: 0.0624, High: 0.1605}},
		"0 of 20":   {0, 20, stats.Estimate{Value: 0, Low: 0, High: 0.1611}},
		"1 of 29":   {1, 29, stats.Estimate{Value: 0.0345, Low: 0.0061, High: 0.1718}},
		"20 of 20":  {20, 20, stats.Estimate{Value: 1, Low: 0.8389, High: 1}},
	} {
		if diff := cmp.Diff(&c.want, stats.Share(c.hits, c.n), cmpopts.EquateApprox(0, 6e-5)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if e := stats.Share(0, 0); e != nil {
		t.Errorf("a share of nothing: %+v", e)
	}
}

func TestUndefinedIsNotANumber(t *testing.T) {
	a := stats.Agree([]float64{1, 2, 3}, []float64{5, 5, 5}, 1)
	if diff := cmp.Diff(stats.Agreement{N: 3}, a); diff != "" {
		t.Errorf("agreement with a constant (-want +got):\n%s", diff)
	}
	if a := stats.Agree(nil, nil, 1); a.Pearson != nil || a.N != 0 {
		t.Errorf("agreement of nothing: %+v", a)
	}
}
