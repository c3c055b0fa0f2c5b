package bench

import (
	"context"
	"encoding/json"
	"os"
	"sync"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/generate"
)

// Stepped is a benchmark whose tasks are done in steps: what is asked next depends on what
// came of the answer before.
type Stepped interface {
	Benchmark
	// StepIDs are the ids of the steps of a task, which outputs have as their task_id.
	StepIDs(t vitrine.Task) []string
	Walker(ctx context.Context, m Machine) (Walker, error)
}

// A Walker goes through the steps of tasks. It is safe for concurrent use.
type Walker interface {
	// Walk has the steps of a task answered and tests each answer. A fault that is about
	// this task alone is in Measured; the error ends the run.
	Walk(ctx context.Context, t vitrine.Task, ask Ask, j *Journal) (Measured, error)
	// Reference measures the benchmark's own solution of a task.
	Reference(ctx context.Context, t vitrine.Task, j *Journal) (Measured, error)
}

// Ask gets the answer to a try of a step, from 0; nil where recorded outputs have none. Its
// fault is one of asking.
type Ask func(ctx context.Context, step vitrine.Task, try int, p generate.Prompt) (*vitrine.Output, error)

// A Journal keeps what was tested, by what it was, so that a run that goes on does not test
// it again. It is safe for concurrent use.
type Journal struct {
	mu   sync.Mutex // guards the rest
	file *os.File
	done map[string]json.RawMessage
}

// journaled is a line of a journal.
type journaled struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// OpenJournal opens the journal of a run. A line that a killed process left unfinished is
// cut off.
func (r *Run) OpenJournal() (*Journal, error) {
	name := r.file(stepsFile)
	j := &Journal{done: map[string]json.RawMessage{}}
	var whole int64
	err := lines(name, func(line []byte) error {
		whole += int64(len(line))
		var l journaled
		err := json.Unmarshal(line, &l)
		j.done[l.Key] = l.Value
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		return nil, vitrine.NewFault("store", vitrine.FaultUsage, err, name+" cannot be read").WithFix("remove it: its steps are tested again")
	}
	if j.file, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return nil, disk.Fault(err)
	}
	return j, disk.Fault(j.file.Truncate(whole))
}

// Get reads what was kept under a key.
func (j *Journal) Get(key string, value any) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	b, there := j.done[key]
	return there && json.Unmarshal(b, value) == nil
}

// Put keeps a value. When it returns, the operating system has it.
func (j *Journal) Put(key string, value any) error {
	b, err := json.Marshal(value)
	if err != nil {
		return err
	}
	line, err := json.Marshal(journaled{key, b})
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done[key] = b
	_, err = j.file.Write(append(line, '\n'))
	return disk.Fault(err)
}

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }
