package flow_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"vitrine/internal/data/flow"
	"vitrine/internal/model/modeltest"
)

// numbers are those of a pipeline that the papers give, and what their steps go by.
func numbers(p *flow.Pipeline) string {
	var all []string
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	for _, s := range p.Steps {
		switch {
		case s.Sample != nil:
			say("sample %d by %s %s", s.Sample.N, cmp.Or(s.Sample.By, "nothing"), s.Sample.Shares)
		case s.Split != nil:
			say("split %v by %s", s.Split.Validation, s.Split.By)
		case s.Keywords != nil:
			for _, c := range s.Keywords.Categories {
				say("%d %s", c.N, c.Name)
			}
			say("%d a call", s.Keywords.PerCall)
		case s.Instructions != nil:
			say("%d each", s.Instructions.Per)
		case s.Cluster != nil:
			say("keep %s", s.Cluster.Keep)
		case s.Rewrite != nil:
			say("%d to %d words in %d categories", s.Rewrite.Least, s.Rewrite.Most, len(s.Rewrite.Categories))
		case s.Imports != nil:
			say("imports of %s", strings.Join(s.Imports.Only, " "))
		case s.Cases != nil:
			say("at most %d cases", s.Cases.Most)
		case s.Categorise != nil:
			say("%d topics", len(s.Categorise.Topics))
		case s.Generate != nil && s.Generate.Temperature != nil:
			say("temperature %v top-p %v", *s.Generate.Temperature, *s.Generate.TopP)
		case s.Score != nil && s.Score.Profile != "":
			say("%s by %s as %s", s.Score.Recipe, s.Score.Judge, s.Score.Profile)
		case s.Filter != nil:
			say("%s", conditions(*s.Filter))
		case s.Both != nil && len(s.Both.Where) > 0:
			say("both %s", conditions(s.Both.Where...))
		}
	}
	return strings.Join(all, "; ")
}

func conditions(filters ...flow.Filter) string {
	var all []string
	for _, f := range filters {
		if f.Min != nil {
			all = append(all, fmt.Sprintf("%s from %v", f.Field, *f.Min))
		} else {
			all = append(all, fmt.Sprintf("%s %s", f.Field, strings.Join(f.OneOf, " ")))
		}
	}
	return strings.Join(all, ", ")
}

// What ships has the numbers of the papers; docs/data/shipped.md says which are ours, such as
// the share for validation and the least reward.
func TestShippedPipelinesHaveThePublishedNumbers(t *testing.T) {
	want := map[string]string{
		"aescode-plots":       "imports of matplotlib mpl_toolkits seaborn plotly numpy pandas; outcome rendered",
		"aescode-web":         "9000 General Website; 2500 3D Design; 2500 Data Visualization; 2500 Game Dev; 2500 UI Component; 300 a call; 20 each; keep half; looks by static as published; outcome rendered",
		"arena-pairs":         "safe from 1; interaction from 8; intention from 3; looks by screenshot as published; both scores.vision.screenshot from 1, outcome rendered; sample 700 by nothing original",
		"best-of-n":           "",
		"preference":          "",
		"relook-clean":        "sample 3000 by application_type original; split 0.1 by application_type",
		"rl-rewrite":          "sample 20000 by nothing original; 40 to 60 words in 5 categories",
		"self-distil":         "",
		"unit-tasks":          "sample 105 by nothing original; at most 5 cases; outcome rendered; 8 topics",
		"webgen-rm":           "sample 600 by application_type original; temperature 0.6 top-p 0.95",
		"webgen-sft":          "sample 600 by application_type original; temperature 0.6 top-p 0.95",
		"webgen-sft-filtered": "sample 600 by application_type original; temperature 0.6 top-p 0.95; outcome rendered; reward from 3.2",
	}
	for _, name := range flow.Shipped() {
		p, err := flow.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := numbers(p); got != want[name] {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want[name])
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("not shipped: %v", want)
	}
}

func TestSeedsAreAskedForAsPublished(t *testing.T) {
	var mu sync.Mutex
	var said string
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		mu.Lock()
		defer mu.Unlock()
		said += q.Text
		return author(q)
	})
	s := asked(t, server, "aescode-web", filepath.Join(t.TempDir(), "out"))
	s.Pipeline.Steps, s.Limit = s.Pipeline.Steps[:1], 20
	run(t, s)
	for _, want := range []string{"in 10 to 30 words, or by a keyword", `"General Website"`, `"3D Design"`, `"Data Visualization"`, `"Game Dev"`, `"UI Component"`} {
		if !strings.Contains(said, want) {
			t.Errorf("no %s in:\n%s", want, said)
		}
	}
}

// Of 90 common and 10 rare rows a tenth is 9 and 1.
func TestSplitsFollowTheSharesOfAField(t *testing.T) {
	var b strings.Builder
	for i := range 100 {
		kind := "common"
		if i%10 == 0 {
			kind = "rare"
		}
		fmt.Fprintf(&b, `{"id":"%d","instruction":"Task %d","application_type":%q}`+"\n", i, i, kind)
	}
	dir := t.TempDir()
	p, err := flow.Parse([]byte("name: x\ninputs: {in: rows}\nsteps: [{split: {validation: 0.1, by: application_type, seed: 1}}]"))
	if err != nil {
		t.Fatal(err)
	}
	s := flow.Settings{Pipeline: p, Out: filepath.Join(dir, "out"), Inputs: map[string][]string{"in": {write(t, dir, "in.jsonl", b.String())}}, Say: t.Logf}
	run(t, s)
	for file, want := range map[string]map[string]int{"validation.jsonl": {"common": 9, "rare": 1}, "train.jsonl": {"common": 81, "rare": 9}} {
		kinds := map[string]int{}
		for _, row := range rows(t, filepath.Join(s.Out, file)) {
			kinds[row["application_type"].(string)]++
		}
		if fmt.Sprint(kinds) != fmt.Sprint(want) {
			t.Errorf("%s has %v, want %v", file, kinds, want)
		}
	}
}

// Rows without the field are told of: by it they are no group.
func TestRowsWithoutTheFieldOfASplitAreCounted(t *testing.T) {
	for _, step := range []string{"split: {validation: 0.5, by: kind}", "sample: {n: 3, by: kind}"} {
		sum := counted(t, `{"id":"a","kind":"x"}`+"\n"+`{"id":"b"}`+"\n"+`{"id":"c","kind":null}`+"\n", "{"+step+"}")
		if n := sum.Steps[1].Figures["without kind"]; n != 2 {
			t.Errorf("%s: %v rows without the field, want 2", step, n)
		}
	}
}
