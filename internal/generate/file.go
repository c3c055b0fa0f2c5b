package generate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/model"
)

// An Answer is a line of the file of outputs. It is an output as vitrine score reads it;
// what it says beyond that is kept in meta there.
type Answer struct {
	ID          string       `json:"id"`
	TaskID      string       `json:"task_id"`
	GroupID     string       `json:"group_id"` // the task: its samples are a group
	Model       string       `json:"model"`    // provider/model as asked for
	Instruction string       `json:"instruction"`
	Kind        vitrine.Kind `json:"kind,omitempty"`
	Text        string       `json:"output"` // empty where the model would not answer
	// Reasoning is what the model thought, where the endpoint gives it apart. Thoughts in
	// the text, such as <think>, stay there: the parser takes them apart.
	Reasoning string       `json:"reasoning,omitempty"`
	Finish    model.Finish `json:"finish"`
	Refusal   string       `json:"refusal,omitempty"`
	By        string       `json:"answered_by,omitempty"` // the model as the endpoint names it
	Usage     model.Usage  `json:"usage"`
	USD       *float64     `json:"usd"` // nil where the price is not known; 0 from the tape
	Seconds   float64      `json:"seconds"`
	Attempts  int          `json:"attempts"`
	Cached    bool         `json:"cached"` // from the tape
	Asked     Asked        `json:"asked"`
	Loop      *Loop        `json:"loop,omitempty"` // nil where the model was asked once
}

// Asked is how a task was put. A file goes on only with the same of each answer it has.
type Asked struct {
	Sample      int      `json:"sample"`        // of its task, from 0, in all runs
	Run         *int     `json:"run,omitempty"` // over all tasks that it is of, from 0; nil where there is one
	Temperature *float64 `json:"temperature"`
	TopP        *float64 `json:"top_p,omitempty"`
	MaxTokens   int      `json:"max_tokens"`
	Seed        *int64   `json:"seed"`
	Prompt      string   `json:"prompt"`         // hash of the system prompt and the text
	Loop        string   `json:"loop,omitempty"` // the way and settings of an [Author]
}

// A Failure is a task without an answer, and why. It is asked again when the file goes on.
type Failure struct {
	ID     string         `json:"id"`
	TaskID string         `json:"task_id"`
	Sample int            `json:"sample"`
	Model  string         `json:"model"`
	Cause  model.Cause    `json:"cause,omitempty"` // what the endpoint did, if it did anything
	Error  *vitrine.Fault `json:"error"`
}

// FailuresFile is the name of the file with what has no answer, beside a file of outputs.
func FailuresFile(out string) string { return out + ".failures.jsonl" }

// File is a file of outputs that is open for adding answers. It is safe for concurrent use
// by the goroutines of one process; other processes are refused until Close or its end.
type File struct {
	name string
	// Done are the answers that it has, by id.
	Done map[string]Answer

	mu       sync.Mutex // guards pace, and the files, whose lines are written one at a time
	pace     pace
	answers  *os.File
	failures *os.File
}

// Open makes a file of outputs, or opens one to go on with it. Then a line that a killed
// process left unfinished is cut off. Without resume a file that holds answers is refused.
func Open(name string, resume bool) (*File, error) {
	answers, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, disk.Fault(err)
	}
	f := &File{name: name, answers: answers, Done: map[string]Answer{}}
	if err := f.take(resume); err != nil {
		return nil, errors.Join(err, answers.Close())
	}
	f.failures, err = os.Create(FailuresFile(name)) // what failed before is asked again
	if err != nil {
		return nil, errors.Join(disk.Fault(err), answers.Close())
	}
	return f, nil
}

// take locks the file and reads what it has.
func (f *File) take(resume bool) error {
	err := disk.Lock(f.answers, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) { // not every file system has locks
		return usage("another process is adding to "+f.name, "wait until it has ended, or stop it; or choose another file with --out")
	}
	end, err := f.read()
	if err != nil {
		return err
	}
	if len(f.Done) > 0 && !resume {
		return usage(fmt.Sprintf("%s already holds %d answers", f.name, len(f.Done)), "go on with --resume, or choose another file with --out")
	}
	return disk.Fault(f.answers.Truncate(end))
}

// read reads the answers, and says where the last whole line ends.
func (f *File) read() (end int64, err error) {
	lines := bufio.NewReader(f.answers)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return end, nil
		}
		if err != nil {
			return 0, disk.Fault(err)
		}
		end += int64(len(line))
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var a Answer
		if err := json.Unmarshal(line, &a); err != nil || a.TaskID == "" || a.Asked.Prompt == "" {
			return 0, vitrine.NewFault("input", vitrine.FaultUsage, err, fmt.Sprintf("%s line %d is no answer that vitrine generate wrote", f.name, n)).
				WithFix("choose another file with --out; nothing was changed")
		}
		f.Done[a.ID] = a
		f.pace.add(a)
	}
}

// add keeps an answer. When it returns, the operating system has the line.
func (f *File) add(a Answer) error {
	if err := f.line(f.answers, a); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pace.add(a)
	return nil
}

// fail notes what has no answer.
func (f *File) fail(x Failure) error { return f.line(f.failures, x) }

func (f *File) line(to *os.File, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", to.Name(), err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err = to.Write(append(b, '\n'))
	return disk.Fault(err)
}

// Close closes the file, and removes that of failures if there are none.
func (f *File) Close() error {
	info, err := f.failures.Stat()
	if err == nil && info.Size() == 0 {
		err = os.Remove(f.failures.Name())
	}
	return errors.Join(err, f.failures.Close(), f.answers.Close())
}

func usage(message, fix string) error {
	return vitrine.NewFault("command", vitrine.FaultUsage, nil, message).WithFix(fix)
}
