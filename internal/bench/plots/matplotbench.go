package plots

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/generate"
	"vitrine/internal/picture"
)

// MatPlotBench is the benchmark of MatPlotAgent (Yang et al., 2024): 100 plots from
// descriptions by people.
type MatPlotBench struct{}

// The files of MatPlotBench.
const (
	instructionsFile = "benchmark_instructions.json"
	truthDir         = "ground_truth"
	dataDir          = "data"
)

// Info implements [bench.Benchmark].
func (MatPlotBench) Info() bench.Info {
	return bench.Info{
		Name: "matplotbench", Title: "MatPlotBench", Tasks: 100,
		What:   "Python plots from a description, held against the true picture",
		Source: "https://github.com/thunlp/MatPlotAgent", Commit: "9cafa262aae7bdf85fccf6d02b2153fb772bc376", Licence: "none stated",
		Needs: needs,
		Data: []bench.Data{
			{Path: "benchmark_data/" + instructionsFile, Name: instructionsFile, SHA256: "a41d4a77f604f1293702e4664f4d485c03fefb64f26c7c77b4ce057643c24480"},
			{Path: "benchmark_data/" + truthDir, Name: truthDir, Files: 101, SHA256: "449b0e8a6e4c72d4c59b3063ddbdd7ea6f67760851a8d07fbe263f51ae552134"},
			{Path: "benchmark_data/" + dataDir, Name: dataDir, Files: 26, SHA256: "94b30e4d0839e2f6c3e3b971cc9e67b2c8ac9f486fbe6b87895ec7324f75a6ba"},
		},
		System: "one Python program in a fenced block",
	}
}

// Tasks implements [bench.Benchmark]. The instruction is the simple one, by which the
// published script asks.
func (MatPlotBench) Tasks(data fs.FS) (tasks []vitrine.Task, err error) {
	content, err := fs.ReadFile(data, instructionsFile)
	if err != nil {
		return nil, lacking(err, "there is no "+instructionsFile)
	}
	var rows []struct {
		ID     int    `json:"id"`
		Simple string `json:"simple_instruction"`
	}
	if err := json.Unmarshal(content, &rows); err != nil {
		return nil, lacking(err, instructionsFile+" is no list of tasks")
	}
	for _, row := range rows {
		t := vitrine.Task{ID: fmt.Sprint(row.ID), Instruction: row.Simple, Category: "without data"}
		if strings.TrimSpace(row.Simple) == "" {
			return nil, lacking(nil, fmt.Sprintf("%s: task %d has no simple_instruction", instructionsFile, row.ID))
		}
		name := fmt.Sprintf("%s/example_%d.png", truthDir, row.ID)
		if t.Picture, err = fs.ReadFile(data, name); err != nil {
			return nil, lacking(err, fmt.Sprintf("task %d has no true picture %s", row.ID, name))
		}
		if _, err := picture.Decode(t.Picture); err != nil {
			return nil, lacking(err, name+" cannot be read")
		}
		if t.Files, err = filesOf(data, path.Join(dataDir, t.ID)); err != nil {
			return nil, err
		}
		if len(t.Files) > 0 {
			t.Category = "with data"
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}

// filesOf are the files of a task's folder, which it may lack.
func filesOf(data fs.FS, dir string) (files []vitrine.File, err error) {
	entries, err := fs.ReadDir(data, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // as for most tasks
	}
	if err != nil {
		return nil, lacking(err, dir+" cannot be read")
	}
	for _, e := range entries {
		content, err := fs.ReadFile(data, path.Join(dir, e.Name()))
		if err != nil {
			return nil, lacking(err, path.Join(dir, e.Name())+" cannot be read")
		}
		files = append(files, vitrine.File{Path: e.Name(), Content: string(content)})
	}
	return files, nil
}

func lacking(err error, message string) error {
	return vitrine.NewFault("command", vitrine.FaultUsage, err, message).WithFix("use the files as they were published")
}

// Prompt implements [bench.Benchmark].
func (MatPlotBench) Prompt(t vitrine.Task) generate.Prompt {
	text := t.Instruction
	if len(t.Files) > 0 {
		var names []string
		for _, f := range t.Files {
			names = append(names, f.Path)
		}
		text += "\n\nFiles in the working folder: " + strings.Join(names, ", ") + "."
	}
	return generate.Prompt{System: program, Text: text}
}

// program is the system prompt of both benchmarks.
const program = "You write Python that draws plots. Answer with one complete program in a single fenced block that begins with ```python" + `.
Import all that it uses, and end with the plot shown or saved to plot.png. There is no network, and nothing can be installed.`

// Columns implements [bench.Benchmark].
func (MatPlotBench) Columns() []bench.Column { return columns() }

// Groups implements [bench.Benchmark].
func (MatPlotBench) Groups(t vitrine.Task) map[string][]string {
	return map[string][]string{"category": {t.Category}}
}

// Scoring implements [bench.Sited].
func (MatPlotBench) Scoring() bench.Scoring { return scoring }

// Measure implements [bench.Sited]. By the published rule a task without a score leaves the
// mean.
func (MatPlotBench) Measure(dir string, tasks map[string]vitrine.Task) (map[string]bench.Measured, error) {
	answers, looked, err := read(dir, tasks)
	if err != nil {
		return nil, err
	}
	all := map[string]bench.Measured{}
	for _, a := range answers {
		m := bench.OfSample(a.sample)
		m.Strict = a.strict(looked)
		for key, part := range m.Strict {
			if part != nil {
				m.Compat[key] = part
			}
		}
		all[a.sample.ID] = m
	}
	return all, nil
}
