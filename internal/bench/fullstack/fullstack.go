// Package fullstack is the part of FullStackBench whose answers are pages (ReLook §3.1): a
// page passes where the unit tests of its row, jest with a browser, do.
package fullstack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/generate"
)

const rowsFile = "fullstackbench.jsonl"

// Benchmark is FullStackBench, Html.
type Benchmark struct{}

// Info implements [bench.Benchmark].
func (Benchmark) Info() bench.Info {
	return bench.Info{
		Name: "fullstackbench-html", Title: "FullStackBench, Html",
		What:   "pages that unit tests look at in a browser, run by jest; no judge",
		Source: "https://github.com/bytedance/SandboxFusion", Commit: "469de0845c", Licence: "CC0-1.0 (of the data set)",
		Needs:  "Node.js, the sandbox, a browser below /usr, and once the npm registry; the rows are a data set of Hugging Face, bytedance/FullStackBench, written as JSON lines, of which those of html are taken",
		Data:   []bench.Data{{Path: rowsFile, Name: rowsFile}},
		System: "none: the request is the row's",
	}
}

// row is one of the data set. Labels and test may be JSON in a string.
type row struct {
	ID      json.RawMessage `json:"id"`
	Content string          `json:"content"`
	Labels  json.RawMessage `json:"labels"`
	Test    json.RawMessage `json:"test"`
}

type labels struct {
	Language string `json:"programming_language"`
	Category string `json:"category"`
	Level    string `json:"difficulty"`
}

type test struct {
	Code  string          `json:"code"`
	Asset json.RawMessage `json:"asset"` // name to base64; may be JSON in a string
}

// inner decodes JSON, or JSON in a string.
func inner(raw json.RawMessage, to any) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	return json.Unmarshal(raw, to)
}

// Tasks implements [bench.Benchmark]: the rows of html, in their order.
func (Benchmark) Tasks(data fs.FS) (tasks []vitrine.Task, err error) {
	err = bench.EachRow(data, rowsFile, func(line []byte) error {
		t, html, err := taskOf(line)
		if html {
			tasks = append(tasks, t)
		}
		return err
	})
	return tasks, err
}

// testFile is where the test of a row lies, in the folder of the row's own files.
const testFile = "row.test.ts"

// taskOf is the task of a row, and whether it is one of html.
func taskOf(line []byte) (t vitrine.Task, html bool, err error) {
	var r row
	var l labels
	var of test
	if err := json.Unmarshal(line, &r); err != nil {
		return t, false, err
	}
	if err := errors.Join(inner(r.Labels, &l), inner(r.Test, &of)); err != nil {
		return t, false, err
	}
	if !strings.EqualFold(l.Language, "html") {
		return t, false, nil
	}
	t = vitrine.Task{ID: strings.Trim(string(r.ID), `"`), Instruction: strings.TrimSpace(r.Content), Category: l.Category, Subcategories: []string{l.Level}}
	switch {
	case t.ID == "":
		return t, false, errors.New("no id")
	case t.Instruction == "":
		return t, false, errors.New("no content")
	case of.Code == "":
		return t, false, errors.New("no test.code")
	}
	t.Files = []vitrine.File{{Path: testFile, Content: of.Code}}
	assets := map[string][]byte{}
	if err := inner(of.Asset, &assets); err != nil {
		return t, false, fmt.Errorf("test.asset: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(assets)) {
		if !filepath.IsLocal(name) || slices.Contains(ours, name) {
			return t, false, fmt.Errorf("test.asset: %q cannot lie in the folder of the test", name)
		}
		t.Files = append(t.Files, vitrine.File{Path: name, Content: string(assets[name])})
	}
	return t, true, nil
}

// Prompt implements [bench.Benchmark].
func (Benchmark) Prompt(t vitrine.Task) generate.Prompt { return generate.Prompt{Text: t.Instruction} }

// Groups implements [bench.Benchmark].
func (Benchmark) Groups(t vitrine.Task) map[string][]string {
	return map[string][]string{"category": {t.Category}, "difficulty": t.Subcategories}
}

// Columns implements [bench.Benchmark].
func (Benchmark) Columns() []bench.Column {
	return []bench.Column{
		{Key: "pass", Title: "pass@1 %", About: "share of answers whose unit tests all pass, without rows that an empty answer passes", Times: 100, Digits: 2, Published: "FullStack-Bench-Html"},
		{Key: "aside", Title: "set aside %", About: "share of answers to rows that an empty answer passes: by strict they are in no other figure", Times: 100, Digits: 1},
	}
}

// Absent implements [bench.Absent].
func (Benchmark) Absent(vitrine.Task) bench.Parts { return bench.Parts{"pass": bench.One(0)} }
