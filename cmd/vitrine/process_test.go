package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"vitrine"
	"vitrine/internal/polltest"
)

// A scoring process is the real command at work, to be disturbed.
type process struct {
	*exec.Cmd
	stdout, stderr bytes.Buffer
	run            string        // its run folder
	ended          chan struct{} // closed when it has
}

const samples = 6

// score starts the command on an input of pages that differ, one at a time.
func score(t *testing.T, run string, args ...string) *process {
	t.Helper()
	needsBrowser(t)
	input := filepath.Join(t.TempDir(), "in.jsonl")
	var text bytes.Buffer
	for i := range samples {
		must(t, json.NewEncoder(&text).Encode(map[string]string{"id": fmt.Sprint("p", i), "output": strings.Replace(page, "Tea shop", fmt.Sprint("Tea shop ", i), 1)}))
	}
	must(t, os.WriteFile(input, text.Bytes(), 0o644))
	args = append([]string{"score", input, "--out", run, "--times", "0,1", "--no-cache", "-j", "1", "--no-report"}, args...)
	p := &process{Cmd: exec.Command("vitrine", args...), run: run, ended: make(chan struct{})}
	p.Stdout, p.Stderr = &p.stdout, &p.stderr
	must(t, p.Start())
	go func() {
		defer close(p.ended)
		_ = p.Wait()
	}()
	return p
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (p *process) lines() []byte {
	b, _ := os.ReadFile(filepath.Join(p.run, "samples.jsonl"))
	return b
}

// gathering are the folders of samples under way.
func (p *process) gathering() []string {
	found, _ := filepath.Glob(filepath.Join(p.run, "evidence", ".tmp-*"))
	return found
}

func (p *process) untilLines(t *testing.T, n int) {
	t.Helper()
	polltest.Until(t, fmt.Sprintf("%d lines", n), func() bool {
		select {
		case <-p.ended:
			t.Fatalf("it ended too early, with %d: %s", p.ProcessState.ExitCode(), p.stderr.String())
		default:
		}
		return bytes.Count(p.lines(), []byte("\n")) >= n
	})
}

// end waits for the command and returns its exit code.
func (p *process) end() int {
	<-p.ended
	return p.ProcessState.ExitCode()
}

// wholeLines checks that each line of a run is a sample of its own.
func wholeLines(t *testing.T, lines []byte) (n int) {
	t.Helper()
	seen := map[string]bool{}
	if len(lines) > 0 && !bytes.HasSuffix(lines, []byte("\n")) {
		t.Errorf("the last line is torn: %q", lines[bytes.LastIndexByte(lines, '\n')+1:])
	}
	for line := range bytes.Lines(lines) {
		var s vitrine.Sample
		if err := json.Unmarshal(line, &s); err != nil || s.Status != vitrine.SampleScored || seen[s.ID] {
			t.Errorf("line %d is no new sample: %v %s", n+1, err, line)
		}
		seen[s.ID] = true
		n++
	}
	return n
}

// resumed goes on with a run and holds it against what was there before.
func resumed(t *testing.T, run string, before []byte) {
	t.Helper()
	p := score(t, run, "--resume")
	if code := p.end(); code != 0 {
		t.Fatalf("resume ended with %d: %s", code, p.stderr.String())
	}
	if after := p.lines(); !bytes.HasPrefix(after, before) || wholeLines(t, after) != samples {
		t.Errorf("after the resume there are %d lines, and the earlier ones stayed: %v", bytes.Count(after, []byte("\n")), bytes.HasPrefix(after, before))
	}
	folders, err := os.ReadDir(filepath.Join(run, "evidence"))
	if err != nil || len(folders) != samples {
		t.Errorf("there are %d evidence folders, %v, want %d", len(folders), err, samples)
	}
	if want := fmt.Sprintf("%d samples are done", bytes.Count(before, []byte("\n"))); !strings.Contains(p.stderr.String(), want) {
		t.Errorf("the resume says %q, want %q", p.stderr.String(), want)
	}
}

// descendants are the processes below one, with the time each was started, so
// that a number that is used again is not taken for the same process.
func descendants(pid int) map[string]string {
	parents := map[string]string{}
	started := map[string]string{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		if fields := stat(name); len(fields) > 19 && fields[0] != "Z" {
			id := strings.Split(name, "/")[2]
			parents[id], started[id] = fields[1], fields[19]
		}
	}
	found := map[string]string{}
	for id := range parents {
		for up := parents[id]; up != "" && up != "0"; up = parents[up] {
			if up == strconv.Itoa(pid) {
				found[id] = started[id]
			}
		}
	}
	return found
}

// stat are the fields of a process's stat file after its name.
func stat(name string) []string {
	b, _ := os.ReadFile(name)
	_, rest, _ := strings.Cut(string(b), ") ")
	return strings.Fields(rest)
}

func alive(id, started string) bool {
	fields := stat("/proc/" + id + "/stat")
	return len(fields) > 19 && fields[19] == started && fields[0] != "Z"
}

// The test is the only one at work: it looks at processes.
func TestKilledRunLosesNothing(t *testing.T) {
	run := filepath.Join(t.TempDir(), "run")
	p := score(t, run)
	p.untilLines(t, 2)
	below := descendants(p.Process.Pid)
	if len(below) < 3 {
		t.Errorf("the run has processes %v, want the sandbox and a browser", below)
	}
	must(t, p.Process.Signal(syscall.SIGKILL))
	p.end()
	polltest.Until(t, "the browser and its sandbox are gone", func() bool {
		for id, started := range below {
			if alive(id, started) {
				return false
			}
		}
		return true
	})
	before := p.lines()
	if n := wholeLines(t, before); n < 2 || n == samples {
		t.Errorf("%d lines are there; the kill was to come in the middle", n)
	}
	resumed(t, run, before)
}

func TestFirstInterruptEndsWell(t *testing.T) {
	run := filepath.Join(t.TempDir(), "run")
	p := score(t, run)
	p.untilLines(t, 1)
	polltest.Until(t, "the next is under way", func() bool { return len(p.gathering()) > 0 })
	done := wholeLines(t, p.lines())
	must(t, p.Process.Signal(os.Interrupt))
	if code := p.end(); code != exitInterrupted {
		t.Errorf("ended with %d, want %d: %s", code, exitInterrupted, p.stderr.String())
	}
	before := p.lines()
	n := wholeLines(t, before)
	if n <= done || n == samples {
		t.Errorf("%d lines are there, %d before the interrupt: what was under way was to be finished, and no more", n, done)
	}
	for _, want := range []string{"finishing 1 samples under way", fmt.Sprintf("interrupted: %d samples are saved", n), "--resume --out " + run} {
		if !strings.Contains(p.stderr.String(), want) {
			t.Errorf("it says %q, want %q", p.stderr.String(), want)
		}
	}
	if p.stdout.Len() > 0 {
		t.Errorf("stdout has %q", p.stdout.String())
	}
	resumed(t, run, before)
}

func TestSecondInterruptEndsAtOnce(t *testing.T) {
	run := filepath.Join(t.TempDir(), "run")
	p := score(t, run)
	p.untilLines(t, 1)
	for range 2 {
		must(t, p.Process.Signal(syscall.SIGTERM))
	}
	if code := p.end(); code != exitInterrupted {
		t.Errorf("ended with %d, want %d: %s", code, exitInterrupted, p.stderr.String())
	}
	if left := p.gathering(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	resumed(t, run, p.lines())
}

func TestInterruptedRenderLeavesNothing(t *testing.T) {
	needsBrowser(t)
	dir := t.TempDir()
	file, out := filepath.Join(dir, "page.html"), filepath.Join(dir, "out")
	must(t, os.WriteFile(file, []byte("<!DOCTYPE html><title>Busy</title><h1>Busy</h1><script>for (;;);</script>"), 0o644))
	cmd := exec.Command("vitrine", "render", file, "--out", out)
	must(t, cmd.Start())
	polltest.Until(t, "the evidence folder", func() bool { _, err := os.Stat(filepath.Join(out, "frames")); return err == nil })
	must(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("ended with %d", code)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a half-gathered folder is left")
	}
}
