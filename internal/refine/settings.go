package refine

import (
	"fmt"
	"math"
	"strings"
)

// Settings say how a session goes. The names in JSON are those of the service.
type Settings struct {
	MaxRounds int `json:"max_rounds"` // 3, as ReLook §3.3 caps them
	// MaxResamples is how often a round is sampled again; 10, as ReLook §2.6 says,
	// so that a round has 11 attempts. Alg. 1 counts 10 attempts in all, which is 9 here.
	MaxResamples int    `json:"max_resamples"`
	OnReject     string `json:"on_reject"` // retry; or stop: a rejected output ends the loop
	// Ask is trigger: an accepted output without the trigger is the last (ReLook §2.3); or
	// always: each output counts as one that asks, as in the forced rounds of Fig. 4.
	Ask string `json:"ask"`
	// Accept is better: Forced Optimization (ReLook §2.6); or any: each output is accepted,
	// as in the base model's rounds of Fig. 4. The best is returned either way.
	Accept  string  `json:"accept"`
	Epsilon float64 `json:"epsilon"` // 0: how much more than the best is needed
	// Feedback is text; or none: the policy is only asked to continue.
	Feedback         string `json:"feedback"`
	MaxFeedbackChars int    `json:"max_feedback_chars"` // 1200 characters of critique
	Trigger          string `json:"trigger"`            // <get_feedback>
	Reward           Reward `json:"reward"`             // best
	// FullScore is what a perfect site scores by the recipe; 1. The rule "relook"
	// divides by it, so that its reward is in [0,1].
	FullScore float64 `json:"full_score"`
	// CriticFree: nothing is rendered or scored, and the policy looks at its own work
	// (ReLook §2.7). Every output is accepted and the last is the result; at most
	// three rounds. False.
	CriticFree bool `json:"critic_free"`
	// System is what the opening begins with, such as the system prompt for projects of
	// several files (WebGen-R1 G.1); empty.
	System string `json:"system,omitempty"`
}

// What follows a rejected output, which outputs ask and are accepted, and what the policy
// gets to read.
const (
	Retry = "retry"
	Stop  = "stop"

	AskTrigger = "trigger"
	AskAlways  = "always"

	AcceptBetter = "better"
	AcceptAny    = "any"

	Text = "text"
	None = "none"
)

// maxCriticFree is how many rounds go without a critic (ReLook §2.7).
const maxCriticFree = 3

// Reward is a rule that makes one reward of a finished session.
type Reward string

// The rules.
const (
	// RewardBest is the score of the best output, in the range of the recipe.
	RewardBest Reward = "best"
	// RewardReLook is R_mllm · R_len (ReLook Eq. 3 to 5), in [0,1]. R_mllm is the mean
	// score of the accepted outputs (§2.5), and 0 if the render of any of them was
	// invalid. R_len falls from 1 at 12,000 tokens of trajectory to 0 at 14,000; the
	// trajectory is Eq. 1, so the critiques in it count. Length is penalised there, once:
	// the scores are to come without a length term of their own.
	RewardReLook Reward = "relook"
)

// Defaults are the published settings but for Reward, which follows from the recipe and is
// [RewardReLook] there, and MaxFeedbackChars, which is ours.
func Defaults() Settings {
	return Settings{
		MaxRounds: 3, MaxResamples: 10, OnReject: Retry, Ask: AskTrigger, Accept: AcceptBetter, Feedback: Text, MaxFeedbackChars: 1200,
		Trigger: "<get_feedback>", Reward: RewardBest, FullScore: 1,
	}
}

// Check finds what cannot be meant, and names the setting with its valid values.
func (s Settings) Check() error {
	switch {
	case s.MaxRounds < 1:
		return fmt.Errorf("max_rounds: want 1 or more, got %d", s.MaxRounds)
	case s.CriticFree && s.MaxRounds > maxCriticFree:
		return fmt.Errorf("max_rounds: want at most %d without a critic, got %d", maxCriticFree, s.MaxRounds)
	case s.MaxResamples < 0:
		return fmt.Errorf("max_resamples: want 0 or more, got %d", s.MaxResamples)
	case s.OnReject != Retry && s.OnReject != Stop:
		return fmt.Errorf("on_reject: want %s or %s, got %q", Retry, Stop, s.OnReject)
	case s.Ask != AskTrigger && s.Ask != AskAlways:
		return fmt.Errorf("ask: want %s or %s, got %q", AskTrigger, AskAlways, s.Ask)
	case s.Accept != AcceptBetter && s.Accept != AcceptAny:
		return fmt.Errorf("accept: want %s or %s, got %q", AcceptBetter, AcceptAny, s.Accept)
	case !(s.Epsilon >= 0) || math.IsInf(s.Epsilon, 0):
		return fmt.Errorf("epsilon: want 0 or more, got %v", s.Epsilon)
	case s.Feedback != Text && s.Feedback != None:
		return fmt.Errorf("feedback: want %s or %s, got %q", Text, None, s.Feedback)
	case s.MaxFeedbackChars < 1:
		return fmt.Errorf("max_feedback_chars: want 1 or more, got %d", s.MaxFeedbackChars)
	case strings.TrimSpace(s.Trigger) == "":
		return fmt.Errorf("trigger: want some text that asks for feedback, such as <get_feedback>")
	case s.Reward != RewardBest && s.Reward != RewardReLook:
		return fmt.Errorf("reward: want %s or %s, got %q", RewardBest, RewardReLook, s.Reward)
	case !(s.FullScore > 0) || math.IsInf(s.FullScore, 0):
		return fmt.Errorf("full_score: want more than 0, got %v", s.FullScore)
	}
	return nil
}
