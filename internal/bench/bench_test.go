package bench_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/generate"
	"vitrine/internal/inputs"
	"vitrine/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused wants a fault of usage that says something and how to mend it.
func refused(t *testing.T, err error, want string) {
	t.Helper()
	if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultUsage || !strings.Contains(err.Error(), want) || f.Fix == "" {
		t.Errorf("%v, want a fault of usage: %s", err, want)
	}
}

// small is a benchmark of four tasks whose answers are numbers.
type small struct{ hash string }

const smallTasks = `{"id":"a","instruction":"One.","category":"odd"}
{"id":"b","instruction":"Two.","category":"even"}
{"id":"c","instruction":"Three.","category":"odd"}
{"id":"d","instruction":"Four.","category":"even"}
`

func (s small) Info() bench.Info {
	return bench.Info{Name: "small", Title: "Small", Tasks: 4, Source: "https://example.org/small", Commit: "abc", Licence: "MIT", Data: []bench.Data{{Path: "data/tasks.jsonl", Name: "tasks.jsonl", SHA256: s.hash}}}
}

func (small) Tasks(data fs.FS) ([]vitrine.Task, error) {
	return bench.ReadTasks(data, "tasks.jsonl", func(t vitrine.Task) string {
		if t.Category == "" {
			return "category"
		}
		return ""
	})
}
func (small) Prompt(t vitrine.Task) generate.Prompt { return generate.Prompt{Text: t.Instruction} }
func (small) Columns() []bench.Column {
	return []bench.Column{{Key: "pass", Title: "pass %", Times: 100, Digits: 1, Published: "P"}, {Key: "grade", Title: "grade", Times: 1, Digits: 2}}
}

func (small) Groups(t vitrine.Task) map[string][]string {
	return map[string][]string{"category": {t.Category}}
}
func (small) Absent(vitrine.Task) bench.Parts { return bench.Parts{"pass": bench.One(0)} }

func outputs(t *testing.T, lines ...string) *inputs.Input {
	t.Helper()
	in, err := inputs.Bytes("o.jsonl", []byte(strings.Join(lines, "\n")+"\n"), inputs.Settings{AnyText: true})
	must(t, err)
	t.Cleanup(func() { must(t, in.Close()) })
	return in
}

func tasks(t *testing.T) []vitrine.Task {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "tasks.jsonl"), []byte(smallTasks), 0o644))
	all, err := small{}.Tasks(os.DirFS(dir))
	must(t, err)
	return all
}

func TestOutputsFindTheirTasks(t *testing.T) {
	t.Parallel()
	all := tasks(t)
	a, err := bench.Match(outputs(t,
		`{"id":"1","task_id":"a","model":"m","output":"<p>1</p>"}`, `{"id":"b","model":"m","output":"<p>2</p>"}`, `{"id":"9","instruction":" Three. ","model":"m","output":"<p>3</p>"}`,
		`{"id":"2","task_id":"a","model":"m","output":"<p>again</p>"}`, `{"id":"x","task_id":"elsewhere","model":"m","output":"<p>4</p>"}`, `{"id":"3","task_id":"d","output":"<p>5</p>"}`, `[]`,
	), all[:3], all)
	must(t, err)
	var got []string
	for _, o := range a.Outputs {
		got = append(got, o.TaskID+string(o.Meta["bench_sample"]))
	}
	if fmt.Sprint(got) != "[a0 b0 c0 a1]" || fmt.Sprint(a.Models) != "[m]" || fmt.Sprint(a.Others) != "[x]" || len(a.Unusable) != 1 {
		t.Errorf("%v of %v, others %v, unusable %v", got, a.Models, a.Others, a.Unusable)
	}
	if text := strings.Join(a.Remarks(all), "\n"); !strings.Contains(text, "1 outputs are for other tasks (x)") || !strings.Contains(text, "m has no output for 1 of 4 tasks (d)") {
		t.Errorf("remarks:\n%s", text)
	}
	_, err = bench.Match(outputs(t, `{"id":"x","task_id":"elsewhere","output":"<p>4</p>"}`), all, all)
	refused(t, err, "no output answers a task of this benchmark: 1 are for others (x)")
}

// An output whose instruction is that of two tasks is for neither, and is counted.
func TestInstructionsOfSeveralTasks(t *testing.T) {
	t.Parallel()
	all := []vitrine.Task{{ID: "a", Instruction: "Same."}, {ID: "b", Instruction: "Same."}, {ID: "c", Instruction: "Own."}}
	a, err := bench.Match(outputs(t, `{"id":"1","instruction":"Same.","output":"<p>1</p>"}`, `{"id":"2","instruction":"Own.","output":"<p>2</p>"}`, `{"id":"3","task_id":"b","instruction":"Same.","output":"<p>3</p>"}`), all, all)
	must(t, err)
	if len(a.Outputs) != 2 || a.Outputs[0].TaskID != "c" || a.Outputs[1].TaskID != "b" || len(a.Unusable) != 1 || !strings.Contains(a.Unusable[0], "several tasks") {
		t.Errorf("%+v", a)
	}
}

func TestDataIsHeldToItsHash(t *testing.T) {
	t.Parallel()
	from, cache := t.TempDir(), t.TempDir()
	right := small{hash: "4cb26fe7"}
	_, err := bench.Load(right, "", cache)
	refused(t, err, "Small is not here")
	_, err = bench.Pull(right, from, cache)
	refused(t, err, "the folder has no data/tasks.jsonl")
	must(t, os.Mkdir(filepath.Join(from, "data"), 0o755))
	must(t, os.WriteFile(filepath.Join(from, "data", "tasks.jsonl"), []byte(smallTasks), 0o644))
	_, err = bench.Pull(right, from, cache)
	refused(t, err, "is not what Small was published with")
	if _, err := bench.Load(right, "", cache); err == nil {
		t.Error("data of another hash was kept")
	}
	l, err := bench.Load(right, filepath.Join(from, "data", "tasks.jsonl"), cache)
	must(t, err)
	if l.Verified || len(l.Tasks) != 4 {
		t.Errorf("a person's own copy: %+v", l)
	}
	right.hash = l.Hash
	_, err = bench.Pull(right, from, cache)
	must(t, err)
	if l, err = bench.Load(right, "", cache); err != nil || !l.Verified {
		t.Errorf("%+v, %v", l, err)
	}
	if where := right.Info().Where(); !strings.Contains(where, "git clone https://example.org/small") || !strings.Contains(where, right.hash) {
		t.Errorf("where to get it:\n%s", where)
	}
	must(t, os.WriteFile(filepath.Join(from, "data", "tasks.jsonl"), []byte(`{"id":"a","instruction":"One."}`+"\n"), 0o644))
	_, err = bench.Load(right, filepath.Join(from, "data"), cache)
	refused(t, err, `task 1, "a", has no category`)
	_, err = bench.Load(right, filepath.Join(from, "nothing"), cache)
	refused(t, err, "--data: there is no")
}

func TestSelect(t *testing.T) {
	t.Parallel()
	all := tasks(t)
	some, err := bench.Select(small{}, all, []string{"ODD"}, 1)
	must(t, err)
	if len(some) != 1 || some[0].ID != "a" {
		t.Errorf("%v", some)
	}
	_, err = bench.Select(small{}, all, []string{"prime"}, 0)
	refused(t, err, "no task is in prime")
}

// ran makes a run of outputs that were measured as said.
func ran(t *testing.T, measured map[string]bench.Measured, lines ...string) string {
	t.Helper()
	dir, all := filepath.Join(t.TempDir(), "run"), tasks(t)
	r, err := bench.Open(dir, bench.Header{Benchmark: "small", Title: "Small", Verified: true, Tasks: 4, Of: 4, From: "o", Columns: bench.ColumnsOf(small{})}, all)
	must(t, err)
	a, err := bench.Match(outputs(t, lines...), all, all)
	must(t, err)
	must(t, r.Finish(bench.Results(small{}, all, a, measured)))
	return dir
}

func passed(p, grade float64) bench.Measured {
	parts := bench.Parts{"pass": bench.One(p), "grade": bench.One(grade)}
	return bench.Measured{Outcome: "passed", Strict: parts, Compat: parts}
}

func unjudged() bench.Measured {
	return bench.Measured{Outcome: "unjudged", Strict: bench.Parts{"pass": nil, "grade": nil}, Compat: bench.Parts{"pass": bench.One(0)}, Error: vitrine.NewFault("judge", vitrine.FaultRateLimited, nil, "too often")}
}

// m passes a, fails b, of c it is not known and d is missing.
func first(t *testing.T) string {
	return ran(t, map[string]bench.Measured{"1": passed(1, 4), "2": passed(0, 2), "3": unjudged()},
		`{"id":"1","task_id":"a","model":"m","output":"<p>1</p>","usage":{"out":10}}`, `{"id":"2","task_id":"b","model":"m","output":"<p>2</p>","usage":{"completion_tokens":30}}`, `{"id":"3","task_id":"c","model":"m","output":"<p>3</p>","usage":{"out":20}}`)
}

func value(f bench.Figure) float64 {
	if f.Value == nil {
		return math.NaN()
	}
	return *f.Value
}

func TestTableWorkedByHand(t *testing.T) {
	t.Parallel()
	dir := first(t)
	strict, err := bench.Tabulate([]string{dir}, bench.Strict, []string{"category"})
	must(t, err)
	row := strict.Rows[0]
	if row.Answers != 2 || row.Missing != 1 || row.Unjudged != 1 || row.Causes["rate_limited"] != 1 || value(row.Figures["pass"]) != 0.5 || row.Figures["pass"].N != 2 || row.Figures["pass"].Unjudged != 1 ||
		value(row.Figures["grade"]) != 3 || value(row.Figures["tokens"]) != 20 {
		t.Errorf("strict: %+v", row)
	}
	if odd := strict.Rows[2]; odd.Group != "odd" || value(odd.Figures["pass"]) != 1 || odd.Figures["pass"].Low != nil {
		t.Errorf("odd tasks: %+v", odd)
	}
	compat, err := bench.Tabulate([]string{dir}, bench.Compat, nil)
	must(t, err)
	if f := compat.Rows[0].Figures["pass"]; value(f) != 0.25 || f.N != 4 {
		t.Errorf("compat: %+v", f)
	}
}

// Means that are all the same have no interval, shares of all or none have Wilson's.
func TestIntervalsOfTheSameValues(t *testing.T) {
	t.Parallel()
	dir := ran(t, map[string]bench.Measured{"1": passed(1, 3), "2": passed(1, 3)}, `{"id":"1","task_id":"a","model":"m","output":"<p>1</p>"}`, `{"id":"2","task_id":"b","model":"m","output":"<p>2</p>"}`)
	table, err := bench.Tabulate([]string{dir}, bench.Strict, nil)
	must(t, err)
	if f := table.Rows[0].Figures["grade"]; value(f) != 3 || f.Low != nil {
		t.Errorf("the mean of equal grades: %+v", f)
	}
	if f := table.Rows[0].Figures["pass"]; value(f) != 1 || f.Low == nil || *f.Low > 0.5 {
		t.Errorf("two of two: %+v", f)
	}
	var b bytes.Buffer
	must(t, table.Write(&b, "markdown"))
	if !strings.Contains(b.String(), "3.00 (all 2 the same)") {
		t.Errorf("the table says no word of it:\n%s", b.String())
	}
}

// Two answers to each task are two runs: values 1 and 0, mean 0.5, deviation √½.
func TestSeveralAnswersAreRuns(t *testing.T) {
	t.Parallel()
	dir := ran(t, map[string]bench.Measured{"1": passed(1, 1), "2": passed(0, 1), "3": passed(1, 1), "4": passed(0, 1)},
		`{"id":"1","task_id":"a","model":"m","output":"<p>1</p>"}`, `{"id":"2","task_id":"a","model":"m","output":"<p>2</p>"}`,
		`{"id":"3","task_id":"b","model":"m","output":"<p>3</p>"}`, `{"id":"4","task_id":"b","model":"m","output":"<p>4</p>"}`)
	table, err := bench.Tabulate([]string{dir}, bench.Strict, nil)
	must(t, err)
	if f := table.Rows[0].Figures["pass"]; value(f) != 0.5 || fmt.Sprint(f.Runs) != "[1 0]" || math.Abs(*f.SD-math.Sqrt(0.5)) > 1e-12 {
		t.Errorf("%+v", f)
	}
}

// Answers are in the order in which they came; which run each is of, it says itself. Runs
// over other tasks have no deviation.
func TestRunsAreThoseThatWereAsked(t *testing.T) {
	t.Parallel()
	lines := []string{
		`{"id":"1","task_id":"a","model":"m","output":"<p>1</p>","asked":{"sample":0}}`, `{"id":"2","task_id":"a","model":"m","output":"<p>2</p>","asked":{"sample":1}}`,
		`{"id":"4","task_id":"b","model":"m","output":"<p>4</p>","asked":{"sample":1}}`, `{"id":"3","task_id":"b","model":"m","output":"<p>3</p>","asked":{"sample":0}}`,
	}
	measured := map[string]bench.Measured{"1": passed(1, 1), "2": passed(0, 1), "3": passed(1, 1), "4": passed(0, 1)}
	for n, want := range map[int]string{4: "[1 0]", 3: "[]"} {
		table, err := bench.Tabulate([]string{ran(t, measured, lines[:n]...)}, bench.Strict, nil)
		must(t, err)
		if f := table.Rows[0].Figures["pass"]; fmt.Sprint(f.Runs) != want || (f.SD == nil) != (n == 3) {
			t.Errorf("of %d answers: %+v", n, f)
		}
	}
}

// Outputs are grouped by their run over all tasks, however many answers each task has.
func TestRunsOverAllTasks(t *testing.T) {
	t.Parallel()
	measured, lines := map[string]bench.Measured{}, []string{}
	for i, pass := range []float64{1, 1, 0, 1, 1, 0, 0, 0} { // of a, a, b, b in each run
		id := fmt.Sprint(i)
		measured[id] = passed(pass, 1)
		lines = append(lines, fmt.Sprintf(`{"id":%q,"task_id":%q,"model":"m","output":"<p>%d</p>","asked":{"sample":%d,"run":%d}}`, id, []string{"a", "b"}[i/2%2], i, i/4*2+i%2, i/4))
	}
	table, err := bench.Tabulate([]string{ran(t, measured, lines...)}, bench.Strict, nil)
	must(t, err)
	if f := table.Rows[0].Figures["pass"]; value(f) != 0.5 || fmt.Sprint(f.Runs) != "[0.75 0.25]" || math.Abs(*f.SD-math.Sqrt(0.125)) > 1e-12 || f.Low == nil {
		t.Errorf("%+v", f)
	}
	var b bytes.Buffer
	must(t, table.Write(&b, "csv"))
	if head, row, _ := strings.Cut(b.String(), "\n"); !strings.Contains(head, "pass_high,pass_sd,pass_n") || !strings.Contains(row, ",35.35533905932738,2,") {
		t.Errorf("the deviation over runs is not in the table:\n%s", b.String())
	}
}

func TestFormsOfTheTable(t *testing.T) {
	t.Parallel()
	table, err := bench.Tabulate([]string{first(t)}, bench.Strict, nil)
	must(t, err)
	table, err = table.WithPublished(os.DirFS(sheets(t, "# benchmark: small\n# source: Paper_1, Table 2\nmodel,P\n100% sure & ready,88.5\n")))
	must(t, err)
	for format, want := range map[string]string{
		"markdown": "| 100% sure & ready (published: Paper_1, Table 2) |  |  |  |  | 88.5 |", "latex": `100\% sure \& ready (published: Paper\_1, Table 2)`, "csv": `100% sure & ready,,,"Paper_1, Table 2",`,
	} {
		var b bytes.Buffer
		must(t, table.Write(&b, format))
		if !strings.Contains(b.String(), want) || !strings.Contains(b.String(), "limited 1)") && format != "csv" {
			t.Errorf("%s:\n%s", format, b.String())
		}
	}
	refused(t, table.Write(&bytes.Buffer{}, "word"), `there is no form "word"`)
	if _, err := json.Marshal(table); err != nil {
		t.Error(err)
	}
}

func sheets(t *testing.T, sheet string) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "s.csv"), []byte(sheet), 0o644))
	return dir
}

func TestRunsThatDoNotBelongTogether(t *testing.T) {
	t.Parallel()
	dir := first(t)
	_, err := bench.Tabulate([]string{dir, dir}, bench.Strict, nil)
	refused(t, err, `the answer "1" of m is in`)
	_, err = bench.Tabulate([]string{t.TempDir()}, bench.Strict, nil)
	refused(t, err, "is no run of a benchmark")
	for want, h := range map[string]bench.Header{
		"another benchmark (small)":       {Benchmark: "large"},
		"another copy of the data":        {Benchmark: "small", Data: "other"},
		"another --category or --limit":   {Benchmark: "small", Limit: 3},
		"another source of outputs (o); ": {Benchmark: "small", From: "p"},
	} {
		_, err := bench.Open(dir, h, nil)
		refused(t, err, strings.TrimSuffix(want, "; "))
	}
	again, err := bench.Open(dir, bench.Header{Benchmark: "small", From: "o", Columns: []bench.Column{{Key: "new"}}}, nil)
	if err != nil || again.Header.Columns[0].Key != "new" {
		t.Errorf("a run that is gone on with has old columns: %v", err)
	}
	fresh := filepath.Join(t.TempDir(), "run")
	_, err = bench.Open(fresh, bench.Header{Benchmark: "small"}, nil)
	must(t, err)
	_, err = bench.Tabulate([]string{fresh}, bench.Strict, nil)
	refused(t, err, "did not come to its end")
}
