package metarun

import (
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/judge/rubric"
	"vitrine/internal/meta/answers"
)

// Evidence that was tried for another instruction answers nothing about this one: the page is
// tried instead where it is there.
func TestEvidenceAnswersAboutItsOwnInstruction(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ev := &vitrine.Evidence{Schema: vitrine.EvidenceSchema, Instruction: "A tea shop with a cart"}
	if err := evidence.Save(dir, ev); err != nil {
		t.Fatal(err)
	}
	alone, withCode := answers.Thing{Evidence: dir}, answers.Thing{Evidence: dir, Code: "<p>Tea"}
	for _, thing := range []answers.Thing{alone, withCode} {
		if got, err := triedFor(thing, "A tea shop with a cart "); err != nil || got != thing {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if got, err := triedFor(withCode, "Add tea to the cart"); err != nil || got != (answers.Thing{Code: "<p>Tea"}) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := triedFor(alone, "Add tea to the cart"); err == nil || !strings.Contains(err.Error(), "another instruction") {
		t.Error(err)
	}
	q := answers.Question{Item: answers.Item{Kind: answers.Unit, Asks: "Add tea to the cart", Shown: []answers.Thing{alone}}, Repeat: 1}
	if a, err := (Behave{Sites: &Sites{}}).Answer(t.Context(), q); err == nil {
		t.Errorf("answered by the trace of the whole: %+v", a)
	}
}

// What is rendered is kept by all that decides it.
func TestWhatIsSeenIsKeptByRepeatAndByWhatMadeIt(t *testing.T) {
	t.Parallel()
	page := vitrine.Output{Text: "<p>Tea"}
	first := contentName(page, nil, look{repeat: 1}, "a")
	if first != contentName(page, nil, look{}, "a") {
		t.Error("a question that is asked once is not the first")
	}
	for name, other := range map[string]string{
		"repeat":      contentName(page, nil, look{repeat: 2}, "a"),
		"version":     contentName(page, nil, look{repeat: 1}, "b"),
		"exercised":   contentName(page, nil, look{repeat: 1, exercised: true}, "a"),
		"instruction": contentName(vitrine.Output{Text: "<p>Tea", Instruction: "Tea"}, nil, look{repeat: 1}, "a"),
	} {
		if other == first {
			t.Errorf("another %s has the same evidence", name)
		}
	}
}

func TestARubricIsInTheNameOfItsJudge(t *testing.T) {
	t.Parallel()
	name := func(protocol string, tree *rubric.Tree) string {
		m := byCode(protocol, nil)
		m.Tree = tree
		n, err := m.Name(answers.Item{Kind: answers.Rating})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	one, other := &rubric.Tree{Intention: rubric.Node{Description: "tea"}}, &rubric.Tree{Intention: rubric.Node{Description: "tax"}}
	if a, b, none := name("rubric", one), name("rubric", other), name("rubric", nil); a == b || a == none || !strings.Contains(a, ", rubric ") {
		t.Errorf("%q, %q, %q", a, b, none)
	}
	if got := name("direct", one); got != name("direct", nil) {
		t.Errorf("%q reads no rubric", got)
	}
}

func TestOneProcessAddsToAFileOfAnswers(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "answers.jsonl")
	for range 2 {
		unlock, err := Lock(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Lock(file); err == nil || vitrine.AsFault("command", err).Code != vitrine.FaultUsage || !strings.Contains(err.Error(), "another process") {
			t.Errorf("a second one: %v", err)
		}
		unlock()
	}
	if left, err := filepath.Glob(file + "*"); err != nil || len(left) != 0 {
		t.Errorf("%q is left, %v", left, err)
	}
	if unlock, err := Lock(filepath.Join(t.TempDir(), "none", "answers.jsonl")); err != nil {
		t.Error(err)
	} else {
		unlock()
	}
}

func TestNotesOnTheDataAreSaidOnceInAStudy(t *testing.T) {
	t.Parallel()
	set, err := answers.Open(written(t, "d.jsonl", []answers.Line{
		{Item: &answers.Item{ID: "a", Kind: answers.Pair, Truth: answers.Text("A")}},
		{Answer: &answers.Answer{Item: "a", Judge: "j", Repeat: 1, Value: answers.Text("A")}},
		{Label: &answers.Label{Item: "gone", Rater: "ann", Value: answers.Text("A")}},
	}))
	if err != nil {
		t.Fatal(err)
	}
	s := &Study{Judges: []Juror{{As: "J", Name: "j"}}, Measures: []string{"pairs", "swap"}}
	if r := s.Measure(set, map[string]string{"J": "j"}, 1); len(set.Notes) == 0 || len(r.Notes) != len(set.Notes) {
		t.Errorf("%q, of the data %q", r.Notes, set.Notes)
	}
}

// WebDevJudge §4.3: what was done and what came of it, without what the agent makes of it.
func TestARecordLeavesOutWhatTheAgentConcluded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	trace := &vitrine.Trace{Schema: vitrine.TraceSchema, Cases: []vitrine.Case{{
		Task: "Add tea", Verdict: vitrine.VerdictPass, Why: "it was added",
		Steps: []vitrine.Step{{Action: vitrine.Action{Kind: vitrine.ActWait, MS: 5}, Why: "it will be added", Failed: "the page is gone"}},
	}}}
	if err := evidence.SaveTrace(dir, trace); err != nil {
		t.Fatal(err)
	}
	got, err := trajectory(answers.Thing{}, dir)
	if err != nil || !strings.Contains(got, "Add tea") || !strings.Contains(got, "the page is gone") || strings.Contains(got, "be added") || strings.Contains(got, "was added") || strings.Contains(got, "pass") {
		t.Errorf("%q, %v", got, err)
	}
}
