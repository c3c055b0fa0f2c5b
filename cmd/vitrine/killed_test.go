package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A browser with a busy page and a build that left children behind end with the
// command that started them, even if that had no chance to see to it. The test is
// the only one at work: it looks at processes.
func TestNothingOutlivesAKill(t *testing.T) {
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
	until(t, "a page is open", running("--type=renderer"))
	until(t, "a build has left a child behind", running("sleep\x004711"))
	below := descendants(cmd.Process.Pid)
	must(t, cmd.Process.Kill())
	killed := time.Now()
	_ = cmd.Wait()
	until(t, "all are gone", func() bool {
		for id, started := range below {
			if alive(id, started) {
				return false
			}
		}
		return true
	})
	if took := time.Since(killed); took > 5*time.Second {
		t.Errorf("it took %s until %d processes were gone", took, len(below))
	} else {
		t.Logf("%d processes were gone after %s", len(below), took)
	}
	if state := cmd.ProcessState.Sys().(syscall.WaitStatus); !state.Signaled() {
		t.Errorf("it ended with %v", state)
	}
}
