package flow_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/data/flow"
	"vitrine/internal/evidence"
	"vitrine/internal/model/modeltest"
)

// tried is look, with a trace of what was tried out on each page.
type tried struct {
	look
	asked flow.Scoring
}

func (l *tried) Score(ctx context.Context, s flow.Scoring, files []string, dir string) (map[string]vitrine.Sample, error) {
	l.asked = s
	all, err := l.look.Score(ctx, s, files, dir)
	if err != nil {
		return nil, err
	}
	at := filepath.Join(dir, "evidence", "x")
	if err := os.MkdirAll(at, 0o755); err != nil {
		return nil, err
	}
	for id, sample := range all {
		sample.Evidence = "evidence/x"
		if strings.HasPrefix(id, "none") {
			sample.Evidence = "evidence/none"
		}
		all[id] = sample
	}
	return all, evidence.SaveTrace(at, &vitrine.Trace{Schema: vitrine.TraceSchema, Cases: []vitrine.Case{
		{Task: "Add tea", Expected: "1 in the cart", Verdict: vitrine.VerdictPass},
		{Task: "Pay", Expected: "Thanks", Verdict: vitrine.VerdictAbsent, Why: "nowhere to be found"},
		{Task: "Search", Expected: "A list", Verdict: vitrine.VerdictFail, Why: "nothing happens"},
		{Task: "Sort", Expected: "In order", Verdict: vitrine.VerdictUnclear},
	}})
}

// examiner writes tasks, pages and the types of errors.
func examiner(q modeltest.Question) modeltest.Answer {
	switch {
	case q.System != "":
		return modeltest.Answer{Text: "<p>page</p>"}
	case bytes.Contains(q.Schema, []byte(`"tasks"`)) && strings.Contains(q.Text, "no tasks"):
		return modeltest.Answer{Text: `{"tasks": []}`}
	case bytes.Contains(q.Schema, []byte(`"tasks"`)):
		return modeltest.Answer{Text: `{"tasks": [{"task": "Add tea", "expected_result": "1 in the cart"}, {"task": "Pay", "expected_result": "Thanks"}]}`}
	case strings.Contains(q.Text, "nowhere to be found"):
		return modeltest.Answer{Text: `{"reason": "It is not there.", "topic": "Missing element", "sure": true}`}
	}
	return modeltest.Answer{Text: `{"reason": "It does nothing.", "topic": "Non-functional element", "sure": false}`}
}

func TestTasksAreLabelledByWhatWasTriedOut(t *testing.T) {
	server := modeltest.New(t, examiner)
	dir := t.TempDir()
	s := asked(t, server, "unit-tasks", filepath.Join(dir, "out"))
	l := &tried{look: look{t: t}}
	s.Limit, s.Sites = 20, l
	s.Inputs["in"] = []string{write(t, dir, "in.jsonl", `{"id":"shop","instruction":"A tea shop"}
{"id":"none","instruction":"A page that nobody tried out"}
{"id":"bad","instruction":"A query with no tasks"}
`)}
	sum := run(t, s)
	if r := step(t, sum, "cases"); r.Kept != 2 || r.Reasons["no usable answer: invalid"] != 1 || r.Figures["tasks"] != 4 {
		t.Errorf("%+v", r)
	}
	if l.asked.Interact != "agent" || l.asked.Model != "openai/tester" {
		t.Errorf("tried out by %+v", l.asked)
	}
	if r := step(t, sum, "units"); r.Kept != 4 || r.Review != 1 || r.Reasons["not tried out"] != 1 {
		t.Errorf("%+v", r)
	}
	if r := step(t, sum, "errors"); r.Kept != 4 || r.Review != 1 {
		t.Errorf("%+v: want the row of which the model is unsure for review", r)
	}
	got := map[any][2]any{}
	for _, row := range rows(t, filepath.Join(s.Out, "kept.jsonl")) {
		got[row["task"]] = [2]any{row["feasible"], row["error_type"]}
	}
	for task, want := range map[any][2]any{"Add tea": {true, nil}, "Pay": {false, "Missing element"}, "Search": {false, "Non-functional element"}, "Sort": {nil, nil}} {
		if got[task] != want {
			t.Errorf("%v: %v, want %v", task, got[task], want)
		}
	}
}

func TestTopicsHaveWhatTheyArePartOf(t *testing.T) {
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		if !strings.Contains(q.Text, "- Games: what one plays\n") || !strings.Contains(q.Text, "- Shops: where one buys\n") {
			t.Errorf("the topics are not named and described:\n%s", q.Text)
		}
		switch {
		case strings.Contains(q.Text, "odd"):
			return modeltest.Answer{Text: `{"reason": "It fits none.", "topic": "none of these", "sure": true}`}
		case strings.Contains(q.Text, "market"):
			return modeltest.Answer{Text: `{"reason": "It may be a game.", "topic": "Shops", "sure": false}`}
		}
		return modeltest.Answer{Text: `{"reason": "A game.", "topic": "Games", "sure": true}`}
	})
	p, err := flow.Parse([]byte("name: x\ninputs: {in: rows}\nmodels: {m: sorts}\nsteps: [{categorise: {model: m, topics: [{name: Games, about: what one plays, under: Play}, {name: Shops, about: where one buys, under: Trade}]}}]"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := askedBy(t, server, p, filepath.Join(dir, "out"))
	s.Inputs["in"] = []string{write(t, dir, "in.jsonl", `{"id":"a","instruction":"Snake"}
{"id":"b","instruction":"An odd thing"}
{"id":"c","instruction":"A market"}
`)}
	sum := run(t, s)
	all := rows(t, filepath.Join(s.Out, "kept.jsonl"))
	if len(all) != 3 || all[2]["category"] != "Shops" || all[2]["category_of"] != "Trade" || all[0]["category"] != "Games" || all[0]["category_of"] != "Play" || all[1]["category"] != "none of these" || sum.Steps[1].Review != 2 {
		t.Errorf("%v, %+v", all, sum.Steps[1])
	}
}
