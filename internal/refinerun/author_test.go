package refinerun_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"vitrine"
	"vitrine/internal/generate"
	"vitrine/internal/leak"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
	"vitrine/internal/refine"
	"vitrine/internal/refinerun"
	"vitrine/internal/runs"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// twoVersions writes a first version and a second one, and can fail at the second.
type twoVersions struct {
	mu    sync.Mutex
	down  bool
	seeds []int64
}

func (m *twoVersions) answer(q modeltest.Question) modeltest.Answer {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seeds = append(m.seeds, *q.Seed)
	switch {
	case !strings.Contains(q.Text, "First."):
		return modeltest.Answer{Text: "<p>First.</p> <get_feedback>", Usage: model.Usage{In: 5, Out: 10}}
	case m.down:
		return modeltest.Answer{Failure: &modeltest.Failure{Status: 503, Message: "overloaded"}}
	}
	return modeltest.Answer{Text: "<p>Second.</p>", Usage: model.Usage{In: 25, Out: 30, Reasoning: 20}}
}

// written has two tasks written without a critic.
func written(t *testing.T, server *modeltest.Server, dir string, change func(*refinerun.Author, *generate.Settings)) (generate.Progress, error) {
	t.Helper()
	seed := int64(7)
	client := server.Client(t, model.Settings{Retries: -1})
	a := &refinerun.Author{Dir: filepath.Join(dir, "loops"), Settings: refine.Defaults(), Client: client, Model: "openai/author", Header: runs.Header{Input: "o.jsonl"}}
	a.Settings.CriticFree = true
	s := generate.Settings{
		Author: a, Model: "openai/author", Name: "openai/author", N: 2, MaxTokens: 100, Seed: &seed, Concurrency: 1,
		Prompt: func(t vitrine.Task) generate.Prompt {
			return generate.Prompt{System: "Write HTML.", Text: t.Instruction}
		},
	}
	if change != nil {
		change(a, &s)
	}
	f, err := generate.Open(filepath.Join(dir, "o.jsonl"), true)
	must(t, err)
	defer func() { must(t, f.Close()) }()
	return generate.Run(t.Context(), []vitrine.Task{{ID: "a", Instruction: "A page."}, {ID: "b/1", Instruction: "Another page."}}, f, s)
}

func outputs(t *testing.T, dir string) map[string]generate.Answer {
	t.Helper()
	f, err := generate.Open(filepath.Join(dir, "o.jsonl"), true)
	must(t, err)
	must(t, f.Close())
	return f.Done
}

// The answer is the best version, with its own tokens and what all versions took.
func TestAnAnswerInRounds(t *testing.T) {
	t.Parallel()
	m, dir := &twoVersions{}, t.TempDir()
	p, err := written(t, modeltest.New(t, m.answer), dir, nil)
	must(t, err)
	if p.Done != 4 || *p.Pace.Rounds != 2 || *p.Pace.Versions != 2 || p.Pace.Timed != 4 || *p.Pace.Seconds <= 0 {
		t.Errorf("%+v, %+v", p, p.Pace)
	}
	if want := []int64{7, 8, 8, 9, 7, 8, 8, 9}; !slices.Equal(m.seeds, want) {
		t.Errorf("seeds %v, want %v", m.seeds, want)
	}
	all, seconds := outputs(t, dir), 0.0
	for _, a := range all {
		seconds += a.Seconds
	}
	if mean := seconds / 4; math.Abs(*p.Pace.Seconds-mean) > 1e-9*mean {
		t.Errorf("%v seconds an answer, want the mean %v", *p.Pace.Seconds, mean)
	}
	a := all["b/1-1"]
	if a.Text != "<p>Second.</p>" || a.Usage.Out != 30 || a.Loop.Usage != (model.Usage{In: 30, Out: 40, Reasoning: 20}) || a.Loop.Best != 2 || a.Loop.End != "not_asked" ||
		a.Finish != model.FinishStop || a.By != "author" || a.Attempts != 2 || a.Loop.WritingSeconds != a.Seconds || !strings.HasPrefix(a.Asked.Loop, "critic-free ") {
		t.Errorf("%+v, loop %+v", a, a.Loop)
	}
}

// A version without an answer is a failure by its cause. Going on asks for that version
// alone, and what was written before is counted.
func TestALoopThatFailedGoesOn(t *testing.T) {
	t.Parallel()
	m, dir := &twoVersions{down: true}, t.TempDir()
	server := modeltest.New(t, m.answer)
	p, err := written(t, server, dir, nil)
	must(t, err)
	failures, err := os.ReadFile(generate.FailuresFile(filepath.Join(dir, "o.jsonl")))
	if err != nil || p.Failed != 4 || p.Pace.Rounds != nil || strings.Count(string(failures), `"cause":"overloaded"`) != 4 {
		t.Errorf("%+v, %v:\n%s", p, err, failures)
	}
	m.mu.Lock()
	m.down = false
	m.mu.Unlock()
	before := server.Calls()
	p, err = written(t, server, dir, nil)
	must(t, err)
	if a := outputs(t, dir)["a-0"]; p.Done != 4 || server.Calls()-before != 4 || a.Loop.Usage.Out != 40 || a.Text != "<p>Second.</p>" {
		t.Errorf("%+v after %d questions, want 4; %+v", p, server.Calls()-before, a)
	}
	if p, err = written(t, server, dir, nil); err != nil || p.Before != 4 || *p.Pace.Rounds != 2 {
		t.Errorf("once more: %+v, %v", p, err)
	}
	_, err = written(t, server, dir, func(a *refinerun.Author, _ *generate.Settings) { a.Settings.MaxRounds = 1 })
	if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultUsage || !strings.Contains(f.Message, "another --loop") {
		t.Errorf("other rounds: %v", err)
	}
}

// A folder without a session is what a killed process leaves before anything is written; a
// file of versions that is torn is refused by name.
func TestWhatAKillLeaves(t *testing.T) {
	t.Parallel()
	m, dir := &twoVersions{down: true}, t.TempDir()
	server := modeltest.New(t, m.answer)
	must(t, os.MkdirAll(filepath.Join(dir, "loops", "a-0", "evidence"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "loops", "a-0", "samples.jsonl"), nil, 0o644))
	if p, err := written(t, server, dir, nil); err != nil || p.Failed != 4 {
		t.Fatalf("%+v, %v", p, err)
	}
	must(t, os.WriteFile(filepath.Join(dir, "loops", "a-0", "versions.jsonl"), []byte(`{"turn":`), 0o644))
	_, err := written(t, server, dir, nil)
	if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultUsage || f.Fix == "" || !strings.Contains(f.Message, "versions.jsonl cannot be read") {
		t.Errorf("%v", err)
	}
}
