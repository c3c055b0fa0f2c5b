package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"vitrine/internal/judge/rubric"
	"vitrine/internal/model/modeltest"
)

// A service that is started again over the same state judges by the files of today: what
// it answered by those of yesterday is not an answer any more.
func TestServeJudgesByTheFilesOfToday(t *testing.T) {
	models := modeltest.New(t, strictModel(t))
	t.Setenv("OPENAI_API_KEY", modeltest.Key)
	t.Setenv("OPENAI_BASE_URL", models.URL)
	for _, c := range []struct {
		file, before, now string
		args              []string
	}{
		{"prompt.txt", "Grade it.\n{{.Instruction}}", "Grade it strictly.\n{{.Instruction}}", []string{"-m", "openai/critic", "--judge", "static", "--prompt"}},
		{"rubric.json", treeOf("A heading"), treeOf("A strictly neat heading"), []string{"-m", "openai/critic", "--judge", "rubric", "--rubric"}},
		{"cases.jsonl", `{"task":"Order tea"}`, `{"task":"Order tea strictly"}`, []string{"-m", "openai/planner", "--judge", "measured", "--interact", "verify", "--cases"}},
	} {
		file, state := filepath.Join(t.TempDir(), c.file), t.TempDir()
		asked := func(content string) int {
			must(t, os.WriteFile(file, []byte(content), 0o644))
			before := models.Calls()
			if status, fault := judgedOnce(t, append(c.args, file, "--state", state)...); status != "scored" {
				t.Errorf("%s: %s %s", c.file, status, fault)
			}
			return models.Calls() - before
		}
		if n := asked(c.before); n == 0 {
			t.Errorf("%s: no model was asked", c.file)
		}
		if n := asked(c.before); n != 0 {
			t.Errorf("%s: %d questions after a restart by the same file, want none", c.file, n)
		}
		if n := asked(c.now); n == 0 {
			t.Errorf("%s: the reward of yesterday's file was given for today's", c.file)
		}
	}
}

// judgedOnce starts a service, asks it for one reward and ends it.
func judgedOnce(t *testing.T, args ...string) (status, fault string) {
	t.Helper()
	p := startServing(t, args...)
	shop := strings.Replace(page, "</main>", `<button onclick="this.textContent='1 tea'">Order</button></main>`, 1)
	r := ask[scoredItems](t, "POST", p.url+"/v1/score", fmt.Sprintf(`{"items":[{"output":%q,"instruction":"A tea shop"}]}`, shop)).Results[0]
	must(t, p.Process.Signal(syscall.SIGTERM))
	_ = p.Wait()
	http.DefaultClient.CloseIdleConnections()
	return r.Status, string(r.Error)
}

// strictModel is one that grades, says which leaves of the tree are met, and plans how to
// order tea.
func strictModel(t *testing.T) func(modeltest.Question) modeltest.Answer {
	tree, err := rubric.Parse([]byte(treeOf("A heading")))
	must(t, err)
	leaves := map[string]bool{}
	for _, l := range tree.Leaves() {
		leaves[l.ID] = true
	}
	passed, err := json.Marshal(map[string]any{"analysis": "Neat.", "leaves": leaves})
	must(t, err)
	return func(q modeltest.Question) modeltest.Answer {
		switch {
		case q.Model == "planner":
			return modeltest.Answer{Text: `{"reason": "Order.", "route": "/", "steps": [{"click": {"role": "button", "name": "Order"}}, {"expect": {"text": "1 tea"}}]}`}
		case strings.Contains(q.Text, "heading"):
			return modeltest.Answer{Text: string(passed)}
		}
		return modeltest.Answer{Text: `{"feedback": "Calm.", "alignment": 30, "aesthetics": 20, "structure": 25, "total": 75}`}
	}
}

// treeOf is a rubric in which one leaf can differ.
func treeOf(leaf string) string {
	return fmt.Sprintf(`{"intention":{"description":"A page for a tea shop","children":null},"static":{"description":"What it shows","children":[{"description":%q,"children":null}]},
"dynamic":{"description":"What it does","children":[{"description":"basic","children":[{"description":"The menu opens","children":null}]},{"description":"complex","children":[{"description":"An order goes through","children":null}]}]}}`, leaf)
}
