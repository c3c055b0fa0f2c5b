package stats

import (
	"math"
	"slices"
)

// Crossed are the answers of two raters to the same items: Crossed[i] is the category that
// each gave to item i, as numbers from 0 in the order of the categories.
type Crossed [][2]int

// CohenKappa is the agreement of two raters beyond that of chance (Cohen 1960), as
// scikit-learn's cohen_kappa_score: 1 - Σ w·observed / Σ w·expected, where w is the distance
// of two categories to the power that is given: 0 counts each disagreement alike, 1 is
// linear, 2 quadratic (Cohen 1968). Distances are between places in the order of
// the categories. It is NaN where chance alone agrees always.
func CohenKappa(items Crossed, power float64, weights []float64) float64 {
	k := 0
	for _, pair := range items {
		k = max(k, pair[0]+1, pair[1]+1)
	}
	rows, columns := make([]float64, k), make([]float64, k)
	var observed, expected, n float64
	distance := func(a, b int) float64 {
		if a == b {
			return 0
		}
		return math.Pow(math.Abs(float64(a-b)), power)
	}
	for i, pair := range items {
		w := weightOf(weights, i)
		rows[pair[0]] += w
		columns[pair[1]] += w
		n += w
		if pair[0] != pair[1] {
			observed += w * distance(pair[0], pair[1])
		}
	}
	for a := range rows {
		for b := range columns {
			expected += rows[a] * columns[b] / n * distance(a, b)
		}
	}
	if !(expected > 0) {
		return math.NaN()
	}
	return 1 - observed/expected
}

// A Unit is one item as several raters saw it: Unit[c] is how many gave it category c, or
// the c-th of the values that occur. All units of a set are of one length.
type Unit []float64

func (u Unit) ratings() (n float64) {
	for _, count := range u {
		n += count
	}
	return n
}

// FleissKappa is the agreement of several raters beyond that of chance (Fleiss 1971), as
// statsmodels' fleiss_kappa. Each item needs the same number of ratings, at least two, but
// not the same raters. It is NaN otherwise, and where only one category occurs.
func FleissKappa(units []Unit, weights []float64) float64 {
	if len(units) == 0 {
		return math.NaN()
	}
	raters := units[0].ratings()
	shares := make(Unit, len(units[0]))
	var agreement, n float64
	for i, u := range units {
		if u.ratings() != raters {
			return math.NaN()
		}
		w := weightOf(weights, i)
		n += w
		for c, count := range u {
			shares[c] += w * count
			agreement += w * count * (count - 1)
		}
	}
	agreement /= n * raters * (raters - 1)
	chance := 0.0
	for _, s := range shares {
		if s == n*raters {
			return math.NaN()
		}
		chance += s / (n * raters) * s / (n * raters)
	}
	if raters < 2 || math.IsNaN(chance) {
		return math.NaN()
	}
	return (agreement - chance) / (1 - chance)
}

// A Scale says how far apart two values are to Krippendorff's alpha.
type Scale string

// Scales, from the least that values have in common to the most.
const (
	Nominal  Scale = "nominal"  // equal or not
	Ordinal  Scale = "ordinal"  // by how many ratings lie between
	Interval Scale = "interval" // by their difference
)

// KrippendorffAlpha is 1 - observed/expected disagreement over items with at least two
// ratings (Krippendorff 2011), as the package krippendorff has it. Raters may be missing.
// The values are those that the places of the units stand for, in rising order; they are
// read on the interval scale alone. It is NaN where fewer than two values can be compared.
func KrippendorffAlpha(units []Unit, scale Scale, values, weights []float64) float64 {
	if len(units) == 0 {
		return math.NaN()
	}
	k := len(units[0])
	together := make([]float64, k*k) // the matrix of coincidences
	used := make([]int, 0, k)
	for i, u := range units {
		w, m := weightOf(weights, i), u.ratings()
		if m < 2 || w == 0 {
			continue
		}
		used = used[:0]
		for c, count := range u {
			if count > 0 {
				used = append(used, c)
			}
		}
		for _, a := range used {
			for _, b := range used {
				others := u[b]
				if a == b {
					others--
				}
				together[a*k+b] += w * u[a] * others / (m - 1)
			}
		}
	}
	totals := make([]float64, k)
	for a := range totals {
		for _, v := range together[a*k : (a+1)*k] {
			totals[a] += v
		}
	}
	return alpha(together, totals, scale, values)
}

func alpha(together, totals []float64, scale Scale, values []float64) float64 {
	k := len(totals)
	var n, observed, expected float64
	for a, total := range totals {
		n += total
		between := 0.0 // ratings of the values from a to b, both included
		for b := a; b < k; b++ {
			between += totals[b]
			if b == a {
				continue
			}
			d := 1.0
			switch scale {
			case Ordinal:
				d = between - (totals[a]+totals[b])/2
			case Interval:
				d = values[a] - values[b]
			}
			observed += together[a*k+b] * d * d
			expected += totals[a] * totals[b] * d * d
		}
	}
	if !(expected > 0) {
		return math.NaN()
	}
	return 1 - (n-1)*observed/expected
}

// weightOf is 1 where there are no weights.
func weightOf(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// Categories are the different values, sorted, and the place of each one given among them.
func Categories[T interface{ ~string | ~float64 }](given []T) (values []T, places []int) {
	values = slices.Clone(given)
	slices.Sort(values)
	values = slices.Compact(values)
	places = make([]int, len(given))
	for i, v := range given {
		places[i], _ = slices.BinarySearch(values, v)
	}
	return values, places
}
