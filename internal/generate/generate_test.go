package generate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"vitrine"
	"vitrine/internal/generate"
	"vitrine/internal/inputs"
	"vitrine/internal/leak"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func tasks(n int) (all []vitrine.Task) {
	for i := range n {
		all = append(all, vitrine.Task{ID: fmt.Sprint("t", i), Instruction: fmt.Sprintf("Page number %d.", i)})
	}
	return all
}

// asked runs the tasks against a server into a file.
func asked(t *testing.T, server *modeltest.Server, name string, resume bool, n int, change func(*generate.Settings)) (generate.Progress, error) {
	t.Helper()
	s := generate.Settings{
		Asker: server.Client(t, model.Settings{Retries: -1}), Model: "openai/author", Name: "openai/author", N: 2, MaxTokens: 100, Concurrency: 3,
		Prompt: func(t vitrine.Task) generate.Prompt {
			return generate.Prompt{System: "Write HTML.", Text: t.Instruction}
		},
	}
	if change != nil {
		change(&s)
	}
	f, err := generate.Open(name, resume)
	if err != nil {
		return generate.Progress{}, err
	}
	defer func() { must(t, f.Close()) }()
	return generate.Run(context.Background(), tasks(n), f, s)
}

func echo(q modeltest.Question) modeltest.Answer {
	return modeltest.Answer{Text: "<p>" + q.Text + "</p>", Usage: model.Usage{In: 7, Out: 11, Reasoning: 3}}
}

func answers(t *testing.T, name string) map[string]generate.Answer {
	t.Helper()
	f, err := generate.Open(name, true)
	must(t, err)
	must(t, f.Close())
	return f.Done
}

func TestEachSampleOfEachTaskIsAnOutputWithHowItCameToBe(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seeds := map[int64]int{}
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		mu.Lock()
		defer mu.Unlock()
		seeds[*q.Seed]++
		return echo(q)
	})
	name, seed := filepath.Join(t.TempDir(), "o.jsonl"), int64(5)
	p, err := asked(t, server, name, false, 3, func(s *generate.Settings) { s.Seed = &seed })
	must(t, err)
	if p.Done != 6 || p.Failed != 0 || p.Tokens != 66 || seeds[5] != 3 || seeds[6] != 3 {
		t.Errorf("%+v, seeds %v; want 6 answers of 66 tokens, each seed three times", p, seeds)
	}
	a := answers(t, name)["t1-1"]
	if a.TaskID != "t1" || a.GroupID != "t1" || a.Text != "<p>Page number 1.\n</p>" && a.Text != "<p>Page number 1.</p>" || a.Finish != model.FinishStop ||
		*a.Asked.Seed != 6 || a.Usage.Reasoning != 3 || a.Model != "openai/author" || a.By != "author" {
		t.Errorf("the answer is %+v", a)
	}
	in, err := inputs.Open(name, inputs.Settings{})
	must(t, err)
	defer in.Close()
	n := 0
	for item, err := range in.Items() {
		must(t, err)
		if n++; item.TaskID == "" || item.Instruction == "" || len(item.Meta["usage"]) == 0 || item.Model != "openai/author" {
			t.Errorf("score would read %+v", item.Output)
		}
	}
	if n != 6 {
		t.Errorf("score would read %d outputs, want 6", n)
	}
}

// Runs come one after the other, each over all tasks, with seeds of its own; more of them go
// on, and another number of answers in each is refused.
func TestRunsOverAllTasks(t *testing.T) {
	t.Parallel()
	server := modeltest.New(t, echo)
	name, seed := filepath.Join(t.TempDir(), "o.jsonl"), int64(5)
	runs := func(n int) func(*generate.Settings) {
		return func(s *generate.Settings) { s.Runs, s.Seed, s.Concurrency = n, &seed, 1 }
	}
	p, err := asked(t, server, name, false, 3, runs(2))
	must(t, err)
	if p.Done != 12 || p.Total != 12 {
		t.Errorf("%+v, want 12 answers", p)
	}
	for i, line := range bytes.Split(bytes.TrimSpace(read(t, name)), []byte("\n")) {
		if (i >= 6) != bytes.Contains(line, []byte(`"run":1`)) {
			t.Errorf("line %d is out of turn: %s", i, line)
		}
	}
	if a := answers(t, name)["t2-3"]; *a.Asked.Run != 1 || a.Asked.Sample != 3 || *a.Asked.Seed != 8 {
		t.Errorf("the second answer to the third task in the second run is %+v", a.Asked)
	}
	if p, err = asked(t, server, name, true, 3, runs(3)); err != nil || p.Done != 18 || p.Before != 12 {
		t.Errorf("a third run: %+v, %v", p, err)
	}
	_, err = asked(t, server, name, true, 3, func(s *generate.Settings) { runs(3)(s); s.N = 1 })
	if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultUsage || !strings.Contains(f.Message, "-n beside --runs") {
		t.Errorf("another number of answers in a run: %v", err)
	}
}

// Cut at any byte, as by a kill, the file goes on to the same outputs, and no answer that
// is on record is asked for again.
func TestAFileCutAnywhereGoesOnToTheSame(t *testing.T) {
	t.Parallel()
	server := modeltest.New(t, echo)
	name := filepath.Join(t.TempDir(), "o.jsonl")
	_, err := asked(t, server, name, false, 5, nil)
	must(t, err)
	whole, want := read(t, name), answers(t, name)
	for i := range 10 {
		cut := len(whole) * i / 10
		must(t, os.WriteFile(name, whole[:cut], 0o644))
		before := server.Calls()
		p, err := asked(t, server, name, true, 5, nil)
		must(t, err)
		if had := bytes.Count(whole[:cut], []byte("\n")); server.Calls()-before != 10-had || p.Before != had {
			t.Errorf("cut at byte %d, %d were asked, %d before; want %d and %d", cut, server.Calls()-before, p.Before, 10-had, had)
		}
		got := answers(t, name)
		for id, a := range want {
			if got[id].Text != a.Text || len(got) != len(want) {
				t.Errorf("cut at byte %d, answer %s is %q of %d, want %q of %d", cut, id, got[id].Text, len(got), a.Text, len(want))
			}
		}
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	must(t, err)
	return b
}

func TestFailuresAreTypedAndAskedAgain(t *testing.T) {
	t.Parallel()
	down := true
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		switch {
		case down && strings.Contains(q.Text, "number 1"):
			return modeltest.Answer{Failure: &modeltest.Failure{Status: 503, Message: "overloaded"}}
		case down && strings.Contains(q.Text, "number 2"):
			return modeltest.Answer{Failure: &modeltest.Failure{CutOff: true}, Text: "half of it"}
		case down && strings.Contains(q.Text, "number 3"):
			return modeltest.Answer{Failure: &modeltest.Failure{Body: "<html>no API</html>", ContentType: "text/html"}}
		case strings.Contains(q.Text, "number 4"):
			return modeltest.Answer{Finish: model.FinishRefused, Refusal: "I would rather not."}
		}
		return modeltest.Answer{Text: "cut", Finish: model.FinishLength}
	})
	name := filepath.Join(t.TempDir(), "o.jsonl")
	one := func(s *generate.Settings) { s.N = 1; s.Concurrency = 1 }
	p, err := asked(t, server, name, false, 5, one)
	must(t, err)
	failures := string(read(t, generate.FailuresFile(name)))
	for _, want := range []string{`"t1-0"`, `"overloaded"`, `"t2-0"`, `"connection"`, `"t3-0"`, `"malformed"`} {
		if !strings.Contains(failures, want) {
			t.Errorf("failures lack %s:\n%s", want, failures)
		}
	}
	if p.Done != 2 || p.Failed != 3 || p.Cut != 1 || p.Refused != 1 {
		t.Errorf("%+v; want 2 answers, one cut off and one refused, and 3 failures", p)
	}
	down = false
	if p, err = asked(t, server, name, true, 5, one); err != nil || p.Done != 5 || p.Failed != 0 {
		t.Errorf("%+v, %v; want 5 answers", p, err)
	}
	if _, err := os.Stat(generate.FailuresFile(name)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file of failures is still there: %v", err)
	}
}

func TestAnEndpointThatIsDownEndsTheRun(t *testing.T) {
	t.Parallel()
	down := modeltest.Answer{Failure: &modeltest.Failure{Status: 500, Message: "down"}}
	server := modeltest.New(t, func(modeltest.Question) modeltest.Answer { return down })
	p, err := asked(t, server, filepath.Join(t.TempDir(), "o.jsonl"), false, 50, nil)
	if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultModelError || f.Fix == "" || p.Failed > 15 {
		t.Errorf("%v after %d failures; want the fault of the model after about 10", err, p.Failed)
	}
}

func TestWhatWouldNotCompareIsRefusedAndNothingChanges(t *testing.T) {
	t.Parallel()
	server := modeltest.New(t, echo)
	heat, topP, seed := 0.5, 0.7, int64(1)
	made := func(t *testing.T) string {
		name := filepath.Join(t.TempDir(), "o.jsonl")
		_, err := asked(t, server, name, false, 2, nil)
		must(t, err)
		return name
	}
	for want, change := range map[string]func(*generate.Settings){
		"another model":         func(s *generate.Settings) { s.Name = "openai/other" },
		"another --temperature": func(s *generate.Settings) { s.Temperature = &heat },
		"another --top-p":       func(s *generate.Settings) { s.TopP = &topP },
		"another --seed":        func(s *generate.Settings) { s.Seed = &seed },
		"another --max-tokens":  func(s *generate.Settings) { s.MaxTokens = 5 },
		"another prompt": func(s *generate.Settings) {
			s.Prompt = func(t vitrine.Task) generate.Prompt { return generate.Prompt{Text: t.Instruction} }
		},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			name := made(t)
			before := read(t, name)
			_, err := asked(t, server, name, true, 2, change)
			if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultUsage || !strings.Contains(f.Message, want) || f.Fix == "" {
				t.Errorf("%v, want %s", err, want)
			}
			if !bytes.Equal(before, read(t, name)) {
				t.Error("the file was changed")
			}
		})
	}
	t.Run("without resume", func(t *testing.T) {
		t.Parallel()
		if _, err := asked(t, server, made(t), false, 2, nil); err == nil || !strings.Contains(err.Error(), "already holds 4 answers") {
			t.Errorf("%v", err)
		}
	})
	t.Run("a file of something else", func(t *testing.T) {
		t.Parallel()
		name := filepath.Join(t.TempDir(), "o.jsonl")
		must(t, os.WriteFile(name, []byte(`{"some":"thing"}`+"\n"), 0o644))
		if _, err := asked(t, server, name, true, 2, nil); err == nil || !strings.Contains(err.Error(), "line 1 is no answer") || string(read(t, name)) != `{"some":"thing"}`+"\n" {
			t.Errorf("%v", err)
		}
	})
	t.Run("two at once", func(t *testing.T) {
		t.Parallel()
		name := made(t)
		f, err := generate.Open(name, true)
		must(t, err)
		defer f.Close()
		if _, err := generate.Open(name, true); err == nil || !strings.Contains(err.Error(), "another process") {
			t.Errorf("%v", err)
		}
	})
}

func TestABudgetEndsTheRunAndItGoesOn(t *testing.T) {
	t.Parallel()
	server := modeltest.New(t, echo)
	name := filepath.Join(t.TempDir(), "o.jsonl")
	small := server.Client(t, model.Settings{BudgetTokens: 400})
	p, err := asked(t, server, name, false, 20, func(s *generate.Settings) { s.Asker = small })
	if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultBudget || p.Done == 0 || p.Done == 40 {
		t.Fatalf("%v after %d answers; want the budget after some", err, p.Done)
	}
	before, first := server.Calls(), p.Done
	p, err = asked(t, server, name, true, 20, nil)
	must(t, err)
	if p.Done != 40 || server.Calls()-before != 40-first {
		t.Errorf("%d answers, %d asked; want 40 and %d", p.Done, server.Calls()-before, 40-first)
	}
}

// Servers give the thoughts of a model under two names; they are kept apart from the text.
func TestReasoningIsKeptApart(t *testing.T) {
	t.Parallel()
	for _, field := range []string{"reasoning_content", "reasoning"} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			server := modeltest.New(t, func(modeltest.Question) modeltest.Answer {
				return modeltest.Answer{Failure: &modeltest.Failure{ContentType: "application/json",
					Body: `{"id":"1","object":"chat.completion","model":"r","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"<p>Tea</p>","` + field + `":"A page, then."}}],"usage":{"prompt_tokens":3,"completion_tokens":9}}`}}
			})
			name := filepath.Join(t.TempDir(), "o.jsonl")
			_, err := asked(t, server, name, false, 1, nil)
			must(t, err)
			if a := answers(t, name)["t0-0"]; a.Text != "<p>Tea</p>" || a.Reasoning != "A page, then." {
				t.Errorf("text %q, reasoning %q", a.Text, a.Reasoning)
			}
		})
	}
}

// One answer at a time: the same is not asked for again, a second sample is.
func TestOneAnswer(t *testing.T) {
	t.Parallel()
	n := 0
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		if n++; strings.TrimSpace(q.Text) == "no" {
			return modeltest.Answer{Failure: &modeltest.Failure{Status: 400}}
		}
		return echo(q)
	})
	name := filepath.Join(t.TempDir(), "o.jsonl")
	ask := func(text string, sample int) (generate.Answer, error) {
		f, err := generate.Open(name, true)
		must(t, err)
		defer func() { must(t, f.Close()) }()
		return generate.One(t.Context(), vitrine.Task{ID: "t"}, f, generate.Settings{
			Asker: server.Client(t, model.Settings{Retries: -1}), Model: "openai/author", Name: "openai/author", MaxTokens: 100, From: sample,
			Prompt: func(vitrine.Task) generate.Prompt { return generate.Prompt{Text: text} },
		})
	}
	for i, want := range []string{"t-0", "t-0", "t-1"} {
		a, err := ask([]string{"first", "first", "second"}[i], i/2)
		if err != nil || a.ID != want || a.Asked.Sample != i/2 {
			t.Fatalf("%+v, %v; want %s", a, err, want)
		}
	}
	if n != 2 {
		t.Errorf("%d questions, want 2", n)
	}
	if _, err := ask("other", 0); vitrine.AsFault("", err).Code != vitrine.FaultUsage {
		t.Errorf("another question for the same answer: %v", err)
	}
	if _, err := ask("no", 2); vitrine.AsFault("", err).Code != vitrine.FaultModelRequest {
		t.Errorf("a question that fails: %v", err)
	}
}
