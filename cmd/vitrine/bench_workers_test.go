package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/polltest"
	"vitrine/internal/runs"
	"vitrine/internal/server/servertest"
)

// said runs vitrine and returns what it prints for others.
func said(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("vitrine", args...)
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	if err := cmd.Run(); err != nil {
		t.Fatalf("vitrine %s: %v: %s", strings.Join(args, " "), err, &talk)
	}
	return out.String()
}

// workingFor starts a worker; kill ends it as a machine that is lost.
func workingFor(t *testing.T, url string, flags ...string) (kill func()) {
	t.Helper()
	cmd := exec.Command("vitrine", append([]string{"worker", "--nats", url, "-j", "1"}, flags...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir()) // one that is killed leaves its folder there
	cmd.Stderr = os.Stderr
	must(t, cmd.Start())
	kill = func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
	t.Cleanup(kill)
	return kill
}

// The table of a benchmark that two workers of a cluster measured, one of which was killed
// during the run, equals that of one machine; the run folder has the evidence.
func TestABenchmarkIsMeasuredByWorkers(t *testing.T) {
	needsBrowser(t)
	const answers = 6
	dir := t.TempDir()
	tasks, outputs := filepath.Join(dir, "all_prompt.jsonl"), filepath.Join(dir, "outputs.jsonl")
	var asked, written bytes.Buffer
	for i := range answers {
		must(t, json.NewEncoder(&asked).Encode(map[string]any{"id": i, "prompt": fmt.Sprint("A page for tea shop ", i), "category": "Website"}))
		page := fmt.Sprintf("<!DOCTYPE html><html lang=en><title>Tea</title><h1>Tea shop %d</h1><p>Green and black tea from the hills.</p>%s", i, strings.Repeat("<button onclick=\"this.textContent='Thanks'\">Order</button>", i))
		must(t, json.NewEncoder(&written).Encode(map[string]any{"id": fmt.Sprint("a", i), "task_id": fmt.Sprint(i), "model": "m", "output": page}))
	}
	must(t, os.WriteFile(tasks, asked.Bytes(), 0o600))
	must(t, os.WriteFile(outputs, written.Bytes(), 0o600))
	run := func(out string, more ...string) []string {
		return append([]string{"bench", "run", "opendesign", "--outputs", outputs, "--data", tasks, "--out", filepath.Join(dir, out)}, more...)
	}
	here := said(t, run("here")...)

	cluster := servertest.StartCluster(t)
	flags := []string{"--viewport", "desktop", "--times", "0", "--interact", "explore"}
	kill := workingFor(t, cluster.URL, flags...)
	workingFor(t, cluster.URL, flags...)
	first := exec.Command("vitrine", run("there", "--nats", cluster.URL)...)
	must(t, first.Start())
	samples := filepath.Join(dir, "there", "samples", "samples.jsonl")
	polltest.Until(t, "an answer is measured", func() bool {
		text, _ := os.ReadFile(samples)
		return bytes.Contains(text, []byte("\n"))
	})
	kill()
	must(t, first.Wait())
	there := strings.ReplaceAll(said(t, "bench", "table", filepath.Join(dir, "there")), "there: ", "here: ") // folders in the notes
	if here != there || !strings.Contains(there, "| m | 6 | 6 | 0 | 0 |") {
		t.Errorf("here:\n%s\nby workers:\n%s", here, there)
	}
	shots, err := filepath.Glob(filepath.Join(dir, "there", "samples", "evidence", "*", "frames", "*.png"))
	if err != nil || len(shots) != answers {
		t.Errorf("%d frames of the workers' evidence: %v", len(shots), err)
	}
}

// Tasks travel with the outputs that vitrine score has workers score: these have no file of them.
func TestOutputsWithTasksAreScoredByWorkers(t *testing.T) {
	needsBrowser(t)
	dir := t.TempDir()
	tasks, outputs := filepath.Join(dir, "tasks.jsonl"), filepath.Join(dir, "outputs.jsonl")
	must(t, os.WriteFile(tasks, []byte(`{"id":"t","instruction":"A tea shop"}`+"\n"), 0o600))
	must(t, os.WriteFile(outputs, []byte(`{"id":"a","task_id":"t","output":"<!DOCTYPE html><html lang=en><title>Tea</title><h1>Tea shop</h1><p>Green tea."}
{"id":"b","task_id":"none","output":"<!DOCTYPE html><h1>Tea</h1>"}
`), 0o600))
	cluster := servertest.StartCluster(t)
	workingFor(t, cluster.URL)
	score := func(out string, more ...string) string {
		out = filepath.Join(dir, out)
		said(t, append([]string{"score", outputs, "--tasks", tasks, "--max-errors", "1", "--no-report", "--out", out}, more...)...)
		_, all, err := runs.Read(out)
		must(t, err)
		var rewards []string
		for _, s := range all {
			r, err := json.Marshal([]any{s.ID, s.Reward, s.Scores, s.Error})
			must(t, err)
			rewards = append(rewards, string(r))
		}
		return strings.Join(rewards, "\n")
	}
	there := score("there", "--nats", cluster.URL, "-j", "1")
	if here := score("here", "-j", "1"); here != there || !strings.Contains(there, `"unknown_task"`) {
		t.Errorf("here:\n%s\nby a worker:\n%s", here, there)
	}
}
