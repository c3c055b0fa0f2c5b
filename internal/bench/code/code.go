// Package code has benchmarks of code in general, by which papers show what a training for
// the web costs elsewhere (AesCoder H.3, ReLook App. A): MBPP, MBPP+ and LiveCodeBench. An
// answer is Python that passes all tests of its task, which run in the sandbox.
package code

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/generate"
)

// Benchmark is one of them.
type Benchmark struct {
	info      bench.Info
	published string // its column in the papers' tables
	// read makes the task of a row, and what its tests are.
	read func(line []byte) (vitrine.Task, error)
}

// info is what the benchmarks have in common.
func info(name, title, what, source, licence string, tasks int) bench.Info {
	return bench.Info{
		Name: name, Title: title, Tasks: tasks, What: what, Source: source, Licence: licence,
		Needs: "Python, numpy and the sandbox (make setup-plots); the rows are the user's to bring, as JSON lines",
		Data:  []bench.Data{{Path: name + ".jsonl", Name: name + ".jsonl"}}, System: "none: the request is the row's",
	}
}

// The benchmarks.
var (
	MBPP = Benchmark{info("mbpp", "MBPP", "small Python functions, by three assertions each",
		"https://github.com/google-research/google-research", "CC BY 4.0", 0), "MBPP", func(l []byte) (vitrine.Task, error) { return mbpp(l, false) }}
	MBPPPlus = Benchmark{info("mbpp-plus", "MBPP+", "the functions of MBPP, by many more tests",
		"https://github.com/evalplus/evalplus", "Apache-2.0", 378), "MBPP+", func(l []byte) (vitrine.Task, error) { return mbpp(l, true) }}
	LiveCodeBench = Benchmark{info("livecodebench", "LiveCodeBench", "Python for problems of contests, by inputs and outputs",
		"https://github.com/LiveCodeBench/LiveCodeBench", "none stated", 0), "LiveCodeBench", livecode}
)

// Info implements [bench.Benchmark].
func (b Benchmark) Info() bench.Info { return b.info }

// Tasks implements [bench.Benchmark].
func (b Benchmark) Tasks(data fs.FS) (tasks []vitrine.Task, err error) {
	seen := map[string]bool{}
	err = bench.EachRow(data, b.info.Data[0].Name, func(line []byte) error {
		t, err := b.read(line)
		if err == nil && seen[t.ID] {
			err = fmt.Errorf("a second row of the id %q", t.ID)
		}
		seen[t.ID] = true
		tasks = append(tasks, t)
		return err
	})
	return tasks, err
}

// Prompt implements [bench.Benchmark].
func (Benchmark) Prompt(t vitrine.Task) generate.Prompt {
	return generate.Prompt{Text: t.Instruction + "\n\nAnswer with Python in one fenced block that begins with ```python."}
}

// Groups implements [bench.Benchmark].
func (Benchmark) Groups(t vitrine.Task) map[string][]string {
	return map[string][]string{"difficulty": {t.Category}}
}

// Columns implements [bench.Benchmark].
func (b Benchmark) Columns() []bench.Column {
	return []bench.Column{{Key: "pass", Title: "pass@1 %", About: "share of answers that pass all tests of their task", Times: 100, Digits: 1, Published: b.published}}
}

// Absent implements [bench.Absent].
func (Benchmark) Absent(vitrine.Task) bench.Parts { return bench.Parts{"pass": bench.One(0)} }

// A suite is what an answer has to pass. It is the only file of its task.
type suite struct {
	Tests string `json:"tests,omitempty"` // Python that runs after the answer, with its names
	Call  string `json:"call,omitempty"`  // method of Solution, or function, that cases call; empty: cases are read from the standard input
	Cases []pair `json:"cases,omitempty"`
}

// pair is an input and its output. Of a call the input has an argument in JSON each line.
type pair struct {
	Input  string `json:"input"`
	Output string `json:"output"`
}

// task is one with its suite.
func task(id json.RawMessage, instruction, difficulty string, s suite) (vitrine.Task, error) {
	t := vitrine.Task{ID: strings.Trim(string(id), `"`), Instruction: strings.TrimSpace(instruction), Category: difficulty}
	switch {
	case t.ID == "":
		return t, errors.New("no id")
	case t.Instruction == "":
		return t, errors.New("no text of the task")
	case strings.TrimSpace(s.Tests) == "" && len(s.Cases) == 0:
		return t, errors.New("no tests")
	}
	content, err := json.Marshal(s)
	t.Files = []vitrine.File{{Path: "suite.json", Content: string(content)}}
	return t, err
}
