package refine

import (
	"fmt"
	"slices"

	"vitrine"
)

// A Reply is the answer to a step, as the service gives it.
type Reply struct {
	Turn        int             `json:"turn"`
	Round       int             `json:"round"`             // of this turn
	Outcome     vitrine.Outcome `json:"outcome,omitempty"` // empty without a critic
	Accepted    bool            `json:"accepted"`
	Score       *float64        `json:"score"`      // nil without a critic
	BestScore   *float64        `json:"best_score"` // so far
	BestTurn    *int            `json:"best_turn"`
	Action      Action          `json:"action"`
	Observation Observation     `json:"observation"`
	Reward      *float64        `json:"reward"` // nil unless this turn ended the session
	Done        bool            `json:"done"`
}

// An Observation is what the policy gets to see.
type Observation struct {
	Text   string   `json:"text"`             // empty when the session is done
	Images []string `json:"images,omitempty"` // frames of this turn
}

// reply makes the answer to a turn from what was known then, so that it stays the
// same whatever came later.
func (s *Session) reply(turn int) Reply {
	t := s.Turns[turn-1]
	r := Reply{
		Turn: turn, Round: t.Round, Accepted: t.Accepted, Action: t.Action,
		Observation: Observation{Text: t.Shown}, Done: t.Action == ActionDone,
	}
	if a := t.Assessment; a != nil {
		r.Outcome, r.Score, r.Observation.Images = a.Outcome, new(a.Score), slices.Clone(a.Frames)
	}
	if best := s.best(turn); best != nil {
		r.BestTurn = new(best.Turn)
		r.BestScore = best.score()
	}
	if r.Done {
		r.Reward = s.Result().Reward
	}
	return r
}

func (t *Turn) score() *float64 {
	if t.Assessment == nil {
		return nil
	}
	return new(t.Assessment.Score)
}

// shown is the message to the policy after a turn. A rejected one gets a line before
// its critique, for policies that keep what was rejected in view; those that drop it
// drop this too.
func (s *Session) shown(t Turn) string {
	switch {
	case t.Assessment == nil:
		return wrap("Nobody has looked at this version. Read it as a stranger would see it, mend what is weakest, and give the whole page again.")
	case t.Accepted:
		return wrap(s.critique(t.Assessment))
	}
	best := s.best(len(s.Turns))
	return wrap(fmt.Sprintf("Not accepted: this version scores %.4g, and the version of turn %d scores %.4g. Go back to that one and improve it in another way.\n%s",
		t.Assessment.Score, best.Turn, best.Assessment.Score, s.critique(t.Assessment)))
}

// critique is what a turn has to hear.
func (s *Session) critique(a *Assessment) string {
	switch {
	case s.Settings.Feedback == None:
		return "Improve this version and give the whole page again."
	case !a.Valid() && a.Why != "":
		return cut("The page could not be shown: "+a.Why, s.Settings.MaxFeedbackChars)
	case !a.Valid():
		return cut("The page could not be shown.", s.Settings.MaxFeedbackChars)
	case a.Feedback == "":
		return cut("The critic found nothing to name. Improve what is weakest.", s.Settings.MaxFeedbackChars)
	}
	return a.Feedback
}

// A Result is what a session came to, so far if it is not done.
type Result struct {
	Output    string   `json:"output"` // of the best turn
	BestTurn  int      `json:"best_turn"`
	BestScore *float64 `json:"best_score"`
	Accepted  int      `json:"accepted"` // turns
	// Tokens is the length of the trajectory, critiques too; Estimated: not all of it
	// was counted by the policy's own tokenizer.
	Tokens    int  `json:"tokens"`
	Estimated bool `json:"estimated"`
	// Reward is by the rule of the settings; nil if the session is not done, without a
	// critic, and without a turn. MLLM and Len are R_mllm and R_len of the rule relook.
	Rule   Reward   `json:"rule"`
	Reward *float64 `json:"reward"`
	MLLM   *float64 `json:"mllm,omitempty"`
	Len    *float64 `json:"len,omitempty"`
}

// Result is what the session came to.
func (s *Session) Result() Result {
	r := Result{Rule: s.Settings.Reward}
	sum, valid := 0.0, true
	for i := range s.Turns {
		t := &s.Turns[i]
		if !t.Accepted {
			continue
		}
		r.Accepted++
		r.Tokens += t.Tokens + t.ShownTokens
		r.Estimated = r.Estimated || t.Estimated || t.Shown != ""
		if t.Assessment != nil {
			sum += t.Assessment.Score
			valid = valid && t.Assessment.Valid()
		}
	}
	if best := s.best(len(s.Turns)); best != nil {
		r.Output, r.BestTurn, r.BestScore = best.Output, best.Turn, best.score()
	}
	if s.Done && r.BestScore != nil {
		s.reward(&r, sum/float64(r.Accepted), valid)
	}
	return r
}

// reward applies the rule (ReLook Eq. 3 to 5).
func (s *Session) reward(r *Result, mean float64, valid bool) {
	if r.Rule == RewardBest {
		r.Reward = r.BestScore
		return
	}
	mllm := 0.0
	if valid {
		mllm = max(0, min(1, mean/s.Settings.FullScore))
	}
	length := lengthReward(r.Tokens)
	r.MLLM, r.Len, r.Reward = &mllm, &length, new(mllm*length)
}
