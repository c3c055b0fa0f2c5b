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
// linear, 2 quadratic (Cohen 1968), and there are no others. Distances are between places in the order of
// the categories. It is NaN where chance alone agrees always.
func CohenKappa(items Crossed, power float64, weights []float64) float64 {
	k := 0
	for _, pair := range items {
		k = max(k, pair[0]+1, pair[1]+1)
	}
	rows, columns := make([]float64, k), make([]float64, k)
	var observed, n float64
	for i, pair := range items {
		w := weightOf(weights, i)
		rows[pair[0]] += w
		columns[pair[1]] += w
		n += w
		if pair[0] != pair[1] {
			observed += w * math.Pow(math.Abs(float64(pair[0]-pair[1])), power)
		}
	}
	expected := byChance(rows, columns, n, power)
	if !(expected > 0) {
		return math.NaN()
	}
	return 1 - observed/expected
}

// byChance is Σ rows[a]·columns[b]·|a - b|^power / n, in as many steps as there are
// categories: both sum to n.
func byChance(rows, columns []float64, n, power float64) (sum float64) {
	switch power {
	case 0:
		same := 0.0
		for c, r := range rows {
			same += r * columns[c]
		}
		return (n*n - same) / n
	case 1: // |a - b| is how many steps from one category to the next lie between
		var r, c float64
		for at := range rows {
			r, c = r+rows[at], c+columns[at]
			sum += r*(n-c) + c*(n-r)
		}
		return sum / n
	case 2:
		middleR, squaresR := spread(rows, nil)
		middleC, squaresC := spread(columns, nil)
		return squaresR + squaresC + n*(middleR-middleC)*(middleR-middleC)
	}
	return math.NaN()
}

// spread is the mean and the sum of squared distances from it of places that count as often
// as is said: of their numbers, or of what stands at them in values.
func spread(counts, values []float64) (middle, squares float64) {
	at := func(place int) float64 {
		if values == nil {
			return float64(place)
		}
		return values[place]
	}
	n := 0.0
	for place, count := range counts {
		n += count
		middle += count * at(place)
	}
	middle /= n
	for place, count := range counts {
		squares += count * (at(place) - middle) * (at(place) - middle)
	}
	return middle, squares
}

// A Unit is one item as several raters saw it: how many gave it which category, of those that
// anyone gave it, in rising order. It is as long as there are different ratings of the item,
// so that values of which each occurs once, such as grades with decimals, take no more.
type Unit []Count

// A Count is how many ratings of an item are of the category, or the value, of a number from 0.
type Count struct {
	Category int
	N        float64
}

// UnitOf counts the categories that were given to an item, and changes their order.
func UnitOf(given []int) (u Unit) {
	slices.Sort(given)
	for n, category := range given {
		if n > 0 && category == given[n-1] {
			u[len(u)-1].N++
			continue
		}
		u = append(u, Count{category, 1})
	}
	return u
}

func (u Unit) ratings() (n float64) {
	for _, c := range u {
		n += c.N
	}
	return n
}

// categories is one more than the highest that occurs.
func categories(units []Unit) (k int) {
	for _, u := range units {
		if len(u) > 0 {
			k = max(k, u[len(u)-1].Category+1)
		}
	}
	return k
}

// FleissKappa is the agreement of several raters beyond that of chance (Fleiss 1971), as
// statsmodels' fleiss_kappa. Each item needs the same number of ratings, at least two, but
// not the same raters. It is NaN otherwise, and where only one category occurs.
func FleissKappa(units []Unit, weights []float64) float64 {
	if len(units) == 0 {
		return math.NaN()
	}
	raters := units[0].ratings()
	shares := make([]float64, categories(units))
	var agreement, n float64
	for i, u := range units {
		if u.ratings() != raters {
			return math.NaN()
		}
		w := weightOf(weights, i)
		n += w
		for _, c := range u {
			shares[c.Category] += w * c.N
			agreement += w * c.N * (c.N - 1)
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
// The values are those that the categories of the units stand for, in rising order; they are
// read on the interval scale alone. It is NaN where fewer than two values can be compared.
//
// It takes as many steps as there are ratings and values. Of places on a line the squared
// distances of each two of n sum to n times those from their mean; the ordinal scale is
// such a line, too, on which a value stands in the middle of its ratings in rising order.
func KrippendorffAlpha(units []Unit, scale Scale, values, weights []float64) float64 {
	totals := make([]float64, categories(units))
	n := 0.0
	for i, u := range units {
		w, m := weightOf(weights, i), u.ratings()
		if m < 2 {
			continue
		}
		n += w * m
		for _, c := range u {
			totals[c.Category] += w * c.N
		}
	}
	different := 0
	for _, total := range totals {
		if total > 0 {
			different++
		}
	}
	if different < 2 {
		return math.NaN()
	}
	if scale == Nominal {
		return nominalAlpha(units, weights, totals, n)
	}
	places := values
	if scale == Ordinal {
		places = make([]float64, len(totals))
		before := 0.0
		for a, total := range totals {
			places[a] = before + total/2
			before += total
		}
	}
	observed := 0.0
	for i, u := range units {
		if m := u.ratings(); len(u) > 1 {
			observed += weightOf(weights, i) * m / (m - 1) * u.squares(places)
		}
	}
	_, expected := spread(totals, places)
	return 1 - (n-1)*observed/(n*expected)
}

// squares is the sum of squared distances of the ratings' places from their mean.
func (u Unit) squares(places []float64) (sum float64) {
	middle := 0.0
	for _, c := range u {
		middle += c.N * places[c.Category]
	}
	middle /= u.ratings()
	for _, c := range u {
		sum += c.N * (places[c.Category] - middle) * (places[c.Category] - middle)
	}
	return sum
}

// nominalAlpha counts pairs that differ: all less those of the same value.
func nominalAlpha(units []Unit, weights, totals []float64, n float64) float64 {
	observed, expected := 0.0, n*n
	for i, u := range units {
		if len(u) < 2 {
			continue
		}
		m := u.ratings()
		differ := m * m
		for _, c := range u {
			differ -= c.N * c.N
		}
		observed += weightOf(weights, i) * differ / (m - 1)
	}
	for _, total := range totals {
		expected -= total * total
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
