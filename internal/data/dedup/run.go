package dedup

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"vitrine"
	"vitrine/internal/inputs"
)

// Settings of a run.
type Settings struct {
	Files   []string // what records are read from
	Against []string // benchmarks: what is like one of their tasks goes; empty: records like each other
	Out     string   // folder for the files
	By      []string // of [Ways]; empty: all against benchmarks, else pages where a record has any, else the instruction
	Thresholds
	Reading inputs.Settings
	// Say is told of rows that cannot be read and of progress. It may be nil.
	Say func(format string, args ...any)
}

// A Summary counts what became of the records.
type Summary struct {
	Read     int            `json:"read"`
	Kept     int            `json:"kept"`
	Dropped  int            `json:"dropped"`
	Review   int            `json:"review"` // of those kept
	Unusable int            `json:"unusable"`
	Repaired int            `json:"repaired"` // rows with bytes that are no UTF-8
	Without  int            `json:"without"`  // kept, because nothing in them can be compared with what there is
	Reasons  map[string]int `json:"reasons"`
	// Benchmarks are how many records each benchmark takes; only with Against.
	Benchmarks map[string]int `json:"benchmarks,omitempty"`
	Out        string         `json:"out"`
}

// A Verdict is a line of dropped.jsonl and review.jsonl.
type Verdict struct {
	ID          string  `json:"id"`
	DuplicateOf string  `json:"duplicate_of"`
	Reason      string  `json:"reason"` // exact, text, dom, tree or code
	Similarity  float64 `json:"similarity"`
	// Benchmark is the file of the task that the record is like; only with Against.
	Benchmark string `json:"benchmark,omitempty"`
}

// Run reads the files twice, once to compare the records and once to write them, and
// writes kept.jsonl, dropped.jsonl and review.jsonl. Records for review are kept. Rows
// that cannot be read are told of and counted. The memory that it takes is that of the
// features, about 10 bytes for each character of instructions that differ.
func Run(ctx context.Context, s Settings) (*Summary, error) {
	if s.Say == nil {
		s.Say = func(string, ...any) {}
	}
	sum := &Summary{Reasons: map[string]int{}, Out: s.Out}
	if len(s.Against) > 0 {
		sum.Benchmarks = map[string]int{}
		if len(s.By) == 0 {
			s.By = Ways // a page that was written to a benchmark's task is unlike any page of the benchmark, which has none
		}
	}
	c := newCollection(s.By)
	origin, err := s.benchmarks(ctx, c, sum)
	if err != nil {
		return nil, err
	}
	records, err := inputs.OpenRecords(s.Files, s.Reading)
	if err != nil {
		return nil, err
	}
	defer records.Close()
	if sum.Read, err = c.add(ctx, records, func(err error) {
		sum.Unusable++
		s.Say("skipped %v", err)
	}); err != nil {
		return nil, err
	}
	if sum.Read == 0 {
		return nil, vitrine.NewFault("input", vitrine.FaultUsage, nil, "no row can be used").WithFix("give rows that are JSON objects with an instruction or an output; --map names the fields")
	}
	verdicts, err := find(ctx, c, s.Thresholds, len(origin))
	if err != nil {
		return nil, err
	}
	return sum, s.write(ctx, records, c, verdicts, origin, sum)
}

// benchmarks reads the tasks of the benchmarks. Origin is the file of each.
func (s *Settings) benchmarks(ctx context.Context, c *collection, sum *Summary) (origin []string, err error) {
	for _, file := range s.Against {
		records, err := inputs.OpenRecords([]string{file}, inputs.Settings{Limits: s.Reading.Limits})
		if err != nil {
			return nil, err
		}
		n, err := c.add(ctx, records, func(err error) { s.Say("skipped %v", err) })
		if err = errors.Join(err, records.Close()); err != nil {
			return nil, err
		}
		if n == 0 {
			return nil, vitrine.NewFault("input", vitrine.FaultUsage, nil, "no row of the benchmark "+file+" can be used").WithFix("give a file of tasks: id and instruction, prompt or question")
		}
		blank := 0
		for _, k := range c.kinds[len(origin):] {
			if k == 0 {
				blank++
			}
		}
		name := filepath.Base(file)
		if blank == n {
			return nil, vitrine.NewFault("input", vitrine.FaultUsage, nil, fmt.Sprintf("the %d rows of the benchmark %s have nothing to compare by %s", n, name, strings.Join(s.By, ", "))).
				WithFix("give a file of tasks: id and instruction, prompt or question; of pages if only these are compared")
		}
		if blank > 0 {
			s.Say("%d of %d rows of the benchmark %s have nothing to compare", blank, n, name)
		}
		sum.Benchmarks[name] = 0
		for range n {
			origin = append(origin, name)
		}
	}
	return origin, nil
}

// only passes on what is about one row, and returns any other error.
func only(err error, bad func(error)) error {
	var row *inputs.RowError
	if !errors.As(err, &row) {
		return err
	}
	bad(err)
	return nil
}
