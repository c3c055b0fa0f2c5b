package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"vitrine"
	"vitrine/internal/disk"
)

// The files of a run of a benchmark.
const (
	headerFile  = "bench.json"
	tasksFile   = "tasks.jsonl"
	outputsFile = "outputs.jsonl"
	AnswersFile = "answers.jsonl" // what a model that was asked has answered
	stepsFile   = "steps.jsonl"
	resultsFile = "results.jsonl"
	samplesDir  = "samples" // the run folder of the pipeline
	schema      = 1
)

// A Header says of what a run is: enough to refuse to go on with another.
type Header struct {
	Schema    int    `json:"schema"`
	Tool      string `json:"tool"`
	Benchmark string `json:"benchmark"`
	Title     string `json:"title"`
	// Verified says that the data is what the benchmark was published with; Data is its
	// hash.
	Verified   bool     `json:"verified"`
	Data       string   `json:"data"`
	Categories []string `json:"categories,omitempty"`
	Limit      int      `json:"limit,omitempty"`
	Tasks      int      `json:"tasks"`
	Of         int      `json:"of"` // tasks of the benchmark
	// From says where the outputs are from: a file, or a model with how it was asked.
	From    string   `json:"from"`
	By      string   `json:"by,omitempty"` // how it was measured
	Columns []Column `json:"columns"`
	// Others counts outputs for other tasks, and Unusable rows that are no outputs.
	Others   int  `json:"others,omitempty"`
	Unusable int  `json:"unusable,omitempty"`
	Done     bool `json:"done"`
}

// A Run is the folder of one run of a benchmark.
type Run struct {
	Dir    string
	Header Header
}

// Open makes the folder of a run with its tasks, or opens one to go on with it, if it is
// of the same benchmark, data, tasks and outputs.
func Open(dir string, h Header, tasks []vitrine.Task) (*Run, error) {
	h.Schema, h.Tool = schema, vitrine.Version
	before, err := readHeader(dir)
	switch {
	case err == nil:
		if drift := before.drift(h); drift != "" {
			return nil, usage(dir+" is a run of another "+drift, "go on with the same command, or choose another folder with --out; nothing was changed")
		}
		before.Columns = h.Columns // a later version may have more
		return &Run{dir, before}, nil
	case !os.IsNotExist(err):
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, disk.Fault(err)
	}
	r := &Run{dir, h}
	if err := r.putLines(tasksFile, len(tasks), func(i int) any { return tasks[i] }); err != nil {
		return nil, err
	}
	return r, r.Save()
}

// drift names in what a run differs from another.
func (h Header) drift(now Header) string {
	switch {
	case h.Benchmark != now.Benchmark:
		return "benchmark (" + h.Benchmark + ")"
	case h.Data != now.Data:
		return "copy of the data"
	case fmt.Sprint(h.Categories, h.Limit) != fmt.Sprint(now.Categories, now.Limit):
		return "--category or --limit"
	case h.From != now.From:
		return "source of outputs (" + h.From + ")"
	}
	return ""
}

// readHeader reads the header of a run; the error is that of a file that is not there
// where the folder holds none.
func readHeader(dir string) (h Header, err error) {
	b, err := os.ReadFile(filepath.Join(dir, headerFile))
	if err != nil {
		return h, err
	}
	if err := json.Unmarshal(b, &h); err != nil || h.Schema != schema {
		return h, vitrine.NewFault("store", vitrine.FaultUsage, err, fmt.Sprintf("%s in %s is not of schema %d", headerFile, dir, schema)).WithFix("make the run again with another --out")
	}
	return h, nil
}

// Save writes the header.
func (r *Run) Save() error { return disk.Fault(disk.WriteJSON(r.file(headerFile), r.Header)) }

func (r *Run) file(name string) string { return filepath.Join(r.Dir, name) }

// Tasks is the file of the tasks.
func (r *Run) Tasks() string { return r.file(tasksFile) }

// Outputs is the file of the outputs that answer them.
func (r *Run) Outputs() string { return r.file(outputsFile) }

// Samples is the pipeline's run folder.
func (r *Run) Samples() string { return r.file(samplesDir) }

// Keep writes the outputs that answer tasks, for scoring and for going on.
func (r *Run) Keep(outputs []vitrine.Output) error {
	return r.putLines(outputsFile, len(outputs), func(i int) any { return outputs[i] })
}

// putLines writes a file of JSON lines whole.
func (r *Run) putLines(name string, n int, line func(int) any) error {
	var all bytes.Buffer
	for i := range n {
		b, err := json.Marshal(line(i))
		if err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		all.Write(append(b, '\n'))
	}
	return disk.Fault(disk.WriteFile(r.file(name), all.Bytes(), 0o644))
}

// Finish writes the results and marks the run as done.
func (r *Run) Finish(results []Result) error {
	if err := r.putLines(resultsFile, len(results), func(i int) any { return results[i] }); err != nil {
		return err
	}
	r.Header.Done = true
	return r.Save()
}

// Read reads the header and the results of a run that is done.
func Read(dir string) (Header, []Result, error) {
	h, err := readHeader(dir)
	if os.IsNotExist(err) {
		return h, nil, vitrine.NewFault("store", vitrine.FaultUsage, err, dir+" is no run of a benchmark").WithFix("name a folder that vitrine bench run made")
	}
	if err != nil {
		return h, nil, err
	}
	if !h.Done {
		return h, nil, usage("the run in "+dir+" did not come to its end", "go on with the same vitrine bench run")
	}
	var results []Result
	err = lines(filepath.Join(dir, resultsFile), func(line []byte) error {
		var x Result
		err := json.Unmarshal(line, &x)
		results = append(results, x)
		return err
	})
	if err != nil {
		return h, nil, vitrine.NewFault("store", vitrine.FaultUsage, err, "the results in "+dir+" cannot be read").WithFix("run the same vitrine bench run again: what is measured is not measured again")
	}
	return h, results, nil
}

// lines visits the whole lines of a file.
func lines(name string, visit func([]byte) error) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	scan := bufio.NewReader(bytes.NewReader(b))
	for n := 1; ; n++ {
		line, err := scan.ReadBytes('\n')
		if err != nil {
			return nil // a line without its end is of a killed process
		}
		if err := visit(line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
}
