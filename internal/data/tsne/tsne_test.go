package tsne_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/data/tsne"
)

func layout(t *testing.T, x []float32, dim int) *tsne.Layout {
	t.Helper()
	l, err := tsne.Run(context.Background(), x, dim)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Points) != len(x)/dim || math.IsNaN(l.KL) || math.IsInf(l.KL, 0) {
		t.Fatalf("%d points of %d vectors, KL %v", len(l.Points), len(x)/dim, l.KL)
	}
	for i, p := range l.Points {
		if s := p[0] + p[1]; s-s != 0 {
			t.Fatalf("point %d is at %v", i, p)
		}
	}
	return l
}

// clouds are vectors around two places, by turns.
func clouds(n int) []float32 {
	random := rand.New(rand.NewPCG(1, 2))
	x := make([]float32, n*8)
	for i := range x {
		x[i] = float32(random.NormFloat64() * 0.1)
	}
	for i := range n {
		x[i*8+i%2] += 1
	}
	return x
}

func distance(a, b [2]float64) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }

// TestTwoCloudsAreApart: who is next to a point is of its cloud, and the middles of the clouds
// are farther apart than their points are from them.
func TestTwoCloudsAreApart(t *testing.T) {
	t.Parallel()
	const n = 120
	x := clouds(n)
	points := layout(t, x, 8).Points
	var middle [2][2]float64
	for i, p := range points {
		next, least := 0, math.Inf(1)
		for j, o := range points {
			if d := distance(p, o); j != i && d < least {
				next, least = j, d
			}
		}
		if next%2 != i%2 {
			t.Errorf("the point next to %d is %d, of the other cloud", i, next)
		}
		for k := range 2 {
			middle[i%2][k] += p[k] / (n / 2)
		}
	}
	spread := 0.0
	for i, p := range points {
		spread += distance(p, middle[i%2]) / n
	}
	if apart := distance(middle[0], middle[1]); apart < 2*spread {
		t.Errorf("the clouds are %.1f apart and their points %.1f from the middle", apart, spread)
	}
	if diff := cmp.Diff(points, layout(t, x, 8).Points); diff != "" {
		t.Errorf("again, the points are others: %s", diff)
	}
}

func TestFewAndEqualVectors(t *testing.T) {
	t.Parallel()
	for n := range 5 {
		points := layout(t, clouds(n), 8).Points
		for i, p := range points {
			for j := range i {
				if distance(p, points[j]) < 1e-3 {
					t.Errorf("of %d vectors, two that differ are at one point", n)
				}
			}
		}
	}
	layout(t, make([]float32, 50*8), 8)
	layout(t, []float32{1, 1, 1, 1, 1, 2}, 1)
	some := clouds(40)
	for i := range 20 { // half of the rows are one
		copy(some[i*8:], some[:8])
	}
	layout(t, some, 8)
	far := clouds(40)
	for k := range 8 {
		far[k] *= 1e6
	}
	layout(t, far, 8)
}

func TestWhatCannotBeLaidOut(t *testing.T) {
	t.Parallel()
	if _, err := tsne.Run(context.Background(), make([]float32, 7), 2); err == nil {
		t.Error("vectors that are cut off are laid out")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := tsne.Run(ctx, clouds(50), 8); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want an end", err)
	}
}
