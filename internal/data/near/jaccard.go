package near

import (
	"math"
	"slices"
)

// Jaccard finds the most similar of the items that were kept, by what two sets have in
// common of what they have together. Best and Similarity are safe for concurrent use,
// Keep is not.
type Jaccard struct {
	t     float64
	sets  [][]uint32 // the rarest first
	index map[uint32][]uint32
}

// NewJaccard takes ranked bags of one space, whose counts do not matter. What is less
// similar than t is not found.
func NewJaccard(bags []Bag, t float64) *Jaccard {
	j := &Jaccard{t: t, index: map[uint32][]uint32{}}
	for _, b := range bags {
		set := slices.Clone(b.IDs)
		slices.Reverse(set)
		j.sets = append(j.sets, set)
	}
	return j
}

// prefix is how many of the rarest elements two sets as similar as t cannot both have
// outside of what they have in common.
func (j *Jaccard) prefix(set []uint32) []uint32 {
	return set[:len(set)-max(int(math.Ceil(j.t*float64(len(set))-1e-9)), min(1, len(set)))+min(1, len(set))]
}

// Keep puts an item into the index.
func (j *Jaccard) Keep(item int) {
	for _, id := range j.prefix(j.sets[item]) {
		j.index[id] = append(j.index[id], uint32(item))
	}
}

// Best is the kept item that is most similar to item, the first of several; -1 where none
// is as similar as t and accepted. All are where accept is nil.
func (j *Jaccard) Best(item int, scratch *Scratch, accept func(other int) bool) (best int, similarity float64) {
	scratch.reset(len(j.sets))
	set := j.sets[item]
	for _, id := range j.prefix(set) {
		for _, other := range j.index[id] {
			if scratch.sums[other] == 0 {
				scratch.sums[other] = 1
				scratch.touched = append(scratch.touched, other)
			}
		}
	}
	best = -1
	for _, other := range scratch.touched {
		small, large := len(set), len(j.sets[other])
		if small > large {
			small, large = large, small
		}
		if float64(small) < math.Max(j.t, similarity)*float64(large)-1e-9 {
			continue
		}
		if s := j.Similarity(item, int(other)); s >= j.t && (s > similarity || s == similarity && int(other) < best) && (accept == nil || accept(int(other))) {
			best, similarity = int(other), s
		}
	}
	return best, similarity
}

// Similarity is the Jaccard index of two items, 0 where one is empty.
func (j *Jaccard) Similarity(a, b int) float64 {
	x, y := j.sets[a], j.sets[b]
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	both := 0
	for i, k := 0, 0; i < len(x) && k < len(y); {
		switch {
		case x[i] == y[k]:
			both, i, k = both+1, i+1, k+1
		case x[i] > y[k]: // the most frequent has the smallest number
			i++
		default:
			k++
		}
	}
	return float64(both) / float64(len(x)+len(y)-both)
}
