package train

import (
	"fmt"
	"slices"

	"vitrine/internal/reward"
)

// modelReward is the reward of a grpo stage that the last reward-model stage before it gives.
const modelReward = "model"

// rewardModels are the names by which stage i may have the reward of a model: those of the
// reward-model stages before it, and modelReward where there is one.
func (r *Recipe) rewardModels(i int) (names []string) {
	for _, s := range r.Stages[:i] {
		if s.Method == "reward-model" {
			names = append(names, s.Name)
		}
	}
	if names != nil {
		names = append(names, modelReward)
	}
	return names
}

// wrongReward says which stage has a reward that no model can give it, or nothing. A reward
// that is no stage's name is a recipe of the service, and so is one that ships, whatever stages
// are called.
func (r *Recipe) wrongReward() string {
	all := append(r.rewardModels(len(r.Stages)), modelReward)
	for i, s := range r.Stages {
		before := r.rewardModels(i)
		isStage := s.Reward == modelReward || slices.ContainsFunc(r.Stages, func(other Stage) bool { return other.Name == s.Reward })
		switch {
		case s.Method == "reward-model" && (s.Name == modelReward || slices.Contains(reward.Builtin(), s.Name)):
			return fmt.Sprintf("a reward-model stage is called %s, which is a reward already", s.Name)
		case slices.Contains(reward.Builtin(), s.Reward):
		case s.Method != "grpo" && slices.Contains(all, s.Reward):
			return fmt.Sprintf("stage %s: reward: %s is a model's, which grpo alone learns from", s.Name, s.Reward)
		case s.Method == "grpo" && isStage && !slices.Contains(before, s.Reward):
			return fmt.Sprintf("stage %s: reward: %s is no reward-model stage that stands before it", s.Name, s.Reward)
		case s.Overlong == "zero" && slices.Contains(before, s.Reward):
			return fmt.Sprintf("stage %s: overlong: zero need not be low among a model's rewards, which are of any size", s.Name)
		}
	}
	return ""
}

// unknownReward is the first reward of a stage that is neither a recipe that ships nor given
// by a model, with all that would be.
func (r *Recipe) unknownReward() (name string, valid []string) {
	for i, s := range r.Stages {
		valid = reward.Builtin()
		if s.Method == "grpo" {
			valid = append(slices.Clone(valid), r.rewardModels(i)...)
		}
		if !slices.Contains(valid, s.Reward) {
			return s.Reward, valid
		}
	}
	return "", nil
}
