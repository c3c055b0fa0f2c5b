package imports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"vitrine/internal/meta/answers"
)

// webDevJudge reads the settled preferences with their categories. The pages are those of
// webdev-arena-preference-10k: where data/prepare.py of the copy was run, data/all.jsonl has
// its rows in the order of the labels, and data/rubric.jsonl, where it was made, the rubrics.
func webDevJudge(dir string) (lines []answers.Line, err error) {
	data := filepath.Join(dir, "data")
	labels, err := orderedLabels(filepath.Join(data, "index2label.json"))
	if err != nil {
		return nil, err
	}
	rows, err := readCSV(filepath.Join(data, "index2category.csv"))
	if err != nil {
		return nil, err
	}
	categories := map[string]string{}
	for _, row := range rows {
		categories[row["index"]] = row["category"]
	}
	arena, err := arenaRows(filepath.Join(data, "all.jsonl"))
	if err != nil {
		return nil, err
	}
	if len(arena) > 0 && len(arena) != len(labels) {
		return nil, fmt.Errorf("all.jsonl has %d rows and index2label.json %d labels; want as many", len(arena), len(labels))
	}
	rubrics, err := rubricsOf(filepath.Join(data, "rubric.jsonl"))
	if err != nil {
		return nil, err
	}
	for n, l := range labels {
		verdict, ok := map[string]string{"model_a": "A", "model_b": "B", "tie": "tie"}[l.label]
		if !ok {
			return nil, fmt.Errorf("index2label.json: %s is %q; want model_a, model_b or tie", l.index, l.label)
		}
		i := answers.Item{ID: l.index, Kind: answers.Pair, Question: "better site", Category: categories[l.index], Truth: answers.Text(verdict)}
		if len(arena) > 0 {
			row := arena[n]
			if row.Label != l.label {
				return nil, fmt.Errorf("all.jsonl, row %d: its label is %q and that of %s %q; want the rows in the order of the labels", n+1, row.Label, l.index, l.label)
			}
			i.Instruction, i.Rubric = row.query(), rubrics[row.ID]
			i.Shown = []answers.Thing{{Code: row.A.code()}, {Code: row.B.code()}}
		}
		lines = append(lines, itemLine(i))
	}
	return lines, nil
}

type indexed struct{ index, label string }

// orderedLabels reads an object in the order of its file, in which the rows are.
func orderedLabels(path string) (all []indexed, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	in := json.NewDecoder(bytes.NewReader(b))
	if _, err := in.Token(); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	for in.More() {
		key, err := in.Token()
		var label string
		if err == nil {
			err = in.Decode(&label)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		all = append(all, indexed{fmt.Sprint(key), label})
	}
	return all, nil
}

// arenaRow is a row of webdev-arena-preference-10k with its label.
type arenaRow struct {
	ID    string       `json:"question_id"`
	Label string       `json:"label"`
	A     conversation `json:"conversation_a"`
	B     conversation `json:"conversation_b"`
}

type conversation []struct {
	Role    string `json:"role"`
	Content []struct {
		Text string `json:"text"`
	} `json:"content"`
	Object *struct {
		Code string `json:"code"`
	} `json:"object"`
}

// query is what the user asked for, as the authors put it together.
func (r arenaRow) query() string {
	var said []string
	for _, m := range r.A {
		if m.Role == "user" && len(m.Content) > 0 {
			said = append(said, m.Content[0].Text)
		}
	}
	return strings.Join(said, " ")
}

// code is that of the last message.
func (c conversation) code() string {
	if len(c) == 0 || c[len(c)-1].Object == nil {
		return ""
	}
	return c[len(c)-1].Object.Code
}

func arenaRows(path string) (rows []arenaRow, err error) {
	err = eachRow(path, func(row []byte) error {
		var r arenaRow
		if err := json.Unmarshal(row, &r); err != nil {
			return err
		}
		if r.A.code() == "" || r.B.code() == "" {
			return errors.New("a side has no code")
		}
		rows = append(rows, r)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return rows, err
}

// rubricsOf are the rubric trees by the question; none where there is no such file.
func rubricsOf(path string) (map[string]json.RawMessage, error) {
	all := map[string]json.RawMessage{}
	err := eachRow(path, func(row []byte) error {
		var r struct {
			ID     string          `json:"question_id"`
			Rubric json.RawMessage `json:"rubric"`
		}
		if err := json.Unmarshal(row, &r); err != nil {
			return err
		}
		if string(r.Rubric) != "null" {
			all[r.ID] = r.Rubric
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	return all, err
}

// webDevJudgeUnit reads the tasks on pages (WebDevJudge App. C), with the error types of those
// that are not feasible as categories.
func webDevJudgeUnit(dir string) (lines []answers.Line, err error) {
	err = eachRow(filepath.Join(dir, "webdevjudge_unit", "data", "webdevjudge_unit.jsonl"), func(row []byte) error {
		var r struct {
			Web       any             `json:"web_id"`
			Task      any             `json:"task_id"`
			Code      string          `json:"code"`
			Asks      string          `json:"task"`
			Expected  string          `json:"expected"`
			Label     *int            `json:"label"`
			ErrorType json.RawMessage `json:"error_type"`
		}
		if err := json.Unmarshal(row, &r); err != nil {
			return err
		}
		if r.Code == "" || r.Asks == "" || r.Label == nil || *r.Label != 0 && *r.Label != 1 {
			return errors.New("want code, task and a label of 0 or 1")
		}
		i := answers.Item{
			ID: fmt.Sprintf("%v#%v", r.Web, r.Task), Kind: answers.Unit, Question: "feasible", Task: fmt.Sprint(r.Web), Category: "feasible",
			Asks: r.Asks, Truth: answers.Bool(*r.Label == 1), Shown: []answers.Thing{{Code: r.Code}},
		}
		if r.Expected != "" {
			i.Asks += " Expected result: " + r.Expected
		}
		if *r.Label != 1 {
			i.Category = errorType(r.ErrorType)
		}
		lines = append(lines, itemLine(i))
		return nil
	})
	return lines, err
}

// errorType is the name of an error type, in English where it is given in two languages.
func errorType(raw json.RawMessage) string {
	var one string
	var several map[string]string
	switch {
	case json.Unmarshal(raw, &one) == nil && one != "":
		return one
	case json.Unmarshal(raw, &several) == nil:
		for _, key := range []string{"en", "english", "English", "EN"} {
			if several[key] != "" {
				return several[key]
			}
		}
	}
	return "not feasible"
}

// eachRow calls do with each line of a file of JSON lines.
func eachRow(path string, do func(row []byte) error) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	in := bufio.NewScanner(bytes.NewReader(b))
	in.Buffer(nil, len(b)+1)
	for n := 1; in.Scan(); n++ {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		if err := do(in.Bytes()); err != nil {
			return fmt.Errorf("%s, row %d: %w", filepath.Base(path), n, err)
		}
	}
	return in.Err()
}
