package imports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"vitrine/internal/meta/answers"
)

// webDevJudgeUnit reads WebDevJudge-Unit (WebDevJudge App. C): a page a line with a task on it,
// the result that is expected and whether it can be carried out, 1 or 0. The tasks of one
// page go together.
func webDevJudgeUnit(dir string) (lines []answers.Line, err error) {
	b, err := os.ReadFile(filepath.Join(dir, "webdevjudge_unit", "data", "webdevjudge_unit.jsonl"))
	if err != nil {
		return nil, err
	}
	for dec := json.NewDecoder(bytes.NewReader(b)); ; {
		var row struct {
			Web      any             `json:"web_id"`
			Task     any             `json:"task_id"`
			Code     string          `json:"code"`
			Asks     string          `json:"task"`
			Expected string          `json:"expected"`
			Label    json.RawMessage `json:"label"`
		}
		if err := dec.Decode(&row); errors.Is(err, io.EOF) {
			return lines, nil
		} else if err != nil {
			return nil, fmt.Errorf("task %d: %w", len(lines)+1, err)
		}
		holds, known := map[string]bool{"1": true, "true": true, "0": false, "false": false}[string(row.Label)]
		if !known || row.Code == "" || row.Asks == "" {
			return nil, fmt.Errorf("task %d: want a page in code, a task, and 1 or 0 as label, got %s", len(lines)+1, row.Label)
		}
		lines = append(lines, itemLine(answers.Item{
			ID: fmt.Sprint(row.Web, "_", row.Task), Kind: answers.Unit, Question: "feasible", Task: fmt.Sprint(row.Web), Truth: answers.Bool(holds),
			Asks:  strings.TrimSpace(row.Asks + "\nExpected result: " + row.Expected),
			Shown: []answers.Thing{{Code: row.Code}},
		}))
	}
}
