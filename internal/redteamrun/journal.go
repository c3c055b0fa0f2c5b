package redteamrun

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"vitrine"
	"vitrine/internal/disk"
)

// A Journal keeps rewards as they come, one line each, so that a search that was
// interrupted goes on where it was. A reward is of a page, its task and all by which
// rewards are made; one of other settings is not taken. It is safe for concurrent use.
type Journal struct {
	by    string
	mu    sync.Mutex
	file  *os.File
	known map[string]*float64
}

// An entry is one line of a journal.
type entry struct {
	Key    string             `json:"key"`
	ID     string             `json:"id"`
	TaskID string             `json:"task_id"`
	Reward *float64           `json:"reward"`
	Parts  map[string]float64 `json:"parts"`
	Why    string             `json:"why,omitempty"`
}

// OpenJournal reads rewards.jsonl in a folder, and adds to it. By is the fingerprint of what
// makes rewards; the tasks are those that outputs name. A line that was not written to its
// end is passed over.
func OpenJournal(dir, by string, tasks map[string]vitrine.Task) (*Journal, error) {
	asked, err := json.Marshal(tasks)
	if err != nil {
		return nil, err
	}
	j := &Journal{by: by + string(asked), known: map[string]*float64{}}
	name := filepath.Join(dir, "rewards.jsonl")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, disk.Fault(err)
	}
	if err := j.read(name); err != nil {
		return nil, disk.Fault(err)
	}
	j.file, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	return j, disk.Fault(err)
}

func (j *Journal) read(name string) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e entry
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.Reward != nil {
			j.known[e.Key] = e.Reward
		}
	}
	return lines.Err()
}

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }

func (j *Journal) key(o vitrine.Output) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s", j.by, o.TaskID, o.Instruction, o.Text))
	return hex.EncodeToString(sum[:16])
}

// reward is the reward that an output got before, nil if none is known.
func (j *Journal) reward(o vitrine.Output) *float64 {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.known[j.key(o)]
}

// add writes the reward of an output down.
func (j *Journal) add(o vitrine.Output, s *vitrine.Sample) error {
	if j == nil || s.Reward == nil {
		return nil
	}
	line, err := json.Marshal(entry{j.key(o), o.ID, o.TaskID, s.Reward, s.Parts, s.Why})
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	_, err = j.file.Write(append([]byte("\n"), line...)) // a line that was cut off stands by itself
	return disk.Fault(err)
}
