package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/stats"
)

func TestClustersAreNumberedAsTheyCome(t *testing.T) {
	if diff := cmp.Diff(stats.Clusters{0, 1, 0, 2}, stats.ClustersOf([]string{"b", "a", "b", "c"})); diff != "" {
		t.Error(diff)
	}
}

// Without a task that has two items, it is the score interval of independent ones.
func TestShareOfSingleCases(t *testing.T) {
	hit := []bool{true, false, true, true, false}
	if diff := cmp.Diff(stats.Share(3, 5), stats.Clusters{0, 1, 2, 3, 4}.Share(hit)); diff != "" {
		t.Error(diff)
	}
	if e := stats.Clusters(nil).Share(nil); e != nil {
		t.Errorf("a share of nothing: %+v", e)
	}
}

// Ten items that are all alike within five tasks are worth five.
func TestShareOfCopiesIsThatOfTasks(t *testing.T) {
	tasks := stats.Clusters{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}
	copies := tasks.Share([]bool{true, true, false, false, true, true, true, true, false, false})
	once := stats.Share(3, 5)
	if copies.Value != once.Value || copies.Low > once.Low || copies.High < once.High {
		t.Errorf("%+v, want at least as wide as %+v", copies, once)
	}
	all := tasks.Share(slices.Repeat([]bool{true}, 10))
	if want := stats.Share(5, 5); *all != *want {
		t.Errorf("where all hit it is %+v, want %+v", all, want)
	}
	if e := (stats.Clusters{0, 0}).Share([]bool{true, false}); e.Value != 0.5 || e.Low != 0 || e.High != 1 {
		t.Errorf("of one task it is %+v", e)
	}
}

// Of 2,000 sets of 40 tasks with five items each, the interval of a share covers the true
// one in 92 to 98 of 100, though items of a task go together; that of single items does not.
func TestSharesOfTasksCover(t *testing.T) {
	const sets, tasks, each, truth = 2000, 40, 5, 0.7
	var clusters stats.Clusters
	for i := range tasks * each {
		clusters = append(clusters, i/each)
	}
	hit := make([]bool, tasks*each)
	var covered, single int
	for seed := range uint64(sets) {
		random := rand.New(rand.NewPCG(seed, 7))
		hits := 0
		for task := range tasks {
			easy := random.Float64() < truth
			for i := range each {
				h := easy
				if random.Float64() < 0.4 {
					h = random.Float64() < truth
				}
				if hit[task*each+i] = h; h {
					hits++
				}
			}
		}
		if e := clusters.Share(hit); e.Low <= truth && truth <= e.High {
			covered++
		}
		if e := stats.Share(hits, len(hit)); e.Low <= truth && truth <= e.High {
			single++
		}
	}
	if covered < 0.92*sets || covered > 0.98*sets || single > 0.92*sets {
		t.Errorf("%d of %d covered, %d by single items", covered, sets, single)
	}
}

func TestResampledClusters(t *testing.T) {
	values := []float64{1, 5, 2, 4, 3, 3, 9, 1, 0, 6}
	mean := func(weights []float64) float64 {
		var sum, n float64
		for i, w := range weights {
			sum += w * values[i]
			n += w
		}
		return sum / n
	}
	apart := stats.Clusters{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}.Resample(mean, 0, 10, 1)
	cases := stats.Resample(len(values), func(drawn []int) float64 {
		sum := 0.0
		for _, i := range drawn {
			sum += values[i]
		}
		return sum / float64(len(drawn))
	}, 1)
	if diff := cmp.Diff(cases, apart); diff != "" {
		t.Errorf("single cases are drawn otherwise:\n%s", diff)
	}
	tasks := stats.Clusters{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}
	e := tasks.Resample(mean, 0, 10, 1)
	if e.Low < 3 || e.High > 5 || e.Low > 3 || e.High < 4 {
		t.Errorf("tasks with means 3, 3, 3, 5 and 3 give %+v", e)
	}
	for _, few := range []stats.Clusters{make(stats.Clusters, 10), {0, 0, 1, 1, 2, 2, 3, 3, 3, 3}} {
		if e := few.Resample(mean, 0, 10, 1); e.Low != 0 || e.High != 10 {
			t.Errorf("of %d tasks it is %+v", few.Count(), e)
		}
	}
	if none := tasks.Resample(func([]float64) float64 { return math.NaN() }, 0, 1, 1); none != nil {
		t.Errorf("undefined it is %+v", none)
	}
}

// A kappa of grades that are all different falls with every case that is drawn twice: no draw
// reaches the value, which the interval holds all the same.
func TestAnIntervalHoldsItsValue(t *testing.T) {
	var units []stats.Unit
	clusters := make(stats.Clusters, 20)
	for n := range clusters {
		clusters[n] = n
		units = append(units, stats.Unit{{Category: 2 * n, N: 1}, {Category: 2*n + 1, N: 1}})
	}
	kappa := func(weights []float64) float64 { return stats.FleissKappa(units, weights) }
	e := clusters.Resample(kappa, -1, 1, 1)
	if e == nil || e.Low >= e.Value || e.High != e.Value {
		t.Errorf("the interval of %+v", e)
	}
}
