package pipeline

import (
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/interact"
	"vitrine/internal/interact/agent"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
)

// A recipe names its profile, and a profile that is asked for stands above it.
func TestTheProfileIsThatOfTheRecipe(t *testing.T) {
	p, _ := withModel(t, "aescoder", model.Settings{}, func(modeltest.Question) modeltest.Answer { return modeltest.Answer{Text: grade} })
	asked := p.asked
	asked.Profile = vitrine.ProfileVitrine
	ours := &Pipeline{asked, p.shared}
	ours.settings.adapt()
	for name, test := range map[string]struct {
		p       *Pipeline
		profile vitrine.Profile
		judge   string
	}{
		"its own":        {p, vitrine.ProfilePublished, "static@published-1 "},
		"another recipe": {p.WithRecipe(recipe(t, "looks")), vitrine.ProfileVitrine, "static@1 "},
		"asked for":      {ours, vitrine.ProfileVitrine, "static@1 "},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := mustScore(t, test.p, lookedAt("a"), dir)
			if s.Sample.Profile != test.profile || test.p.Profile() != test.profile || len(s.Opinions) != 1 || !strings.HasPrefix(s.Opinions[0].Judge, test.judge) {
				t.Errorf("profile %q, opinions %+v", s.Sample.Profile, s.Opinions)
			}
			again, err := Judge(t.Context(), dir, test.p.settings)
			if err != nil || again.Sample.Profile != test.profile || !strings.HasPrefix(again.Opinions[0].Judge, test.judge) {
				t.Errorf("judged again: %v", err)
			}
		})
	}
}

// AesCoder's agent plans its interactions also where the task has test cases, which other
// recipes and our profile exercise.
func TestAesCoderPlansInPlaceOfTestCases(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		recipe  string
		profile vitrine.Profile
		planned bool
	}{
		"aescoder": {"aescoder", "", true}, "ours": {"aescoder", vitrine.ProfileVitrine, false}, "webgen-r1": {"webgen-r1", "", false}, "looks": {"looks", "", false},
	} {
		s := Settings{Recipe: recipe(t, test.recipe), Profile: test.profile, Interact: &interact.Settings{Method: &agent.Agent{}}}
		s.adapt()
		if got := s.planned(); got != test.planned {
			t.Errorf("%s: planned %v, want %v", name, got, test.planned)
		}
		p := pipe(t, func(set *Settings) {
			set.Recipe, set.Profile, set.Interact = s.Recipe, test.profile, s.Interact
			set.Tasks = map[string]vitrine.Task{"tea": {ID: "tea", Instruction: "A tea shop", TestCases: []vitrine.TestCase{{Task: "Pay"}}}}
		})
		o := vitrine.Output{ID: "talk", TaskID: "tea", Text: "no site at all"} // all of its test cases fail
		if tr := mustScore(t, p, o, t.TempDir()).Trace; tr == nil || len(tr.Cases) != map[bool]int{true: 0, false: 1}[test.planned] {
			t.Errorf("%s: the test cases of the task: %+v, planned %v", name, tr, test.planned)
		}
	}
}

// Judged again, a trace in which a model judged nothing gives no reward, and one of the explorer
// the neutral part.
func TestATraceThatAModelCouldNotJudgeGivesNoReward(t *testing.T) {
	t.Parallel()
	for name, judged := range map[string]bool{"openai/gpt-5-mini": false, "": true} {
		w := newWork(judging(Settings{Recipe: recipe(t, "aescoder")}), vitrine.Output{}, nil, "")
		w.Trace = &vitrine.Trace{Model: name, Cases: []vitrine.Case{{Verdict: vitrine.VerdictUnclear}}}
		for signal, v := range map[string]float64{"html.present": 1, "hint.pass": 1, "render.valid": 1, "vision.total": 50} {
			w.signals.Values[signal] = v
		}
		w.Sample.Scores = map[string]float64{}
		err := w.computeReward()
		switch {
		case judged && (err != nil || *w.Sample.Reward != 0.1 || w.Sample.Fallbacks[0].Why != "what was tried could not be judged"):
			t.Errorf("by the explorer: %+v, %v", w.Sample, err)
		case !judged && (err == nil || vitrine.AsFault("", err).Code != vitrine.FaultJudge || w.Sample.Reward != nil):
			t.Errorf("by a model: %v, %v", w.Sample.Reward, err)
		}
	}
}
