package export_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"vitrine"
	"vitrine/internal/data/export"
)

const rows = `{"id":"a","task_id":"t","instruction":"A shop","output":"<p>ü</p>"}
{"id":"b","instruction":"A blog","output":""}
`

const pairs = `{"id":"a>b","instruction":"A shop","chosen":"<p>good</p>","rejected":"<p>bad</p>","chosen_reward":1,"rejected_reward":0}
`

func written(t *testing.T, text, as string, columns bool) (string, export.Result) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "rows.jsonl")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := export.Run(context.Background(), export.Settings{Files: []string{file}, As: as, Out: filepath.Join(dir, "out"), Parquet: columns, Card: "# Card\n"})
	if err != nil {
		t.Fatal(err)
	}
	if card, err := os.ReadFile(filepath.Join(dir, "out", "README.md")); err != nil || len(card) == 0 {
		t.Errorf("no data card: %v", err)
	}
	return all[0].File, all[0]
}

// TestShapesAreThoseOfTheTrainers holds each shape as JSON, and Parquet against it.
func TestShapesAreThoseOfTheTrainers(t *testing.T) {
	for as, want := range map[string]string{
		"sft":      `{"id":"a","messages":[{"role":"user","content":"A shop"},{"role":"assistant","content":"<p>ü</p>"}]}`,
		"rft":      `{"id":"a","messages":[{"role":"user","content":"A shop"},{"role":"assistant","content":"<p>ü</p>"}]}`,
		"grpo":     `{"id":"a","task_id":"t","prompt":[{"role":"user","content":"A shop"}],"data_source":"vitrine","reward_model":{"style":"rule","ground_truth":"t"},"extra_info":{"index":0,"task_id":"t","instruction":"A shop"}}`,
		"dpo":      `{"id":"a>b","prompt":[{"role":"user","content":"A shop"}],"chosen":[{"role":"assistant","content":"<p>good</p>"}],"rejected":[{"role":"assistant","content":"<p>bad</p>"}]}`,
		"rm":       `{"id":"a>b","prompt":[{"role":"user","content":"A shop"}],"chosen":[{"role":"assistant","content":"<p>good</p>"}],"rejected":[{"role":"assistant","content":"<p>bad</p>"}]}`,
		"sharegpt": `{"id":"a","conversations":[{"from":"human","value":"A shop"},{"from":"gpt","value":"<p>ü</p>"}]}`,

		"sharegpt-dpo": `{"id":"a>b","conversations":[{"from":"human","value":"A shop"}],"chosen":{"from":"gpt","value":"<p>good</p>"},"rejected":{"from":"gpt","value":"<p>bad</p>"}}`,
	} {
		text := rows
		if slices.Contains([]string{"dpo", "rm", "sharegpt-dpo"}, as) {
			text = pairs
		}
		file, _ := written(t, text, as, false)
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(b), "\n")
		if compact(t, first) != compact(t, want) {
			t.Errorf("%s: %s, want %s", as, first, want)
		}
		columns, res := written(t, text, as, true)
		if got := fromParquet(t, columns, as); got != compact(t, want) || filepath.Ext(columns) != ".parquet" || res.Rows == 0 {
			t.Errorf("%s as Parquet: %s, want %s", as, got, want)
		}
	}
}

// compact is JSON with its keys sorted and without escapes of markup.
func compact(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func fromParquet(t *testing.T, name, as string) string {
	t.Helper()
	var row any
	switch as {
	case "dpo", "rm":
		row = first[export.Preference](t, name)
	case "grpo":
		row = first[export.Ask](t, name)
	case "sharegpt-dpo":
		row = first[export.Ranked](t, name)
	case "sharegpt":
		row = first[export.Share](t, name)
	default:
		row = first[export.Talk](t, name)
	}
	b, err := json.Marshal(row)
	if err != nil {
		t.Fatal(err)
	}
	return compact(t, string(b))
}

func first[T any](t *testing.T, name string) T {
	t.Helper()
	all, err := parquet.ReadFile[T](name)
	if err != nil || len(all) == 0 {
		t.Fatalf("%d rows, %v", len(all), err)
	}
	return all[0]
}

func TestRowsThatDoNotFitAreCountedOrRefused(t *testing.T) {
	if _, res := written(t, rows, "sft", false); res.Rows != 1 || res.Dropped["no output"] != 1 {
		t.Errorf("%+v: want one row, and one without an output", res)
	}
	file := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(file, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	for as, want := range map[string]string{"dpo": "no chosen and rejected output", "csv": "is no shape"} {
		out := t.TempDir()
		_, err := export.Run(context.Background(), export.Settings{Files: []string{file}, As: as, Out: out})
		var fault *vitrine.Fault
		if !errors.As(err, &fault) || fault.Code != vitrine.FaultUsage || !strings.Contains(fault.Message, want) {
			t.Errorf("--as %s: %v, want %q", as, err, want)
		}
		if left, _ := os.ReadDir(out); len(left) != 0 {
			t.Errorf("--as %s leaves %v", as, left)
		}
	}
}

func TestTasksOfNumbersKeepTheirIds(t *testing.T) {
	file, _ := written(t, `{"id":"a","task_id":12345678901234567890,"instruction":"A shop"}`, "grpo", false)
	b, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(b), `"ground_truth":"12345678901234567890"`) || !strings.Contains(string(b), `"task_id":"12345678901234567890"`) {
		t.Errorf("%s, %v", b, err)
	}
}

// TestTurnsBetweenAreKept: what distil writes has more turns than an instruction and an
// output.
func TestTurnsBetweenAreKept(t *testing.T) {
	row := `{"id":"a","instruction":"A shop","output":"Larger.","prompt":[{"role":"user","content":"A shop"},{"role":"assistant","content":"<p>"},{"role":"user","content":"Criticise."}],"completion":[{"role":"assistant","content":"Larger."}]}`
	for as, want := range map[string]string{
		"sft":      `{"id":"a","messages":[{"role":"user","content":"A shop"},{"role":"assistant","content":"<p>"},{"role":"user","content":"Criticise."},{"role":"assistant","content":"Larger."}]}`,
		"sharegpt": `{"id":"a","conversations":[{"from":"human","value":"A shop"},{"from":"gpt","value":"<p>"},{"from":"human","value":"Criticise."},{"from":"gpt","value":"Larger."}]}`,
	} {
		file, _ := written(t, row, as, false)
		b, err := os.ReadFile(file)
		if err != nil || compact(t, string(b)) != compact(t, want) {
			t.Errorf("%s: %s, %v; want %s", as, b, err, want)
		}
	}
}
