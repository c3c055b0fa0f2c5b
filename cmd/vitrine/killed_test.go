package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"vitrine/internal/model/modeltest"
	"vitrine/internal/polltest"
)

// A browser with a busy page and a build that left children behind end with the
// command that started them, even if that had no chance to see to it. The test is
// the only one at work: it looks at processes.
func TestNothingOutlivesAKill(t *testing.T) {
	needsBrowser(t)
	var input bytes.Buffer
	lines := json.NewEncoder(&input)
	must(t, lines.Encode(map[string]string{"id": "busy", "output": "<!DOCTYPE html><title>Busy</title><h1>Busy</h1><script>for (;;);</script>"}))
	must(t, lines.Encode(map[string]string{"id": "asleep", "output": `<webArtifact id="a" title="A"><webAction type="file" filePath="package.json">{"scripts":{"build":"node build.js"}}</webAction>` +
		`<webAction type="file" filePath="build.js">require('child_process').spawn('setsid', ['sleep', '4711'], {detached: true, stdio: 'ignore'}); setInterval(() => {}, 1000)</webAction></webArtifact>`}))
	file := filepath.Join(t.TempDir(), "in.jsonl")
	must(t, os.WriteFile(file, input.Bytes(), 0o644))
	cmd := exec.Command("vitrine", "score", file, "--out", filepath.Join(t.TempDir(), "run"), "--cache-dir", t.TempDir(), "-j", "2", "--no-report")
	must(t, cmd.Start())
	running := func(what string) func() bool {
		return func() bool {
			for id := range descendants(cmd.Process.Pid) {
				if args, _ := os.ReadFile("/proc/" + id + "/cmdline"); strings.Contains(string(args), what) {
					return true
				}
			}
			return false
		}
	}
	polltest.Until(t, "a page is open", running("--type=renderer"))
	polltest.Until(t, "a build has left a child behind", running("sleep\x004711"))
	below := descendants(cmd.Process.Pid)
	must(t, cmd.Process.Kill())
	_ = cmd.Wait()
	polltest.Until(t, "all are gone", func() bool {
		for id, started := range below {
			if alive(id, started) {
				return false
			}
		}
		return true
	})
	if state := cmd.ProcessState.Sys().(syscall.WaitStatus); !state.Signaled() {
		t.Errorf("it ended with %v", state)
	}
}

// A run that is killed while a model judges goes on with what is missing: nothing
// that was answered and written down is asked again.
func TestAKilledRunAsksOnlyWhatIsMissing(t *testing.T) {
	needsBrowser(t)
	const samples = 6
	var mu sync.Mutex
	asked := map[string]int{} // by the id in the instruction
	hold, total := make(chan struct{}), 0
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		mu.Lock()
		defer mu.Unlock()
		asked[regexp.MustCompile(`shop number \d+`).FindString(q.Text)]++
		total++
		a := modeltest.Answer{Text: `{"feedback": "Fine.", "alignment": 30, "aesthetics": 20, "structure": 25, "total": 75}`}
		if total > 3 {
			a.Wait = hold
		}
		return a
	})
	var input bytes.Buffer
	lines := json.NewEncoder(&input)
	for i := range samples {
		n := string(rune('0' + i))
		must(t, lines.Encode(map[string]string{"id": n, "instruction": "A page for tea shop number " + n, "output": "<!DOCTYPE html><title>Tea</title><h1>Tea shop " + n + "</h1>"}))
	}
	dir := t.TempDir()
	file, out := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "run")
	must(t, os.WriteFile(file, input.Bytes(), 0o644))
	score := func(more ...string) *exec.Cmd {
		cmd := exec.Command("vitrine", append([]string{"score", file, "--out", out, "--cache-dir", dir, "-j", "2", "--times", "0", "--no-report", "-m", "openai/critic"}, more...)...)
		cmd.Env = append(os.Environ(), "OPENAI_API_KEY="+modeltest.Key, "OPENAI_BASE_URL="+server.URL)
		return cmd
	}
	written := func() map[string]bool {
		ids := map[string]bool{}
		b, _ := os.ReadFile(filepath.Join(out, "samples.jsonl"))
		for line := range bytes.Lines(b) {
			var s struct{ ID, Status string }
			if json.Unmarshal(line, &s) == nil && s.Status == "scored" {
				ids[s.ID] = true
			}
		}
		return ids
	}
	first := score()
	must(t, first.Start())
	polltest.Until(t, "three samples are written down", func() bool { return len(written()) == 3 })
	must(t, first.Process.Kill())
	_ = first.Wait()
	close(hold)
	before := written()
	said, err := score("--resume").CombinedOutput()
	if err != nil || len(written()) != samples {
		t.Fatalf("%d of %d samples: %v\n%s", len(written()), samples, err, said)
	}
	mu.Lock()
	defer mu.Unlock()
	for id := range before {
		if n := asked["shop number "+id]; n != 1 {
			t.Errorf("sample %s was asked about %d times", id, n)
		}
	}
	if total > samples+2 { // two were under way
		t.Errorf("%d questions about %d samples", total, samples)
	}
}
