package server

import (
	"vitrine"
	"vitrine/internal/refine"
	"vitrine/internal/reward"
)

// OpenSession asks for a session: one prompt, answered in rounds.
type OpenSession struct {
	TaskID      ID     `json:"task_id,omitempty" doc:"a task of /v1/tasks"`
	Instruction string `json:"instruction,omitempty" nullable:"true" doc:"in place of a task: what to build"`
	Recipe      string `json:"recipe,omitempty" nullable:"true" doc:"name of a recipe; the first of GET /v1/recipes if it is left out"`
	Loop        Loop   `json:"loop,omitzero" doc:"how the rounds go"`
	Client      string `json:"client,omitempty" nullable:"true" maxLength:"200" doc:"who asks: clients take turns"`

	// Key makes the name of the session: who opens the same again gets the same.
	Key string `json:"-"`
}

// A Loop says how the rounds of a session go. What is left out has the default.
type Loop struct {
	MaxRounds        int    `json:"max_rounds,omitempty" minimum:"0" maximum:"100" doc:"rounds; default 3"`
	MaxResamples     *int   `json:"max_resamples,omitempty" minimum:"0" maximum:"1000" doc:"answers of one round that may be rejected before the session ends; default 10"`
	OnReject         string `json:"on_reject,omitempty" enum:",retry,stop" doc:"after a rejected answer; default retry"`
	Ask              string `json:"ask,omitempty" enum:",trigger,always" doc:"always: an accepted answer without the trigger does not end the session; default trigger"`
	Accept           string `json:"accept,omitempty" enum:",better,any" doc:"any: an answer is accepted whatever it scores; default better"`
	Feedback         string `json:"feedback,omitempty" enum:",text,none" doc:"default text"`
	MaxFeedbackChars int    `json:"max_feedback_chars,omitempty" minimum:"0" maximum:"100000" doc:"default 1200"`
	Trigger          string `json:"trigger,omitempty" maxLength:"100" doc:"what in an answer asks for feedback; default <get_feedback>"`
	System           string `json:"system,omitempty" maxLength:"40000" doc:"what the first message begins with, such as the system prompt for projects that vitrine prompt prints"`
	// Epsilon and Reward are what ReLook's rule of the reward and noisy judges need.
	Epsilon float64 `json:"epsilon,omitempty" minimum:"0" doc:"how much more than the best is needed to be accepted; default 0"`
	Reward  string  `json:"reward,omitempty" enum:",best,relook" doc:"best: the best score; relook: mean of the accepted scores, each without the recipe's own length term, times the length reward of the trajectory; default relook with the recipe relook, else best"`
}

// settings are those of the loop, with the published defaults. ReLook's rule divides
// by the best that the recipe can give.
func (l Loop) settings(recipe *reward.Recipe) refine.Settings {
	s := refine.Defaults()
	s.Epsilon = l.Epsilon
	set(&s.MaxRounds, l.MaxRounds)
	set(&s.MaxFeedbackChars, l.MaxFeedbackChars)
	if recipe.Name == "relook" {
		s.Reward = refine.RewardReLook
	}
	set(&s.OnReject, l.OnReject)
	set(&s.Ask, l.Ask)
	set(&s.Accept, l.Accept)
	set(&s.Feedback, l.Feedback)
	set(&s.Trigger, l.Trigger)
	set(&s.System, l.System)
	set(&s.Reward, refine.Reward(l.Reward))
	if l.MaxResamples != nil {
		s.MaxResamples = *l.MaxResamples
	}
	if _, hi := recipe.WithoutLength().Range(); hi != nil && *hi > 0 {
		s.FullScore = *hi
	}
	return s
}

// set changes a default where something is said.
func set[T comparable](to *T, v T) {
	if none := *new(T); v != none {
		*to = v
	}
}

// A Step is one answer of the policy.
type Step struct {
	// Turn 0 is the next; or the last, if the output is that of the last.
	Turn   int    `json:"turn" minimum:"1" doc:"from 1, one for each answer, also for one that is sampled again"`
	Output string `json:"output"`
	Tokens *int   `json:"tokens,omitempty" minimum:"0" nullable:"true" doc:"of the whole answer, by the policy's own tokenizer; left out: an estimate"`

	// Feedback, where it is not nil, asks for feedback or not, whatever the output
	// says.
	Feedback *bool `json:"-"`
}

// A Turn is the answer to a step.
type Turn struct {
	ID     string               `json:"id"`
	Status vitrine.SampleStatus `json:"status" enum:"scored,unjudged" doc:"unjudged: the turn does not count and may be stepped again"`
	refine.Reply
	Error *vitrine.Fault `json:"error"`
}

// A Session is what is known of a session.
type Session struct {
	ID          string             `json:"id"`
	TaskID      string             `json:"task_id"`
	Instruction string             `json:"instruction"`
	Recipe      string             `json:"recipe" doc:"name@hash"`
	Turn        int                `json:"turn"`
	Round       int                `json:"round"`
	BestScore   *float64           `json:"best_score"`
	BestTurn    *int               `json:"best_turn"`
	Observation refine.Observation `json:"observation"`
	Reward      *float64           `json:"reward" doc:"a number only when the session is done"`
	Done        bool               `json:"done"`
	Why         refine.End         `json:"why,omitempty" doc:"why it is done"`
	// Trajectory is all that was written, in order.
	Trajectory []refine.Segment `json:"trajectory" nullable:"false"`
}
