package grpo_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"vitrine/internal/grpo"
)

// close compares numbers that two programs computed in different ways.
var close = cmp.Options{cmpopts.EquateApprox(1e-9, 1e-12), cmpopts.EquateEmpty()}

// vectors reads a file that testdata/vectors/grpo/make.py wrote.
func vectors[T any](t *testing.T, name string) []T {
	t.Helper()
	data, err := os.ReadFile("../../testdata/vectors/grpo/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var rows []T
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return rows
}

func same(t *testing.T, name string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got, close); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestAdvantages(t *testing.T) {
	for _, v := range vectors[struct {
		Name                    string
		Rewards                 [][]*float64
		Group, Batch, Unclipped [][]float64
		Bound                   float64
	}](t, "advantages.json") {
		same(t, v.Name+": group", v.Group, grpo.WebGenR1().Advantages(v.Rewards))
		same(t, v.Name+": group", v.Group, grpo.AesCoder().Advantages(v.Rewards))
		same(t, v.Name+": batch", v.Batch, grpo.ReLook().Advantages(v.Rewards))
		same(t, v.Name+": batch", v.Batch, grpo.BatchStandardised(v.Rewards, v.Bound))
		same(t, v.Name+": unclipped", v.Unclipped, grpo.BatchStandardised(v.Rewards, 0))
	}
}

func TestObjectives(t *testing.T) {
	for _, v := range vectors[struct {
		Name          string
		Mean          grpo.Mean
		Epsilon, Beta float64
		CountCritic   bool `json:"count_critic"`
		Group         []grpo.Trajectory
		Want          struct{ Surrogate, KL, Total float64 }
	}](t, "objectives.json") {
		name := fmt.Sprintf("%s, %s, ε %v", v.Name, v.Mean, v.Epsilon)
		got, err := grpo.Objective{Mean: v.Mean, Epsilon: v.Epsilon, Beta: v.Beta, CountCritic: v.CountCritic}.Value(v.Group)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		same(t, name, []float64{v.Want.Surrogate, v.Want.KL, v.Want.Total}, []float64{got.Surrogate, got.KL, got.Total})
	}
}

func TestDistillation(t *testing.T) {
	for _, v := range vectors[struct {
		Name             string
		Teacher, Student [][]float64
		CrossEntropy     float64 `json:"cross_entropy"`
		KL               float64 `json:"kl"`
		Loss             float64 `json:"loss_at_j_0.3"`
	}](t, "distillation.json") {
		d := grpo.Distillation{Teacher: v.Teacher, Student: v.Student}
		kl, err := d.KL()
		cross, err2 := d.CrossEntropy()
		if err != nil || err2 != nil {
			t.Errorf("%s: %v, %v", v.Name, err, err2)
		}
		same(t, v.Name, []float64{v.KL, v.CrossEntropy, v.Loss}, []float64{kl, cross, grpo.Loss(0.3, cross, grpo.ReLook().DistillWeight)})
	}
}

func TestFingerprints(t *testing.T) {
	for _, v := range vectors[struct{ Text, Print string }](t, "fingerprints.json") {
		if got := fmt.Sprintf("%016x", grpo.Print(v.Text)); got != v.Print {
			t.Errorf("%q: got %s, want %s", v.Text, got, v.Print)
		}
	}
}

func TestGroups(t *testing.T) {
	for _, v := range vectors[struct {
		Rewards  []*float64
		Mean, SD *float64
		Flat     bool
	}](t, "groups.json") {
		var members []grpo.Member
		for i, r := range v.Rewards {
			members = append(members, grpo.Member{Reward: r, Print: grpo.Print(fmt.Sprint("a text of its own ", math.Sqrt(float64(i+2))))})
		}
		got := grpo.Describe(members)
		same(t, fmt.Sprint(len(v.Rewards)), []any{v.Mean, v.SD, v.Flat, 0}, []any{got.Mean, got.SD, got.Flat, got.Copies})
	}
}
