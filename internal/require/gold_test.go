package require

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"vitrine"
)

// from is a folder with the task files of the benchmarks that testdata/gold.jsonl has
// readings of: webgen-bench*.jsonl, opendesign*.jsonl, artifactsbench*.jsonl. Their texts
// are not ours to keep.
var from = flag.String("from", "", "folder with the task files of benchmarks")

// A goldLine is what a person read in one instruction.
type goldLine struct {
	ID      string `json:"id"` // the benchmark's letter and its id
	Actions []struct {
		Behavior vitrine.Behavior `json:"behavior"`
		Object   string           `json:"object"`
	} `json:"actions"`
}

// realTasks are the tasks of the folder by the letter of their benchmark and their id.
func realTasks(t *testing.T) map[string]vitrine.Task {
	t.Helper()
	if *from == "" {
		t.Skip("needs -from FOLDER with the task files of benchmarks")
	}
	tasks := map[string]vitrine.Task{}
	for letter, pattern := range map[string]string{"W": "webgen-bench*.jsonl", "O": "opendesign*.jsonl", "A": "artifactsbench*.jsonl"} {
		names, _ := filepath.Glob(filepath.Join(*from, pattern))
		for _, name := range names {
			for _, line := range readLines(t, name) {
				var row struct {
					ID                            any
					Index                         any
					Instruction, Prompt, Question string
					Category                      any
					UIInstruct                    []struct {
						Task           string `json:"task"`
						ExpectedResult string `json:"expected_result"`
					} `json:"ui_instruct"`
				}
				if err := json.Unmarshal(line, &row); err != nil {
					t.Fatal(err)
				}
				id := row.ID
				if id == nil {
					id = row.Index
				}
				task := vitrine.Task{ID: fmt.Sprint(id), Instruction: row.Instruction + row.Prompt + row.Question}
				if c, ok := row.Category.(string); ok {
					task.Topic = strings.Replace(c, "Game Dev", "Game dev", 1)
				}
				for _, c := range row.UIInstruct {
					task.TestCases = append(task.TestCases, vitrine.TestCase{Task: c.Task, ExpectedResult: c.ExpectedResult})
				}
				tasks[letter+task.ID] = task
			}
		}
	}
	return tasks
}

func readLines(t *testing.T, name string) (lines [][]byte) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 16<<20)
	for scan.Scan() {
		lines = append(lines, slices.Clone(scan.Bytes()))
	}
	if scan.Err() != nil {
		t.Fatal(scan.Err())
	}
	return lines
}

// share is a precision or recall.
type share struct{ hit, of int }

func (s share) String() string {
	return fmt.Sprintf("%.2f (%d of %d)", float64(s.hit)/float64(max(1, s.of)), s.hit, s.of)
}

// TestGold measures the rules on the readings of 40 instructions, which they were
// developed with. Behaviours count once an instruction; defaults and what only the kind
// of site implies count apart.
func TestGold(t *testing.T) {
	tasks := realTasks(t)
	var precision, recall, strict share
	wrong := map[string][]string{}
	for _, line := range readLines(t, "testdata/gold.jsonl") {
		var g goldLine
		if err := json.Unmarshal(line, &g); err != nil {
			t.Fatal(err)
		}
		task, ok := tasks[g.ID]
		if !ok {
			t.Errorf("no task %s", g.ID)
			continue
		}
		want, got := map[vitrine.Behavior]bool{}, map[vitrine.Behavior]bool{}
		for _, a := range g.Actions {
			want[a.Behavior] = true
		}
		for _, q := range Read(task.Instruction, nil, task.Topic).Behaviors {
			if slices.Contains(q.Cues, "instruction") || q.Weight >= 1 {
				got[q.Behavior] = true
			}
			if slices.Contains(q.Cues, "instruction") {
				strict.of++
				if want[q.Behavior] {
					strict.hit++
				}
			}
		}
		for b := range want {
			recall.of++
			if got[b] {
				recall.hit++
			} else {
				wrong[g.ID] = append(wrong[g.ID], "-"+string(b))
			}
		}
		for b := range got {
			precision.of++
			if want[b] {
				precision.hit++
			} else {
				wrong[g.ID] = append(wrong[g.ID], "+"+string(b))
			}
		}
	}
	t.Logf("precision %s, recall %s; of requirements that the instruction names %s", precision, recall, strict)
	if precision.hit*100 < precision.of*78 || recall.hit*100 < recall.of*88 {
		t.Errorf("below the floors of 0.78 and 0.88: precision %s, recall %s", precision, recall)
	}
	var ids []string
	for id := range wrong {
		sort.Strings(wrong[id])
		ids = append(ids, id)
	}
	sort.Strings(ids)
	for _, id := range ids {
		t.Logf("%s %s", id, strings.Join(wrong[id], " "))
	}
}
