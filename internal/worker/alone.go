package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"vitrine/internal/subprocess"

	"vitrine"
)

// A Process scores one output in a process of its own, which ends with it: it runs a
// program that calls [ScoreAlone]. It is a [Scorer] for jobs during which a worker died.
type Process struct {
	Recipe string
	Path   string   // of the program
	Args   []string // with the program's name first
}

// A crash is the end of a process by its own fault: a panic, a fatal error of the runtime, or
// a signal that results from one. SIGKILL and SIGTERM, which other processes send, are
// not crashes.
type crash struct{ how string }

func (c crash) Error() string { return "the process ended by itself: " + c.how }

// crashes are the signals that a process gets for its own fault.
var crashes = map[syscall.Signal]bool{
	syscall.SIGSEGV: true, syscall.SIGABRT: true, syscall.SIGBUS: true, syscall.SIGILL: true, syscall.SIGFPE: true, syscall.SIGTRAP: true, syscall.SIGSYS: true,
}

// exitOfARuntime is how Go's runtime ends a process that panicked, or was sent one of the
// signals above.
const exitOfARuntime = 2

// question is what the process is asked, answered is what it says.
type question struct {
	Recipe string         `json:"recipe"`
	Output vitrine.Output `json:"output"`
	Dir    string         `json:"dir"`
}

type answered struct {
	Sample   *vitrine.Sample `json:"sample,omitempty"`
	Evidence bool            `json:"evidence,omitempty"`
	Error    *vitrine.Fault  `json:"error,omitempty"`
}

// Score runs the process and waits for its answer. It is killed when ctx ends.
func (p Process) Score(ctx context.Context, o vitrine.Output, dir string) (s vitrine.Sample, evidence bool, err error) {
	asked, err := json.Marshal(question{p.Recipe, o, dir})
	if err != nil {
		return s, false, fmt.Errorf("worker: %w", err)
	}
	cmd := exec.CommandContext(ctx, p.Path)
	cmd.Args = p.Args
	var said bytes.Buffer
	talk := &tail{}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(asked), &said, talk
	cmd.SysProcAttr = subprocess.Group()
	cmd.WaitDelay = 5 * time.Second
	runtime.LockOSThread() // the process is killed when the thread that started it ends
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return s, false, fmt.Errorf("worker: %w", err)
	}
	ended := cmd.Wait()
	if ctx.Err() != nil {
		return s, false, ctx.Err()
	}
	var got answered
	if json.Unmarshal(said.Bytes(), &got) == nil {
		switch {
		case got.Sample != nil:
			return *got.Sample, got.Evidence, nil
		case got.Error != nil:
			return s, false, got.Error
		}
	}
	return s, false, lost(cmd, ended, talk)
}

// lost is how a process ended that gave no answer.
func lost(cmd *exec.Cmd, ended error, talk *tail) error {
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	switch {
	case status.Signaled() && crashes[status.Signal()]:
		return crash{status.Signal().String()}
	case status.Exited() && status.ExitStatus() == exitOfARuntime:
		return crash{talk.first()}
	}
	return vitrine.NewFault("worker", vitrine.FaultInterrupted, errors.Join(ended, errors.New(talk.first())), "the process in which this was worked on alone was ended from outside").
		WithFix("ask again; if it recurs, look whether the machine ran out of memory")
}

// tail keeps the beginning of what a process says: there it says why it ended.
type tail struct{ kept []byte }

func (t *tail) Write(b []byte) (int, error) {
	t.kept = append(t.kept, b[:min(len(b), 4096-len(t.kept))]...)
	return len(b), nil
}

// first is the line with the cause of a panic, or else the first.
func (t *tail) first() string {
	found := ""
	for line := range strings.Lines(string(t.kept)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") || strings.HasPrefix(line, "SIG") {
			found = line
			break
		}
		if found == "" {
			found = line
		}
	}
	return fmt.Sprintf("%.200s", found)
}

// ScoreAlone is what the process of a [Process] does: it reads one question, has it scored
// and writes the answer.
func ScoreAlone(ctx context.Context, in io.Reader, out io.Writer, scorers func(recipe string) (Scorer, error)) error {
	var q question
	if err := json.NewDecoder(in).Decode(&q); err != nil {
		return fmt.Errorf("worker: a job to be scored alone: %w", err)
	}
	var a answered
	scorer, err := scorers(q.Recipe)
	if err == nil {
		var sample vitrine.Sample
		sample, a.Evidence, err = scorer.Score(ctx, q.Output, q.Dir)
		a.Sample = &sample
	}
	if err != nil {
		a = answered{Error: withCauseInMessage(vitrine.AsFault("worker", err))}
	}
	return json.NewEncoder(out).Encode(a)
}
