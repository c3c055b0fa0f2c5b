package refine

import (
	"encoding/json"
	"io"
)

// An SFTExample is one line for supervised fine-tuning: a conversation whose
// answers got better each time.
type SFTExample struct {
	ID     string `json:"id"`      // of the session
	TaskID string `json:"task_id"` // may be empty
	// Messages are the opening, the accepted outputs and the critiques between them.
	Messages []Message `json:"messages"`
	// Train has one entry a message: 1 for the policy's own, 0 for the others.
	Train     []int    `json:"train"`
	BestScore *float64 `json:"best_score"` // of the last answer; null without a critic
	Reward    *float64 `json:"reward"`     // by the rule of the session; null without a critic
}

// A GRPOExample is one line for policy optimisation: a trajectory with whose tokens
// are whose. Group by task_id, or by instruction.
type GRPOExample struct {
	ID          string `json:"id"`
	TaskID      string `json:"task_id"`
	Instruction string `json:"instruction"`
	Prompt      string `json:"prompt"` // all that stands before the first segment
	// Segments are the whole trajectory. Leave out those that are not accepted to get
	// the sequence that the policy was conditioned on; see [Segment].
	Segments  []Segment `json:"segments"`
	Reward    *float64  `json:"reward"` // null without a critic
	Rule      Reward    `json:"rule"`
	Tokens    int       `json:"tokens"`    // of the accepted segments
	Estimated bool      `json:"estimated"` // tokens were not all counted by the policy
}

// A DistillationExample is one line for learning to criticise oneself (ReLook App.
// F): after this context, the critic said this. A turn that was rejected gives none,
// and neither does one whose render was invalid: the machine wrote its critique.
type DistillationExample struct {
	ID      string    `json:"id"`
	TaskID  string    `json:"task_id"`
	Turn    int       `json:"turn"`
	Context []Message `json:"context"` // up to the output that is criticised
	Target  string    `json:"target"`  // the critique in its tags
}

// WriteSFT writes the examples of finished sessions as JSON lines and returns how
// many there are. A session gives none if its best render is not valid.
func WriteSFT(w io.Writer, sessions []*Session) (int, error) {
	return each(w, sessions, func(s *Session) []any {
		best := s.best(len(s.Turns))
		if best == nil || best.Assessment != nil && !best.Assessment.Valid() {
			return nil
		}
		e := SFTExample{ID: s.ID, TaskID: s.TaskID, Messages: s.messages(best.Turn)}
		if best.Shown != "" { // nothing answers it
			e.Messages = e.Messages[:len(e.Messages)-1]
		}
		for _, m := range e.Messages {
			train := 0
			if m.Role == "assistant" {
				train = 1
			}
			e.Train = append(e.Train, train)
		}
		r := s.Result()
		e.BestScore, e.Reward = r.BestScore, r.Reward
		return []any{e}
	})
}

// WriteGRPO writes the trajectories of finished sessions as JSON lines and returns
// how many there are. A session without a turn gives none.
func WriteGRPO(w io.Writer, sessions []*Session) (int, error) {
	return each(w, sessions, func(s *Session) []any {
		if len(s.Turns) == 0 {
			return nil
		}
		r := s.Result()
		return []any{GRPOExample{
			ID: s.ID, TaskID: s.TaskID, Instruction: s.Instruction, Prompt: s.Opening(),
			Segments: s.Trajectory(), Reward: r.Reward, Rule: r.Rule, Tokens: r.Tokens, Estimated: r.Estimated,
		}}
	})
}

// WriteDistillation writes the critiques of finished sessions as JSON lines and
// returns how many there are.
func WriteDistillation(w io.Writer, sessions []*Session) (int, error) {
	return each(w, sessions, func(s *Session) (lines []any) {
		for i, t := range s.Turns {
			if s.Settings.Feedback == None || !t.Accepted || t.Shown == "" || t.Assessment == nil || !t.Assessment.Valid() || t.Assessment.Feedback == "" {
				continue
			}
			context := s.messages(i + 1)
			lines = append(lines, DistillationExample{s.ID, s.TaskID, t.Turn, context[:len(context)-1], t.Shown})
		}
		return lines
	})
}

// each writes what every finished session gives, one line each.
func each(w io.Writer, sessions []*Session, examples func(*Session) []any) (n int, err error) {
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	for _, s := range sessions {
		if !s.Done {
			continue
		}
		for _, e := range examples(s) {
			if err := lines.Encode(e); err != nil {
				return n, err
			}
			n++
		}
	}
	return n, nil
}
