package flow_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/data/embed"
	"vitrine/internal/data/embed/embedtest"
	"vitrine/internal/data/flow"
)

// TestBadRowsAreCountedByEveryStep runs steps on rows that are broken, huge, without what a
// step reads, alone or all the same. Every row is kept or dropped with a reason.
func TestBadRowsAreCountedByEveryStep(t *testing.T) {
	same := strings.Repeat(`{"instruction":"a chess game","kind":"game","reward":1}`+"\n", 30)
	for name, c := range map[string]struct {
		rows                 string
		unusable, apart, own int // rows that cannot be read, and those that are left
	}{
		"broken UTF-8":    {"{\"id\":\"a\",\"instruction\":\"caf\xe9\",\"kind\":\"\xff\",\"reward\":1}\n{\"id\":\"b\",\"instruction\":\"x\",\"kind\":\"y\",\"reward\":2}\n", 0, 2, 2},
		"no objects":      {"{\"id\":\n[1]\n{\"id\":\"a\",\"instruction\":\"x\",\"kind\":\"y\",\"reward\":1}\n", 2, 1, 1},
		"a long line":     {`{"id":"a","kind":"y","reward":1,"instruction":"` + strings.Repeat("a page about lamps ", 1<<16) + `"}`, 0, 1, 1},
		"columns missing": {`{"id":"a","instruction":"x"}` + "\n" + `{"id":"b","kind":"y","reward":"high"}` + "\n" + `{"id":"c","instruction":"z","kind":"y","reward":1}`, 0, 3, 1},
		"one row":         {`{"id":"a","instruction":"x","kind":"y","reward":1}`, 0, 1, 1},
		"all equal":       {same, 0, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			sum := counted(t, c.rows, "{name: apart, dedup: {}}, {name: judged, filter: {field: reward, min: 0}}, {name: some, sample: {n: 5, by: kind, shares: equal}}, {name: best, best: {}}, {name: split, split: {validation: 0.5, by: kind}}")
			if in := sum.Steps[0]; in.Reasons["unusable row"] != c.unusable {
				t.Errorf("%+v, want %d unusable", in.Counts, c.unusable)
			}
			if sum.Steps[1].Kept != c.apart || sum.Steps[5].Kept != c.own {
				t.Errorf("%d and %d rows are left, want %d and %d", sum.Steps[1].Kept, sum.Steps[5].Kept, c.apart, c.own)
			}
			sum = counted(t, c.rows, "{normalise: {}}, {hints: {}}, {language: {keep: [en]}}, {unique: {}}, {cluster: {}}")
			if sum.Steps[5].Kept != 1 {
				t.Errorf("%+v, want one row of up to three", sum.Steps)
			}
		})
	}
	dir := t.TempDir()
	p, err := flow.Parse([]byte("name: x\ninputs: {in: rows}\nsteps: [{dedup: {}}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range []string{"", "[1]\n", "{\"id\":\n"} {
		_, err := flow.Run(context.Background(), flow.Settings{Pipeline: p, Out: filepath.Join(dir, "out"), Inputs: map[string][]string{"in": {write(t, dir, "in.jsonl", rows)}}, Say: t.Logf})
		var fault *vitrine.Fault
		if !errors.As(err, &fault) || fault.Fix == "" {
			t.Errorf("%q: %v", rows, err)
		}
	}
}

// counted runs steps on rows, each of which every step is to keep or to drop with a reason.
func counted(t *testing.T, rows, steps string) *flow.Summary {
	t.Helper()
	dir := t.TempDir()
	p, err := flow.Parse([]byte("name: x\ninputs: {in: rows}\nsteps: [" + steps + "]\n"))
	if err != nil {
		t.Fatal(err)
	}
	s := flow.Settings{Pipeline: p, Out: filepath.Join(dir, "out"), Inputs: map[string][]string{"in": {write(t, dir, "in.jsonl", rows)}}, Embedders: filepath.Join(dir, "embedders"), Say: func(string, ...any) {}}
	if err := embedtest.Write(embed.Default(s.Embedders)); err != nil {
		t.Fatal(err)
	}
	sum := run(t, s)
	for _, r := range sum.Steps {
		lost := 0
		for _, n := range r.Reasons {
			lost += n
		}
		if r.Read != r.Kept+r.Dropped || lost != r.Dropped {
			t.Errorf("%s: %+v, want every row kept or dropped with a reason", r.Name, r.Counts)
		}
	}
	return sum
}

// TestARowOf50MBPasses, and the others with it.
func TestARowOf50MBPasses(t *testing.T) {
	dir := t.TempDir()
	p, err := flow.Parse([]byte("name: x\ninputs: {in: rows}\nsteps: [{unique: {}}, {filter: {field: instruction, longest: 1000}}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	rows := `{"id":"a","instruction":"a shop of lamps"}` + "\n" + `{"id":"b","instruction":"` + strings.Repeat("a page about trains ", 50<<20/20) + `"}` + "\n" + `{"id":"c","instruction":"a blog about tea"}` + "\n"
	sum := run(t, flow.Settings{Pipeline: p, Out: filepath.Join(dir, "out"), Inputs: map[string][]string{"in": {write(t, dir, "in.jsonl", rows)}}, Say: t.Logf})
	if last := sum.Steps[2]; last.Read != 3 || last.Kept != 2 || last.Reasons["instruction longer than 1000 characters"] != 1 {
		t.Errorf("%+v, want the long row read and dropped by the last step alone", sum.Steps)
	}
}

// TestBenchmarksMayBeFolders, whose content is part of the name of the result.
func TestBenchmarksMayBeFolders(t *testing.T) {
	dir := t.TempDir()
	bench := filepath.Join(dir, "bench")
	if err := os.Mkdir(bench, 0o700); err != nil {
		t.Fatal(err)
	}
	p, err := flow.Load("relook-clean")
	if err != nil {
		t.Fatal(err)
	}
	s := settings(p, filepath.Join(dir, "out"), write(t, dir, "in.jsonl", tasks(20)), bench)
	for n, text := range []string{"<p>One page of a benchmark about lamps</p>", "<p>Another page of a benchmark about teas</p>"} {
		write(t, bench, "index.html", text)
		ran := false
		s.Say = func(format string, args ...any) { ran = ran || fmt.Sprintf(format, args...) == "apart …" }
		if run(t, s); !ran {
			t.Errorf("the benchmark number %d is not compared with", n)
		}
	}
}

// TestRowsOfNoPairAreCounted has steps that make one row of two.
func TestRowsOfNoPairAreCounted(t *testing.T) {
	for step, in := range map[string]string{
		"{pairs: {}}":          `{"id":"a1","task_id":"a","reward":1}|{"id":"a2","task_id":"a","reward":2}|{"id":"a3","task_id":"a","reward":3}|{"id":"b1","task_id":"b","reward":1}|{"id":"c","task_id":"a"}|{"id":"d","task_id":"a","reward":"Inf"}|{"id":"e","task_id":"a","reward":"NaN"}|{"id":"f","reward":1}|[1]`,
		"{pairs: {all: true}}": `{"id":"a1","task_id":"a","reward":1}|{"id":"b1","task_id":"b","reward":1}|{"id":"a2","task_id":"a","reward":2}|{"id":"b2","task_id":"b","reward":1}`,
		"{contrast: {chosen: x, rejected: y}}": `{"id":"a1","task_id":"a","by":"x","output":"A"}|{"id":"b1","task_id":"b","by":"x","output":"same"}|{"id":"a2","task_id":"a","by":"y","output":"B"}|{"id":"b2","task_id":"b","by":"y","output":"same"}|` +
			`{"id":"a3","task_id":"a","by":"x","output":"C"}|{"id":"c","task_id":"c","by":"y","output":"D"}|{"id":"d"}`,
		"{both: {}}": `{"id":"a"}|{"id":"b"}|{"id":"c","pair":"p","side":"b"}|{"id":"d","pair":"p","side":"a"}|{"id":"e","pair":"q","side":"a"}|{"id":"f","pair":"q","side":"b"}|{"id":"g","pair":"q","side":"b"}`,
	} {
		sum, kept, dir := one(t, step, strings.ReplaceAll(in, "|", "\n"))
		r := sum.Steps[1]
		if gone := rows(t, filepath.Join(dir, "dropped.jsonl")); r.Kept != 1 || r.Kept != len(kept) || r.Read != 2*r.Kept+r.Dropped || len(gone) != r.Dropped-r.Reasons["unusable row"] {
			t.Errorf("%s: %+v, %v, want one pair and every other row dropped", step, r.Counts, gone)
		}
	}
}
