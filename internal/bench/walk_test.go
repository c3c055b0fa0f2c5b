package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/generate"
)

// stepped is small with two steps a task.
type stepped struct{ small }

func (stepped) StepIDs(t vitrine.Task) []string { return []string{t.ID + "/1", t.ID + "/2"} }
func (stepped) Walker(context.Context, bench.Machine) (bench.Walker, error) {
	return walking{}, nil
}

// walking gives a task as many points as there are tries of its first step.
type walking struct{}

func (walking) Walk(ctx context.Context, t vitrine.Task, ask bench.Ask, j *bench.Journal) (bench.Measured, error) {
	n := 0
	for ; ; n++ {
		o, err := ask(ctx, vitrine.Task{ID: t.ID + "/1"}, n, generate.Prompt{})
		if err != nil || o == nil {
			break
		}
		if err := j.Put(o.ID, n); err != nil {
			return bench.Measured{}, err
		}
	}
	return bench.Measured{Outcome: "passed", Strict: bench.Parts{"points": bench.One(float64(n))}}, nil
}

func (walking) Reference(context.Context, vitrine.Task, *bench.Journal) (bench.Measured, error) {
	return bench.Measured{Outcome: "passed", Strict: bench.Parts{"points": bench.One(10)}}, nil
}

func TestRecordedOutputsAnswerSteps(t *testing.T) {
	t.Parallel()
	output := func(model, step string, sample int) vitrine.Output {
		asked, _ := json.Marshal(sample)
		return vitrine.Output{ID: fmt.Sprint(model, step, sample), TaskID: step, Model: model, Meta: map[string]json.RawMessage{"bench_sample": asked}}
	}
	recorded := bench.RecordedIn(bench.Answers{Outputs: []vitrine.Output{output("m", "a/1", 1), output("m", "a/1", 0), output("n", "b/2", 0)}})
	tasks := []vitrine.Task{{ID: "a"}, {ID: "b"}}
	paths := recorded.Paths(stepped{}, []string{"m", "n"}, tasks)
	paths = append(paths, bench.Path{Model: bench.ReferenceModel, Task: tasks[0]})
	dir := t.TempDir()
	run, err := bench.Open(dir, bench.Header{}, nil)
	must(t, err)
	w, err := stepped{}.Walker(t.Context(), bench.Machine{})
	must(t, err)
	a, measured, err := run.Walk(t.Context(), w, paths, []string{"m", "n"}, 2, func(int, bench.Path, bench.Measured) {})
	must(t, err)
	got := ""
	for _, o := range a.Outputs {
		got += fmt.Sprintf("%s of %s: %g, ", o.TaskID, o.Model, measured[o.ID].Strict["points"].Sum)
	}
	if want := "a of m: 2, b of n: 0, a of reference: 10, "; got != want {
		t.Errorf("got %s want %s", got, want)
	}
	results := bench.Results(stepped{}, tasks, a, measured)
	missing := 0
	for _, r := range results {
		if r.Outcome == bench.Missing {
			missing++
		}
	}
	if missing != 2 { // b of m, a of n
		t.Errorf("%d tasks are missing, want 2", missing)
	}
}

// What a killed process left unfinished is cut off, and the rest is there again.
func TestJournal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run, err := bench.Open(dir, bench.Header{}, nil)
	must(t, err)
	j, err := run.OpenJournal()
	must(t, err)
	must(t, j.Put("a", 1))
	must(t, j.Put("b", "two"))
	must(t, j.Close())
	name := filepath.Join(dir, "steps.jsonl")
	whole, err := os.ReadFile(name)
	must(t, err)
	must(t, os.WriteFile(name, append(whole, `{"key":"c","val`...), 0o644))
	j, err = run.OpenJournal()
	must(t, err)
	var n int
	var text string
	if !j.Get("a", &n) || !j.Get("b", &text) || j.Get("c", &n) || n != 1 || text != "two" {
		t.Errorf("a is %d, b %q", n, text)
	}
	must(t, j.Close())
	if again, err := os.ReadFile(name); err != nil || string(again) != string(whole) {
		t.Errorf("the journal is %q, %v", again, err)
	}
	must(t, os.WriteFile(name, []byte("nothing\n"), 0o644))
	_, err = run.OpenJournal()
	refused(t, err, "cannot be read")
}
