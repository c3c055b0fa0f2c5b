package flow_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/data/flow"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
)

// rows are the rows of a file.
func rows(t *testing.T, name string) (all []map[string]any) {
	t.Helper()
	for dec := json.NewDecoder(bytes.NewReader(read(t, name))); dec.More(); {
		var row map[string]any
		if err := dec.Decode(&row); err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	return all
}

// step is the result of a step by its name.
func step(t *testing.T, sum *flow.Summary, name string) flow.StepResult {
	t.Helper()
	for _, r := range sum.Steps {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("no step %s in %+v", name, sum.Steps)
	return flow.StepResult{}
}

func TestTheBetterOfTwoPagesIsKept(t *testing.T) {
	server := modeltest.New(t, builder)
	s := asked(t, server, "aescode-web", filepath.Join(t.TempDir(), "out"))
	l := &look{t: t}
	s.Limit, s.Sites = 20, l
	sum := run(t, s)
	generated, scored, shows, better := step(t, sum, "generate"), step(t, sum, "score"), step(t, sum, "shows"), step(t, sum, "better")
	lost := generated.Figures["outputs cut off"] + generated.Figures["outputs refused"]
	if generated.Read == 0 || lost == 0 || generated.Kept+int(lost) != 2*generated.Read {
		t.Errorf("%+v: of two outputs to each task those that are not cut off or refused are kept", generated)
	}
	if scored.Read != scored.Kept+scored.Reasons["unjudged: judge_error"] || shows.Reasons["outcome is none of those wanted"] != shows.Dropped || better.Kept == 0 {
		t.Errorf("%+v, %+v, %+v", scored, shows, better)
	}
	second := 0
	for _, row := range rows(t, filepath.Join(s.Out, "kept.jsonl")) {
		if row["reward"].(float64) <= 0 || row["outcome"] != "rendered" || row["model"] == "" || row["keyword"] == "" {
			t.Errorf("%v", row)
		}
		if strings.HasSuffix(row["model"].(string), "second") {
			second++
		}
	}
	if worse := better.Reasons["another of its group is better"]; second == 0 || second != worse { // the second model writes more
		t.Errorf("of %d pairs the better page is kept of %d", worse, second)
	} else if better.Kept <= worse {
		t.Errorf("of %d pairs %d pages are kept: one whose rival is lost stays", worse, better.Kept)
	}
	calls, times := server.Calls(), l.scored
	run(t, s)
	if server.Calls() != calls || l.scored != times {
		t.Error("again, something was asked or scored")
	}
}

func TestWhatCannotBeJudgedYetIsNotDropped(t *testing.T) {
	dir := t.TempDir()
	p, err := flow.Parse([]byte("name: x\ninputs: {in: outputs}\nsteps: [{score: {recipe: looks}}]"))
	if err != nil {
		t.Fatal(err)
	}
	l := &look{t: t, busy: true}
	s := flow.Settings{Pipeline: p, Out: filepath.Join(dir, "out"), Say: t.Logf, Sites: l, Inputs: map[string][]string{"in": {write(t, dir, "in.jsonl", `{"id":"a","output":"<p>a</p>"}
{"id":"b","instruction":"no output"}
{"id":"c","output":"unknown"}
`)}}}
	_, err = flow.Run(context.Background(), s)
	if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultRateLimited || !strings.Contains(f.Message, "could not be judged yet: rate_limited") {
		t.Fatalf("%v", err)
	}
	l.busy = false
	if r := run(t, s).Steps[1]; r.Kept != 1 || r.Reasons["unjudged: judge_error"] != 1 || r.Reasons["no output"] != 1 || r.Read != 3 {
		t.Errorf("%+v", r)
	}
	s.Sites = nil
	s.Out = filepath.Join(dir, "other")
	if _, err := flow.Run(context.Background(), s); vitrine.AsFault("", err).Code != vitrine.FaultUsage {
		t.Errorf("without a scorer: %v", err)
	}
}

func TestAnOutputThatAlwaysCrashesIsLetGoAfterThreeRuns(t *testing.T) {
	dir := t.TempDir()
	p, err := flow.Parse([]byte("name: x\ninputs: {in: outputs}\nsteps: [{score: {recipe: looks}}]"))
	if err != nil {
		t.Fatal(err)
	}
	s := flow.Settings{Pipeline: p, Out: filepath.Join(dir, "out"), Say: t.Logf, Sites: &look{t: t}, Inputs: map[string][]string{"in": {write(t, dir, "in.jsonl", `{"id":"a","output":"<p>a</p>"}
{"id":"b","output":"crash"}
`)}}}
	for range 2 {
		if _, err := flow.Run(context.Background(), s); vitrine.AsFault("", err).Code != vitrine.FaultBrowserCrashed {
			t.Fatalf("%v", err)
		}
	}
	if r := run(t, s).Steps[1]; r.Kept != 1 || r.Reasons["unjudged: browser_crashed"] != 1 {
		t.Errorf("%+v", r)
	}
}

func TestOneModelInTwoRolesIsAskedTwice(t *testing.T) {
	server := modeltest.New(t, func(modeltest.Question) modeltest.Answer { return modeltest.Answer{Text: "<p>x</p>"} })
	dir := t.TempDir()
	p, err := flow.Parse([]byte("name: x\ninputs: {in: tasks}\nmodels: {good: a, bad: b}\nsteps: [{generate: {models: [good, bad], as: page, samples: 2}}, {contrast: {chosen: good, rejected: bad}}]"))
	if err != nil {
		t.Fatal(err)
	}
	s := askedBy(t, server, p, filepath.Join(dir, "out"))
	s.Asking.Models["good"] = s.Asking.Models["bad"]
	s.Inputs["in"] = []string{write(t, dir, "in.jsonl", `{"id":"a","instruction":"A shop","input":"of lamps"}`)}
	sum := run(t, s)
	if server.Calls() != 4 || sum.Steps[2].Reasons["both outputs are the same"] != 2 {
		t.Errorf("%d calls, want 4 for four outputs; %+v, want outputs that are the same to make no pair", server.Calls(), sum.Steps[2])
	}
}

// teach writes down how projects are asked for.
func teach(seen map[string]modeltest.Question) func(modeltest.Question) modeltest.Answer {
	return func(q modeltest.Question) modeltest.Answer {
		if strings.Contains(q.Text, "weak ones fail") && q.Model == "weak" {
			return modeltest.Answer{Finish: model.FinishRefused, Refusal: "No."}
		}
		seen[q.Model] = q
		return modeltest.Answer{Text: q.Model + ": " + strings.TrimSpace(q.Text)}
	}
}

func manyTasks(n int) string {
	var b strings.Builder
	for i := range n {
		kind := "shop"
		if i%4 == 0 {
			kind = "game"
		}
		fmt.Fprintf(&b, `{"id":"t%d","instruction":"Task %d%s","application_type":%q}`+"\n", i, i, strings.Repeat("!", i), kind)
	}
	return b.String()
}

func TestTeachersAreAskedAsPublished(t *testing.T) {
	seen := map[string]modeltest.Question{}
	server := modeltest.New(t, teach(seen))
	dir := t.TempDir()
	s := asked(t, server, "webgen-sft", filepath.Join(dir, "out"))
	s.Asking.AtOnce, s.Limit = 1, 20
	s.Inputs["in"] = []string{write(t, dir, "in.jsonl", manyTasks(30))}
	sum := run(t, s)
	q := seen["teacher"]
	if sum.Results[0].Rows != 20 || *q.Temperature != 0.6 || *q.TopP != 0.95 || q.MaxTokens != 8192 || !strings.Contains(q.System, "package.json") {
		t.Errorf("%d rows, asked with %v, %v, %d", sum.Results[0].Rows, q.Temperature, q.TopP, q.MaxTokens)
	}
	for _, row := range rows(t, filepath.Join(s.Out, "kept.jsonl")) {
		if row["application_type"] == nil || !strings.HasPrefix(row["output"].(string), "teacher: ") || row["group_id"] == nil {
			t.Errorf("%v", row)
		}
	}
}

func TestTheTeachersProjectIsPreferredToAWeakModels(t *testing.T) {
	server := modeltest.New(t, teach(map[string]modeltest.Question{}))
	dir := t.TempDir()
	s := asked(t, server, "webgen-rm", filepath.Join(dir, "out"))
	s.Asking.AtOnce, s.Limit = 1, 20
	s.Inputs["in"] = []string{write(t, dir, "in.jsonl", manyTasks(5)+`{"id":"w","instruction":"weak ones fail","application_type":"shop"}`)}
	sum := run(t, s)
	if r := step(t, sum, "contrast"); r.Kept != 5 || r.Reasons["no output of the other model"] != 1 {
		t.Errorf("%+v", r)
	}
	for _, row := range rows(t, filepath.Join(s.Out, "kept.jsonl")) {
		if !strings.HasPrefix(row["chosen"].(string), "teacher: ") || !strings.HasPrefix(row["rejected"].(string), "weak: ") {
			t.Errorf("%v", row)
		}
	}
}

// TestOnlyGoodProjectsAreKeptWhereRewardsAreFiltered runs the filtered variant, whose
// rewards are lengths here.
func TestOnlyGoodProjectsAreKeptWhereRewardsAreFiltered(t *testing.T) {
	server := modeltest.New(t, builder)
	dir := t.TempDir()
	s := asked(t, server, "webgen-sft-filtered", filepath.Join(dir, "out"))
	s.Limit, s.Sites = 20, &look{t: t}
	s.Inputs["in"] = []string{write(t, dir, "in.jsonl", manyTasks(15)+`{"id":"p1","instruction":"poor"}
{"id":"p2","instruction":"poor!"}
{"id":"p3","instruction":"poor!!"}
{"id":"p4","instruction":"poor!!!"}
{"id":"p5","instruction":"poor!!!!"}
`)}
	sum := run(t, s)
	if good := step(t, sum, "good"); good.Kept == 0 || good.Reasons["reward below 3.2"] == 0 || good.Kept+good.Dropped != good.Read {
		t.Errorf("%+v: want those with a reward of 3.2 or more", good)
	}
}
