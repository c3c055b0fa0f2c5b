package bench

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/digest"
	"vitrine/internal/disk"
	"vitrine/internal/sandbox"
)

// Machine says where on this machine things are.
type Machine struct {
	Sandbox  sandbox.Sandbox
	CacheDir string
	Data     string // folder of the benchmark's data
	Browser  string // path of Chromium; empty finds one
	// AsPublished tests as the published harness does where we do less for the same.
	AsPublished bool
}

// A Tester tests answers. It is safe for concurrent use.
type Tester interface {
	// Test measures one answer. A fault that is about this answer alone is in Measured;
	// the error ends the run.
	Test(ctx context.Context, t vitrine.Task, o vitrine.Output) (Measured, error)
}

// An Absent benchmark says what its published rule makes of a task without an answer.
type Absent interface {
	Absent(t vitrine.Task) Parts
}

// Results joins what was measured with the tasks: a line for each output, and one for each
// task that a model did not answer.
func Results(b Benchmark, tasks []vitrine.Task, a Answers, measured map[string]Measured) (all []Result) {
	by := map[string]vitrine.Task{}
	for _, t := range tasks {
		by[t.ID] = t
	}
	formed := slices.ContainsFunc(b.Columns(), func(c Column) bool { return c.Key == Form[0].Key })
	for _, o := range a.Outputs {
		m, there := measured[o.ID]
		if !there {
			m = Measured{Outcome: "unjudged", Error: vitrine.NewFault("store", vitrine.FaultInternal, nil, "the run has no sample of this output")}
		}
		r := Result{ID: o.ID, TaskID: o.TaskID, Model: o.Model, Sample: sampleOf(o), Groups: b.Groups(by[o.TaskID]), Outcome: m.Outcome, Why: m.Why, Strict: m.Strict, Compat: m.Compat, Error: m.Error}
		for key, p := range ofText(o, formed) {
			r.Strict, r.Compat = r.Strict.with(key, p), r.Compat.with(key, p)
		}
		all = append(all, r)
	}
	known := map[string]bool{} // columns that this run measured: a missing task adds no others
	for _, r := range all {
		for key := range r.Compat {
			known[key] = true
		}
	}
	lacking := a.Lacking(tasks)
	for _, m := range a.Models {
		for _, id := range lacking[m] {
			r := Result{ID: id, TaskID: id, Model: m, Groups: b.Groups(by[id]), Outcome: Missing}
			if absent, ok := b.(Absent); ok {
				r.Compat = absent.Absent(by[id]).of(known)
			}
			all = append(all, r)
		}
	}
	return all
}

// Unjudged counts the answers that could not be measured.
func Unjudged(results []Result) (n int) {
	for _, r := range results {
		if r.Error != nil {
			n++
		}
	}
	return n
}

// with is the parts with one more.
func (p Parts) with(key string, part *Part) Parts {
	all := Parts{key: part}
	for k, v := range p {
		all[k] = v
	}
	return all
}

// of is the parts of some columns.
func (p Parts) of(columns map[string]bool) Parts {
	some := Parts{}
	for k, v := range p {
		if columns[k] {
			some[k] = v
		}
	}
	return some
}

func sampleOf(o vitrine.Output) int {
	n, _ := strconv.Atoi(string(o.Meta[SampleField])) // ours; 0 without it
	return n
}

// testedFile keeps what was tested, so that it is not tested again.
const testedFile = "tested.jsonl"

// tested is a line of it.
type tested struct {
	ID       string   `json:"id"`
	Answer   string   `json:"answer"` // hash of what was tested
	Measured Measured `json:"measured"`
}

// Test tests the answers of a run, several at once, and keeps each the moment it is done.
// Those that a run before tested are taken from there; those it could not test are tested
// again. Each finished test is reported, one call at a time.
func (r *Run) Test(ctx context.Context, tester Tester, tasks []vitrine.Task, a Answers, atOnce int, report func(done, total int)) (map[string]Measured, error) {
	by := map[string]vitrine.Task{}
	for _, t := range tasks {
		by[t.ID] = t
	}
	measured, err := r.tested(a)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(r.file(testedFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, disk.Fault(err)
	}
	defer file.Close()
	// Before anything is tested, since tests write what this reads.
	left := slices.DeleteFunc(slices.Clone(a.Outputs), func(o vitrine.Output) bool {
		_, done := measured[o.ID]
		return done
	})
	var mu sync.Mutex
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, o := range left {
		group.Go(func() error {
			if working.Err() != nil {
				return working.Err()
			}
			m, err := tester.Test(working, by[o.TaskID], o)
			if err != nil {
				return err
			}
			line, err := json.Marshal(tested{o.ID, digest.Of(o.Text), m})
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			measured[o.ID] = m
			report(len(measured), len(a.Outputs))
			_, err = file.Write(append(line, '\n'))
			return disk.Fault(err)
		})
	}
	return measured, group.Wait()
}

// tested is what runs before tested of the same answers. A line that a killed process left
// unfinished is cut off.
func (r *Run) tested(a Answers) (map[string]Measured, error) {
	hashes := map[string]string{}
	for _, o := range a.Outputs {
		hashes[o.ID] = digest.Of(o.Text)
	}
	measured := map[string]Measured{}
	var whole int64
	err := lines(r.file(testedFile), func(line []byte) error {
		whole += int64(len(line))
		var t tested
		if err := json.Unmarshal(line, &t); err != nil {
			return err
		}
		if t.Answer == hashes[t.ID] && t.Measured.Error == nil {
			measured[t.ID] = t.Measured
		}
		return nil
	})
	if os.IsNotExist(err) {
		return measured, nil
	}
	if err != nil {
		return nil, vitrine.NewFault("store", vitrine.FaultUsage, err, r.file(testedFile)+" cannot be read").WithFix("remove it: its answers are tested again")
	}
	return measured, disk.Fault(os.Truncate(r.file(testedFile), whole))
}
