package cluster_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/data/cluster"
	"vitrine/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

// clouds are n vectors of length 1 about as many centres as wanted, one cloud after the other in turn.
func clouds(n, dim, centres int, spread float64) []float32 {
	random := rand.New(rand.NewPCG(7, 7))
	middle := make([]float64, centres*dim)
	for i := range middle {
		middle[i] = random.NormFloat64()
	}
	x := make([]float32, n*dim)
	for i := range n {
		sum := 0.0
		v := make([]float64, dim)
		for k := range v {
			v[k] = middle[i%centres*dim+k] + spread*random.NormFloat64()
			sum += v[k] * v[k]
		}
		for k := range v {
			x[i*dim+k] = float32(v[k] / math.Sqrt(sum))
		}
	}
	return x
}

func run(t *testing.T, x []float32, dim, keep int) *cluster.Result {
	t.Helper()
	r, err := cluster.Run(context.Background(), x, dim, cluster.Settings{Keep: keep, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestCloudsAreFound: vectors about distant centres are one cluster each, and what is kept is
// the nearest to the mean of them.
func TestCloudsAreFound(t *testing.T) {
	t.Parallel()
	for _, n := range []int{600, 6000} { // without cells and with them
		const dim, centres = 24, 60
		x := clouds(n, dim, centres, 0.02)
		r := run(t, x, dim, centres)
		if (r.Cells > 1) != (n > 4096) || r.Clusters != centres {
			t.Fatalf("%d: %d cells, %d clusters", n, r.Cells, r.Clusters)
		}
		inertia := 0.0
		for c := range centres {
			mean := make([]float64, dim)
			for i := c; i < n; i += centres {
				for k := range dim {
					mean[k] += float64(x[i*dim+k]) / float64(n/centres)
				}
			}
			nearest, least := 0, math.Inf(1)
			for i := c; i < n; i += centres {
				d := 0.0
				for k := range dim {
					d += math.Pow(float64(x[i*dim+k])-mean[k], 2)
				}
				inertia += d
				if d < least {
					nearest, least = i, d
				}
			}
			for i := c; i < n; i += centres {
				if int(r.Kept[i]) != nearest {
					t.Fatalf("%d: of %d, %d is kept; want %d", n, i, r.Kept[i], nearest)
				}
			}
		}
		if math.Abs(r.Inertia/inertia-1) > 1e-4 {
			t.Errorf("%d: inertia %v; want %v", n, r.Inertia, inertia)
		}
	}
}

// TestHalfIsKept: of what has no clusters as many are kept as asked for, each for itself.
func TestHalfIsKept(t *testing.T) {
	t.Parallel()
	x := clouds(4200, 8, 4200, 0)
	r := run(t, x, 8, 2100)
	kept := slices.Compact(slices.Sorted(slices.Values(r.Kept)))
	if len(kept) != r.Clusters || r.Clusters != 2100 || r.Cells < 2 {
		t.Errorf("%d kept, %d clusters, %d cells", len(kept), r.Clusters, r.Cells)
	}
	for _, i := range kept {
		if r.Kept[i] != i {
			t.Errorf("%d is kept, and %d for it", i, r.Kept[i])
		}
	}
}

func TestFewDifferentVectorsAreFewClusters(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		x          []float32
		keep, want int
	}{
		"one":   {[]float32{0.6, 0.8}, 1, 1},
		"equal": {[]float32{0.6, 0.8, 0.6, 0.8, 0.6, 0.8, 0.6, 0.8}, 2, 1},
		"two":   {[]float32{0, 0, 0.6, 0.8, 0, 0, 0.6, 0.8}, 3, 2},
		"zero":  {make([]float32, 8), 2, 1},
	} {
		if r := run(t, test.x, 2, test.keep); r.Clusters != test.want || r.Inertia > 1e-12 {
			t.Errorf("%s: %d clusters with inertia %v; want %d", name, r.Clusters, r.Inertia, test.want)
		}
	}
	for _, bad := range []struct {
		x         []float32
		dim, keep int
	}{{nil, 2, 1}, {make([]float32, 3), 2, 1}, {make([]float32, 4), 2, 0}, {make([]float32, 4), 2, 3}, {make([]float32, 4), 0, 1}} {
		if _, err := cluster.Run(context.Background(), bad.x, bad.dim, cluster.Settings{Keep: bad.keep}); err == nil {
			t.Errorf("%v was clustered", bad)
		}
	}
}

// TestCoresChangeNothing is not parallel: it changes how many there are.
func TestCoresChangeNothing(t *testing.T) {
	x := clouds(5000, 8, 900, 0.3)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := run(t, x, 8, 1000)
	runtime.GOMAXPROCS(4)
	if diff := cmp.Diff(one, run(t, x, 8, 1000)); diff != "" {
		t.Error(diff)
	}
}

func TestInterruptedClusteringEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := cluster.Run(ctx, clouds(50, 4, 50, 0), 4, cluster.Settings{Keep: 20}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v; want canceled", err)
	}
}
