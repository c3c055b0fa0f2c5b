package bench_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/bench"
)

// The report shows each task at a glance and each answer with why it counts as it does; what
// models write is text there.
func TestReportOfARun(t *testing.T) {
	t.Parallel()
	const hostile = `</pre><script>alert(1)</script><img src=x onerror=alert(2)>`
	columns := []bench.Column{{Key: "pass", Title: "pass@1 %", Times: 100, Digits: 1, Share: true}}
	tasks := []vitrine.Task{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}, {ID: "e"}}
	run, err := bench.Open(filepath.Join(t.TempDir(), "run"), bench.Header{Benchmark: "x", Title: "The <b>X</b> Bench", Tasks: 5, Of: 9, From: "answers", Columns: columns}, tasks)
	must(t, err)
	must(t, run.Keep([]vitrine.Output{
		{ID: "1", TaskID: "a", Model: "m", Text: "print('ok')"}, {ID: "2", TaskID: "b", Model: "m", Text: hostile + strings.Repeat("x", 9000) + "END"},
		{ID: "m/c", TaskID: "c", Model: "m", Text: "of the third task"},
	}))
	part := func(sum, of float64) bench.Parts { return bench.Parts{"pass": {Sum: sum, Of: of}} }
	must(t, run.Finish([]bench.Result{
		{ID: "1", TaskID: "a", Model: "m", Outcome: "passed", Strict: part(1, 1), Compat: part(1, 1)},
		{ID: "2", TaskID: "b", Model: "m", Outcome: "failed", Why: "line 3: " + hostile, Strict: part(0, 1), Compat: part(1, 1)},
		{ID: "m/c", TaskID: "c", Model: "m", Outcome: "failed", Strict: part(7, 20), Compat: part(7, 20)},
		{ID: "4", TaskID: "d", Model: "m", Outcome: "unjudged", Strict: bench.Parts{"pass": nil}, Error: vitrine.NewFault("build", vitrine.FaultStarved, nil, "too busy")},
		{ID: "e", TaskID: "e", Model: "m", Outcome: bench.Missing},
		{ID: "6", TaskID: "a", Model: "n", Outcome: bench.SetAside, Strict: bench.Parts{"pass": nil, "aside": bench.One(1)}, Compat: part(1, 1)},
	}))
	strict, err := bench.Tabulate([]string{run.Dir}, bench.Strict, nil)
	must(t, err)
	compat, err := bench.Tabulate([]string{run.Dir}, bench.Compat, nil)
	must(t, err)
	must(t, run.WriteReport(strict, compat))
	b, err := os.ReadFile(filepath.Join(run.Dir, bench.ReportFile))
	must(t, err)
	page := string(b)
	for _, want := range []string{
		`class="good" href="#r0" title="a, m: passed"`, `class="poor" href="#r1"`, `class="fair" href="#r2"`, `class="none" href="#r3"`, `class="none" href="#r4" title="e, m: missing"`, `class="none" href="#r5" title="a, n: set aside"`,
		"print(&#39;ok&#39;)", "line 3: &lt;/pre&gt;", "of the third task", "too busy", "pass@1 % 35.0", "By our rule ", "By the published rule ",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	for _, never := range []string{"<script", "<img", "<b>X</b>", "END", `href="samples/report.html"`} {
		if strings.Contains(page, never) {
			t.Errorf("the report has %q", never)
		}
	}
}

// Of a task that is done in steps the report has the answers to all of its steps, and no others.
func TestReportOfStepsOfARun(t *testing.T) {
	t.Parallel()
	run, err := bench.Open(filepath.Join(t.TempDir(), "run"), bench.Header{Benchmark: "x", Title: "X", Tasks: 2, Of: 2, From: "answers"}, []vitrine.Task{{ID: "shop"}, {ID: "shopping"}})
	must(t, err)
	j, err := run.OpenJournal()
	must(t, err)
	must(t, j.Close())
	must(t, run.Keep([]vitrine.Output{{ID: "1", TaskID: "shop/task-1", Model: "m", Text: "first step"}, {ID: "2", TaskID: "shopping/task-1", Model: "m", Text: "other project"}}))
	must(t, run.Finish([]bench.Result{{ID: "m/shop", TaskID: "shop", Model: "m", Outcome: "failed"}}))
	table, err := bench.Tabulate([]string{run.Dir}, bench.Strict, nil)
	must(t, err)
	must(t, run.WriteReport(table, table))
	b, err := os.ReadFile(filepath.Join(run.Dir, bench.ReportFile))
	must(t, err)
	if page := string(b); !strings.Contains(page, "<h3>task-1</h3><pre>first step</pre>") || strings.Contains(page, "other project") {
		t.Errorf("the answers to the steps are not those of the task: %s", page[strings.Index(page, `id="answers"`):])
	}
}
