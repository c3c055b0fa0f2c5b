package pipeline

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/inputs"
	"vitrine/internal/judge/vlm"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
	"vitrine/internal/runs"
)

// lookedAt is a page that a model can be asked about.
func lookedAt(id string) vitrine.Output {
	return vitrine.Output{ID: id, Instruction: "A page for a tea shop", Text: strings.Replace(goodPage, "Tea shop", "Tea shop "+id, 1)}
}

const grade = `{"feedback": "Clear, a little bare.", "alignment": 30, "aesthetics": 20, "structure": 25.5, "total": 75.5}`

// withModel is a pipeline in which a model of a server judges, too.
func withModel(t *testing.T, recipeName string, settings model.Settings, answer func(modeltest.Question) modeltest.Answer) (*Pipeline, *modeltest.Server) {
	t.Helper()
	server := modeltest.New(t, answer)
	client := server.Client(t, settings)
	return pipe(t, func(s *Settings) {
		s.Recipe, s.Capture.TimesMS = recipe(t, recipeName), []int{0, 1000, 2000}
		s.Vision = &Vision{Judges: vlm.Judges{Asker: client, Models: []string{"openai/gpt-5-mini"}}}
	}), server
}

func TestAModelGivesTheReward(t *testing.T) {
	for name, want := range map[string]struct {
		answer string
		reward float64
	}{
		"aescoder":  {grade, 0.1 + 0.8*(75.5/50-1) + 0.1*0},
		"looks":     {grade, 0.755},
		"relook":    {`{"critique": ["Give the heading more room."], "score": 64}`, 0.64},
		"webgen-r1": {`{"analysis": "Plain.", "grade": 3}`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p, server := withModel(t, name, model.Settings{}, func(q modeltest.Question) modeltest.Answer {
				if len(q.Images) == 0 || !strings.Contains(q.Text, "A page for a tea shop") {
					t.Errorf("the model is shown %d pictures and the words %q", len(q.Images), q.Text)
				}
				return modeltest.Answer{Text: want.answer}
			})
			dir := t.TempDir()
			s := mustScore(t, p, lookedAt("a"), dir)
			if s.Sample.Status != vitrine.SampleScored || math.Abs(*s.Sample.Reward-want.reward) > 1e-9 {
				t.Fatalf("got %v %v, want %v", s.Sample.Reward, s.Sample.Error, want.reward)
			}
			for _, f := range s.Sample.Fallbacks {
				if strings.HasPrefix(f.Wanted, "vision.") {
					t.Errorf("used %s in place of %s", f.Used, f.Wanted)
				}
			}
			if c := s.Sample.Cost; server.Calls() != 1 || c.USD == nil || *c.USD <= 0 || c.TokensIn == 0 || c.TokensOut == 0 {
				t.Errorf("%d calls, cost %+v", server.Calls(), c)
			}
			kept, err := evidence.LoadOpinions(dir)
			if err != nil || len(kept) != 1 || len(kept[0].Calls) != 1 || kept[0].Calls[0].Answer != want.answer {
				t.Errorf("kept %+v: %v", kept, err)
			}
		})
	}
}

// AesCoder's ablation rewards by the grade of the HTML alone (section 7.3).
func TestTheGradeOfTheCodeAloneIsAReward(t *testing.T) {
	file := filepath.Join(t.TempDir(), "code-only.yaml")
	must(t, os.WriteFile(file, []byte("name: code-only\ncombine: sum\nparts:\n  code: {from: vision.code, map: [[0, 0], [100, 1]], weight: 1}\n"), 0o600))
	p, _ := withModel(t, file, model.Settings{}, func(q modeltest.Question) modeltest.Answer {
		if len(q.Images) > 0 || !strings.Contains(q.Text, "Tea shop a") {
			t.Errorf("the model is shown %d pictures and %q", len(q.Images), q.Text)
		}
		return modeltest.Answer{Text: `{"feedback": "Bare.", "alignment": 15, "design": 40, "structure": 20, "total": 75}`}
	})
	s := mustScore(t, p, lookedAt("a"), t.TempDir())
	if s.Sample.Status != vitrine.SampleScored || *s.Sample.Reward != 0.75 {
		t.Errorf("got %v %v, want 0.75", s.Sample.Reward, s.Sample.Error)
	}
}

// A model that was asked and gave no usable answer is not replaced by a measurement.
func TestNoUsableAnswerIsNoReward(t *testing.T) {
	for name, answer := range map[string]modeltest.Answer{
		"garbage":     {Text: "I would say 8/10, lovely page!"},
		"wrong range": {Text: strings.Replace(grade, "30", "300", 1)},
		"wrong sum":   {Text: strings.Replace(grade, "75.5", "90", 1)},
		"empty":       {Text: ""},
		"refusal":     {Finish: model.FinishRefused, Refusal: "I cannot help with that."},
		"failure":     {Failure: &modeltest.Failure{Status: 503, Message: "overloaded"}},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := withModel(t, "looks", model.Settings{Retries: 1}, func(modeltest.Question) modeltest.Answer { return answer })
			dir := t.TempDir()
			s := mustScore(t, p, lookedAt("a"), dir)
			if s.Sample.Status != vitrine.SampleUnjudged || s.Sample.Reward != nil || s.Sample.Error == nil || s.Sample.Error.Stage != "judge" {
				t.Fatalf("got %v, %v", s.Sample.Reward, s.Sample.Error)
			}
			if name == "failure" {
				return
			}
			if s.Sample.Error.Code != vitrine.FaultJudge {
				t.Errorf("code %s", s.Sample.Error.Code)
			}
			if kept, err := evidence.LoadOpinions(dir); err != nil || len(kept) != 1 || len(kept[0].Calls) == 0 || kept[0].Scores != nil {
				t.Errorf("kept %+v: %v", kept, err)
			}
			if _, err := Judge(t.Context(), dir, Settings{Recipe: recipe(t, "looks")}); err != nil {
				t.Errorf("it cannot be judged again: %v", err)
			}
		})
	}
}

func TestWhatDoesNotRenderIsNotShownToAModel(t *testing.T) {
	p, server := withModel(t, "looks", model.Settings{}, func(modeltest.Question) modeltest.Answer { return modeltest.Answer{Text: grade} })
	o := lookedAt("a")
	o.Text = "<!DOCTYPE html><html><body></body></html>"
	s := mustScore(t, p, o, t.TempDir())
	if s.Sample.Reward == nil || *s.Sample.Reward != 0 || server.Calls() != 0 || *s.Sample.Cost.USD != 0 {
		t.Errorf("got %v after %d calls: %v", s.Sample.Reward, server.Calls(), s.Sample.Error)
	}
}

// A run that reaches its budget stops, and with more it asks only what is missing.
func TestBudgetStopsARun(t *testing.T) {
	var calls atomic.Int64
	with := func(budget int) *Pipeline {
		p, _ := withModel(t, "looks", model.Settings{BudgetTokens: budget}, func(modeltest.Question) modeltest.Answer {
			calls.Add(1)
			return modeltest.Answer{Text: grade, Usage: model.Usage{In: 1000, Out: 1000}}
		})
		return p
	}
	all := pages(6)
	for i := range all {
		all[i].Instruction = "A page for a tea shop"
	}
	run := newRun(t)
	err := with(12_000).Run(t.Context(), from(t, lines(t, all...)), run, RunSettings{}, &told{})
	if f := vitrine.AsFault("x", err); err == nil || f.Code != vitrine.FaultBudget {
		t.Fatalf("got %v", err)
	}
	within := calls.Load()
	if within == 0 || within >= int64(len(all)) {
		t.Fatalf("%d calls within the budget", within)
	}
	again, settings := reopen(t, run)
	must(t, with(0).Run(t.Context(), from(t, lines(t, all...)), again, settings, &told{}))
	_, samples, err := runs.Read(run.Dir)
	must(t, err)
	for _, s := range runs.Newest(samples) {
		if s.Status != vitrine.SampleScored {
			t.Errorf("%s: %v", s.ID, s.Error)
		}
	}
	if len(samples) != len(all) || calls.Load() != int64(len(all)) {
		t.Errorf("%d lines, %d calls, want %d of each", len(samples), calls.Load(), len(all))
	}
}

// A task brings its own rubric and checklist.
func TestTasksBringTheirCriteria(t *testing.T) {
	tasks, err := inputs.ReadTasks(strings.NewReader(`{"id": "t", "instruction": "A page for a tea shop", ` +
		`"rubric_tree": {"intention": {"description": "A tea shop", "children": null}, "static": {"description": "It names teas", "children": null}, ` +
		`"dynamic": {"description": "It acts", "children": [{"description": "basic", "children": [{"description": "A link leads on", "children": null}]}, {"description": "complex", "children": [{"description": "An order can be made", "children": null}]}]}}, ` +
		`"checklist": [{"id": 0, "title": "Teas", "description": "It names teas.", "maxScore": 10}]}`))
	must(t, err)
	var asked []string
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		asked = append(asked, q.Text)
		if strings.Contains(q.Text, "An order can be made") {
			return modeltest.Answer{Text: `{"intention": {"met": true, "why": "w"}}`} // not the whole tree
		}
		return modeltest.Answer{Text: "no"}
	})
	p := pipe(t, func(s *Settings) {
		s.Tasks = tasks
		s.Vision = &Vision{Judges: vlm.Judges{Asker: server.Client(t, model.Settings{}), Models: []string{"openai/gpt-5-mini"}}, Protocols: []string{"rubric", "checklist"}}
	})
	o := lookedAt("a")
	o.TaskID, o.Instruction = "t", ""
	s := mustScore(t, p, o, t.TempDir())
	if s.Sample.Status != vitrine.SampleUnjudged || len(s.Opinions) != 2 {
		t.Fatalf("got %v with %d opinions: %v", s.Sample.Status, len(s.Opinions), s.Sample.Error)
	}
	text := strings.Join(asked, "\n")
	for _, want := range []string{"An order can be made", "It names teas.", "A link leads on"} {
		if !strings.Contains(text, want) {
			t.Errorf("the model was not told %q", want)
		}
	}
}

// A cheap model that agrees with itself is enough; where it does not, the other one
// decides.
func TestTheStrongModelIsAskedWhereTheFirstIsUnsure(t *testing.T) {
	for name, want := range map[string]struct {
		swing  float64
		reward float64
		calls  int
	}{"sure": {0, 0.75, 3}, "unsure": {12, 0.25, 4}} {
		t.Run(name, func(t *testing.T) {
			var cheap atomic.Int64
			server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
				alignment := 0.0
				if q.Model == "gpt-5-nano" {
					alignment = 30 - want.swing*float64(cheap.Add(1)%2)
					return modeltest.Answer{Text: fmt.Sprintf(`{"feedback": "Fine.", "alignment": %g, "aesthetics": 20, "structure": 25, "total": %g}`, alignment, alignment+45)}
				}
				return modeltest.Answer{Text: `{"feedback": "Weak.", "alignment": 5, "aesthetics": 10, "structure": 10, "total": 25}`}
			})
			p := pipe(t, func(s *Settings) {
				s.Vision = &Vision{Judges: vlm.Judges{
					Asker: server.Client(t, model.Settings{}), Models: []string{"openai/gpt-5"},
					First: &vlm.First{Model: "openai/gpt-5-nano", Repeats: 3, Unsure: vlm.Unsure{Spread: 5}},
				}}
			})
			s := mustScore(t, p, lookedAt("a"), t.TempDir())
			if s.Sample.Reward == nil || math.Abs(*s.Sample.Reward-want.reward) > 1e-9 || server.Calls() != want.calls {
				t.Errorf("got %v after %d calls, want %v after %d: %v", s.Sample.Reward, server.Calls(), want.reward, want.calls, s.Sample.Error)
			}
		})
	}
}
