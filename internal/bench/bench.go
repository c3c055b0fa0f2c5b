// Package bench measures models on published benchmarks and on a user's own. A benchmark
// is a package below this one: its data, how a task is put to a model, what is measured of
// an answer, and the columns of its table. What is alike for all is here: the data's
// hashes, which output answers which task, the folder of a run, tables, comparisons and
// ranks.
package bench

import (
	"context"
	"io/fs"

	"vitrine"
	"vitrine/internal/generate"
)

// A Benchmark is a set of tasks with what is measured of answers to them. It is [Sited],
// where the pipeline scores the answers, or [Tested], where it has an evaluation of its own.
type Benchmark interface {
	Info() Info
	// Tasks reads the data, in its order. Faults are those of usage.
	Tasks(data fs.FS) ([]vitrine.Task, error)
	// Prompt puts a task to a model, in words of ours.
	Prompt(t vitrine.Task) generate.Prompt
	// Columns are those of the table. Keys of results that are no column are not shown.
	Columns() []Column
	// Groups gives, for each grouping such as category, the groups that a task belongs to.
	Groups(t vitrine.Task) map[string][]string
}

// Sited is a benchmark whose answers are sites.
type Sited interface {
	Benchmark
	Scoring() Scoring
	// Measure reads what was measured of the samples of a run folder, by the id of the
	// sample. Samples without a reward are among them.
	Measure(dir string, tasks map[string]vitrine.Task) (map[string]Measured, error)
}

// Tested is a benchmark with an evaluation of its own.
type Tested interface {
	Benchmark
	Tester(ctx context.Context, m Machine) (Tester, error)
}

// Scoring is how the pipeline scores the answers of a benchmark, unless a person says
// otherwise. Values are those of the flags of these names.
type Scoring struct {
	Recipe   string
	Alone    string // recipe without a model that judges; empty: the same
	Interact string // without a model that judges
	Judge    string // protocols, where a model judges
	Times    string
}

// Info says what a benchmark is and what it takes.
type Info struct {
	Name   string `json:"name"`  // as it is called on the command line
	Title  string `json:"title"` // as its paper calls it
	Tasks  int    `json:"tasks"` // 0: as many as the file has
	What   string `json:"what"`  // in a sentence
	Source string `json:"source"`
	Commit string `json:"commit,omitempty"`
	// Licence is that of the data; "none stated" where its authors say nothing.
	Licence string `json:"licence"`
	Needs   string `json:"needs"` // besides the data: programs, models
	Data    []Data `json:"data"`
	// System names the system prompt in words, for the listing.
	System string `json:"system"`
}

// Data is one file of a benchmark, or files that match a pattern.
type Data struct {
	Path   string `json:"path"`             // in the source
	Name   string `json:"name"`             // as it is kept
	SHA256 string `json:"sha256,omitempty"` // of the file, or of the lines of a tree; empty: not known
	Files  int    `json:"files,omitempty"`  // of a folder
}

// A Column is a figure of the table: the sum of a part over all results, divided by the
// sum of what it is of.
type Column struct {
	Key   string `json:"key"`
	Title string `json:"title"`
	About string `json:"about"`
	// Times multiplies the figure where it is shown: 100 for a percentage.
	Times     float64 `json:"times"`
	Digits    int     `json:"digits"`
	Published string  `json:"published,omitempty"` // the column of the published table that compares
	Lower     bool    `json:"lower,omitempty"`     // lower is better
	Share     bool    `json:"share,omitempty"`     // of answers, each of which has 0 or 1
	Cut       bool    `json:"cut,omitempty"`       // by compat what is after the point is cut off
	// Count shows a share of answers as how many tasks of a run that is.
	Count bool `json:"count,omitempty"`
}

// A Part is what one result adds to a column: of a mean {value, 1}, of a share {passed,
// all}.
type Part struct {
	Sum float64 `json:"sum"`
	Of  float64 `json:"of"`
}

// One is the part of a mean.
func One(value float64) *Part { return &Part{value, 1} }

// Parts are those of one result, by column. A nil part could not be judged, and is counted
// apart; a column that is not there has nothing to do with the result.
type Parts map[string]*Part

// Measured is what a benchmark measured of one answer, by its own rule and by the rule as
// published.
type Measured struct {
	Outcome string         `json:"outcome"`       // in a word, such as rendered, passed or failed
	Why     string         `json:"why,omitempty"` // in a sentence; may be empty
	Strict  Parts          `json:"strict"`        // failures of the site count, ours do not
	Compat  Parts          `json:"compat"`        // as the published script counts, with its quirks
	Error   *vitrine.Fault `json:"error"`         // why it could not be measured; nil if it was
}

// A Result is what came of one answer, or of a task without one.
type Result struct {
	ID      string              `json:"id"`
	TaskID  string              `json:"task_id"`
	Model   string              `json:"model"`
	Sample  int                 `json:"sample"` // the run over all tasks, or else which answer to the task, from 0
	Groups  map[string][]string `json:"groups,omitempty"`
	Outcome string              `json:"outcome"`
	Why     string              `json:"why,omitempty"`
	Strict  Parts               `json:"strict"`
	Compat  Parts               `json:"compat"`
	Error   *vitrine.Fault      `json:"error"`
}

const (
	Missing  = "missing"   // the outcome of a task that a model did not answer
	SetAside = "set aside" // and of an answer to a task that an empty answer passes, which is in no figure
)

// Find is the benchmark of a name.
func Find(all []Benchmark, name string) (Benchmark, error) {
	var names string
	for _, b := range all {
		if b.Info().Name == name {
			return b, nil
		}
		names += ", " + b.Info().Name
	}
	return nil, usage("there is no benchmark "+name, "use one of"+names[1:]+", or a YAML file of your own (docs/bench-own.md)")
}

func usage(message, fix string) error {
	return vitrine.NewFault("command", vitrine.FaultUsage, nil, message).WithFix(fix)
}
