package report

import (
	"encoding/json"
	"testing"

	"vitrine"
)

func TestScaleAndFormula(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, spec, formula string
		want                span
		known               bool
	}{
		{"a sum of signals", spec, "code × 0.1 + func_vis", span{0, 5.1}, true},
		{"a gate below everything", `{"combine":"sum","gates":[{"when":"hint.pass","is":0,"reward":-1,"set":{"a":-9}}],
			"parts":{"a":{"constant":1,"weight":0.1},"b":{"from":"vision.total","map":[[0,-1],[100,1]],"weight":0.8},"c":{"from":"interact.score","map":[[0,-1],[2,1]],"weight":0.1}}}`,
			"a × 0.1 + b × 0.8 + c × 0.1", span{-1, 1}, true},
		{"a product", `{"combine":"product","parts":{"len":{"from":"output.tokens","map":[[12000,1],[14000,0]]},"mllm":{"from":"vision.visual","map":[[0,0],[100,1]]}}}`,
			"len × mllm", span{0, 1}, true},
		{"a gate widens a part", `{"combine":"sum","gates":[{"when":"render.valid","is":0,"set":{"a":-2}}],"parts":{"a":{"from":"check.contrast","weight":3}}}`,
			"a × 3", span{-6, 3}, true},
		{"no end", `{"combine":"sum","parts":{"a":{"from":"output.tokens","weight":1}}}`, "a", span{}, false},
		{"no recipe", `nonsense`, "", span{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := readRecipe(json.RawMessage(tt.spec))
			got, known := r.scale()
			if known != tt.known || known && (abs(got.Low-tt.want.Low) > 1e-9 || abs(got.High-tt.want.High) > 1e-9) {
				t.Errorf("scale %v, %v; want %v, %v", got, known, tt.want, tt.known)
			}
			if got := r.Formula(); got != tt.formula {
				t.Errorf("formula %q, want %q", got, tt.formula)
			}
		})
	}
}

func abs(v float64) float64 { return max(v, -v) }

func TestBreakdown(t *testing.T) {
	t.Parallel()
	gated := `{"combine":"sum","gates":[{"when":"html.present","is":0,"reward":-1,"set":{"a":-1}},{"when":"format.code","is":0,"set":{"b":0}}],
		"parts":{"a":{"from":"format.cot","weight":0.5},"b":{"from":"check.x","weight":2}}}`
	tests := []struct {
		name      string
		sample    vitrine.Sample
		overruled bool
		fixed     int
	}{
		{"parts add up", vitrine.Sample{Reward: num(2.5), Parts: map[string]float64{"a": 1, "b": 1}}, false, 0},
		{"a gate fixes a part", vitrine.Sample{Reward: num(0.5), Parts: map[string]float64{"a": 1, "b": 0}, Gate: "format.code is 0"}, false, 1},
		{"a gate decides", vitrine.Sample{Reward: num(-1), Parts: map[string]float64{"a": -1, "b": 0}, Gate: "html.present is 0"}, true, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := readRecipe(json.RawMessage(gated)).explain(&tt.sample)
			if b.Overruled != tt.overruled || len(b.FixedParts()) != tt.fixed || b.Terms[1].Adds != 2*tt.sample.Parts["b"] {
				t.Errorf("got %+v", b)
			}
		})
	}
}

func TestTheRewardSaysWhatWorks(t *testing.T) {
	t.Parallel()
	s := vitrine.Sample{Reward: num(0.5), Findings: []vitrine.Finding{{Check: "contrast", Why: "Contrast."}, {Check: "behaviors", Why: "1 of 2 asked-for behaviours work; delete: the row stays."}}}
	if b := readRecipe(json.RawMessage(spec)).explain(&s); b.Why != s.Findings[1].Why {
		t.Errorf("why %q", b.Why)
	}
}
