package imports

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"vitrine/internal/meta/answers"
)

// ownVerdict is what the testing agents write where they fail a test themselves, and not by
// an exception: a step or an action that failed, or an assertion without a message.
var ownVerdict = regexp.MustCompile(`^(Failed at step \d+|Action \d+ failed|Error at step \d+: )$`)

// bugSuffix is in the names of the tests that run on an application with a bug.
const bugSuffix = " - Bug"

// webTestPilot reads what agents say of tests of four applications, as they are and with a bug
// each: whether the test passes. The final files of experiments rq1_2 are of four agents, those
// of rq3_4 of one with five models, on tests of one application that are worded otherwise. An
// agent is two judges: as its authors count, a test that does not succeed has found the bug;
// without exceptions, one that an exception ended is not judged.
func webTestPilot(dir string) (lines []answers.Line, err error) {
	files, err := glob(dir, "experiments", "rq1_2", "results", "*", "*", "*.final.json")
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	add := func(file, judge, application, wording string) error {
		var recorded struct {
			Results []tested `json:"results"`
		}
		if err := readJSON(file, &recorded); err != nil {
			return err
		}
		for _, t := range recorded.Results {
			if t.Name == "" || t.Success == nil || t.HasBug == nil {
				return fmt.Errorf("%s: a result is without test_name, success or has_bug", filepath.Base(file))
			}
			items := t.items(application, wording)
			for _, i := range items {
				if !known[i.ID] {
					known[i.ID], lines = true, append(lines, itemLine(i))
				}
			}
			lines = append(lines, t.answers(items[len(items)-1].ID, judge)...)
		}
		return nil
	}
	for _, file := range files {
		application := filepath.Base(filepath.Dir(file))
		agent := filepath.Base(filepath.Dir(filepath.Dir(file)))
		if err := add(file, agent+", gpt-4.1", application, ""); err != nil {
			return nil, err
		}
	}
	files, err = glob(dir, "experiments", "rq3_4", "results", "*", "*.json")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		model := filepath.Base(filepath.Dir(file))
		named := strings.TrimSuffix(model, "-4.1") + "-" // in files' names gpt-4.1 is gpt
		_, wording, ok := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".json"), named)
		if !ok {
			return nil, fmt.Errorf("%s names no wording", filepath.Base(file))
		}
		if wording == "default" {
			wording = ""
		}
		if err := add(file, "webtestpilot, "+model, "bookstack", wording); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

// tested is the outcome of one test by an agent.
type tested struct {
	Name    string   `json:"test_name"`
	Success *bool    `json:"success"`
	HasBug  *bool    `json:"has_bug"`
	Error   string   `json:"error_message"`
	Runtime *float64 `json:"runtime"`
}

// items are the items of a test: what it is a version of, then itself. The application with
// a bug is a broken version of the one without; a wording is a version of the test as it was
// first worded.
func (t tested) items(application, wording string) (items []answers.Item) {
	task := application + "/" + strings.TrimSuffix(t.Name, bugSuffix)
	item := answers.Item{
		ID: task, Kind: answers.Unit, Question: "the test passes", Task: task, Category: application + ", as it is", Truth: answers.Bool(true),
	}
	items = append(items, item)
	if *t.HasBug {
		item.VariantOf, item.ID, item.Category = item.ID, application+"/"+t.Name, application+", with a bug"
		item.Variant, item.Broken, item.Truth = "bug", true, answers.Bool(false)
		items = append(items, item)
	}
	if wording != "" {
		item.VariantOf, item.ID, item.Category = item.ID, item.ID+", "+wording, item.Category+", "+wording
		item.Variant, item.Broken = wording, false
		items = append(items, item)
	}
	return items
}

func (t tested) answers(item, judge string) []answers.Line {
	counted := answers.Answer{Item: item, Judge: judge, Value: answers.Bool(*t.Success), Seconds: t.Runtime}
	judged := counted
	judged.Judge += ", without exceptions"
	if first, _, _ := strings.Cut(t.Error, "\n"); !*t.Success && !ownVerdict.MatchString(first) {
		judged.Value, judged.Error = nil, cmp.Or(first, "no message")
	}
	return []answers.Line{answerLine(counted), answerLine(judged)}
}
