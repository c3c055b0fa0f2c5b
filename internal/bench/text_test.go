package bench_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"vitrine/internal/bench"
	"vitrine/internal/starter"
)

// formed is a benchmark that asks for a form and counts grades.
type formed struct{ small }

func (formed) Columns() []bench.Column {
	return append([]bench.Column{{Key: "grade_4", Title: "grade 4", Times: 1, Count: true}}, bench.Form...)
}

// project is the starter with its page among the pages, in the form that the prompt asks for, as JSON
// has it in a text.
func project(t *testing.T) string {
	t.Helper()
	_, artifact, there := strings.Cut(starter.System(), "# Starter\n")
	artifact = strings.Replace(artifact, `filePath="src/App.tsx"`, `filePath="src/pages/Home.tsx"`, 1)
	text, err := json.Marshal("<answer>" + strings.TrimSpace(artifact) + "</answer>")
	if err != nil || !there {
		t.Fatalf("%v: the prompt has no starter", err)
	}
	return string(text[1 : len(text)-1])
}

// The form of an answer is read from its text; what the endpoint took out cannot be judged.
func TestFormOfAnswers(t *testing.T) {
	t.Parallel()
	a, err := bench.Match(outputs(t,
		`{"id":"1","task_id":"a","model":"m","output":"<think>Tea.</think>`+project(t)+`"}`,
		`{"id":"2","task_id":"b","model":"m","output":"`+project(t)+`"}`,
		`{"id":"3","task_id":"c","model":"m","output":"`+project(t)+`","reasoning":"Tea."}`,
		`{"id":"4","task_id":"d","model":"m","output":"I would rather not."}`), tasks(t), tasks(t))
	must(t, err)
	all := bench.Results(formed{}, tasks(t), a, nil)
	for i, want := range [][2][2]float64{{{1, 1}, {1, 1}}, {{0, 1}, {1, 1}}, {{-1, 0}, {1, 1}}, {{0, 1}, {0, 1}}} {
		for _, p := range []bench.Parts{all[i].Strict, all[i].Compat} {
			if got := [2][2]float64{part(p, "s_cot"), part(p, "s_code")}; got != want {
				t.Errorf("answer %s has %v, want %v", all[i].ID, got, want)
			}
		}
	}
	if p := bench.Results(small{}, tasks(t), a, nil)[0].Strict; p["s_cot"] != nil {
		t.Errorf("a benchmark that asks for no form: %v", p)
	}
}

// Lengths are as the endpoint says, else counted; thinking has a length where it is kept apart.
func TestLengthsOfAnswers(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`"output":"<p>tea</p>","usage":{"out":30,"reasoning":20}`:                                                    "30 10 20",
		`"output":"<p>tea</p>","usage":{"completion_tokens":30,"completion_tokens_details":{"reasoning_tokens":20}}`: "30 10 20",
		`"output":"<p>tea</p>","usage":{"out":30}`:                                                                   "30 - -",
		`"output":"tea tea tea"`:                                         "3 - -",
		`"output":"tea tea tea","reasoning":"tea tea"`:                   "5 3 2",
		`"output":"tea tea tea","reasoning":"tea tea","usage":{"out":9}`: "9 3 2",
		`"output":"tea tea tea","usage":"a lot","reasoning":{"x":1}`:     "3 - -",
		`"output":"","usage":{"out":0},"finish":"refused"`:               "0 - -",
		`"output":""`: "- - -",
	} {
		a, err := bench.Match(outputs(t, `{"id":"1","task_id":"a","model":"m",`+line+`}`), tasks(t), tasks(t))
		must(t, err)
		var got []string
		for _, key := range []string{"tokens", "tokens_answer", "tokens_thinking"} {
			text := "-"
			if p := bench.Results(small{}, tasks(t), a, nil)[0].Strict[key]; p != nil {
				text = fmt.Sprint(p.Sum / p.Of)
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s is %v, want %s", line, got, want)
		}
	}
}

// Of two runs over four tasks one has three sites of a grade and the other one: two in the
// mean, with a deviation of √2 sites.
func TestCountsOfGrades(t *testing.T) {
	t.Parallel()
	h := bench.Header{Benchmark: "small", Title: "Small", Verified: true, Tasks: 4, Of: 4, From: "o", Columns: bench.ColumnsOf(formed{})}
	dir := t.TempDir()
	r, err := bench.Open(dir, h, tasks(t))
	must(t, err)
	var all []bench.Result
	for i, grade := range []float64{1, 1, 1, 0, 1, 0, 0, 0} {
		p := bench.Parts{"grade_4": bench.One(grade)}
		all = append(all, bench.Result{ID: fmt.Sprint(i), TaskID: []string{"a", "b", "c", "d"}[i%4], Model: "m", Sample: i / 4, Strict: p, Compat: p})
	}
	must(t, r.Finish(all))
	table, err := bench.Tabulate([]string{dir}, bench.Strict, nil)
	must(t, err)
	if f := table.Rows[0].Figures["grade_4"]; value(f) != 2 || fmt.Sprint(f.Runs) != "[3 1]" || math.Abs(*f.SD-math.Sqrt2) > 1e-12 || *f.Low < 0 || *f.High > 4 {
		t.Errorf("%+v", f)
	}
	var b bytes.Buffer
	must(t, table.Write(&b, "markdown"))
	if !strings.Contains(b.String(), "| 2 [") || !strings.Contains(b.String(), "] ± 1 |") {
		t.Errorf("%s", b.String())
	}
	c, err := bench.Compare(dir, dir, "m", "m", bench.Strict)
	must(t, err)
	if len(c.Columns) != 0 {
		t.Errorf("counts are compared: %+v", c.Columns)
	}
}
