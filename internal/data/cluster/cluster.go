// Package cluster keeps, of many vectors, those nearest to the centres of k-means clusters
// (AesCoder, appendix B: half as many centres as instructions).
//
//	cluster.go  two levels: cells, and clusters that look into the cells around theirs
//	lloyd.go    Lloyd's algorithm, where each vector looks at some of the centres
//	seed.go     the first centres (k-means++)
package cluster

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
)

// Settings of a clustering.
type Settings struct {
	Keep int   // clusters, at most
	Seed int64 // of the first centres
}

// A Result is what came out.
type Result struct {
	// Kept has for each vector the index of the one that is kept for it: that of its
	// cluster which is nearest to the centre, of several the first.
	Kept     []int32
	Clusters int     // fewer than asked for where there are fewer different vectors
	Cells    int     // of the first level
	Rounds   int     // of Lloyd's algorithm
	Inertia  float64 // sum of the squared distances of the vectors to their centres
}

const (
	alone        = 4096 // vectors that need no cells
	cellSize     = 512  // vectors of a cell, on average
	around       = 48   // cells that a vector and a centre look into, their own among them
	trials       = 9    // vectors of which the best becomes the next of the first centres
	coarseRounds = 10
	fineRounds   = 30
)

// Run clusters vectors, one after the other in x, dim numbers each, which must be finite
// and of length 1 at most. More than 4,096 vectors are first divided into cells by k-means;
// then a vector looks only at the centres of the 48 cells nearest to its own. The same
// vectors and seed give the same result on one kind of processor, however many cores it has.
func Run(ctx context.Context, x []float32, dim int, s Settings) (*Result, error) {
	if dim < 1 || len(x)%dim != 0 || len(x) == 0 || s.Keep < 1 || s.Keep > len(x)/dim || len(x)/dim > math.MaxInt32 {
		return nil, errors.New("cluster: vectors of one length are needed, and at least as many as clusters")
	}
	l := newLloyd(x, dim)
	cells, err := l.divide(ctx, s)
	if err != nil {
		return nil, err
	}
	rounds, err := l.cluster(ctx, cells, s.Keep, trials, fineRounds, rand.New(rand.NewPCG(uint64(s.Seed), 1)))
	if err != nil {
		return nil, err
	}
	r := &Result{Cells: len(cells), Rounds: rounds}
	r.Kept, r.Clusters, r.Inertia = l.kept()
	return r, nil
}

// A cell is vectors that are near to each other, with the cells nearest to it, itself first.
type cell struct {
	vectors []int32
	near    []int32
}

// divide makes cells of the vectors by k-means with few centres.
func (l *lloyd) divide(ctx context.Context, s Settings) ([]cell, error) {
	one := []cell{{vectors: make([]int32, l.n), near: []int32{0}}}
	for i := range one[0].vectors {
		one[0].vectors[i] = int32(i)
	}
	k := (l.n + cellSize - 1) / cellSize
	if l.n <= alone || s.Keep < 2*k {
		return one, nil
	}
	if _, err := l.cluster(ctx, one, k, 1, coarseRounds, rand.New(rand.NewPCG(uint64(s.Seed), 0))); err != nil {
		return nil, err
	}
	cells, middle := make([]cell, len(l.cc)), l.c
	for i, c := range l.of {
		cells[c].vectors = append(cells[c].vectors, int32(i))
	}
	for i := range cells {
		cells[i].near = nearest(middle, l.cc, l.dim, i)
	}
	return cells, nil
}

// nearest are the cells around one, by the distances of their centres.
func nearest(middle, squares []float32, dim, to int) []int32 {
	order, distance := make([]int32, len(squares)), make([]float32, len(squares))
	for j := range order {
		order[j] = int32(j)
		distance[j] = squares[j] - 2*dot(middle[to*dim:(to+1)*dim], middle[j*dim:(j+1)*dim])
	}
	distance[to] = float32(math.Inf(-1))
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(distance[a], distance[b]) })
	return order[:min(around, len(order))]
}

// cluster runs k-means, where each vector looks at the centres of the cells around its own.
func (l *lloyd) cluster(ctx context.Context, cells []cell, keep, trials, rounds int, random *rand.Rand) (int, error) {
	first, err := l.seeds(ctx, cells, keep, trials, random)
	if err != nil {
		return 0, err
	}
	all, groups := l.setCentres(slices.Concat(first...)), make([]group, len(cells))
	own := make([][]int32, len(cells))
	for i := range cells {
		own[i], all = all[:len(first[i])], all[len(first[i]):]
	}
	for i, c := range cells {
		groups[i] = group{vectors: c.vectors, own: own[i]}
		for _, j := range c.near {
			groups[i].centres = append(groups[i].centres, own[j]...)
		}
	}
	return l.run(ctx, groups, rounds)
}

// kept are the vectors that are kept, the clusters that have any, and the inertia.
func (l *lloyd) kept() (kept []int32, clusters int, inertia float64) {
	best, least := make([]int32, len(l.cc)), make([]float64, len(l.cc))
	for i := range l.cc {
		best[i] = -1
	}
	for i, c := range l.of {
		d := 0.0
		for k, v := range l.vector(int32(i)) {
			e := float64(v) - float64(l.centre(c)[k])
			d += e * e
		}
		inertia += d
		if best[c] < 0 {
			clusters++
		}
		if best[c] < 0 || d < least[c] {
			best[c], least[c] = int32(i), d
		}
	}
	kept = make([]int32, l.n)
	for i, c := range l.of {
		kept[i] = best[c]
	}
	return kept, clusters, inertia
}
