package flow_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/data/flow"
	"vitrine/internal/leak"
)

// childEnv makes this binary run a pipeline, to be killed at it.
const childEnv = "VITRINE_TEST_FLOW"

func TestMain(m *testing.M) {
	if out := os.Getenv(childEnv); out != "" && os.Getenv(serverEnv) != "" {
		os.Exit(askAsChild(out, os.Getenv(serverEnv)))
	}
	if out := os.Getenv(childEnv); out != "" {
		p, err := flow.Load("relook-clean")
		if err == nil {
			s := settings(p, out, filepath.Join(filepath.Dir(out), "in.jsonl"), filepath.Join(filepath.Dir(out), "bench.jsonl"))
			s.Say = func(format string, args ...any) { fmt.Printf(format+"\n", args...) }
			_, err = flow.Run(context.Background(), s)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(leak.Run(m))
}

func settings(p *flow.Pipeline, out, in, bench string) flow.Settings {
	return flow.Settings{Pipeline: p, Out: out, Inputs: map[string][]string{"in": {in}, "benchmarks": {bench}}, Say: func(string, ...any) {}}
}

// tasks are n instructions, every tenth of them like the one before.
func tasks(n int) string {
	kinds := []string{"shop", "blog", "game", "forum", "calendar", "atlas", "editor"}
	things := strings.Fields("lamps teas trains stamps birds ovens boats clocks maps shoes herbs tiles coins pens plants bikes chairs songs")
	acts := strings.Fields("search filter sort compare print share rate export import archive label merge split paint weigh")
	var b strings.Builder
	for i := range n {
		k := i
		if i%10 == 9 {
			k = i - 1
		}
		text := fmt.Sprintf("A %s about %s where people %s %s, %s them by %s number %d and %s whatever %s need", kinds[k%7], things[k%18], acts[k%15], things[(k/7)%18], acts[(k/3)%15], things[(k/5)%18], k*7919, acts[(k/11)%15], things[(k/13)%18])
		if k != i {
			text += "."
		}
		fmt.Fprintf(&b, `{"id":"t%d","instruction":%q,"application_type":%q}`+"\n", i, text, kinds[k%7])
	}
	return b.String()
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func read(t *testing.T, names ...string) []byte {
	t.Helper()
	var all []byte
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	return all
}

func run(t *testing.T, s flow.Settings) *flow.Summary {
	t.Helper()
	sum, err := flow.Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// TestOnlyWhatAChangeConcernsRunsAgain changes the last step and the rows.
func TestOnlyWhatAChangeConcernsRunsAgain(t *testing.T) {
	dir := t.TempDir()
	in, bench := write(t, dir, "in.jsonl", tasks(50)), write(t, dir, "bench.jsonl", tasks(2))
	p, err := flow.Load("relook-clean")
	if err != nil {
		t.Fatal(err)
	}
	s := settings(p, filepath.Join(dir, "out"), in, bench)
	var ran []string
	s.Say = func(format string, args ...any) {
		ran = append(ran, strings.TrimSuffix(fmt.Sprintf(format, args...), " …"))
	}
	for _, c := range []struct {
		change func()
		want   string
	}{
		{func() {}, "normal audited unique apart size split"},
		{func() {}, ""},
		{func() { p.Steps[5].Split.Validation = 0.5 }, "split"},
		{func() { write(t, dir, "bench.jsonl", tasks(5)) }, "apart size split"},
		{func() { write(t, dir, "in.jsonl", tasks(51)) }, "normal audited unique apart size split"},
	} {
		ran = nil
		c.change()
		run(t, s)
		if got := strings.Join(ran, " "); got != c.want {
			t.Errorf("ran %q, want %q", got, c.want)
		}
	}
}

func TestLimitedRunOfTheShippedPipelineCountsEveryRow(t *testing.T) {
	dir := t.TempDir()
	in, bench := write(t, dir, "in.jsonl", tasks(60)), write(t, dir, "bench.jsonl", tasks(3))
	p, err := flow.Load("relook-clean")
	if err != nil {
		t.Fatal(err)
	}
	s := settings(p, filepath.Join(dir, "out"), in, bench)
	s.Limit = 20
	sum := run(t, s)
	if sum.Steps[0].Kept != 20 || step(t, sum, "unique").Dropped != 2 || step(t, sum, "apart").Dropped != 3 {
		t.Errorf("%+v: want 20 read, 2 near duplicates and 3 benchmark tasks dropped", sum.Steps)
	}
	for _, r := range sum.Steps {
		if r.Read != r.Kept+r.Dropped {
			t.Errorf("%s: %d read, %d kept, %d dropped", r.Name, r.Read, r.Kept, r.Dropped)
		}
	}
	again, err := flow.Open(s.Out)
	if err != nil || len(again.Results) != 2 || again.Results[0].Rows+again.Results[1].Rows != 15 {
		t.Errorf("%+v, %v: want 15 rows in two files", again, err)
	}
	bytesOfBench := sha256.Sum256(read(t, bench))
	for _, want := range []string{again.Results[0].SHA256, "first 20 rows", "`bench.jsonl`, hash `" + hex.EncodeToString(bytesOfBench[:]), `"sample":{"n":3000,"by":"application_type"`} {
		if card := again.Card(); !strings.Contains(card, want) {
			t.Errorf("the data card lacks %s:\n%s", want, card)
		}
	}
}

const outputs = `{"id":"a1","group_id":"a","instruction":"A shop","output":"<p>best</p>"}
{"id":"a2","group_id":"a","instruction":"A shop","output":"<p>worst</p>"}
{"id":"a3","group_id":"a","instruction":"A shop","output":"<p>mid</p>"}
{"id":"b1","group_id":"b","instruction":"A blog","output":"<p>one</p>"}
{"id":"b2","group_id":"b","instruction":"A blog","output":"<p>two</p>"}
{"id":"c1","group_id":"c","instruction":"A game","output":"<p>unknown</p>"}
`

const samples = `{"id":"a1","reward":0.9,"status":"scored"}
{"id":"a2","reward":-0.2,"status":"scored"}
{"id":"a3","reward":0.5,"status":"scored"}
{"id":"b1","reward":0.4,"status":"scored"}
{"id":"b2","reward":0.4,"status":"scored"}
{"id":"c1","reward":null,"status":"unjudged"}
`

func TestPreferencesAreOfTheBestAndTheWorst(t *testing.T) {
	dir := t.TempDir()
	in, rewards := write(t, dir, "in.jsonl", outputs), write(t, dir, "samples.jsonl", samples)
	for name, want := range map[string]string{"preference": "a1>a2", "best-of-n": "a1 b1"} {
		p, err := flow.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		s := flow.Settings{Pipeline: p, Out: filepath.Join(dir, name), Inputs: map[string][]string{"in": {in}, "rewards": {rewards}}, Say: t.Logf}
		sum := run(t, s)
		var ids []string
		for dec := json.NewDecoder(bytes.NewReader(read(t, filepath.Join(s.Out, "kept.jsonl")))); dec.More(); {
			var row struct{ ID, Chosen, Rejected string }
			if err := dec.Decode(&row); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, row.ID)
			if name == "preference" && (row.Chosen != "<p>best</p>" || row.Rejected != "<p>worst</p>") {
				t.Errorf("%+v", row)
			}
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if sum.Steps[1].Reasons["unjudged"] != 1 {
			t.Errorf("%s: %+v, want the unjudged sample dropped as that", name, sum.Steps[1])
		}
	}
}

func TestSamplesFollowTheSharesThatAreAskedFor(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	for i := range 100 {
		kind := "common"
		if i%10 == 0 {
			kind = "rare"
		}
		fmt.Fprintf(&b, `{"id":"%d","kind":%q,"n":%d}`+"\n", i, kind, i)
	}
	in := write(t, dir, "in.jsonl", b.String())
	for shares, rare := range map[string]int{"original": 2, "equal": 10} {
		p, err := flow.Parse([]byte("name: x\ninputs: {in: rows}\nsteps: [{filter: {field: n, min: 0}}, {sample: {n: 20, by: kind, shares: " + shares + "}}]\n"))
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, shares)
		run(t, flow.Settings{Pipeline: p, Out: out, Inputs: map[string][]string{"in": {in}}, Say: t.Logf})
		kept := read(t, filepath.Join(out, "kept.jsonl"))
		if got := bytes.Count(kept, []byte(`"rare"`)); bytes.Count(kept, []byte("\n")) != 20 || got != rare {
			t.Errorf("%s shares: %d rare rows, want %d", shares, got, rare)
		}
	}
}

func TestWrongPipelinesAreRefusedWithTheReason(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "no steps",
		"name: x\ninputs: {in: a}":           "no steps",
		"name: x\nsteps: [{sample: {n: 1}}]": `needs "in"`,
		"name: x\ninputs: {in: a}\nsteps: [{sample: {n: 0}}]":                           "n is at least 1",
		"name: x\ninputs: {in: a}\nsteps: [{sample: {n: 1}, split: {validation: 0.1}}]": "2 kinds",
		"name: x\ninputs: {in: a}\nsteps: [{sample: {m: 1}}]":                           "unknown field",
		"name: x\ninputs: {in: a}\nsteps: [{decontaminate: {against: [b]}}]":            `inputs has no "b"`,
		"name: x\ninputs: {in: a}\nsteps: [{dedup: {by: [looks]}}]":                     `"looks" is none`,
		"name: x\ninputs: {in: a}\nsteps: [{from: [y], sample: {n: 1}}]":                `is called "y"`,
		"name: x\ninputs: {in: a}\nsteps: [{name: in, sample: {n: 1}}]":                 "there already",
		"name: x\ninputs: {in: a}\nsteps: [{split: {validation: 1}}]":                   "share above 0",
		"name: x\ninputs: {in: a}\nsteps: [{filter: {field: a, without: '('}}]":         "missing closing",
		"name: x\ninputs: {in: a}\nsteps: [{dedup: {thresholds: {text: 0.7}}}]":         "review is above text",
		"name: x\ninputs: {in: a}\nsteps: [{dedup: {thresholds: {txt: 0.9}}}]":          `"txt" is none of code, dom, overlap, review, text`,
		"name: x\ninputs: {in: a}\nsteps: [{dedup: {thresholds: {dom: 0}}}]":            "dom is 0",
		"name: x\ninputs: {in: a}\nsteps: [{split: {validation: 0.1}}, {unique: {}}]":   "the rows of a split",
		"name: x\ninputs: {in: a}\nsteps: [{name: a/b, sample: {n: 1}}]":                "letters, digits",
	} {
		if _, err := flow.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	p, err := flow.Load("preference")
	if err != nil {
		t.Fatal(err)
	}
	in := write(t, t.TempDir(), "in.jsonl", outputs)
	for name, given := range map[string]map[string][]string{"not given": {"in": {in}}, "not there": {"in": {in}, "rewards": {filepath.Join(t.TempDir(), "none")}}} {
		_, err = flow.Run(context.Background(), flow.Settings{Pipeline: p, Out: t.TempDir(), Inputs: given})
		var fault *vitrine.Fault
		if !errors.As(err, &fault) || fault.Code != vitrine.FaultUsage || !strings.Contains(fault.Fix, "--with rewards=FILE") {
			t.Errorf("an input that is %s: %v", name, err)
		}
	}
}

// TestThresholdsThatAreNotGivenAreThoseOfTheCommand, each by itself.
func TestThresholdsThatAreNotGivenAreThoseOfTheCommand(t *testing.T) {
	p, err := flow.Parse([]byte("name: x\ninputs: {in: a}\nsteps: [{dedup: {thresholds: {text: 0.9}}}]"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"text": 0.9, "review": 0.8, "dom": 0.9, "code": 0.9, "overlap": 0.5}
	if got := p.Steps[0].Dedup.Thresholds; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("name: x\ninputs: {in: a}\nsteps: [{sample: {n: 1}}]")
	f.Add("steps: [{from: [in]}]")
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := flow.Parse([]byte(text)); err == nil && len(p.Steps) == 0 {
			t.Error("a pipeline without steps passes")
		}
	})
}
