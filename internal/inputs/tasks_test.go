package inputs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

func TestTasksInEachShape(t *testing.T) {
	t.Parallel()
	file := "\ufeff" + strings.Join([]string{
		`{"id":"000001","instruction":"stocks","Category":{"primary_category":"Data","subcategories":["CRUD","API"]},"application_type":"Dashboards",` +
			`"ui_instruct":[{"task":"search","expected_result":"found","task_category":{"primary_category":"Functional","subcategories":["Forms"]}}]}`,
		``,
		`{"id":1,"prompt":"a pair of molecules","category":"3D Design"}`,
		`{"index":57,"question":"a dollar bill","class":"SVG","difficulty":"easy","checklist":[{"id":0}]}`,
		`{"task_id":"caf\u00e9\/1","instruction":"\u8336","category":"caf\u00e9","topic":"tea","test_cases":[{"task":"t","expected_result":"r","category":"c","subcategories":["s"]}]}`,
		`{"id":null,"index":3,"prompt":"no id but an index","category":null}`,
	}, "\r\n")
	got, err := ReadTasks(strings.NewReader(file))
	must(t, err)
	want := map[string]vitrine.Task{
		"000001": {
			ID: "000001", Instruction: "stocks", Category: "Data", Subcategories: []string{"CRUD", "API"}, ApplicationType: "Dashboards",
			TestCases: []vitrine.TestCase{{Task: "search", ExpectedResult: "found", Category: "Functional", Subcategories: []string{"Forms"}}},
		},
		"1":  {ID: "1", Instruction: "a pair of molecules", Category: "3D Design", Topic: "3D design"},
		"57": {ID: "57", Instruction: "a dollar bill", Category: "SVG", Checklist: json.RawMessage(`[{"id":0}]`)},
		"café/1": {
			ID: "café/1", Instruction: "茶", Category: "café", Topic: "tea",
			TestCases: []vitrine.TestCase{{Task: "t", ExpectedResult: "r", Category: "c", Subcategories: []string{"s"}}},
		},
		"3": {ID: "3", Instruction: "no id but an index"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The agent of AesCoder offers the arrow keys by the topic (G.3), which tasks of G.6 call Game
// development.
func TestTopicsFollowFromTheCategoriesOfAesCoder(t *testing.T) {
	t.Parallel()
	for category, want := range map[string]string{
		"Website": "General website", "General Website": "General website", "General website": "General website",
		"Game Dev": "Game dev", "Game development": "Game dev", "Data Visualization": "Data visualization", "Data visualization": "Data visualization",
		"3D Design": "3D design", "3D design": "3D design", "UI Component": "UI component", "UI component": "UI component", "Games": "",
	} {
		tasks, err := ListTasks(strings.NewReader(`{"id":"a","instruction":"x","category":"` + category + `"}`))
		if err != nil || len(tasks) != 1 || tasks[0].Topic != want {
			t.Errorf("%s: got %+v, %v, want the topic %q", category, tasks, err, want)
		}
	}
}

func TestBadTasksAreNamedByLine(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"id":"b"}`:                       "tasks line 3: needs an id",
		`{"instruction":"b"}`:              "tasks line 3: needs an id",
		`{"id":"b",`:                       "tasks line 3: not JSON at byte 10",
		`["b"]`:                            "tasks line 3: not a JSON object but array",
		`{"id":"b","instruction":5}`:       `tasks line 3: "instruction" has the wrong type: number`,
		`{"id":{"n":1},"instruction":"b"}`: "tasks line 3: needs an id",
	} {
		_, err := ReadTasks(strings.NewReader(`{"id":"a","prompt":"x"}` + "\n\n" + line + "\n"))
		if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultUsage || !strings.HasPrefix(f.Message, want) || strings.Contains(f.Message, "Go struct") {
			t.Errorf("%s: got %v, want %q", line, err, want)
		}
	}
	if tasks, err := ReadTasks(strings.NewReader("")); err != nil || len(tasks) != 0 {
		t.Errorf("no tasks: got %v, %v", tasks, err)
	}
}

// TestPublishedTaskSets reads the sets themselves, where a checkout has them
// beside it.
func TestPublishedTaskSets(t *testing.T) {
	t.Parallel()
	for file, test := range map[string]struct {
		count     int
		id        string
		category  string
		testCases bool
	}{
		"webgen-bench.first50.jsonl":        {50, "000001", "Data Management", true},
		"opendesign.first420.jsonl":         {420, "1", "3D Design", false},
		"artifactsbench-lite.first75.jsonl": {75, "57", "SVG Generation-SVG Images", false},
	} {
		t.Run(file, func(t *testing.T) {
			f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", file))
			if err != nil {
				t.Skipf("the published set is not beside this checkout: %v", err)
			}
			defer f.Close()
			tasks, err := ReadTasks(f)
			if err != nil || len(tasks) != test.count {
				t.Fatalf("got %d tasks, %v, want %d", len(tasks), err, test.count)
			}
			if got := tasks[test.id]; got.Category != test.category || (len(got.TestCases) > 0) != test.testCases {
				t.Errorf("task %s is %+v", test.id, got)
			}
			for id, task := range tasks {
				if task.Instruction == "" || task.Category == "" || id != task.ID {
					t.Errorf("task %s lacks something: %+v", id, task)
				}
				for _, c := range task.TestCases {
					if c.Task == "" || c.ExpectedResult == "" || c.Category == "" {
						t.Errorf("task %s has the test case %+v", id, c)
					}
				}
			}
		})
	}
}
