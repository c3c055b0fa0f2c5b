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
)

// A pipeline that is killed while a step scores ends in the rows of one that was not, and scores
// no output again that was written down.
func TestAPipelineThatIsKilledWhileItScoresEndsInTheSameBytes(t *testing.T) {
	needsBrowser(t)
	const outputs = 6
	dir := t.TempDir()
	var in bytes.Buffer
	lines := json.NewEncoder(&in)
	for i := range outputs {
		must(t, lines.Encode(map[string]string{"id": fmt.Sprint(i), "group_id": fmt.Sprint(i / 2), "instruction": "A tea shop", "output": fmt.Sprintf("<!DOCTYPE html><title>Tea</title><h1>Tea shop %d</h1>%s", i, strings.Repeat("<p>Tea</p>", i))}))
	}
	must(t, os.WriteFile(filepath.Join(dir, "in.jsonl"), in.Bytes(), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "p.yaml"), []byte("name: x\ninputs: {in: outputs}\nsteps: [{score: {recipe: looks}}, {best: {}}]\n"), 0o600))
	run := func(out string) *exec.Cmd {
		return exec.Command("vitrine", "data", "run", filepath.Join(dir, "p.yaml"), "--in", filepath.Join(dir, "in.jsonl"), "-j", "1", "--cache-dir", filepath.Join(dir, out+"-cache"), "--out", filepath.Join(dir, out))
	}
	written := func(out string) []byte {
		names, _ := filepath.Glob(filepath.Join(dir, out, "runs", "score-*", "samples.jsonl"))
		if len(names) == 0 {
			return nil
		}
		b, err := os.ReadFile(names[0])
		must(t, err)
		return b
	}
	whole := func(out string) {
		if said, err := run(out).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	whole("whole")
	killed := run("killed")
	must(t, killed.Start())
	polltest.Until(t, "two outputs are scored", func() bool { return bytes.Count(written("killed"), []byte("\n")) >= 2 })
	must(t, killed.Process.Kill())
	_ = killed.Wait()
	before := written("killed")
	if bytes.Count(before, []byte("\n")) == outputs {
		t.Fatal("it had scored all before it was killed")
	}
	whole("killed")
	after := written("killed")
	if complete := before[:bytes.LastIndexByte(before, '\n')+1]; !bytes.HasPrefix(after, complete) || bytes.Count(after, []byte("\n")) != outputs {
		t.Errorf("before the kill\n%s\nand in the end\n%s", before, after)
	}
	for _, name := range []string{"kept.jsonl", "summary.json"} {
		want, err := os.ReadFile(filepath.Join(dir, "whole", name))
		must(t, err)
		if got, err := os.ReadFile(filepath.Join(dir, "killed", name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not the same after a kill, %v:\n%s\nwant\n%s", name, err, got, want)
		}
	}
}
