package train

import (
	"errors"
	"strings"
	"testing"

	"vitrine"
)

// A reward model of pairs that the model after SFT wrote, and GRPO on its rewards.
func TestHPRMOfTheSmallModel(t *testing.T) {
	r, err := Load("hprm")
	if err != nil || len(r.Stages) != 5 || !strings.Contains(r.Paper, "E.9") {
		t.Fatalf("%+v: %v", r, err)
	}
	if s := r.Stages[2]; s.Name != "judge" || s.Method != "reward-model" || s.Samples != 4 || s.Limit != 120 || s.Steps != 30 || s.Batch != 8 || s.LearningRate != 1e-5 || s.Reward != "quality" {
		t.Errorf("%+v", s)
	}
	if s := r.Stages[3]; s.Method != "grpo" || s.Reward != modelReward || s.Steps != 60 || s.Prompts != 4 || s.Samples != 8 {
		t.Errorf("%+v", s)
	}
	if name, _ := r.unknownReward(); name != "" {
		t.Errorf("%s is unknown", name)
	}
}

const (
	judgeStage = "  - {name: judge, method: reward-model, steps: 1, learning_rate: 1, samples: 2}\n"
	grpoStage  = "  - {name: g, method: grpo, steps: 1, learning_rate: 1, prompts: 1, samples: 4, reward: REWARD}\n"
	testStage  = "  - {name: e, method: evaluate, samples: 1, reward: REWARD}\n"
)

func recipeOf(rewardOf string, stages ...string) (*Recipe, error) {
	return parse("my.yaml", []byte("model: m\nstages:\n"+strings.ReplaceAll(strings.Join(stages, ""), "REWARD", rewardOf)))
}

func TestARewardIsOfARecipeOrOfAModelBefore(t *testing.T) {
	for _, name := range []string{"model", "judge", "quality", "of-ones-own"} {
		if _, err := recipeOf(name, judgeStage, grpoStage); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct {
		reward string
		stages []string
		want   string
	}{
		{"model", []string{grpoStage}, "model is no reward-model stage"},
		{"judge", []string{grpoStage, judgeStage}, "judge is no reward-model stage that stands before"},
		{"e", []string{judgeStage, grpoStage, strings.Replace(testStage, "REWARD", "quality", 1)}, "e is no reward-model stage"},
		{"judge", []string{judgeStage, testStage}, "grpo alone"},
		{"model", []string{testStage}, "grpo alone"},
		{"judge", []string{judgeStage, strings.Replace(grpoStage, "samples", "overlong: zero, samples", 1)}, "need not be low"},
		{"quality", []string{strings.Replace(judgeStage, "judge", "looks", 1), grpoStage}, "called looks, which is a reward already"},
	} {
		_, err := recipeOf(c.reward, c.stages...)
		if f := (*vitrine.Fault)(nil); !errors.As(err, &f) || f.Code != vitrine.FaultUsage || f.Fix == "" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %q: %v, want %s", c.reward, c.stages, err, c.want)
		}
	}
	r, err := recipeOf("judg", judgeStage, grpoStage)
	must(t, err)
	if name, valid := r.unknownReward(); name != "judg" || !strings.Contains(strings.Join(valid, " "), "judge model") {
		t.Errorf("%q of %q", name, valid)
	}
	if names := r.rewardModels(0); names != nil {
		t.Errorf("before any stage: %q", names)
	}
}

func TestASweepMayNotLeaveTheRewardModelOut(t *testing.T) {
	_, err := parseSweep("my.yaml", []byte("recipe: hprm\nrows:\n  - {name: none, without: [judge]}\n"))
	if err == nil || !strings.Contains(err.Error(), "model is no reward-model stage") {
		t.Errorf("%v", err)
	}
	s, err := parseSweep("my.yaml", []byte("recipe: hprm\nrows:\n  - {name: recipe, stages: {grpo: {reward: quality}}, without: [judge]}\n"))
	if err != nil || len(s.Rows[0].Recipe.Stages) != 4 {
		t.Errorf("%+v: %v", s, err)
	}
}
