package grpo_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vitrine/internal/grpo"
	"vitrine/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

// drawRewards are those of one group: some not judged, some the same.
func drawRewards(t *rapid.T) []*float64 {
	return rapid.SliceOfN(rapid.Ptr(rapid.OneOf(rapid.Float64Range(-1, 100), rapid.SampledFrom([]float64{0, 1})), true), 0, 12).Draw(t, "rewards")
}

func judged(rewards []*float64, advantages []float64) (sum, squares float64, n int) {
	for i, r := range rewards {
		if r != nil {
			sum += advantages[i]
			squares += advantages[i] * advantages[i]
			n++
		}
	}
	return sum, squares, n
}

func TestGroupAdvantagesHaveMean0AndSpread1(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rewards := drawRewards(t)
		got := grpo.GroupStandardised(rewards)
		for i, r := range rewards {
			if r == nil && got[i] != 0 {
				t.Fatalf("an unjudged output has advantage %v", got[i])
			}
		}
		sum, squares, n := judged(rewards, got)
		if math.Abs(sum) > 1e-6 || squares != 0 && math.Abs(squares/float64(n)-1) > 1e-6 {
			t.Fatalf("advantages %v: sum %v, squares %v of %d", got, sum, squares, n)
		}
	})
}

func TestAdvantagesDoNotDependOnScaleOrOnTheUnjudged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rewards := drawRewards(t)
		factor, shift := rapid.Float64Range(0.5, 20).Draw(t, "factor"), rapid.Float64Range(-5, 5).Draw(t, "shift")
		var moved []*float64
		for _, r := range rewards {
			moved = append(moved, nil)
			if r != nil {
				moved = append(moved, new(*r*factor+shift))
			}
		}
		want, got := grpo.GroupStandardised(rewards), grpo.GroupStandardised(moved)
		k := 0
		for i, r := range rewards {
			k++
			if r == nil {
				continue
			}
			if math.Abs(want[i]-got[k]) > 1e-5 && spread(rewards) > 1e-6 {
				t.Fatalf("advantage %d: %v, and %v after moving", i, want[i], got[k])
			}
			k++
		}
	})
}

// spread is the distance of the extreme rewards.
func spread(rewards []*float64) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, r := range rewards {
		if r != nil {
			lo, hi = min(lo, *r), max(hi, *r)
		}
	}
	return hi - lo
}

func TestBatchAdvantagesAreBoundedAndKeepTheOrderOfAGroup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		groups := rapid.SliceOfN(rapid.Custom(drawRewards), 0, 6).Draw(t, "groups")
		got := grpo.BatchStandardised(groups, 2)
		for g, rewards := range groups {
			for i, r := range rewards {
				if math.Abs(got[g][i]) > 2 || r == nil && got[g][i] != 0 {
					t.Fatalf("advantage %v of %v", got[g][i], r)
				}
				for j, o := range rewards {
					if r != nil && o != nil && *r < *o && got[g][i] > got[g][j] {
						t.Fatalf("%v < %v, but their advantages are %v and %v", *r, *o, got[g][i], got[g][j])
					}
				}
			}
		}
	})
}

func TestEqualRewardsTeachNothing(t *testing.T) {
	// 0.1 + 0.2 is not 0.3 in floating point, but no output is better for it.
	a, b := 0.1, 0.2
	rewards := []*float64{new(0.3), new(a + b), nil}
	for _, got := range [][]float64{grpo.GroupStandardised(rewards), grpo.BatchStandardised([][]*float64{rewards}, 2)[0]} {
		if got[0] != 0 || got[1] != 0 || got[2] != 0 {
			t.Errorf("got %v, want zeros", got)
		}
	}
}

func TestRewardsThatAreNoNumbersAreUnjudged(t *testing.T) {
	got := grpo.GroupStandardised([]*float64{new(math.NaN()), new(1.0), new(math.Inf(1)), new(3.0)})
	if want := "[0 -1 0 1]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if g := grpo.Describe([]grpo.Member{{Reward: new(math.NaN())}}); g.Unjudged != 1 || g.Mean != nil {
		t.Errorf("got %+v, want one unjudged", g)
	}
}

func TestHugeRewardsDoNotOverflow(t *testing.T) {
	got := grpo.GroupStandardised([]*float64{new(0.0), new(1e300)})
	if fmt.Sprint(got) != "[-1 1]" {
		t.Errorf("got %v", got)
	}
}

func TestPerTokenLeavesTheCriticOut(t *testing.T) {
	if got := grpo.PerToken(1.5, []bool{false, true, false}); fmt.Sprint(got) != "[1.5 0 1.5]" {
		t.Errorf("got %v", got)
	}
}

// drawTrajectory is one output with a mask.
func drawTrajectory(t *rapid.T) grpo.Trajectory {
	n := rapid.IntRange(0, 12).Draw(t, "tokens")
	logs := rapid.SliceOfN(rapid.Float64Range(-8, 0), n, n)
	return grpo.Trajectory{
		Advantage: rapid.Float64Range(-2, 2).Draw(t, "advantage"),
		Policy:    logs.Draw(t, "policy"), Old: logs.Draw(t, "old"), Ref: logs.Draw(t, "ref"),
		Critic: rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "critic"),
	}
}

func drawObjective(t *rapid.T) grpo.Objective {
	return grpo.Objective{
		Mean:    rapid.SampledFrom([]grpo.Mean{grpo.PerSample, grpo.TokenMean}).Draw(t, "mean"),
		Epsilon: rapid.Float64Range(0, 0.9).Draw(t, "ε"), Beta: rapid.Float64Range(0, 1).Draw(t, "β"),
		CountCritic: rapid.Bool().Draw(t, "count critic"),
	}
}

func value(t *rapid.T, o grpo.Objective, group []grpo.Trajectory) grpo.Value {
	v, err := o.Value(group)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestCriticTokensNeverMoveTheObjective(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, group := drawObjective(t), rapid.SliceOfN(rapid.Custom(drawTrajectory), 0, 5).Draw(t, "group")
		before := value(t, o, group)
		for _, tr := range group {
			for i := range tr.Critic {
				if tr.Critic[i] {
					tr.Policy[i], tr.Ref[i] = -100, -200
				}
			}
		}
		if after := value(t, o, group); after != before {
			t.Fatalf("got %+v, want %+v", after, before)
		}
	})
}

func TestKLIsNeverNegativeAndClippingNeverHelps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, group := drawObjective(t), rapid.SliceOfN(rapid.Custom(drawTrajectory), 0, 5).Draw(t, "group")
		wide := o
		wide.Epsilon = 1e9
		held, free := value(t, o, group), value(t, wide, group)
		if held.KL < 0 || held.Clipped < 0 || held.Clipped > 1 {
			t.Fatalf("got %+v", held)
		}
		if o.Epsilon <= 1 && held.Surrogate > free.Surrogate+1e-9 {
			t.Fatalf("clipped %v is more than unclipped %v", held.Surrogate, free.Surrogate)
		}
	})
}

func TestBothMeansAgreeOnOutputsOfOneLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var group []grpo.Trajectory
		for range rapid.IntRange(1, 4).Draw(t, "outputs") {
			tr := drawTrajectory(t)
			for len(tr.Policy) == 0 {
				tr = drawTrajectory(t)
			}
			group = append(group, grpo.Trajectory{Advantage: tr.Advantage, Policy: tr.Policy[:1], Old: tr.Old[:1], Ref: tr.Ref[:1]})
		}
		o := drawObjective(t)
		o.Mean = grpo.PerSample
		a := value(t, o, group)
		o.Mean = grpo.TokenMean
		if b := value(t, o, group); math.Abs(a.Total-b.Total) > 1e-9*(1+math.Abs(a.Total)) {
			t.Fatalf("per sample %v, per token %v", a, b)
		}
	})
}

func TestObjectiveRefusesWhatDoesNotFit(t *testing.T) {
	one := []float64{-1}
	good := grpo.Objective{Mean: grpo.TokenMean, Epsilon: 0.2, Beta: 0.1}
	for want, bad := range map[string]struct {
		o grpo.Objective
		t grpo.Trajectory
	}{
		"mean: want": {grpo.Objective{}, grpo.Trajectory{}},
		"trajectory 0: want 1 log-probabilities of the old":       {good, grpo.Trajectory{Policy: one}},
		"trajectory 0: want 1 log-probabilities of the reference": {good, grpo.Trajectory{Policy: one, Old: one}},
		"trajectory 0: want a mask of 1 tokens, got 2":            {good, grpo.Trajectory{Policy: one, Old: one, Ref: one, Critic: []bool{true, false}}},
		"log-probabilities lie too far apart":                     {good, grpo.Trajectory{Advantage: -1, Policy: one, Old: []float64{-9000}, Ref: one}},
	} {
		if _, err := bad.o.Value([]grpo.Trajectory{bad.t}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := (grpo.Distillation{Teacher: [][]float64{{1}}}).KL(); err == nil {
		t.Error("a teacher without a student is no error")
	}
	if _, err := (grpo.Distillation{Teacher: [][]float64{{1}}, Student: [][]float64{{-1, -1}}}).KL(); err == nil {
		t.Error("vocabularies of unlike size are no error")
	}
}

func TestAWildRatioCountsNothingWithoutAdvantage(t *testing.T) {
	o := grpo.Objective{Mean: grpo.PerSample, Epsilon: 0.2}
	v, err := o.Value([]grpo.Trajectory{{Policy: []float64{-1}, Old: []float64{-9000}}})
	if err != nil || v.Total != 0 {
		t.Errorf("got %+v, %v", v, err)
	}
}

func TestPublishedRecipes(t *testing.T) {
	type numbers struct {
		Group, Batch, Prompts, Rollouts, Steps int
		LearningRate                           float64
		Schedule                               string
		Epsilon, Beta                          float64
		Sweep                                  []float64 // of β
		Temperature, TopP                      float64
		MaxPrompt, MaxOutput                   int
	}
	warmup := "linear warmup over the first 5 %, then cosine"
	want := map[string]numbers{
		"webgen-r1":            {16, 256, 0, 16, 400, 5e-6, "", 0.2, 0.01, nil, 0.7, 0.95, 4096, 8192},
		"webgen-r1-appendix-c": {8, 256, 0, 16, 400, 5e-6, "", 0.2, 0.01, nil, 0.7, 0.95, 4096, 8192},
		"aescoder":             {8, 64, 64, 0, 0, 3e-6, "constant", 0.5, 0.001, nil, 0, 0, 0, 0},
		"relook":               {8, 256, 0, 0, 40, 1e-6, warmup, 0.2, 0.01, []float64{0.01, 0.02, 0.03, 0.04, 0.05}, 1, 0.7, 0, 0},
	}
	got := map[string]numbers{}
	for _, r := range grpo.Recipes() {
		got[r.Name] = numbers{
			r.GroupSize, r.BatchSize, r.Prompts, r.Rollouts, r.Steps, r.LearningRate, r.Schedule,
			r.Objective.Epsilon, r.Objective.Beta, r.BetaSweep, r.Temperature, r.TopP, r.MaxPrompt, r.MaxOutput,
		}
		if r.Source == "" {
			t.Errorf("%s does not say where it is from", r.Name)
		}
	}
	same(t, "recipes", want, got)
}
