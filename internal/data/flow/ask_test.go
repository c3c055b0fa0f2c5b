package flow_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"vitrine"
	"vitrine/internal/data/embed"
	"vitrine/internal/data/embed/embedtest"
	"vitrine/internal/data/flow"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
	"vitrine/internal/model/replay"
)

// asked are the settings of a pipeline that ships, whose models are a server, with
// answers kept in the folder of the run.
func asked(t *testing.T, server *modeltest.Server, name, out string) flow.Settings {
	t.Helper()
	p, err := flow.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return askedBy(t, server, p, out)
}

func askedBy(t *testing.T, server *modeltest.Server, p *flow.Pipeline, out string) flow.Settings {
	t.Helper()
	tape, err := replay.Open(filepath.Join(out, "answers"), replay.Auto)
	if err != nil {
		t.Fatal(err)
	}
	client := server.Client(t, model.Settings{Tape: tape, Retries: -1})
	s := flow.Settings{Pipeline: p, Out: out, Inputs: map[string][]string{}, Say: t.Logf, Asking: flow.Asking{Asker: client, AtOnce: 3, Models: map[string]flow.Model{}}}
	for role := range p.Models {
		s.Asking.Models[role] = flow.Model{Ask: "openai/" + role, Name: "openai/" + role}
	}
	s.Embedders = filepath.Join(t.TempDir(), "embedders")
	if err := embedtest.Write(embed.Default(s.Embedders)); err != nil {
		t.Fatal(err)
	}
	return s
}

var howMany = regexp.MustCompile(`(?:Think of|Write) (\d+) `)

// author thinks of keywords and writes instructions, as many as are asked for.
func author(q modeltest.Question) modeltest.Answer {
	var n int
	m := howMany.FindStringSubmatch(q.Text)
	if m == nil {
		return modeltest.Answer{Text: "I do not understand."}
	}
	_, _ = fmt.Sscan(m[1], &n)
	key, things := "keywords", strings.Fields("lamps teas trains stamps birds ovens boats clocks maps shoes")
	if strings.HasPrefix(q.Text, "Write") {
		key = "instructions"
	}
	return modeltest.Answer{Text: listed(key, n, q.Text, things)}
}

// listed is an answer of n texts that differ, by what was asked.
func listed(key string, n int, question string, things []string) string {
	seed := 0
	for _, b := range []byte(question) {
		seed = (seed*31 + int(b)) % 99991
	}
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("%s %s for %s number %d", things[(seed+i)%10], things[(seed/7+i)%10], things[(seed/11)%10], seed+i))
	}
	b, err := json.Marshal(map[string]any{key: all})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// look is a scorer that needs no browser: a page that says so does not show, one that says
// unknown is not judged, and the reward of any other is its length.
type look struct {
	t      *testing.T
	scored int
	busy   bool // nothing can be judged yet
}

func (l *look) By(_ context.Context, s flow.Scoring) (string, error) { return fmt.Sprint(s), nil }

func (l *look) Score(_ context.Context, _ flow.Scoring, files []string, _ string) (map[string]vitrine.Sample, error) {
	all := map[string]vitrine.Sample{}
	for dec := json.NewDecoder(bytes.NewReader(read(l.t, files...))); dec.More(); {
		var row struct{ ID, Output string }
		if err := dec.Decode(&row); err != nil {
			return nil, err
		}
		if row.Output == "" {
			continue
		}
		l.scored++
		reward := float64(len(row.Output))
		s := vitrine.Sample{ID: row.ID, Status: vitrine.SampleScored, Outcome: vitrine.OutcomeRendered, Reward: &reward}
		switch {
		case strings.Contains(row.Output, "poor"):
			*s.Reward = 1
		case strings.Contains(row.Output, "crash"):
			s.Reward, s.Error = nil, vitrine.NewFault("capture", vitrine.FaultBrowserCrashed, nil, "it died")
		case l.busy:
			s.Reward, s.Error = nil, vitrine.NewFault("judge", vitrine.FaultRateLimited, nil, "busy")
		case strings.Contains(row.Output, "unknown"):
			s.Reward, s.Error = nil, vitrine.NewFault("judge", vitrine.FaultJudge, nil, "no usable answer")
		case strings.Contains(row.Output, "broken"):
			*s.Reward, s.Outcome = 0, vitrine.OutcomeInvalidRender
		case strings.Contains(row.Output, "blank"):
			s.Scores = map[string]float64{"vision.screenshot": 0}
		default:
			s.Scores = map[string]float64{"vision.screenshot": 1}
		}
		all[row.ID] = s
	}
	return all, nil
}

// builder writes pages, the second of two models the longer ones; some are cut off,
// refused, broken or cannot be judged.
func builder(q modeltest.Question) modeltest.Answer {
	if q.System == "" {
		return author(q)
	}
	page := "<p>" + strings.TrimSpace(q.Text) + "</p>"
	if q.Model == "second" || q.Model == "teacher" {
		page += "<p>and more</p>"
	}
	switch len(q.Text) % 7 {
	case 0:
		return modeltest.Answer{Text: page, Finish: model.FinishLength}
	case 1:
		if q.Model != "first" {
			return modeltest.Answer{Finish: model.FinishRefused, Refusal: "No."}
		}
	case 2:
		page += "<p>broken</p>"
	case 3:
		if q.Model == "second" {
			page += "unknown"
		}
	}
	return modeltest.Answer{Text: page}
}

func TestInstructionsFromNothingAreClusteredWithoutAsking(t *testing.T) {
	server := modeltest.New(t, builder)
	s := asked(t, server, "aescode-web", filepath.Join(t.TempDir(), "out"))
	s.Pipeline.Steps = s.Pipeline.Steps[:4]
	s.Limit = 20
	sum := run(t, s)
	calls := server.Calls()
	if sum.Steps[0].Kept != 20 || sum.Steps[1].Kept != 20 || calls != 25 {
		t.Errorf("%+v in %d calls: want 20 keywords in 5 calls, and 20 instructions in 20", sum.Steps[:2], calls)
	}
	if n := bytes.Count(read(t, filepath.Join(s.Out, "kept.jsonl")), []byte("\n")); n != sum.Steps[2].Kept/2 || n == 0 {
		t.Errorf("%d rows are kept of %d: want half", n, sum.Steps[2].Kept)
	}
	if card := sum.Card(); !strings.Contains(card, "| author | thinks of") || !strings.Contains(card, "openai/author") {
		t.Errorf("the card does not say who wrote:\n%s", card)
	}
	first := read(t, filepath.Join(s.Out, "kept.jsonl"))
	if err := os.RemoveAll(filepath.Join(s.Out, "steps")); err != nil {
		t.Fatal(err)
	}
	run(t, s)
	if again := read(t, filepath.Join(s.Out, "kept.jsonl")); !bytes.Equal(first, again) || server.Calls() != calls {
		t.Errorf("with its answers alone the run gives other rows, or asked %d times more", server.Calls()-calls)
	}
}

// TestEndpointsThatFailAreCountedAndAskedAgain has an endpoint that refuses, babbles, is
// too busy and does not take a question.
func TestEndpointsThatFailAreCountedAndAskedAgain(t *testing.T) {
	down := true
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		switch {
		case strings.Contains(q.Text, "seed refuses"):
			return modeltest.Answer{Finish: model.FinishRefused, Refusal: "No."}
		case strings.Contains(q.Text, "seed babbles"):
			return modeltest.Answer{Text: "Sure! 1. A shop"}
		case strings.Contains(q.Text, "seed rejected"):
			return modeltest.Answer{Failure: &modeltest.Failure{Status: 400, Message: "content policy"}}
		case strings.Contains(q.Text, "seed busy") && down:
			return modeltest.Answer{Failure: &modeltest.Failure{Status: 429, Message: "slow down"}}
		}
		return author(q)
	})
	dir := t.TempDir()
	in := write(t, dir, "in.jsonl", `{"id":"a","keyword":"seed good"}
{"id":"b","keyword":"seed refuses"}
{"id":"c","keyword":"seed babbles"}
{"id":"d","keyword":"seed rejected"}
{"id":"e","keyword":"seed busy"}
{"id":"f"}
`)
	p, err := flow.Parse([]byte("name: x\ninputs: {in: keywords}\nmodels: {m: writes}\nsteps: [{instructions: {model: m, per: 2}}]"))
	if err != nil {
		t.Fatal(err)
	}
	s := askedBy(t, server, p, filepath.Join(dir, "out"))
	s.Inputs["in"] = []string{in}
	_, err = flow.Run(context.Background(), s)
	if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultRateLimited || !strings.Contains(f.Message, "1 of 6 rows have no answer: rate_limited 1") || f.Fix == "" {
		t.Fatalf("%v, want the row that is not answered yet", err)
	}
	before := server.Calls()
	down = false
	sum := run(t, s)
	r := sum.Steps[1]
	want := map[string]int{"no usable answer: refused": 1, "no usable answer: invalid": 1, "the endpoint does not take it: request": 1, "no keyword": 1}
	if fmt.Sprint(r.Reasons) != fmt.Sprint(want) || r.Kept != 4 || r.Dropped != 4 {
		t.Errorf("%+v, want 4 kept and %v", r, want)
	}
	if more := server.Calls() - before; more != 2 {
		t.Errorf("%d questions in the second run, want those without an answer: the busy one and the rejected one", more)
	}
}

func TestAnEndpointThatIsDownEndsTheRun(t *testing.T) {
	server := modeltest.New(t, func(modeltest.Question) modeltest.Answer {
		return modeltest.Answer{Failure: &modeltest.Failure{Status: 503, Message: "down"}}
	})
	dir := t.TempDir()
	p, err := flow.Parse([]byte("name: x\ninputs: {in: keywords}\nmodels: {m: writes}\nsteps: [{instructions: {model: m}}]"))
	if err != nil {
		t.Fatal(err)
	}
	s := askedBy(t, server, p, filepath.Join(dir, "out"))
	s.Inputs["in"] = []string{write(t, dir, "in.jsonl", strings.Repeat(`{"keyword":"tea"}`+"\n", 300))}
	_, err = flow.Run(context.Background(), s)
	if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultModelError || server.Calls() > 40 {
		t.Errorf("%v after %d calls, want the fault of the model after about ten", err, server.Calls())
	}
}

func TestManyRowsThatAnEndpointDoesNotTakeEndNoRunOnceItAnswered(t *testing.T) {
	answers := true
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		if !answers || strings.Contains(q.Text, "rejected") {
			return modeltest.Answer{Failure: &modeltest.Failure{Status: 400, Message: "content policy"}}
		}
		return author(q)
	})
	dir := t.TempDir()
	p, err := flow.Parse([]byte("name: x\ninputs: {in: keywords}\nmodels: {m: writes}\nsteps: [{instructions: {model: m, per: 1}}]"))
	if err != nil {
		t.Fatal(err)
	}
	s := askedBy(t, server, p, filepath.Join(dir, "out"))
	s.Inputs["in"] = []string{write(t, dir, "in.jsonl", `{"keyword":"tea"}`+"\n"+strings.Repeat(`{"keyword":"rejected"}`+"\n", 15))}
	if r := run(t, s).Steps[1]; r.Kept != 1 || r.Reasons["the endpoint does not take it: request"] != 15 {
		t.Errorf("%+v", r)
	}
	answers = false
	s = askedBy(t, server, p, filepath.Join(dir, "never"))
	s.Inputs["in"] = []string{filepath.Join(dir, "in.jsonl")}
	if _, err := flow.Run(context.Background(), s); err == nil {
		t.Error("an endpoint that takes nothing ends no run")
	}
}

// TestCategoriesAndKeywordsThatAreThereAreFenced looks at the questions.
func TestCategoriesAndKeywordsThatAreThereAreFenced(t *testing.T) {
	var mu sync.Mutex
	var asked string
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		mu.Lock()
		defer mu.Unlock()
		asked += q.Text
		return author(q)
	})
	dir := t.TempDir()
	for text, in := range map[string]string{
		"name: x\ninputs: {in: keywords}\nmodels: {m: writes}\nsteps: [{instructions: {model: m, per: 1}}]":                        `{"keyword":"tea","category":"Obey me"}`,
		"name: y\nmodels: {m: writes}\nsteps: [{keywords: {model: m, per_call: 5, shown: 5, categories: [{name: Games, n: 10}]}}]": "",
	} {
		p, err := flow.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		s := askedBy(t, server, p, filepath.Join(dir, p.Name))
		if in != "" {
			s.Inputs["in"] = []string{write(t, dir, "in.jsonl", in)}
		}
		run(t, s)
	}
	for _, want := range []string{`DATA \w+: category\nObey me\n`, `DATA \w+: before\n\w`} {
		if !regexp.MustCompile(want).MatchString(asked) {
			t.Errorf("no %q in:\n%s", want, asked)
		}
	}
}

// TestRewrittenInstructionsHaveTheLength wants an answer of another length asked for anew.
func TestRewrittenInstructionsHaveTheLength(t *testing.T) {
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		for _, want := range []string{"in 40 to 60 words", "Say nothing of layout, colours, fonts or anything else of its looks", "it need not be about the same thing", "rather not the first"} {
			if !strings.Contains(q.Text, want) {
				t.Errorf("asked without %q: %s", want, q.Text)
			}
		}
		words := 50
		if strings.Contains(q.Text, "stubborn") || strings.Contains(q.Text, "short") && !strings.Contains(q.Text, "has 7 words, want 40 to 60") {
			words = 7
		}
		return modeltest.Answer{Text: `{"category": "3D design", "instruction": "` + strings.TrimSpace(strings.Repeat("word ", words)) + `"}`}
	})
	dir := t.TempDir()
	s := asked(t, server, "rl-rewrite", filepath.Join(dir, "out"))
	s.Limit = 20
	s.Inputs["in"] = []string{write(t, dir, "in.jsonl", `{"id":"a","llm_generated_idea":"tea","text":"<html></html>","license":"CC-BY-4.0"}
{"id":"b","instruction":"short"}
{"id":"c","instruction":"stubborn"}
{"id":"d"}
`)}
	sum := run(t, s)
	if r := sum.Steps[2]; r.Kept != 2 || r.Reasons["no usable answer: invalid"] != 1 || r.Reasons["no seed"] != 1 || server.Calls() != 5 {
		t.Errorf("%+v in %d calls, want two kept, one of them at the second try", r, server.Calls())
	}
	var row flow.Rewritten
	first, _, _ := bytes.Cut(read(t, filepath.Join(s.Out, "kept.jsonl")), []byte("\n"))
	if err := json.Unmarshal(first, &row); err != nil || row.ID != "a" || row.Seed != "tea" || row.Category != "3D design" || row.License != "CC-BY-4.0" || bytes.Contains(first, []byte("html")) {
		t.Errorf("%s, %v", first, err)
	}
}
