package flow_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"vitrine"
	"vitrine/internal/data/flow"
	"vitrine/internal/evidence"
)

// judge is a scorer whose judges asked models: the evidence says what they took.
type judge struct{ damaged bool }

func (judge) By(context.Context, flow.Scoring) (string, error) { return "judge", nil }

func (j judge) Score(_ context.Context, _ flow.Scoring, _ []string, dir string) (map[string]vitrine.Sample, error) {
	call := func(in, out int) vitrine.Call {
		return vitrine.Call{Cost: vitrine.Cost{TokensIn: in, TokensOut: out}}
	}
	seen := filepath.Join(dir, "evidence", "a")
	err := errors.Join(os.MkdirAll(seen, 0o755), os.MkdirAll(filepath.Join(dir, "evidence", "b"), 0o755),
		evidence.SaveOpinions(seen, []vitrine.Judgement{{Calls: []vitrine.Call{call(100, 10), call(200, 20)}}, {Calls: []vitrine.Call{call(1000, 1)}}}),
		evidence.SaveTrace(seen, &vitrine.Trace{Calls: []vitrine.Call{call(3, 4)}, Cases: []vitrine.Case{{Calls: []vitrine.Call{call(50, 5)}}}}))
	if j.damaged {
		err = errors.Join(err, os.WriteFile(filepath.Join(seen, "opinions.json"), []byte("{"), 0o600))
	}
	reward, samples := 1.0, map[string]vitrine.Sample{}
	for id, at := range map[string]string{"a": "evidence/a", "same as a": "evidence/a", "b": "evidence/b", "unjudged": ""} {
		samples[id] = vitrine.Sample{ID: id, Reward: &reward, Evidence: at}
	}
	return samples, err
}

func TestWhatJudgesTookIsCounted(t *testing.T) {
	p, err := flow.Parse([]byte("name: x\ninputs: {in: outputs}\nsteps: [{score: {recipe: looks}}]"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	in := write(t, dir, "in.jsonl", `{"id":"a","output":"<p>"}`+"\n"+`{"id":"b","output":"<p>"}`+"\n")
	s := flow.Settings{Pipeline: p, Out: filepath.Join(dir, "out"), Inputs: map[string][]string{"in": {in}}, Sites: judge{}, Say: t.Logf}
	if f := step(t, run(t, s), "score").Figures; f["calls"] != 5 || f["tokens_in"] != 1353 || f["tokens_out"] != 40 {
		t.Errorf("%v, want the five calls of one evidence folder", f)
	}
	s.Out, s.Sites = filepath.Join(dir, "damaged"), judge{damaged: true}
	if _, err := flow.Run(context.Background(), s); err == nil {
		t.Error("damaged evidence is counted as none")
	}
}
