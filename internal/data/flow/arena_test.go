package flow_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/data/flow"
	"vitrine/internal/data/review"
	"vitrine/internal/evidence"
	"vitrine/internal/model/modeltest"
)

// reader reads queries: those that say so are unsafe, static or unclear.
func reader(q modeltest.Question) modeltest.Answer {
	score := func(name string, bad, good int) modeltest.Answer {
		if strings.Contains(q.Text, name+" query") {
			good = bad
		}
		return modeltest.Answer{Text: fmt.Sprintf(`{"reason": "So it is.", "score": %d}`, good)}
	}
	switch {
	case strings.Contains(string(q.Schema), `"safe"`) && strings.Contains(q.Text, "unsafe query"):
		return modeltest.Answer{Text: `{"reason": "It is not.", "safe": false, "category": "hazard"}`}
	case strings.Contains(string(q.Schema), `"safe"`):
		return modeltest.Answer{Text: `{"reason": "It is.", "safe": true, "category": "none"}`}
	case strings.Contains(q.Text, "interaction"):
		return score("static", 7, 8)
	}
	return score("unclear", 2, 3)
}

const dump = `{"question_id":"q1","model_a":"m","model_b":"n","winner":"model_a","conversation_a":[{"role":"user","content":"A good query"},{"role":"assistant","content":"Here","object":{"code":"<p>a</p>"}}],"conversation_b":[{"role":"user","content":"A good query"},{"role":"assistant","content":"<p>b</p>"}]}
{"question_id":"q2","query":"A good query","code_a":"<p>a</p>","code_b":"<p>b</p>","winner":"tie"}
{"question_id":"q3","query":"An unsafe query","code_a":"<p>a</p>","code_b":"<p>b</p>","winner":"tie"}
{"question_id":"q4","query":"A static query","code_a":"<p>a</p>","code_b":"<p>b</p>","winner":"tie"}
{"question_id":"q5","query":"An unclear query","code_a":"<p>a</p>","code_b":"<p>b</p>","winner":"tie"}
{"question_id":"q6","query":"One side does not show","code_a":"<p>a</p>","code_b":"<p>broken</p>","winner":"tie"}
{"question_id":"q7","query":"One side is empty","code_a":"<p>blank</p>","code_b":"<p>b</p>","winner":"tie"}
{"question_id":"q8","query":"One side is not judged","code_a":"<p>unknown</p>","code_b":"<p>b</p>","winner":"tie"}
{"question_id":"q9","query":"One side alone","code_a":"<p>a</p>","winner":"tie"}
`

// shown is look, with evidence of each page.
type shown struct{ look }

func (l *shown) Score(ctx context.Context, s flow.Scoring, files []string, dir string) (map[string]vitrine.Sample, error) {
	all, err := l.look.Score(ctx, s, files, dir)
	if err != nil {
		return nil, err
	}
	for id, sample := range all {
		sample.Evidence = "evidence/" + id
		all[id] = sample
		at := filepath.Join(dir, "evidence", id)
		if err := os.MkdirAll(at, 0o755); err != nil {
			return nil, err
		}
		ev := &vitrine.Evidence{Schema: vitrine.EvidenceSchema, Views: []vitrine.View{{Route: "/", Frames: []vitrine.Frame{{File: "frames/a.png"}}}}}
		if err := evidence.Save(at, ev); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func TestAnArenaIsCuratedStageByStage(t *testing.T) {
	server := modeltest.New(t, reader)
	dir := t.TempDir()
	s := asked(t, server, "arena-pairs", filepath.Join(dir, "out"))
	s.Limit, s.Sites = 20, &shown{look{t: t}}
	s.Inputs["in"] = []string{write(t, dir, "in.jsonl", dump)}
	sum := run(t, s)
	for name, want := range map[string]string{
		"pairs": "no two outputs 1", "whole": "", "verbatim": "the same instruction to the letter 1", "safe": "safe below 1 1", "interactive": "interaction below 8 1", "clear": "intention below 3 1",
		"seen": "unjudged: judge_error 1", "deployed": "no scores.vision.screenshot 1, scores.vision.screenshot below 1 1, the other side is not there 1",
	} {
		if got := step(t, sum, name).Why(); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	all := rows(t, filepath.Join(s.Out, "kept.jsonl"))
	if len(all) != 1 || all[0]["id"] != "q1" || all[0]["output_a"] != "<p>a</p>" || all[0]["output_b"] != "<p>b</p>" || all[0]["winner"] != "model_a" || all[0]["model_b"] != "n" {
		t.Errorf("%v", all)
	}
	// People look at what is left as it lies there.
	items, err := review.Pairs(filepath.Join(s.Out, "kept.jsonl"))
	if err != nil || len(items) != 1 || items[0].ID != "q1" {
		t.Fatalf("%+v, %v: want the pair to be reviewed", items, err)
	}
	for i, side := range items[0].Sides {
		if want := fmt.Sprintf("/evidence/q1.%c/frames/a.png", 'a'+i); len(side.Pictures) != 1 || !strings.HasSuffix(filepath.ToSlash(side.Pictures[0]), want) {
			t.Errorf("of the side %d are shown %v, want %s", i, side.Pictures, want)
		}
	}
}

func TestFieldsAreFoundInListsAndUnderNamesWithDots(t *testing.T) {
	dir := t.TempDir()
	in := write(t, dir, "in.jsonl", `{"id":"a","list":[{"x":1},{"x":2}],"scores":{"vision.total":7}}`+"\n")
	for path, want := range map[string]int{"list.-1.x": 1, "list.1.x": 1, "list.0.x": 0, "list.2.x": 0, "scores.vision.total": 0, "list": 0, "id.x": 0} {
		p, err := flow.Parse([]byte("name: x\ninputs: {in: rows}\nsteps: [{filter: {field: " + path + ", min: 2, max: 2}}]"))
		if err != nil {
			t.Fatal(err)
		}
		s := flow.Settings{Pipeline: p, Out: filepath.Join(dir, path), Inputs: map[string][]string{"in": {in}}, Say: t.Logf}
		if got := run(t, s).Steps[1]; got.Kept != want || path == "scores.vision.total" && got.Reasons["scores.vision.total above 2"] != 1 {
			t.Errorf("%s: %+v, want %d kept", path, got, want)
		}
	}
}
