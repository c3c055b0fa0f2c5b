// Package artifactsbench is ArtifactsBench: 1,825 requests for interactive artifacts, each
// with a checklist of ten points by which a model judges three moments and the code (used
// by ReLook §3.1).
package artifactsbench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/generate"
	"vitrine/internal/judge/vlm"
	"vitrine/internal/runs"
)

const file = "artifacts_bench.json"

// Benchmark is ArtifactsBench.
type Benchmark struct{}

// Info implements [bench.Benchmark].
func (Benchmark) Info() bench.Info {
	return bench.Info{
		Name: "artifactsbench", Title: "ArtifactsBench", Tasks: 1825,
		What:   "interactive artifacts from a request, judged by a checklist of ten points each",
		Source: "https://github.com/Tencent-Hunyuan/ArtifactsBenchmark", Commit: "fcf03684b0", Licence: "CC BY 4.0",
		Needs:  "a browser; the score wants a vision model (-J), without which only the measured grade and valid renders are known",
		Data:   []bench.Data{{Path: "dataset/artifacts_bench.json", Name: file}},
		System: "one self-contained page or drawing",
	}
}

// Tasks implements [bench.Benchmark].
func (Benchmark) Tasks(data fs.FS) ([]vitrine.Task, error) {
	tasks, err := bench.ReadTasks(data, file, func(t vitrine.Task) string {
		if maxOf(t) == 0 {
			return "checklist with a maxScore"
		}
		return ""
	})
	if err != nil {
		return nil, err
	}
	difficulty, err := difficulties(data)
	for i := range tasks {
		tasks[i].Subcategories = []string{difficulty[tasks[i].ID]}
	}
	return tasks, err
}

// bom is the mark of byte order that some programs put before a file.
const bom = "\ufeff"

// difficulties maps the id of each task to its difficulty, which task files of other sets lack.
func difficulties(data fs.FS) (map[string]string, error) {
	f, err := data.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	by := map[string]string{}
	text := bufio.NewReader(f)
	if mark, err := text.Peek(len(bom)); err == nil && string(mark) == bom {
		_, _ = text.Discard(len(bom)) // it was just seen
	}
	for dec := json.NewDecoder(text); dec.More(); {
		var row struct {
			Index      json.RawMessage `json:"index"` // a number, or text
			Difficulty string          `json:"difficulty"`
		}
		if err := dec.Decode(&row); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		by[strings.Trim(string(row.Index), `"`)] = row.Difficulty
	}
	return by, nil
}

// maxOf is the highest score that a task's checklist allows, 0 without a checklist.
func maxOf(t vitrine.Task) (sum float64) {
	var items []vlm.Item
	if json.Unmarshal(t.Checklist, &items) != nil {
		return 0
	}
	for _, i := range items {
		sum += i.MaxScore
	}
	return sum
}

// Prompt implements [bench.Benchmark].
func (Benchmark) Prompt(t vitrine.Task) generate.Prompt {
	return generate.Prompt{System: bench.OnePage, Text: t.Instruction}
}

var firstPart = regexp.MustCompile(`^[^-–/]+`)

// Groups implements [bench.Benchmark]. The class of a task has parts, of which the first is
// the split.
func (Benchmark) Groups(t vitrine.Task) map[string][]string {
	return map[string][]string{"class": {t.Category}, "split": {firstPart.FindString(t.Category)}, "difficulty": t.Subcategories}
}

// Scoring implements [bench.Sited].
func (Benchmark) Scoring() bench.Scoring {
	return bench.Scoring{Recipe: "looks", Interact: "none", Judge: "checklist", Times: "0,1,2"}
}

// Columns implements [bench.Benchmark].
func (Benchmark) Columns() []bench.Column {
	return []bench.Column{
		{Key: "score", Title: "score", About: "mean share of the checklist, 0 to 100, as a vision model gives it", Times: 1, Digits: 2, Published: "A-Lite"},
		{Key: "measured", Title: "measured total", About: "mean of the measured judge's total, 0 to 100, which knows no checklist", Times: 1, Digits: 2},
		{Key: "valid", Title: "valid %", About: "share of answers with a valid render", Times: 100, Digits: 1},
	}
}

// Measure implements [bench.Sited]. By our rule what shows no site has 0; by the published
// one it is in no mean, since the script skips what has no pictures. By our rule an echo of
// the request has 0 measured.
func (Benchmark) Measure(dir string, tasks map[string]vitrine.Task) (map[string]bench.Measured, error) {
	_, samples, err := runs.Read(dir)
	if err != nil {
		return nil, err
	}
	samples = runs.Newest(samples)
	looked := false
	for _, s := range samples {
		_, yes := s.Scores["vision.checklist"]
		looked = looked || yes
	}
	all := map[string]bench.Measured{}
	for _, s := range samples {
		m := bench.OfSample(s)
		judged, shows := s.Status == vitrine.SampleScored, s.Outcome == vitrine.OutcomeRendered
		for key, name := range map[string]string{"score": "vision.checklist", "measured": "total"} {
			v, there := s.Scores[name]
			if key == "score" {
				v *= 100 / maxOf(tasks[s.TaskID])
			}
			switch {
			case key == "score" && !looked:
			case judged && !shows:
				m.Strict[key] = bench.One(0)
			case judged && there:
				m.Strict[key], m.Compat[key] = bench.One(v), bench.One(v)
			default:
				m.Strict[key] = nil
			}
		}
		m.Strict["valid"] = nil
		if judged {
			m.Strict["valid"] = bench.One(0)
			if shows {
				m.Strict["valid"] = bench.One(1)
			}
		}
		m.Compat["valid"] = m.Strict["valid"]
		if err := m.NoEcho(dir, s, tasks[s.TaskID].Instruction, "measured"); err != nil {
			return nil, err
		}
		all[s.ID] = m
	}
	return all, nil
}
