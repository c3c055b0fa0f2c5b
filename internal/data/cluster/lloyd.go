package cluster

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/blas/gonum"
)

// lloyd is the state of Lloyd's algorithm.
type lloyd struct {
	n, dim int
	x      []float32 // vectors
	xx     []float32 // their squared lengths
	c      []float32 // centres
	cc     []float32
	moved  []bool    // centres, in the last round
	of     []int32   // the centre of each vector; -1: none yet
	d      []float32 // squared distance to it, less the vector's squared length
}

// A group is vectors with the centres that they look at, and those of them that began among
// them.
type group struct {
	vectors, centres, own []int32
}

func newLloyd(x []float32, dim int) *lloyd {
	n := len(x) / dim
	l := &lloyd{n: n, dim: dim, x: x, xx: make([]float32, n), of: make([]int32, n), d: make([]float32, n)}
	for i := range l.xx {
		v := l.vector(int32(i))
		l.xx[i] = dot(v, v)
	}
	return l
}

func dot(a, b []float32) float32 { return gonum.Implementation{}.Sdot(len(a), a, 1, b, 1) }

func (l *lloyd) vector(i int32) []float32 { return l.x[int(i)*l.dim : (int(i)+1)*l.dim] }
func (l *lloyd) centre(j int32) []float32 { return l.c[int(j)*l.dim : (int(j)+1)*l.dim] }

// setCentres begins anew with centres at vectors, and gives their numbers.
func (l *lloyd) setCentres(at []int32) []int32 {
	l.c, l.cc, l.moved = make([]float32, len(at)*l.dim), make([]float32, len(at)), make([]bool, len(at))
	all := make([]int32, len(at))
	for j, i := range at {
		all[j] = int32(j)
		copy(l.centre(int32(j)), l.vector(i))
		l.cc[j], l.moved[j] = l.xx[i], true
	}
	for i := range l.of {
		l.of[i] = -1
	}
	return all
}

// run assigns and moves until nothing changes, rounds times at most.
func (l *lloyd) run(ctx context.Context, groups []group, rounds int) (int, error) {
	for round := range rounds {
		changed, err := l.assign(ctx, groups)
		if err != nil {
			return 0, err
		}
		if !changed {
			return round, nil
		}
		l.fill(groups)
		l.move()
	}
	return rounds, nil
}

// block is how many vectors are assigned at a time.
const block = 128

// assign gives each vector the nearest centre that it looks at, the first of several.
func (l *lloyd) assign(ctx context.Context, groups []group) (changed bool, err error) {
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(runtime.GOMAXPROCS(0))
	changes := make([]bool, l.n)
	for _, g := range groups {
		var moved []int32 // those that are to be looked at where a vector's own stayed
		for _, j := range g.centres {
			if l.moved[j] {
				moved = append(moved, j)
			}
		}
		for part := range slices.Chunk(g.vectors, block) {
			workers.Go(func() error {
				for _, i := range part {
					changes[i] = l.assignOne(i, g.centres, moved)
				}
				return ctx.Err()
			})
		}
	}
	if err := workers.Wait(); err != nil {
		return false, err
	}
	return slices.Contains(changes, true), nil
}

// assignOne looks at the centres that moved alone where the vector's own did not: the
// others are as far as they were.
func (l *lloyd) assignOne(i int32, all, moved []int32) bool {
	v, of, best, look := l.vector(i), l.of[i], float32(0), moved
	if of < 0 || l.moved[of] {
		of, look = -1, all
	} else {
		best = l.d[i]
	}
	for _, j := range look {
		if d := l.cc[j] - 2*dot(v, l.centre(j)); of < 0 || d < best || d == best && j < of {
			of, best = j, d
		}
	}
	was := l.of[i]
	l.of[i], l.d[i] = of, best
	return of != was
}

// fill gives each centre of a group that no vector is nearest to that one of the group's
// which is farthest from its own.
func (l *lloyd) fill(groups []group) {
	counts := make([]int, len(l.cc))
	for _, j := range l.of {
		counts[j]++
	}
	for _, g := range groups {
		var far []int32
		for _, j := range g.own {
			if counts[j] > 0 {
				continue
			}
			if far == nil {
				far = slices.Clone(g.vectors)
				slices.SortStableFunc(far, func(a, b int32) int { return cmp.Compare(l.distance(b), l.distance(a)) })
			}
			for len(far) > 0 && counts[l.of[far[0]]] < 2 {
				far = far[1:]
			}
			if len(far) == 0 || l.distance(far[0]) <= 0 {
				break
			}
			counts[l.of[far[0]]]--
			counts[j]++
			l.of[far[0]], l.d[far[0]] = j, -l.xx[far[0]] // at distance 0, where the centre moves to
			far = far[1:]
		}
	}
}

// distance is the squared one of a vector to its centre.
func (l *lloyd) distance(i int32) float32 { return l.xx[i] + l.d[i] }

// move puts each centre at the mean of its vectors. One that has none stays.
func (l *lloyd) move() {
	sums, counts := make([]float32, len(l.c)), make([]float32, len(l.cc))
	for i, j := range l.of {
		counts[j]++
		sum := sums[int(j)*l.dim : (int(j)+1)*l.dim]
		for k, v := range l.vector(int32(i)) {
			sum[k] += v
		}
	}
	for j := range l.cc {
		l.moved[j] = false
		if counts[j] == 0 {
			continue
		}
		c := l.centre(int32(j))
		for k, v := range sums[j*l.dim : (j+1)*l.dim] {
			if m := v / counts[j]; m != c[k] {
				c[k], l.moved[j] = m, true
			}
		}
		l.cc[j] = dot(c, c)
	}
}
