package flow

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"vitrine/internal/data/table"
	"vitrine/internal/disk"
	"vitrine/internal/inputs"
)

// UnsureFile has, of what a step kept, what a person is to look at besides near duplicates; it
// is not there without any.
const UnsureFile = "unsure.jsonl"

// The other files of a step.
const (
	keptFile    = "kept.jsonl"
	droppedFile = "dropped.jsonl"
	reviewFile  = "review.jsonl" // of near duplicates, those of which a person decides
	stepFile    = "step.json"
)

// work is one step at work.
type work struct {
	ctx    context.Context
	in     []string            // files of rows
	inputs map[string][]string // what the user gave
	dir    string
	say    func(string, ...any)
	// embedders is the folder of tables of vectors.
	embedders string
	asking    Asking
	sites     Sites
	out       string // folder of the run of the pipeline
	runs      string // folder of the run of a step that scores
	rows      int    // in the files of rows
	limit     int    // of what a maker makes; 0: none

	Counts
}

// Counts of a step.
type Counts struct {
	Read    int            `json:"read"`
	Kept    int            `json:"kept"`
	Dropped int            `json:"dropped"`
	Review  int            `json:"review,omitempty"`
	Reasons map[string]int `json:"reasons,omitempty"` // of what was dropped
	// Figures are what else a step found out, by name.
	Figures map[string]float64 `json:"figures,omitempty"`
}

// A Dropped row is a line of dropped.jsonl.
type Dropped struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// each reads the rows of files. What cannot be read is counted as dropped.
func (w *work) each(files []string, take func(inputs.Record) error) error {
	records, err := inputs.OpenRecords(files, inputs.Settings{})
	if err != nil {
		return err
	}
	defer records.Close()
	for r, err := range records.All() {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		var bad *inputs.RowError
		if errors.As(err, &bad) {
			w.Read++
			w.drop("unusable row")
			w.say("skipped %v", err)
			continue
		}
		if err == nil {
			err = take(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *work) drop(reason string) {
	if w.Reasons == nil {
		w.Reasons = map[string]int{}
	}
	w.Dropped++
	w.Reasons[reason]++
}

// unsure are the rows that a person is to look at. Commit leaves no file without any.
type unsure struct {
	*table.Files
	n int
}

func newUnsure(dir string) (*unsure, error) {
	files, err := table.Create(filepath.Join(dir, UnsureFile))
	return &unsure{Files: files}, err
}

func (u *unsure) add(row any) error {
	u.n++
	return u.Writers[0].Write(row)
}

func (u *unsure) commit() error {
	if u.n == 0 {
		u.Discard()
		return nil
	}
	return u.Commit()
}

// sift reads the rows once more and keeps those of which decide says no reason to drop.
func (w *work) sift(decide func(inputs.Record) (reason string)) error {
	return w.change(func(r inputs.Record) (json.RawMessage, string) { return r.Row, decide(r) })
}

// change is sift where the rows that stay are written otherwise.
func (w *work) change(decide func(inputs.Record) (row json.RawMessage, reason string)) error {
	files, err := table.Create(filepath.Join(w.dir, keptFile), filepath.Join(w.dir, droppedFile))
	if err != nil {
		return err
	}
	defer files.Discard()
	err = w.each(w.in, func(r inputs.Record) error {
		w.Read++
		row, reason := decide(r)
		if reason != "" {
			w.drop(reason)
			return files.Writers[1].Write(Dropped{r.ID, reason})
		}
		w.Kept++
		return files.Writers[0].Line(row)
	})
	if err != nil {
		return err
	}
	return files.Commit()
}

// Field is the value at a path of names and places in lists, of which -1 is the last; empty
// where there is none or no plain one. A name may have dots in it.
func Field(row json.RawMessage, path string) string {
	for path != "" {
		var o map[string]json.RawMessage
		var list []json.RawMessage
		if json.Unmarshal(row, &list) == nil && list != nil {
			o = places(list)
		} else if json.Unmarshal(row, &o) != nil {
			return ""
		}
		if whole, there := o[path]; there {
			row, path = whole, ""
			continue
		}
		var name string
		name, path, _ = strings.Cut(path, ".")
		row = o[name]
	}
	var text string
	if json.Unmarshal(row, &text) == nil {
		return text
	}
	if s := string(row); s != "" && s != "null" && s[0] != '{' && s[0] != '[' {
		return s
	}
	return ""
}

// places are the values of a list by their places, counted from both ends.
func places(list []json.RawMessage) map[string]json.RawMessage {
	o := map[string]json.RawMessage{}
	for i, v := range list {
		o[strconv.Itoa(i)], o[strconv.Itoa(i-len(list))] = v, v
	}
	return o
}

// hashFile is the SHA-256 of a file, and its lines.
func hashFile(name string) (sum string, lines int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return "", 0, disk.Fault(err)
	}
	defer f.Close()
	h, count := sha256.New(), &lineCounter{}
	if _, err := io.Copy(io.MultiWriter(h, count), f); err != nil {
		return "", 0, disk.Fault(err)
	}
	return hex.EncodeToString(h.Sum(nil)), count.n, nil
}

type lineCounter struct{ n int }

func (c *lineCounter) Write(p []byte) (int, error) {
	c.n += strings.Count(string(p), "\n")
	return len(p), nil
}
