package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/server/servertest"
)

// Outputs that a worker on a cluster builds, sees and judges become the rows that they are where
// they are scored on this machine, with the same evidence beside them.
func TestOutputsOfAPipelineAreScoredByWorkers(t *testing.T) {
	needsBrowser(t)
	dir := t.TempDir()
	cluster := servertest.StartCluster(t)
	worker := exec.Command("vitrine", "worker", "--nats", cluster.URL, "--recipe", "looks", "-j", "1")
	must(t, worker.Start())
	t.Cleanup(func() { _ = worker.Process.Kill(); _ = worker.Wait() })
	in, pipeline := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "p.yaml")
	must(t, os.WriteFile(in, []byte(`{"id":"a","instruction":"A tea shop","output":"<!DOCTYPE html><html><body><h1>Tea</h1><p>Green and black.</p></body></html>"}
{"id":"b","instruction":"A blog","output":"I would rather not."}
`), 0o600))
	must(t, os.WriteFile(pipeline, []byte("name: x\ninputs: {in: outputs}\nsteps: [{score: {recipe: looks}}]\n"), 0o600))
	run := func(out string, more ...string) []byte {
		cmd := exec.Command("vitrine", append([]string{"data", "run", pipeline, "--in", in, "--out", filepath.Join(dir, out)}, more...)...)
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		kept, err := os.ReadFile(filepath.Join(dir, out, "kept.jsonl"))
		must(t, err)
		return kept
	}
	here, there := run("here"), run("there", "--nats", cluster.URL)
	if !bytes.Equal(here, there) || !bytes.Contains(there, []byte(`"outcome":"rendered"`)) {
		t.Errorf("scored here:\n%s\nby a worker:\n%s", here, there)
	}
	shots, err := filepath.Glob(filepath.Join(dir, "there", "runs", "*", "evidence", "a", "frames", "*.png"))
	if err != nil || len(shots) == 0 {
		t.Errorf("no frames of the worker's evidence: %v", err)
	}
	samples, err := filepath.Glob(filepath.Join(dir, "there", "runs", "*", "samples.jsonl"))
	must(t, err)
	text, err := os.ReadFile(strings.Join(samples, ""))
	if err != nil || bytes.Count(text, []byte("\n")) != 2 {
		t.Errorf("%s, %v: want two samples", text, err)
	}
}
