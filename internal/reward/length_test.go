package reward

import (
	"math"
	"os"
	"testing"
)

func TestAgainIsTheValueThatWasKept(t *testing.T) {
	for _, name := range Builtin() {
		r, err := Load(name, os.ReadFile)
		if err != nil {
			t.Fatal(err)
		}
		for _, valid := range []float64{0, 1} {
			s := Signals{Values: map[string]float64{}}
			for _, sig := range signals {
				s.Values[sig.name] = min(sig.hi, 13000) / 2
			}
			s.Values["render.valid"], s.Values["hint.pass"], s.Values["html.present"] = valid, valid, valid
			got, err := r.Reward(s)
			if err != nil {
				t.Fatal(err)
			}
			if again := r.Again(got.Parts, got.Gate); again != got.Value {
				t.Errorf("%s, valid %v: again %v, want %v", name, valid, again, got.Value)
			}
		}
	}
}

func TestWithoutLength(t *testing.T) {
	sum, err := Parse("own", []byte(`name: own
parts:
  looks: {from: measured.total, map: [[0, 0], [100, 1]], weight: 2}
  short: {from: output.tokens, map: [[0, 1], [1000, 0]], weight: 3}
`))
	if err != nil {
		t.Fatal(err)
	}
	relook, err := Load("relook", os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		recipe   *Recipe
		parts    map[string]float64
		gate     string
		want, hi float64
	}{
		{relook, map[string]float64{"mllm": 0.5, "len": 0.25}, "", 0.5, 1},
		{relook, map[string]float64{"mllm": 0.5, "len": 0}, "", 0.5, 1},
		{relook, map[string]float64{"mllm": 0, "len": 1}, "render.valid is 0", 0, 1},
		{sum, map[string]float64{"looks": 0.5, "short": 0.5}, "", 1, 2},
	} {
		rest := test.recipe.WithoutLength()
		if got := rest.Again(test.parts, test.gate); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%s of %v: %v, want %v", test.recipe.Name, test.parts, got, test.want)
		}
		if _, hi := rest.Range(); hi == nil || *hi != test.hi {
			t.Errorf("%s: at most %v, want %v", test.recipe.Name, hi, test.hi)
		}
		if len(test.recipe.Parts) != 2 {
			t.Errorf("%s itself lost a part", test.recipe.Name)
		}
	}
}
