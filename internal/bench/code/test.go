package code

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/build"
	"vitrine/internal/disk"
	"vitrine/internal/sandbox"
)

//go:embed harness.py
var harness string

// Each process of an answer has so many seconds of the processor, and of the clock.
const cpuSeconds, wallSeconds = 10, 60

// limits are those of an answer with few cases.
var limits = sandbox.Limits{Wall: 10 * time.Minute, CPU: 5 * time.Minute, MemoryBytes: 4 << 30, Processes: 128, FileBytes: 64 << 20}

// limitsOf lets each case have its time: right answers to many cases need more.
func limitsOf(s suite) sandbox.Limits {
	l, n := limits, time.Duration(len(s.Cases)+1)
	l.Wall, l.CPU = max(l.Wall, n*wallSeconds*time.Second), max(l.CPU, n*(cpuSeconds+1)*time.Second)
	return l
}

// environment is all of the environment of an answer.
var environment = []string{"PATH=/usr/bin:/usr/local/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8", "PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1", "OPENBLAS_NUM_THREADS=1"}

// Tester implements [bench.Tested]. It has tested an answer of ours that passes: where that
// does not, none could.
func (Benchmark) Tester(ctx context.Context, m bench.Machine) (bench.Tester, error) {
	if m.Sandbox.Unsafe {
		return nil, vitrine.NewFault("build", vitrine.FaultUsage, nil, "answers are programs, and run only in the sandbox").WithFix("leave out --unsafe-no-sandbox")
	}
	if err := m.Sandbox.Available(ctx); err != nil {
		return nil, err
	}
	t := tester{m.Sandbox, wallSeconds}
	v, err := t.try(ctx, "def double(x):\n    return 2 * x\n", suite{Tests: "import numpy\nassert double(2) == 4"})
	if err == nil && !v.Pass {
		err = vitrine.NewFault("build", vitrine.FaultNoPython, errors.New(v.Why), "Python does not work here: an answer that passes fails").WithFix("make setup-plots, or apt-get install python3 python3-numpy")
	}
	return t, err
}

type tester struct {
	box  sandbox.Sandbox
	wall int // seconds of each process of an answer
}

// verdict is what the harness says.
type verdict struct {
	Pass bool   `json:"pass"`
	Why  string `json:"why"`
	// Starved is of one that the machine was too busy to test.
	Starved bool `json:"starved"`
}

// Test implements [bench.Tester].
func (t tester) Test(ctx context.Context, task vitrine.Task, o vitrine.Output) (bench.Measured, error) {
	var s suite
	if err := json.Unmarshal([]byte(task.Files[0].Content), &s); err != nil {
		return bench.Measured{}, err
	}
	v, err := t.try(ctx, program(o.Text), s)
	switch {
	case ctx.Err() != nil:
		return bench.Measured{}, ctx.Err()
	case errors.Is(err, sandbox.ErrStarved):
		return bench.Measured{Outcome: "unjudged", Strict: bench.Parts{"pass": nil}, Compat: bench.Parts{"pass": bench.One(0)}, Error: sandbox.StarvedFault("build")}, nil
	case err != nil:
		return bench.Measured{}, err
	}
	m := bench.Measured{Outcome: "failed", Why: v.Why, Strict: bench.Parts{"pass": bench.One(0)}}
	if v.Pass {
		m.Outcome, m.Strict["pass"] = "passed", bench.One(1)
	}
	m.Compat = m.Strict
	return m, nil
}

// try runs the tests of an answer. An answer that uses up a limit has failed; the error is
// [sandbox.ErrStarved] where the machine was too busy to test it.
func (t tester) try(ctx context.Context, code string, s suite) (verdict, error) {
	word := rand.Text()
	job, err := json.Marshal(map[string]any{"word": word, "code": code, "tests": s.Tests, "call": s.Call, "cases": s.Cases, "cpu": cpuSeconds, "wall": t.wall})
	if err != nil {
		return verdict{}, err
	}
	file, err := os.CreateTemp("", "vitrine-job-")
	if err != nil {
		return verdict{}, disk.Fault(err)
	}
	defer file.Close()
	_, err = file.Write(job)
	if err = errors.Join(err, os.Remove(file.Name())); err != nil {
		return verdict{}, disk.Fault(err)
	}
	if _, err := file.Seek(0, 0); err != nil {
		return verdict{}, disk.Fault(err)
	}
	limits := limitsOf(s)
	log := &sandbox.Tail{Keep: 64 << 10}
	err = t.box.Run(ctx, sandbox.Spec{Args: []string{"python3", "-I", "-c", harness}, Dir: "/tmp", Env: environment, Limits: limits, Stdout: log, Stderr: log, Files: []*os.File{file}})
	if f := build.OverLimit(err, "the answer", limits); f != nil {
		return verdict{Why: f.Message}, nil
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return verdict{}, err
	}
	v := read(log.String(), word)
	if v.Starved {
		return v, sandbox.ErrStarved
	}
	return v, nil
}

// read finds the line of the harness.
func read(log, word string) (v verdict) {
	for line := range strings.Lines(log) {
		if _, text, found := strings.Cut(line, word+" "); found && json.Unmarshal([]byte(text), &v) == nil {
			return v
		}
	}
	return verdict{Why: build.Bounded("the tests were ended: "+strings.TrimSpace(log), 300)}
}

var block = regexp.MustCompile("(?s)```([a-zA-Z0-9]*)[ \t]*\r?\n(.*?)```")

// program is what an answer says: its last block of Python, else its last block, else all
// of it.
func program(text string) string {
	if i := strings.LastIndex(text, "</think>"); i >= 0 {
		text = text[i+len("</think>"):]
	}
	code, python := text, false
	for _, b := range block.FindAllStringSubmatch(text, -1) {
		is := strings.HasPrefix(strings.ToLower(b[1]), "py")
		if is || !python {
			code, python = b[2], is
		}
	}
	return code
}
