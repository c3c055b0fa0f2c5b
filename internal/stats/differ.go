package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// A PairedTest says whether two judges differ on the same items.
type PairedTest struct {
	P         float64 `json:"p"` // two-sided
	Statistic float64 `json:"statistic"`
}

// McNemar tests whether two judges are right equally often (McNemar 1947), by the exact
// binomial test of the items on which only one is: onlyA and onlyB count those. It is that
// of statsmodels' mcnemar with exact=True; the statistic is the smaller count. P is 1 where
// there are no such items.
func McNemar(onlyA, onlyB int) PairedTest {
	less, n := min(onlyA, onlyB), onlyA+onlyB
	if n == 0 {
		return PairedTest{P: 1}
	}
	return PairedTest{P: min(1, 2*distuv.Binomial{N: float64(n), P: 0.5}.CDF(float64(less))), Statistic: float64(less)}
}

// McNemarChi2 is the same by chi-square with continuity correction (Edwards 1948),
// statsmodels' mcnemar with exact=False; ok is false without items on which one alone is right.
func McNemarChi2(onlyA, onlyB int) (t PairedTest, ok bool) {
	n := float64(onlyA + onlyB)
	if n == 0 {
		return PairedTest{}, false
	}
	d := math.Abs(float64(onlyA-onlyB)) - 1
	t.Statistic = d * d / n
	t.P = distuv.ChiSquared{K: 1}.Survival(t.Statistic)
	return t, true
}

// permutations is how many ways to swap are tried: all where there are not more.
const permutations = 9999

// Permutation tests whether the mean of differences is 0, by swapping the sign of each: all
// ways where they are at most 9,999, as SciPy's permutation_test with samples, otherwise as
// many by chance, with the one that was seen counted (Phipson and Smyth 2010). The statistic
// is the mean. ok is false without differences.
func Permutation(differences []float64, seed uint64) (t PairedTest, ok bool) {
	n := len(differences)
	if n == 0 {
		return PairedTest{}, false
	}
	seen := 0.0
	for _, d := range differences {
		seen += d
	}
	t.Statistic = seen / float64(n)
	slack := 1e-9 * math.Abs(seen) // sums in another order differ in their last digits
	extreme := func(swapped func(i int) bool) (float64, float64) {
		sum := 0.0
		for i, d := range differences {
			if swapped(i) {
				d = -d
			}
			sum += d
		}
		return indicator(sum <= seen+slack), indicator(sum >= seen-slack)
	}
	var low, high, all float64
	if n < 64 && uint64(1)<<n <= permutations {
		for way := range 1 << n {
			l, h := extreme(func(i int) bool { return way>>i&1 == 1 })
			low, high, all = low+l, high+h, all+1
		}
	} else {
		random := rand.New(rand.NewPCG(seed, 0))
		low, high, all = 1, 1, 1
		for range permutations {
			var coins uint64
			l, h := extreme(func(i int) bool {
				if i%64 == 0 {
					coins = random.Uint64()
				}
				return coins>>(i%64)&1 == 1
			})
			low, high, all = low+l, high+h, all+1
		}
	}
	t.P = min(1, 2*min(low, high)/all)
	return t, true
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Holm corrects the probabilities of several tests for being several (Holm 1979), as
// statsmodels' multipletests with holm. The answers are in the order of the tests.
func Holm(p []float64) []float64 {
	order := sorted(len(p), func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	corrected := make([]float64, len(p))
	highest := 0.0
	for before, i := range order {
		highest = max(highest, min(1, p[i]*float64(len(p)-before)))
		corrected[i] = highest
	}
	return corrected
}

// ItemsToSeparate is how many items would tell two judges apart with a power of 0.8 at
// p < 0.05, two-sided, by McNemar's test, where onlyA and onlyB are the shares of items on
// which only one is right (Connor 1987). NaN where the shares are equal: no number would.
func ItemsToSeparate(onlyA, onlyB float64) float64 {
	discordant, difference := onlyA+onlyB, onlyA-onlyB
	if difference == 0 {
		return math.NaN()
	}
	const zAlpha, zBeta = 1.959963984540054, 0.8416212335729143 // of 1 - 0.05/2 and of 0.8
	root := zAlpha*math.Sqrt(discordant) + zBeta*math.Sqrt(discordant-difference*difference)
	return math.Ceil(root * root / (difference * difference))
}

// MeanAbsoluteError is the mean distance of two lists of the same length, each pair as often
// as its weight says, if there are weights. NaN without pairs, infinite beyond the range.
func MeanAbsoluteError(x, y, weights []float64) float64 {
	n := 0.0
	for i := range x {
		n += weightOf(weights, i)
	}
	if n == 0 {
		return math.NaN()
	}
	sum := 0.0
	for i := range x { // each is divided first: the sum may be out of range where the mean is not
		sum += math.Abs(x[i]-y[i]) / n * weightOf(weights, i)
	}
	return sum
}

// A Step is a point of a monotone map.
type Step struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Isotonic is the non-decreasing map from x to y of the least squared error (pool adjacent
// violators; Ayer et al. 1955), as scikit-learn's IsotonicRegression fits it, at each
// different x in rising order.
func Isotonic(x, y []float64) []Step {
	type pool struct{ n, y, xs float64 } // how many y, their mean, how many different x
	var pools []pool
	var at []float64
	eachTie(x, sorted(len(x), func(a, b int) int { return cmp.Compare(x[a], x[b]) }), func(group []int) {
		p := pool{n: float64(len(group)), xs: 1}
		for _, i := range group {
			p.y += y[i] / p.n
		}
		at = append(at, x[group[0]])
		for len(pools) > 0 && pools[len(pools)-1].y >= p.y {
			last := pools[len(pools)-1]
			pools = pools[:len(pools)-1]
			p = pool{last.n + p.n, (last.n*last.y + p.n*p.y) / (last.n + p.n), last.xs + p.xs}
		}
		pools = append(pools, p)
	})
	steps := make([]Step, 0, len(at))
	for _, p := range pools {
		for range int(p.xs) {
			steps = append(steps, Step{at[len(steps)], p.y})
		}
	}
	return steps
}

// ReadIsotonic is the map at x: straight between its points, and constant beyond its ends,
// as scikit-learn's with out_of_bounds="clip". NaN for a map without points.
func ReadIsotonic(steps []Step, x float64) float64 {
	if len(steps) == 0 {
		return math.NaN()
	}
	i, found := slices.BinarySearchFunc(steps, x, func(s Step, x float64) int { return cmp.Compare(s.X, x) })
	switch {
	case found || i == 0:
		return steps[i].Y
	case i == len(steps):
		return steps[i-1].Y
	}
	a, b := steps[i-1], steps[i]
	return a.Y + (b.Y-a.Y)*(x-a.X)/(b.X-a.X)
}
