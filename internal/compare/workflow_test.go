package compare

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/pipeline"
)

// leaves are cases of a rubric by dimension; a negative score was not judged.
func leaves(dimension string, scores ...float64) (cases []vitrine.Case) {
	for i, s := range scores {
		c := vitrine.Case{ID: dimension, Category: dimension, Task: dimension + strings.Repeat("'", i), Verdict: vitrine.VerdictUnclear}
		if s >= 0 {
			c.Score = &s
		}
		cases = append(cases, c)
	}
	return cases
}

// exercised is an evidence folder with a trace.
func exercised(t *testing.T, by vitrine.TraceBy, cases ...vitrine.Case) string {
	t.Helper()
	dir, usd := t.TempDir(), 0.5
	trace := &vitrine.Trace{Schema: vitrine.TraceSchema, By: by, Model: "m/gui", Cases: cases, Cost: vitrine.Cost{USD: &usd, TokensIn: 3}}
	if by == vitrine.ByAgent {
		trace.Of = vitrine.OfLeaves
	}
	if err := evidence.SaveTrace(dir, trace); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestTwoWorkflowsMakeAPreference(t *testing.T) {
	t.Parallel()
	join := func(groups ...[]vitrine.Case) (all []vitrine.Case) {
		for _, g := range groups {
			all = append(all, g...)
		}
		return all
	}
	// 1/3 + 1 against 2/3 + 2/3, and against 2/3 + 1.
	a := join(leaves("static", 1, 0, 0), leaves("dynamic", 1, 1, 1))
	even := join(leaves("static", 1, 1, 0), leaves("dynamic", 0, 1, 1))
	better := join(leaves("static", 1, 0, 1), leaves("dynamic", 1, 1, -1))
	for name, c := range map[string]struct {
		a, b []vitrine.Case
		want vitrine.Verdict
	}{
		"equal sums tie":                   {a, even, vitrine.VerdictTie},
		"the higher sum wins":              {a, better, vitrine.VerdictB},
		"also as A":                        {better, a, vitrine.VerdictA},
		"a site that does not start loses": {a, join(leaves("dynamic", 0, 0, 0), leaves("static", 0, 0, 0)), vitrine.VerdictA},
	} {
		got, err := Folders(t.Context(), exercised(t, vitrine.ByAgent, c.a...), exercised(t, vitrine.ByAgent, c.b...), Workflow, nil)
		if err != nil || got.Verdict != c.want || got.Judge != "workflow@1 m/gui" || *got.Cost.USD != 1 || got.Cost.TokensIn != 6 || len(got.Findings) != 12 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	got, err := Folders(t.Context(), exercised(t, vitrine.ByAgent, a...), exercised(t, vitrine.ByAgent, better...), Workflow, nil)
	if diff := cmp.Diff(map[string]float64{"workflow": 5. / 3, "workflow.static": 2. / 3, "workflow.dynamic": 1}, got.B, cmpopts.EquateApprox(0, 1e-9)); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}

func TestWorkflowsThatDoNotCompareAreRefused(t *testing.T) {
	t.Parallel()
	good := exercised(t, vitrine.ByAgent, leaves("static", 1, 0)...)
	for want, other := range map[string]string{
		"different rubrics":    exercised(t, vitrine.ByAgent, leaves("static", 1, 0, 1)...),
		"no trace of a rubric": exercised(t, vitrine.ByExplore, leaves("static", 1, 0)...),
		"has no trace":         t.TempDir(),
		"could be judged":      exercised(t, vitrine.ByAgent, leaves("static", -1, -1)...),
	} {
		got, err := Folders(t.Context(), good, other, Workflow, nil)
		if err == nil || !strings.Contains(err.Error(), want) || got.Verdict != "" || got.A != nil {
			t.Errorf("%s: %+v, %v", want, got, err)
		}
	}
	if _, err := Folders(t.Context(), good, good, Workflow, &pipeline.Vision{}); vitrine.AsFault("judge", err).Code != vitrine.FaultUsage {
		t.Errorf("with a model: %v", err)
	}
}
