package stats

import (
	"cmp"
	"math"
)

// Paired are two lists of numbers of the same length, sorted once, of which correlations
// are computed under many weights. Weights say how often each pair counts, and may be 0.
type Paired struct {
	x, y           []float64
	byX, byY       []int // the pairs in rising order of x, of y
	rankY          []int // the place of each y among the different ones, from 0
	different      int   // values of y
	ranksX, ranksY []float64
	tree           []float64
}

// NewPaired sorts two lists of the same length.
func NewPaired(x, y []float64) *Paired {
	p := &Paired{
		x: x, y: y, rankY: make([]int, len(y)), ranksX: make([]float64, len(x)), ranksY: make([]float64, len(y)),
		byX: sorted(len(x), func(a, b int) int { return cmp.Compare(x[a], x[b]) }),
		byY: sorted(len(y), func(a, b int) int { return cmp.Compare(y[a], y[b]) }),
	}
	for at, i := range p.byY {
		if at == 0 || y[i] != y[p.byY[at-1]] {
			p.different++
		}
		p.rankY[i] = p.different - 1
	}
	p.tree = make([]float64, p.different+1)
	return p
}

// Pearson is [Pearson] of the pairs, each as often as its weight says.
func (p *Paired) Pearson(weights []float64) float64 { return weighted(p.x, p.y, weights) }

// Spearman is [Spearman] of the pairs, each as often as its weight says.
func (p *Paired) Spearman(weights []float64) float64 {
	rank(p.ranksX, p.x, p.byX, weights)
	rank(p.ranksY, p.y, p.byY, weights)
	return weighted(p.ranksX, p.ranksY, weights)
}

// KendallTauB is [KendallTauB] of the pairs, each as often as its weight says, in n·log n
// steps: a tree of sums (Fenwick 1994) over y counts what came before in x.
func (p *Paired) KendallTauB(weights []float64) float64 {
	clear(p.tree)
	var seen, inOrder, tiedX, tiedY float64
	eachTie(p.x, p.byX, func(group []int) {
		size := 0.0
		for _, i := range group {
			below, upTo := p.before(p.rankY[i]), p.before(p.rankY[i]+1)
			inOrder += weights[i] * (below - (seen - upTo))
		}
		for _, i := range group {
			p.add(p.rankY[i], weights[i])
			size += weights[i]
		}
		seen += size
		tiedX += size * (size - 1) / 2
	})
	eachTie(p.y, p.byY, func(group []int) {
		size := 0.0
		for _, i := range group {
			size += weights[i]
		}
		tiedY += size * (size - 1) / 2
	})
	all := seen * (seen - 1) / 2
	if seen < 2 || tiedX == all || tiedY == all {
		return math.NaN()
	}
	return max(-1, min(1, inOrder/math.Sqrt(all-tiedX)/math.Sqrt(all-tiedY)))
}

// before is the weight of the values of y of lower rank that were added.
func (p *Paired) before(rank int) (sum float64) {
	for ; rank > 0; rank &= rank - 1 {
		sum += p.tree[rank]
	}
	return sum
}

func (p *Paired) add(rank int, weight float64) {
	for rank++; rank < len(p.tree); rank += rank & -rank {
		p.tree[rank] += weight
	}
}

// rank writes the ranks of values that count as often as their weights say; equal values
// share the mean of their ranks.
func rank(ranks, values []float64, order []int, weights []float64) {
	before := 0.0
	eachTie(values, order, func(group []int) {
		size := 0.0
		for _, i := range group {
			size += weights[i]
		}
		for _, i := range group {
			ranks[i] = before + (size+1)/2
		}
		before += size
	})
}

// eachTie calls what is given with each run of equal values.
func eachTie(values []float64, order []int, do func(group []int)) {
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		do(order[from:to])
		from = to
	}
}

// weighted is the product-moment correlation under weights, if there are any; NaN where a
// list is constant over what has a weight, and where it cannot be computed.
func weighted(x, y, weights []float64) float64 {
	byX, middleX, n := center(x, weights)
	byY, middleY, _ := center(y, weights)
	var sumX, sumY, squaresX, squaresY, products float64
	for i := range x {
		w := weightOf(weights, i)
		if w == 0 {
			continue
		}
		dx, dy := x[i]*byX-middleX, y[i]*byY-middleY
		sumX, sumY = sumX+w*dx, sumY+w*dy
		squaresX, squaresY, products = squaresX+w*dx*dx, squaresY+w*dy*dy, products+w*dx*dy
	}
	squaresX, squaresY, products = squaresX-sumX*sumX/n, squaresY-sumY*sumY/n, products-sumX*sumY/n // what the means are off
	return max(-1, min(1, products/math.Sqrt(squaresX*squaresY)))
}

// center gives a power of two by which all values come to lie within 1 of 0, so that no
// square of them is out of range and no digit is lost, their mean times it, and how many they
// are. The mean is NaN where they are constant.
func center(values, weights []float64) (by, middle, n float64) {
	largest, first, differ := 0.0, math.NaN(), false
	for i, v := range values {
		w := weightOf(weights, i)
		if w == 0 {
			continue
		}
		if n == 0 {
			first = v
		}
		n += w
		differ = differ || v != first
		largest = max(largest, math.Abs(v))
	}
	if !differ {
		return 1, math.NaN(), n
	}
	_, exponent := math.Frexp(largest)
	by = math.Ldexp(1, min(1000, -exponent))
	for i, v := range values {
		if w := weightOf(weights, i); w > 0 {
			middle += w * (v * by)
		}
	}
	return by, middle / n, n
}
