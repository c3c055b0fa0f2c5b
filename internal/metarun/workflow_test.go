package metarun

import (
	"testing"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/meta/answers"
)

// worked is the evidence of a run of a rubric with the scores of one leaf of each dimension.
func worked(t *testing.T, intention, static, dynamic float64) answers.Thing {
	t.Helper()
	trace := &vitrine.Trace{Schema: vitrine.TraceSchema, By: vitrine.ByAgent, Of: vitrine.OfLeaves}
	for dimension, score := range map[string]float64{"intention": intention, "static": static, "dynamic": dynamic} {
		trace.Cases = append(trace.Cases, vitrine.Case{ID: dimension, Category: dimension, Task: dimension, Score: &score})
	}
	dir := t.TempDir()
	if err := evidence.SaveTrace(dir, trace); err != nil {
		t.Fatal(err)
	}
	return answers.Thing{Evidence: dir}
}

// WebDevJudge Table 3: the preference by one dimension of the rubric, and by all together.
func TestOneDimensionOfTheWorkflowDecides(t *testing.T) {
	t.Parallel()
	q := answers.Question{Item: answers.Item{Kind: answers.Pair, Shown: []answers.Thing{worked(t, 0, 1, 0.5), worked(t, 0.25, 0, 0.5)}}}
	for name, want := range map[string]string{"workflow": "A", "workflow.intention": "B", "workflow.static": "A", "workflow.dynamic": "tie"} {
		w, ok := WorkflowOf(name)
		if got, err := w.Name(q.Item); !ok || err != nil || got != name {
			t.Fatalf("%s is called %q, %v", name, got, err)
		}
		if a, err := w.Answer(t.Context(), q); err != nil || a.Value.Text != want {
			t.Errorf("%s: %+v, %v, want %s", name, a.Value, err, want)
		}
	}
}
