package vlm

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

func vectors[T any](t *testing.T, name string) T {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../../testdata/vectors/judge", name))
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// same compares numbers of a vector with ours.
func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got, close); diff != "" {
		t.Errorf("%s: %s", what, diff)
	}
}

func TestSums(t *testing.T) {
	t.Parallel()
	for _, v := range vectors[[]struct {
		Protocol string
		Parts    []float64
		Total    float64
		Fits     bool
	}](t, "sums.json") {
		s := site()
		answer := ""
		switch p := v.Parts; v.Protocol {
		case "static":
			answer = fmt.Sprintf(`{"feedback":"x","alignment":%g,"aesthetics":%g,"structure":%g,"total":%g}`, p[0], p[1], p[2], v.Total)
		case "code":
			answer = fmt.Sprintf(`{"feedback":"x","alignment":%g,"design":%g,"structure":%g,"total":%g}`, p[0], p[1], p[2], v.Total)
		default:
			s.Checklist = nil
			items := map[string]float64{}
			for i, x := range p {
				s.Checklist = append(s.Checklist, Item{Title: "x", MaxScore: 10})
				items[itemKey(i)] = x
			}
			text, _ := json.Marshal(map[string]any{"analysis": "x", "items": items, "overall": v.Total})
			answer = string(text)
		}
		r, err := mustLoad(t, v.Protocol, s).understand(answer)
		if (err == nil) != v.Fits {
			t.Errorf("%s %v = %g: %v", v.Protocol, v.Parts, v.Total, err)
		}
		if err == nil {
			key := map[string]string{"static": "total"}[v.Protocol]
			if key == "" {
				key = v.Protocol
			}
			same(t, answer, v.Total, r.scores[key])
		}
	}
}

func TestLikertTotals(t *testing.T) {
	t.Parallel()
	for _, v := range vectors[[]struct {
		A, B    []int
		TotalA  float64 `json:"total_a"`
		TotalB  float64 `json:"total_b"`
		Verdict vitrine.Verdict
	}](t, "likert.json") {
		list := func(ns []int) string {
			var change []string
			for _, n := range ns {
				change = append(change, fmt.Sprint(n))
			}
			return ratings(0, change...)
		}
		for _, profile := range vitrine.Profiles {
			j := Judge{Asker: says(`{"analysis":"x","a":` + list(v.A) + `,"b":` + list(v.B) + `}`), Settings: settings("likert")}
			j.Settings.Profile = profile
			got, err := j.Compare(t.Context(), site(), otherSite())
			if err != nil || len(got.Calls) != 1 {
				t.Fatalf("%d calls, %v", len(got.Calls), err)
			}
			same(t, "totals and verdict", []any{v.TotalA, v.TotalB, v.Verdict}, []any{got.A["likert"], got.B["likert"], got.Verdict})
		}
	}
}

func TestRubricRates(t *testing.T) {
	t.Parallel()
	type leaves struct {
		Intention, Static, Dynamic []any
		Rates                      []float64
		Score                      float64
		ScoreA                     float64 `json:"score_a"`
		ScoreB                     float64 `json:"score_b"`
		Verdict                    vitrine.Verdict
	}
	v := vectors[struct{ Single, Pairs []leaves }](t, "rubric.json")
	text := func(l leaves) string {
		answer, _ := json.Marshal(map[string]any{"analysis": "x", "leaves": map[string]any{
			"intention.1": l.Intention[0], "static.1": l.Static[0], "static.2": l.Static[1],
			"dynamic.1.1": l.Dynamic[0], "dynamic.1.2": l.Dynamic[1], "dynamic.2.1": l.Dynamic[2],
		}})
		return string(answer)
	}
	for _, profile := range vitrine.Profiles {
		s := settings("rubric")
		s.Profile = profile
		for _, l := range v.Single {
			asked := says(text(l))
			got, err := (&Judge{Asker: asked, Settings: s}).Judge(t.Context(), site())
			if err != nil {
				t.Fatal(err)
			}
			same(t, text(l), append(slices.Clone(l.Rates), l.Score), []float64{got.Scores["rubric.intention"], got.Scores["rubric.static"], got.Scores["rubric.dynamic"], got.Scores["rubric"]})
			for _, words := range []string{"another look for the same function meets the requirement", "dynamic.1.2: basic interactions / Open the menu."} {
				if !strings.Contains(sent(asked.asked[0]), words) {
					t.Errorf("%s: the prompt lacks %q", profile, words)
				}
			}
		}
		for _, l := range v.Pairs {
			asked := says(text(l))
			got, err := (&Judge{Asker: asked, Settings: s}).Compare(t.Context(), site(), otherSite())
			if err != nil {
				t.Fatal(err)
			}
			same(t, text(l), []any{l.ScoreA, l.ScoreB, l.Verdict}, []any{got.A["rubric"], got.B["rubric"], got.Verdict})
			for _, words := range []string{"another look for the same function is as good", "or neither has it", "dynamic.1.2: basic interactions / Open the menu."} {
				if !strings.Contains(sent(asked.asked[0]), words) {
					t.Errorf("%s: the prompt for pairs lacks %q", profile, words)
				}
			}
		}
	}
}

func TestFiveVerdicts(t *testing.T) {
	t.Parallel()
	for _, v := range vectors[[]struct {
		Word      string
		A, B      float64
		Verdict   vitrine.Verdict
		Far, Fits bool
	}](t, "verdicts.json") {
		verdict, far := fiveWay(v.Word)
		same(t, v.Word, []any{v.Verdict, v.Far, v.Fits}, []any{verdict, far, agrees(v.Word, v.A, v.B) == nil})
	}
}

func TestCompatRules(t *testing.T) {
	t.Parallel()
	v := vectors[compatVectors](t, "compat.json")
	for _, x := range v.Grade {
		got, ok := CompatGrade(x.Text)
		same(t, x.Text, []any{x.Grade, x.OK}, []any{got, ok})
	}
	for _, x := range v.Appearance {
		same(t, "appearance", x.Mean, CompatWebGenBenchAppearance(x.Grades, x.Tasks))
	}
	for _, x := range v.Verdict {
		same(t, x.Text, x.Score, CompatWebGenBenchVerdict(x.Text))
	}
	for _, x := range v.WebGenAccuracy {
		same(t, "accuracy", x.Accuracy, CompatWebGenBenchAccuracy(x.Verdicts, x.Cases))
	}
	for _, x := range v.OpenDesign {
		mean, good, ok := CompatOpenDesign(x.Totals)
		same(t, "OpenDesign", []any{x.Mean, x.Good, x.OK}, []any{mean, good, ok})
	}
	for _, x := range v.Interactive {
		same(t, "interactive", x.Mean, CompatOpenDesignInteractive(x.Sites))
	}
	for _, x := range v.Overall {
		got, ok := CompatArtifactsBenchOverall(x.Text)
		same(t, x.Text, []any{x.Score, x.OK}, []any{got, ok})
	}
	for _, x := range v.ArtifactsMean {
		got, ok := CompatArtifactsBenchMean(x.Answers)
		same(t, "mean", []any{x.Mean, x.OK}, []any{got, ok})
	}
	for _, x := range v.Likert {
		same(t, "likert", x.Verdict, CompatLikertVerdict(x.A, x.B, 1))
	}
	for _, x := range v.Rubric {
		same(t, "rubric", x.Score, CompatRubricScore(x.Dimensions))
	}
	for _, x := range v.GUI {
		same(t, "GUI", x.Score, CompatGUIDynamic(x.Basic, x.Complex, x.Leaves))
	}
	for _, x := range v.Accuracy {
		same(t, "accuracy", x.Accuracy, CompatWebDevJudgeAccuracy(x.Predicted, x.Labels))
	}
	for _, x := range v.WebBench {
		same(t, "pass@k", x.Pass, CompatWebBenchPass(x.Tasks, x.K))
	}
	if CompatRubricVerdict(1.5, 1.5) != vitrine.VerdictTie || CompatRubricVerdict(1.5, 1.4999) != vitrine.VerdictA {
		t.Error("rubric verdicts: only equality is a tie")
	}
	if CompatInteractWebVisual(nil) != 3 {
		t.Error("InteractWeb: what does not parse is 3")
	}
}

type compatVectors struct {
	Grade []struct {
		Text  string
		Grade int
		OK    bool
	}
	Appearance []struct {
		Grades []int
		Tasks  int
		Mean   float64
	} `json:"webgen_appearance"`
	Verdict []struct {
		Text  string
		Score float64
	} `json:"webgen_verdict"`
	WebGenAccuracy []struct {
		Verdicts []float64
		Cases    int
		Accuracy float64
	} `json:"webgen_accuracy"`
	OpenDesign []struct {
		Totals     []*float64
		Mean, Good float64
		OK         bool
	}
	Interactive []struct {
		Sites [][]int
		Mean  float64
	} `json:"opendesign_interactive"`
	Overall []struct {
		Text  string
		Score float64
		OK    bool
	} `json:"artifacts_overall"`
	ArtifactsMean []struct {
		Answers []string
		Mean    float64
		OK      bool
	} `json:"artifacts_mean"`
	Likert []struct {
		A, B    float64
		Verdict vitrine.Verdict
	}
	Rubric []struct {
		Dimensions []CompatDimension
		Score      float64
	}
	GUI []struct {
		Basic, Complex, Leaves int
		Score                  float64
	} `json:"gui_dynamic"`
	Accuracy []struct {
		Predicted, Labels []vitrine.Verdict
		Accuracy          float64
	}
	WebBench []struct {
		Tasks [][]bool
		K     int
		Pass  float64
	}
}
