package inputs

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"vitrine"
)

// taskLine is a line of a task file in any of the published shapes:
// WebGen-Bench (id, instruction, Category, ui_instruct), OpenDesign (id, prompt,
// category), ArtifactsBench (index, question, class, checklist), WebDevJudge
// (rubric_tree) and our own.
type taskLine struct {
	ID              json.RawMessage    `json:"id"`
	Index           json.RawMessage    `json:"index"`
	TaskID          json.RawMessage    `json:"task_id"`
	Instruction     string             `json:"instruction"`
	Prompt          string             `json:"prompt"`
	Question        string             `json:"question"`
	Category        json.RawMessage    `json:"category"` // also matches "Category": keys are compared without case
	Class           string             `json:"class"`
	ApplicationType string             `json:"application_type"`
	Topic           string             `json:"topic"`
	TestCases       []vitrine.TestCase `json:"test_cases"`
	Rubric          json.RawMessage    `json:"rubric"`
	RubricTree      json.RawMessage    `json:"rubric_tree"`
	Checklist       json.RawMessage    `json:"checklist"`
	Files           []vitrine.File     `json:"files"`
	Picture         []byte             `json:"picture"`
	UIInstruct      []struct {
		Task           string        `json:"task"`
		ExpectedResult string        `json:"expected_result"`
		Category       categoryShape `json:"task_category"`
	} `json:"ui_instruct"`
}

// plotFile is where a plot's program lies.
const plotFile = "plot.py"

type categoryShape struct {
	Primary string   `json:"primary_category"`
	Sub     []string `json:"subcategories"`
}

// topics are the topics that AesCoder's prompts name (G.3), by the categories, in small
// letters, of OpenDesign's file, of the keywords (§3.2) and of the rewritten tasks (G.6).
var topics = map[string]string{
	"website": "General website", "general website": "General website", "game dev": "Game dev", "game development": "Game dev",
	"data visualization": "Data visualization", "3d design": "3D design", "ui component": "UI component",
}

// ReadTasks reads a task file, one JSON object a line, into a map by id. Of two tasks of
// one id the last counts.
func ReadTasks(r io.Reader) (map[string]vitrine.Task, error) {
	list, err := ListTasks(r)
	if err != nil {
		return nil, err
	}
	tasks := map[string]vitrine.Task{}
	for _, t := range list {
		tasks[t.ID] = t
	}
	return tasks, nil
}

// ListTasks reads a task file in its order.
func ListTasks(r io.Reader) (tasks []vitrine.Task, err error) {
	br := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := br.ReadBytes('\n')
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		if len(line) > 0 {
			task, err := decodeTask(line)
			if err != nil {
				return nil, vitrine.NewFault("input", vitrine.FaultUsage, nil, fmt.Sprintf("tasks line %d: %v", n, err))
			}
			tasks = append(tasks, task)
		}
		if err == io.EOF {
			return tasks, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read tasks: %w", err)
		}
	}
}

func decodeTask(line []byte) (vitrine.Task, error) {
	var l taskLine
	if err := json.Unmarshal(line, &l); err != nil {
		return vitrine.Task{}, explain(err)
	}
	t := vitrine.Task{ApplicationType: l.ApplicationType, Topic: l.Topic, TestCases: l.TestCases, Rubric: l.Rubric, Checklist: l.Checklist, Files: l.Files, Picture: l.Picture}
	if t.Rubric == nil {
		t.Rubric = l.RubricTree
	}
	for _, raw := range []json.RawMessage{l.ID, l.TaskID, l.Index} {
		if t.ID == "" {
			t.ID = plainText(raw)
		}
	}
	for _, s := range []string{l.Instruction, l.Prompt, l.Question} {
		if t.Instruction == "" {
			t.Instruction = s
		}
	}
	if t.ID == "" || t.Instruction == "" {
		return t, fmt.Errorf("needs an id (id, task_id or index) and an instruction (instruction, prompt or question)")
	}
	for _, f := range t.Files {
		if !filepath.IsLocal(f.Path) || f.Path == plotFile {
			return t, fmt.Errorf("a file of a task needs a path inside of the folder, other than %s: %q", plotFile, f.Path)
		}
	}
	var shape categoryShape
	if json.Unmarshal(l.Category, &shape) == nil {
		t.Category, t.Subcategories = shape.Primary, shape.Sub
	} else {
		t.Category = plainText(l.Category)
	}
	if t.Category == "" {
		t.Category = l.Class
	}
	t.Topic = cmp.Or(t.Topic, topics[strings.ToLower(t.Category)])
	for _, c := range l.UIInstruct {
		t.TestCases = append(t.TestCases, vitrine.TestCase{Task: c.Task, ExpectedResult: c.ExpectedResult, Category: c.Category.Primary, Subcategories: c.Category.Sub})
	}
	return t, nil
}

// plainText is a JSON string, or a number as it is written; empty for anything
// else.
func plainText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var n json.Number
	_ = json.Unmarshal(raw, &n)
	return n.String()
}

// explain says where a line stops being JSON.
func explain(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON at byte %d: %s", syntax.Offset, syntax.Error())
	}
	var shape *json.UnmarshalTypeError
	if errors.As(err, &shape) && shape.Field != "" {
		return fmt.Errorf("%q has the wrong type: %s", shape.Field, shape.Value)
	}
	if errors.As(err, &shape) {
		return fmt.Errorf("not a JSON object but %s: each line needs an object of its own", shape.Value)
	}
	return fmt.Errorf("not a JSON object: %w", err)
}
