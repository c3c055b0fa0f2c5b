package calibrate

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// lambdas are the penalties that a fit chooses from, strongest first, in units of
// the variance of a check.
var lambdas = []float64{10, 5, 2.5, 1.2, 0.6, 0.3, 0.15, 0.08, 0.04, 0.02, 0.01, 0.005, 0.002}

// handLambda keeps the weight of the hand-set roll-up finite where it is all but
// the same as a check.
const handLambda = 1e-3

// A model is a fit on some rows. Column 0 is the hand-set roll-up, the others are
// the checks.
type model struct {
	lambda    float64
	intercept float64
	weights   []float64
	typical   []float64
	isotonic  []Point
	low, high float64 // ratings of the rows: the scale
}

func (r *Row) column(j int) float64 {
	if j == 0 {
		return r.Hand
	}
	return r.Scores[j-1]
}

// fit chooses the penalty by cross-validation within the sample, bends the map to
// what that says, and fits the weights on all of it.
func (s sample) fit(random *rand.Rand) model {
	said, lambda := s.choose(random)
	m := s.moments().solve(lambda)
	m.isotonic = s.isotonic(said)
	m.low, m.high = s[0].Rating, s[0].Rating
	for _, r := range s {
		m.low, m.high = min(m.low, r.Rating), max(m.high, r.Rating)
	}
	return m
}

// choose returns the penalty with the least squared error out of fold, and what the
// fits with it say of each row out of fold.
func (s sample) choose(random *rand.Rand) (said []float64, lambda float64) {
	rows := make([]Row, len(s))
	for i, r := range s {
		rows[i] = *r
	}
	folds := split(rows, innerFolds, random)
	all := make([][]float64, len(lambdas))
	for l := range all {
		all[l] = make([]float64, len(s))
	}
	for k := range innerFolds {
		train, test := parts(rows, folds, k)
		if len(test) == 0 || len(train) == 0 {
			continue
		}
		moments := train.moments()
		for l, lambda := range lambdas {
			m := moments.solve(lambda)
			for _, i := range test {
				all[l][i] = m.sum(&rows[i])
			}
		}
	}
	best := 0
	for l := range lambdas {
		if s.error(all[l]) < s.error(all[best]) {
			best = l
		}
	}
	return all[best], lambdas[best]
}

// error is the squared error of what was said, weighted.
func (s sample) error(said []float64) (sum float64) {
	for i, r := range s {
		sum += r.Weight * (said[i] - r.Rating) * (said[i] - r.Rating)
	}
	return sum
}

// moments are all that a fit needs to know of its rows.
type moments struct {
	mean, spread []float64   // of each column; spread 0: nothing to learn from it
	gram         [][]float64 // correlations of the columns
	target       []float64   // covariance of each column, in spreads, with the rating
	rating       float64     // mean
}

func (s sample) moments() *moments {
	columns := 1 + len(s[0].Scores)
	m := &moments{mean: make([]float64, columns), spread: make([]float64, columns), target: make([]float64, columns), gram: make([][]float64, columns)}
	var weights float64
	for _, r := range s {
		m.rating += r.Weight * r.Rating
		weights += r.Weight
	}
	m.rating /= weights
	standard := make([][]float64, columns)
	for j := range columns {
		standard[j] = s.standardise(j, m)
		m.gram[j] = make([]float64, columns)
	}
	for j := range columns {
		for k := range j + 1 {
			for i, r := range s {
				m.gram[j][k] += r.Weight / weights * standard[j][i] * standard[k][i]
			}
			m.gram[k][j] = m.gram[j][k]
		}
		for i, r := range s {
			m.target[j] += r.Weight / weights * standard[j][i] * (r.Rating - m.rating)
		}
	}
	return m
}

// standardise returns column j with mean 0 and spread 1; what is missing is at the
// mean. It notes mean and spread.
func (s sample) standardise(j int, m *moments) []float64 {
	var sum, weights, squares float64
	for _, r := range s {
		if v := r.column(j); !math.IsNaN(v) {
			sum += r.Weight * v
			weights += r.Weight
		}
	}
	out := make([]float64, len(s))
	if weights == 0 {
		return out
	}
	m.mean[j] = sum / weights
	weights = 0
	for i, r := range s {
		if v := r.column(j); !math.IsNaN(v) {
			out[i] = v - m.mean[j]
		}
		squares += r.Weight * out[i] * out[i]
		weights += r.Weight
	}
	if m.spread[j] = math.Sqrt(squares / weights); m.spread[j] < 1e-6 {
		m.spread[j] = 0
		clear(out)
		return out
	}
	for i := range out {
		out[i] /= m.spread[j]
	}
	return out
}

// solve finds the weights of 0 or more with the least squared error and penalty, by
// coordinate descent: the problem is convex, so where no single weight can be
// bettered, none together can.
func (m *moments) solve(lambda float64) model {
	b := make([]float64, len(m.mean))
	for range 2000 {
		var moved float64
		for j := range b {
			if m.spread[j] == 0 {
				continue
			}
			rest := m.target[j]
			for k := range b {
				if k != j {
					rest -= m.gram[j][k] * b[k]
				}
			}
			penalty := lambda
			if j == 0 {
				penalty = handLambda
			}
			next := max(0, rest/(m.gram[j][j]+penalty))
			moved = max(moved, math.Abs(next-b[j]))
			b[j] = next
		}
		if moved < 1e-9 {
			break
		}
	}
	out := model{lambda: lambda, intercept: m.rating, weights: b, typical: m.mean}
	for j := range b {
		if m.spread[j] > 0 {
			b[j] /= m.spread[j]
		}
		out.intercept -= b[j] * m.mean[j]
	}
	return out
}

// sum is what the weights say of a row, before the map.
func (m model) sum(r *Row) float64 {
	sum := m.intercept
	for j, w := range m.weights {
		v := r.column(j)
		if math.IsNaN(v) {
			v = m.typical[j]
		}
		sum += w * v
	}
	return sum
}

func (m model) predict(r *Row) float64 {
	return max(m.low, min(m.high, at(m.isotonic, m.sum(r))))
}

func (m model) calibration(checks []string) *Calibration {
	p := &Calibration{Lambda: m.lambda, Intercept: m.intercept, Hand: m.weights[0], Map: m.isotonic}
	for j, id := range checks {
		p.Checks = append(p.Checks, Weight{id, m.weights[j+1], clamp(m.typical[j+1])})
	}
	return p
}

// clamp guards against a mean that rounding puts a hair outside of [0,1].
func clamp(x float64) float64 { return max(0, min(1, x)) }

// isotonicRows is how many rows stand behind a point of the map.
const isotonicRows = 25

// isotonic makes the map from what was said out of fold to the ratings: means of
// neighbours, pooled where they would fall (isotonic regression; Ayer et al. 1955).
func (s sample) isotonic(said []float64) []Point {
	order := make([]int, len(s))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(said[a], said[b]) })
	var pools []pool
	bins := max(2, min(8, len(s)/isotonicRows))
	for k := range bins {
		var p pool
		for _, i := range order[k*len(order)/bins : (k+1)*len(order)/bins] {
			p = p.join(pool{s[i].Weight, said[i], s[i].Rating})
		}
		pools = append(pools, p)
		for n := len(pools); n > 1 && (pools[n-2].rating >= pools[n-1].rating || pools[n-2].said >= pools[n-1].said); n = len(pools) {
			pools = append(pools[:n-2], pools[n-2].join(pools[n-1]))
		}
	}
	if len(pools) == 1 { // nothing was learnt: everything is the mean
		return []Point{{pools[0].said, pools[0].rating}, {pools[0].said + 1, pools[0].rating}}
	}
	points := make([]Point, len(pools))
	for i, p := range pools {
		points[i] = Point{p.said, p.rating}
	}
	return points
}

// A pool is some rows and the means of what was said of them and of their ratings.
type pool struct{ weight, said, rating float64 }

func (p pool) join(o pool) pool {
	w := p.weight + o.weight
	return pool{w, (p.weight*p.said + o.weight*o.said) / w, (p.weight*p.rating + o.weight*o.rating) / w}
}

// at reads a map: straight between points, and on beyond the ends.
func at(points []Point, x float64) float64 {
	i := 1
	for i < len(points)-1 && x > points[i].Sum {
		i++
	}
	a, b := points[i-1], points[i]
	return a.Rating + (b.Rating-a.Rating)*(x-a.Sum)/(b.Sum-a.Sum)
}
