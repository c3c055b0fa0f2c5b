package near

import (
	"math"
	"slices"
)

// slack covers what single precision loses: bounds are looser by it, never tighter.
const slack = 1e-5

// Cosine finds the most similar of the items that were kept, by the cosine of TF-IDF
// vectors. Best and Similarity are safe for concurrent use, Keep is not.
//
// Weights are those of scikit-learn's TfidfVectorizer as it is: raw counts times
// ln((1+n)/(1+df))+1, scaled to length 1.
type Cosine struct {
	t       float64
	ids     [][]uint32
	weights [][]float32
	index   map[uint32][]posting
	before  []float64 // by item, the length of the part that is not in the index
	out     []int     // by item, how many features that part has
}

type posting struct {
	item   uint32
	weight float32
}

// NewCosine takes ranked bags with counts of one space. What is less similar than t is
// not found.
func NewCosine(s *Space, bags []Bag, t float64) *Cosine {
	c := &Cosine{t: t, index: map[uint32][]posting{}, before: make([]float64, len(bags)), out: make([]int, len(bags))}
	for _, b := range bags {
		weights, sum := make([]float32, len(b.IDs)), 0.0
		for i, id := range b.IDs {
			w := float64(b.Counts[i]) * (math.Log(float64(1+s.n)/float64(1+s.seen[id])) + 1)
			weights[i] = float32(w)
			sum += w * w
		}
		length := float32(math.Sqrt(sum))
		for i := range weights {
			weights[i] /= length
		}
		c.ids, c.weights = append(c.ids, b.IDs), append(c.weights, weights)
	}
	return c
}

// Keep puts an item into the index. Its frequent features, up to the length t, stay out:
// who shares only these is less similar than t. From the first on that is in, all are:
// Best counts on it.
func (c *Cosine) Keep(item int) {
	sum := 0.0
	for i, id := range c.ids[item] {
		w := float64(c.weights[item][i])
		if through := sum + w*w; c.out[item] == i && math.Sqrt(through) < c.t-slack {
			sum, c.out[item] = through, i+1
			continue
		}
		c.index[id] = append(c.index[id], posting{uint32(item), c.weights[item][i]})
	}
	c.before[item] = math.Sqrt(sum)
}

// Best is the kept item that is most similar to item, the first of several; -1 where none
// is as similar as t and accepted. All are where accept is nil.
func (c *Cosine) Best(item int, scratch *Scratch, accept func(other int) bool) (best int, similarity float64) {
	scratch.reset(len(c.ids))
	ids, weights := c.ids[item], c.weights[item]
	left := 1.0 + slack // squared length of the features that are still to come
	scratch.lengths = lengths(weights, scratch.lengths)
	for i := len(ids) - 1; i >= 0; i-- {
		w := weights[i]
		fresh := math.Sqrt(left) >= c.t-slack // a new one could still reach t
		for _, p := range c.index[ids[i]] {
			if scratch.sums[p.item] == 0 {
				if !fresh {
					continue
				}
				scratch.touched = append(scratch.touched, p.item)
			}
			scratch.sums[p.item] += w * p.weight
		}
		left = math.Max(0, left-float64(w)*float64(w))
	}
	best = -1
	for _, other := range scratch.touched {
		if c.atMost(item, int(other), scratch) < math.Max(c.t, similarity)-slack {
			continue
		}
		if s := c.Similarity(item, int(other)); s >= c.t && (s > similarity || s == similarity && int(other) < best) && (accept == nil || accept(int(other))) {
			best, similarity = int(other), s
		}
	}
	return best, similarity
}

// atMost bounds the similarity of an item and a kept one whose indexed features were
// summed up: first the others by their lengths (Cauchy and Schwarz), then by what they are.
func (c *Cosine) atMost(item, other int, scratch *Scratch) float64 {
	sum, out := float64(scratch.sums[other]), c.ids[other][:c.out[other]]
	if len(out) == 0 {
		return sum
	}
	last, _ := slices.BinarySearch(c.ids[item], out[len(out)-1]+1)
	if bound := sum + c.before[other]*scratch.lengths[last]; bound < c.t-slack {
		return bound
	}
	return sum + dot(c.ids[item][:last], out, c.weights[item], c.weights[other])
}

// lengths are those of the first 0, 1, 2, … weights.
func lengths(weights []float32, into []float64) []float64 {
	into = append(into[:0], 0)
	sum := 0.0
	for _, w := range weights {
		sum += float64(w) * float64(w)
		into = append(into, math.Sqrt(sum))
	}
	return into
}

// Similarity is the cosine of two items, 0 where one has no features.
func (c *Cosine) Similarity(a, b int) float64 {
	return math.Min(1, dot(c.ids[a], c.ids[b], c.weights[a], c.weights[b]))
}

func dot(x, y []uint32, v, w []float32) float64 {
	sum := 0.0
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] == y[j]:
			sum += float64(v[i]) * float64(w[j])
			i, j = i+1, j+1
		case x[i] < y[j]:
			i++
		default:
			j++
		}
	}
	return sum
}

// Scratch is the memory of one search at a time.
type Scratch struct {
	sums    []float32
	touched []uint32
	lengths []float64
}

func (s *Scratch) reset(n int) {
	if len(s.sums) < n {
		s.sums = make([]float32, n)
	}
	for _, item := range s.touched {
		s.sums[item] = 0
	}
	s.touched = s.touched[:0]
}
