// Package tsne lays vectors out in the plane by exact t-SNE (van der Maaten and Hinton, JMLR
// 9, 2008, section 3.4): vectors that are near to each other are near there. Far apart means
// little. Its time and memory grow with the square of the vectors: it is for some thousands.
package tsne

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// The constants are those of the paper, but for the learning rate, which is n/48 and at least
// 50 (Belkina et al. 2019), and the exaggeration of 12 in the first 250 of 1,000 rounds (van der
// Maaten, JMLR 15, 2014). Scikit-learn has the same.
const (
	perplexity   = 30.0
	exaggeration = 12.0
	early        = 250
	rounds       = 1000
	least        = 1e-12 // of a probability
)

// A Layout has the points of vectors.
type Layout struct {
	Points     [][2]float64
	Perplexity float64 // 30, and a third of the other vectors where these are fewer than 90
	KL         float64 // Kullback-Leibler divergence of the plane's neighbours from the vectors', in nats
}

// Run lays out vectors, one after the other in x, dim finite numbers each. It begins with the
// two main components and draws nothing by chance: the same vectors give the same points on one
// kind of processor, however many cores it has.
func Run(ctx context.Context, x []float32, dim int) (*Layout, error) {
	if dim < 1 || len(x)%dim != 0 {
		return nil, errors.New("tsne: vectors of one length are needed")
	}
	n := len(x) / dim
	l := &Layout{Points: make([][2]float64, n), Perplexity: min(perplexity, max(1, float64(n-1)/3))}
	if n < 2 {
		return l, nil
	}
	data := mat.NewDense(n, dim, nil)
	for i, v := range x {
		data.Set(i/dim, i%dim, float64(v))
	}
	if !l.begin(data) {
		return l, nil // all are equal
	}
	p, err := neighbours(ctx, data, l.Perplexity)
	if err != nil {
		return nil, err
	}
	return l, l.descend(ctx, p)
}

// begin puts the points where the two main components are, scaled so that the first has a
// standard deviation of 1e-4; it reports false if all vectors are equal.
func (l *Layout) begin(data *mat.Dense) bool {
	n, dim := data.Dims()
	for j := range dim { // the mean goes: what is left is not lost beside it
		column := mat.Col(nil, j, data)
		floats.AddConst(-floats.Sum(column)/float64(n), column)
		data.SetCol(j, column)
	}
	var covariance mat.SymDense
	covariance.SymOuterK(1, data.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&covariance, true) {
		return false
	}
	values := eigen.Values(nil) // in ascending order
	deviation := math.Sqrt(values[dim-1] / float64(n))
	if !(deviation > 1e-9) {
		return false
	}
	var axes mat.Dense
	eigen.VectorsTo(&axes)
	for k := range min(2, dim) {
		axis, at := axes.ColView(dim-1-k), 0
		for j := range dim { // an axis has no direction: its largest number is to be positive
			if math.Abs(axis.AtVec(j)) > math.Abs(axis.AtVec(at)) {
				at = j
			}
		}
		var along mat.VecDense
		along.MulVec(data, axis)
		for i := range n {
			l.Points[i][k] = along.AtVec(i) * math.Copysign(1e-4/deviation, axis.AtVec(at))
		}
	}
	return true
}

// neighbours are the joint probabilities of the vectors, row by row.
func neighbours(ctx context.Context, data *mat.Dense, perplexity float64) ([]float64, error) {
	n, _ := data.Dims()
	var dots mat.Dense
	dots.Mul(data, data.T())
	given := make([]float64, n*n)
	err := each(ctx, n, func(i int) {
		row := given[i*n : (i+1)*n]
		for j := range row {
			row[j] = max(0, dots.At(i, i)+dots.At(j, j)-2*dots.At(i, j))
		}
		condition(row, i, math.Log(perplexity))
	})
	for i := range n { // the matrix is made symmetric in place
		for j := range i {
			both := max(least, (given[i*n+j]+given[j*n+i])/float64(2*n))
			given[i*n+j], given[j*n+i] = both, both
		}
	}
	return given, err
}

// condition makes probabilities of the squared distances from one vector, by a Gaussian whose
// width gives them the entropy that is wanted, in nats.
func condition(row []float64, self int, entropy float64) {
	row[self] = math.Inf(1)
	distances, nearest := slices.Clone(row), slices.Min(row)
	precision, low, high := 1.0, 0.0, math.Inf(1)
	for range 100 {
		sum, mean := 0.0, 0.0
		for j, d := range distances {
			if row[j] = math.Exp(-(d - nearest) * precision); row[j] > 0 {
				sum, mean = sum+row[j], mean+row[j]*(d-nearest)
			}
		}
		floats.Scale(1/sum, row)
		off := math.Log(sum) + precision*mean/sum - entropy
		if math.Abs(off) < 1e-5 {
			return
		}
		if off < 0 {
			high = precision
		} else if low = precision; math.IsInf(high, 1) {
			precision *= 2
			continue
		}
		precision = (low + high) / 2
	}
}

// descend moves the points down the gradient, with momentum and a gain for each coordinate.
func (l *Layout) descend(ctx context.Context, p []float64) error {
	n := len(l.Points)
	rate := max(50, float64(n)/exaggeration/4)
	speed, gain := make([][2]float64, n), make([][2]float64, n)
	pull, push, sums := make([][2]float64, n), make([][2]float64, n), make([]float64, n)
	for round := 0; ; round++ {
		if round == 0 || round == early {
			for i := range gain {
				speed[i], gain[i] = [2]float64{}, [2]float64{1, 1}
			}
		}
		if err := each(ctx, n, func(i int) { pull[i], push[i], sums[i] = l.forces(p, i) }); err != nil {
			return err
		}
		stress, momentum, all := 1.0, 0.8, floats.Sum(sums)
		if round < early {
			stress, momentum = exaggeration, 0.5
		}
		if round == rounds {
			l.KL = l.divergence(p, all)
			return nil
		}
		for i := range n {
			for k := range 2 {
				slope := 4 * (stress*pull[i][k] - push[i][k]/all)
				if slope*speed[i][k] < 0 {
					gain[i][k] += 0.2
				} else {
					gain[i][k] = max(0.01, gain[i][k]*0.8)
				}
				speed[i][k] = momentum*speed[i][k] - rate*gain[i][k]*slope
				l.Points[i][k] += speed[i][k]
			}
		}
	}
}

// forces are what pulls a point to its neighbours and pushes it from all others, and the sum of
// its weights.
func (l *Layout) forces(p []float64, i int) (pull, push [2]float64, sum float64) {
	at, row := l.Points[i], p[i*len(l.Points):(i+1)*len(l.Points)]
	for j, o := range l.Points {
		dx, dy := at[0]-o[0], at[1]-o[1]
		if j == i {
			continue
		}
		w := 1 / (1 + dx*dx + dy*dy)
		near, far := row[j]*w, w*w
		pull[0], pull[1] = pull[0]+near*dx, pull[1]+near*dy
		push[0], push[1] = push[0]+far*dx, push[1]+far*dy
		sum += w
	}
	return pull, push, sum
}

// divergence is how far the plane is from the vectors.
func (l *Layout) divergence(p []float64, all float64) (kl float64) {
	n := len(l.Points)
	for i, at := range l.Points {
		for j, o := range l.Points {
			if dx, dy := at[0]-o[0], at[1]-o[1]; j != i {
				kl += p[i*n+j] * math.Log(p[i*n+j]*all*(1+dx*dx+dy*dy))
			}
		}
	}
	return kl
}

// each does work for every vector, on all cores.
func each(ctx context.Context, n int, do func(i int)) error {
	const chunk = 64
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for from := 0; from < n; from += chunk {
		workers.Go(func() error {
			for i := from; i < min(n, from+chunk); i++ {
				do(i)
			}
			return ctx.Err()
		})
	}
	return workers.Wait()
}
