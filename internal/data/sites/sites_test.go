package sites_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"vitrine"
	"vitrine/internal/data/flow"
	"vitrine/internal/data/sites"
	"vitrine/internal/leak"
	"vitrine/internal/runs"
	"vitrine/internal/setup"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

const outputs = `{"id":"a","instruction":"A tea shop","output":"<!DOCTYPE html><html><body><h1>Tea</h1><p>Green and black.</p></body></html>"}
{"id":"b","instruction":"A blog","output":"I would rather not."}
{"id":"c","instruction":"a task alone"}
`

// TestRowsAreScoredIntoARunFolderOnce scores two rows, and then none again.
func TestRowsAreScoredIntoARunFolderOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("needs the browser")
	}
	dir := t.TempDir()
	in := filepath.Join(dir, "in.jsonl")
	if err := os.WriteFile(in, []byte(outputs), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &sites.Scorer{Here: setup.Machine{CacheDir: filepath.Join(dir, "cache"), Getenv: func(string) string { return "" }}, Talk: io.Discard}
	p, err := flow.Parse([]byte("name: x\ninputs: {in: outputs}\nsteps: [{score: {recipe: looks}}]"))
	if err != nil {
		t.Fatal(err)
	}
	settings := flow.Settings{Pipeline: p, Out: filepath.Join(dir, "out"), Inputs: map[string][]string{"in": {in}}, Sites: s, Say: t.Logf}
	sum, err := flow.Run(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	if r := sum.Steps[1]; r.Kept != 2 || r.Reasons["no output"] != 1 {
		t.Errorf("%+v", r)
	}
	run := filepath.Join(settings.Out, "runs", "score-"+sum.Steps[1].Key)
	if _, samples, err := runs.Read(run); err != nil || len(samples) != 2 || samples[0].Outcome == "" {
		t.Errorf("%+v, %v", samples, err)
	}
	kept, err := os.ReadFile(filepath.Join(settings.Out, "kept.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	shots, _ := filepath.Glob(filepath.Join(run, "evidence", "a", "frames", "*.png"))
	for _, want := range []string{`"outcome":"rendered"`, `"outcome":"` + string(vitrine.OutcomeNoArtifact) + `"`, `"screenshot":"runs/`} {
		if !bytes.Contains(kept, []byte(want)) || len(shots) == 0 {
			t.Errorf("no %s in %s, or no screenshot: %v", want, kept, shots)
		}
	}
	// The step is lost, as by a kill; the run is there.
	if err := os.RemoveAll(filepath.Join(settings.Out, "steps")); err != nil {
		t.Fatal(err)
	}
	if _, err := flow.Run(t.Context(), settings); err != nil {
		t.Fatal(err)
	}
	again, err := os.ReadFile(filepath.Join(settings.Out, "kept.jsonl"))
	if _, samples, failed := runs.Read(run); failed != nil || len(samples) != 2 || err != nil || string(again) != string(kept) {
		t.Errorf("%d samples, %v; want the two of before and the same rows", len(samples), err)
	}
}
