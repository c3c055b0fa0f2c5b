package grpo_test

import (
	"math"
	"testing"

	"vitrine/internal/grpo"
)

// The numbers of this file were worked by hand, step by step as the comments say.

func rewards(values ...float64) []*float64 {
	r := make([]*float64, len(values))
	for i := range values {
		r[i] = &values[i]
	}
	return r
}

func TestAdvantagesWorkedByHand(t *testing.T) {
	// Mean 2, deviations -1, 0, 1; std √(2/3).
	same(t, "1, 2, 3", []float64{-math.Sqrt(1.5), 0, math.Sqrt(1.5)}, grpo.WebGenR1().Advantages([][]*float64{rewards(1, 2, 3)})[0])
	// The four cases of AesCoder App. I. Mean -0.479; deviations -0.521, -0.521, -0.033,
	// 1.075; their squares add up to 1.699596, so std is √0.424899.
	std := math.Sqrt(0.424899)
	same(t, "App. I", []float64{-0.521 / std, -0.521 / std, -0.033 / std, 1.075 / std},
		grpo.AesCoder().Advantages([][]*float64{rewards(-1, -1, -0.512, 0.596)})[0])
	// ReLook: deviations ∓0.5 and ∓0.1 in their groups, std of the batch √(0.52/4).
	std = math.Sqrt(0.13)
	same(t, "a batch of two groups", [][]float64{{-0.5 / std, 0.5 / std}, {-0.1 / std, 0.1 / std}},
		grpo.ReLook().Advantages([][]*float64{rewards(0, 1), rewards(0.4, 0.6)}))
	// Nine zeros and a one: deviations -0.1 and 0.9, std √(0.9/10) = 0.3. 0.9/0.3 = 3 is
	// clipped to 2.
	third := -1. / 3
	same(t, "clipped", [][]float64{{third, third, third, third, third, third, third, third, third, 2}},
		grpo.ReLook().Advantages([][]*float64{rewards(0, 0, 0, 0, 0, 0, 0, 0, 0, 1)}))
}

// output is one of a number of tokens that the policy writes as likely as before, but
// for the first, which is now ratio times as likely.
func output(advantage, ratio float64, tokens int) grpo.Trajectory {
	tr := grpo.Trajectory{Advantage: advantage, Policy: make([]float64, tokens), Old: make([]float64, tokens), Ref: make([]float64, tokens)}
	for i := range tokens {
		tr.Policy[i], tr.Old[i], tr.Ref[i] = -2, -2, -2
	}
	tr.Old[0] -= math.Log(ratio)
	return tr
}

func TestObjectivesWorkedByHand(t *testing.T) {
	long, short := output(-1, 1, 3), output(1, 1, 1)
	judged := output(1, 1, 4)
	judged.Critic = []bool{false, false, true, true}
	far := judged
	far.Ref = []float64{-2, -2, -9, -1}
	nearer := output(1, 1, 1)
	nearer.Ref[0] -= math.Log(2) // π_ref/π = ½: ½ − ln ½ − 1 = ln 2 − ½
	for name, c := range map[string]struct {
		recipe grpo.Recipe
		group  []grpo.Trajectory
		want   float64
	}{
		"a ratio of 2 counts as 1.2: (1.2 + 1)/2":        {grpo.WebGenR1(), []grpo.Trajectory{output(1, 2, 2)}, 1.1},
		"not where it is bad: (-2 - 1)/2":                {grpo.WebGenR1(), []grpo.Trajectory{output(-1, 2, 2)}, -1.5},
		"a ratio of ½ counts as 0.8 there: (-0.8 - 1)/2": {grpo.WebGenR1(), []grpo.Trajectory{output(-1, 0.5, 2)}, -0.9},
		"AesCoder's ε is 0.5: (1.5 + 1)/2":               {grpo.AesCoder(), []grpo.Trajectory{output(1, 2, 2)}, 1.25},
		"a ratio of ¼ counts as 0.5 there: (-0.5 - 1)/2": {grpo.AesCoder(), []grpo.Trajectory{output(-1, 0.25, 2)}, -0.75},
		"each output counts the same: (1 - 1)/2":         {grpo.WebGenR1(), []grpo.Trajectory{short, long}, 0},
		"each output of AesCoder, too":                   {grpo.AesCoder(), []grpo.Trajectory{short, long}, 0},
		"each token counts the same: (1 - 3)/4":          {grpo.ReLook(), []grpo.Trajectory{short, long}, -0.5},
		"the critic's tokens count in |o|: 2/4":          {grpo.ReLook(), []grpo.Trajectory{judged}, 0.5},
		"the critic's tokens have no distance":           {grpo.ReLook(), []grpo.Trajectory{far}, 0.5},
		"β times the distance to the reference is lost":  {grpo.WebGenR1(), []grpo.Trajectory{nearer}, 1 - 0.01*(math.Ln2-0.5)},
		"AesCoder's β is a tenth of that":                {grpo.AesCoder(), []grpo.Trajectory{nearer}, 1 - 0.001*(math.Ln2-0.5)},
	} {
		got, err := c.recipe.Objective.Value(c.group)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		same(t, name, c.want, got.Total)
	}
}

func TestDistillationWorkedByHand(t *testing.T) {
	// q = (½, ½), p = (¼, ¾): KL = ½·ln 2 + ½·ln ⅔ = ½·ln 4/3; the entropy of q is ln 2.
	// q = (1, 0), p = (½, ½): both are ln 2. Means over the two tokens.
	d := grpo.Distillation{Teacher: [][]float64{{0.5, 0.5}, {1, 0}}, Student: [][]float64{{math.Log(0.25), math.Log(0.75)}, {-math.Ln2, -math.Ln2}}}
	kl, err := d.KL()
	if err != nil {
		t.Fatal(err)
	}
	cross, err := d.CrossEntropy()
	if err != nil {
		t.Fatal(err)
	}
	want := (math.Log(4./3)/2 + math.Ln2) / 2
	same(t, "KL, cross-entropy, loss", []float64{want, want + math.Ln2/2, -0.3 + 0.1*want}, []float64{kl, cross, grpo.Loss(0.3, kl, grpo.ReLook().DistillWeight)})
}
