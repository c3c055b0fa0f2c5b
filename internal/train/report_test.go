package train

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheReportOfARun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, os.Mkdir(dir, 0o777))
	put := func(name, text string) { must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666)) }
	put("settings.json", `{"about": "a <training>", "stages": [{"name": "grpo", "method": "grpo", "steps": 3}]}`)
	must(t, WriteReport(dir)) // nothing is done yet
	put("curves.jsonl", `{"stage": "grpo", "step": 1, "reward": 0.2, "entropy": null, "reflections": 1}`+"\n"+`{"stage": "grpo", "step": 2, "reward": 0.4, "reflections": 2}`+"\n"+
		`{"stage": "grpo", "step": 3, "reward": 0.3, "reflections": 2}`+"\n")
	put("alarms.jsonl", `{"stage": "grpo", "step": 3, "alarm": "pages repeat each other"}`+"\n")
	put("samples.jsonl", `{"id": "grpo-1-0", "stage": "grpo", "step": 1, "output": "<script>first</script>", "reward": 0.2}`+"\n"+
		`{"id": "grpo-1-0", "stage": "grpo", "step": 1, "output": "<script>alert(1)</script>", "reward": null, "error": "starved"}`+"\n")
	must(t, WriteReport(dir))
	data, err := os.ReadFile(filepath.Join(dir, "report.html"))
	must(t, err)
	page := string(data)
	for _, want := range []string{
		"a &lt;training&gt;", "pages repeat each other", `points="0.0,80.0 150.0,0.0 300.0,40.0 "`, "&lt;script&gt;alert(1)&lt;/script&gt;", "reward –", "starved",
		"<b>reflections", `points="0.0,80.0 150.0,0.0 300.0,0.0 "`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, not := range []string{"<script>", "first", "<b>entropy"} {
		if strings.Contains(page, not) {
			t.Errorf("%q is in it", not)
		}
	}
}
