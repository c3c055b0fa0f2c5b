package plots

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/build/plot"
	"vitrine/internal/generate"
	"vitrine/internal/picture"
)

// PandasPlotBench is that of Galimzyanov et al. (2024), by which AesCoder measures with the
// descriptor head and the mode vis: 175 plots of a table.
type PandasPlotBench struct{}

const rowsFile = "pandasplotbench.jsonl"

// Info implements [bench.Benchmark].
func (PandasPlotBench) Info() bench.Info {
	return bench.Info{
		Name: "pandasplotbench", Title: "PandasPlotBench", Tasks: 175,
		What:   "Python plots of a table from a description and its head, held against the true picture",
		Source: "https://github.com/JetBrains-Research/PandasPlotBench", Commit: "c053e8c1c1438899c93859a2772c059dcfa56d1d", Licence: "Apache-2.0",
		Needs:  needs + "; the rows are a data set of Hugging Face, JetBrains-Research/PandasPlotBench, split test, written as JSON lines",
		Data:   []bench.Data{{Path: rowsFile, Name: rowsFile}},
		System: "one Python program in a fenced block",
	}
}

// row is one of the data set.
type row struct {
	ID          *int     `json:"id"`
	Description string   `json:"task__plot_description"`
	Style       string   `json:"task__plot_style"`
	Load        string   `json:"code_data"` // Python that reads data.csv into df
	CSV         string   `json:"data_csv"`
	Truth       [][]byte `json:"plots_gt"` // base64; the first counts
}

// Tasks implements [bench.Benchmark].
func (PandasPlotBench) Tasks(data fs.FS) (tasks []vitrine.Task, err error) {
	err = bench.EachRow(data, rowsFile, func(line []byte) error {
		t, err := taskOf(line)
		tasks = append(tasks, t)
		return err
	})
	return tasks, err
}

// taskOf is the task of a row. What loads the table runs before an answer, as in the
// published script.
func taskOf(line []byte) (t vitrine.Task, err error) {
	var r row
	if err := json.Unmarshal(line, &r); err != nil {
		return t, err
	}
	switch {
	case r.ID == nil:
		return t, errors.New("no id")
	case strings.TrimSpace(r.Description) == "":
		return t, errors.New("no task__plot_description")
	case strings.TrimSpace(r.CSV) == "":
		return t, errors.New("no data_csv")
	case len(r.Truth) == 0:
		return t, errors.New("no true picture in plots_gt")
	}
	if _, err := picture.Decode(r.Truth[0]); err != nil {
		return t, fmt.Errorf("plots_gt: %w", err)
	}
	return vitrine.Task{
		ID: strconv.Itoa(*r.ID), Instruction: strings.TrimSpace(r.Description + "\n" + r.Style), Picture: r.Truth[0],
		Files: []vitrine.File{{Path: tableFile, Content: r.CSV}, {Path: plot.BeforeFile, Content: "import numpy as np\nimport pandas as pd\n" + r.Load + "\n"}},
	}, nil
}

const tableFile = "data.csv"

// Prompt implements [bench.Benchmark]: the request, and what the head of the table says.
func (PandasPlotBench) Prompt(t vitrine.Task) generate.Prompt {
	text := "Draw this plot with matplotlib, and with no other library for plots:\n" + t.Instruction +
		"\n\nThe table is in data.csv. Read it by the line df = pd.read_csv(\"data.csv\") and leave df as it is."
	for _, f := range t.Files {
		if f.Path == tableFile {
			text += "\n" + head(f.Content)
		}
	}
	return generate.Prompt{System: program, Text: text}
}

// Columns implements [bench.Benchmark].
func (PandasPlotBench) Columns() []bench.Column { return columns() }

// Groups implements [bench.Benchmark].
func (PandasPlotBench) Groups(vitrine.Task) map[string][]string { return nil }

// Scoring implements [bench.Sited].
func (PandasPlotBench) Scoring() bench.Scoring { return scoring }

// Measure implements [bench.Sited].
func (PandasPlotBench) Measure(dir string, tasks map[string]vitrine.Task) (map[string]bench.Measured, error) {
	answers, looked, err := read(dir, tasks)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(answers, func(a, b answer) int {
		x, _ := strconv.Atoi(a.sample.TaskID)
		y, _ := strconv.Atoi(b.sample.TaskID)
		return cmp.Compare(x, y)
	})
	all, before := map[string]bench.Measured{}, map[string]*float64{}
	for _, a := range answers {
		m := bench.OfSample(a.sample)
		m.Strict = a.strict(looked)
		run := a.sample.Model + "\x00" + string(a.sample.Meta[bench.SampleField])
		m.Compat, before[run] = a.published(looked, before[run])
		all[a.sample.ID] = m
	}
	return all, nil
}

// published are the parts by the published script, and the score of the row, which the next
// one has where the judge cannot be reached. Only a program that raises an error is one; a
// plot without a picture, or whose program does not have the word matplotlib, has 0; so has
// an answer of the judge that cannot be read.
func (a answer) published(looked bool, before *float64) (bench.Parts, *float64) {
	p := bench.Parts{"errors": bench.One(0)}
	if a.raised() {
		p["errors"] = bench.One(1)
	}
	if part, there := a.strict(looked)["agreement"]; there && part != nil {
		p["agreement"] = part
	}
	if !looked {
		return p, nil
	}
	score, zero := before, 0.0
	switch {
	case a.judged && (!a.drawn || !strings.Contains(a.code, "matplotlib")), a.sample.Error != nil && a.sample.Error.Code == vitrine.FaultJudge:
		score = &zero
	case a.score != nil:
		score = a.score
	}
	if score != nil { // the script breaks off where the first row has none
		p["mean"], p["good"] = scored(*score)
	}
	return p, score
}
