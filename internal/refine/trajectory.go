package refine

import (
	"fmt"
)

// Owner says whose tokens a piece of text is.
type Owner string

// The owners.
const (
	OwnerPolicy Owner = "policy"
	OwnerCritic Owner = "critic"
)

// A Segment is one piece of a trajectory (ReLook Eq. 1).
type Segment struct {
	Owner    Owner    `json:"owner"`
	Kind     Kind     `json:"kind"`
	Text     string   `json:"text"`
	Turn     int      `json:"turn"`
	Accepted bool     `json:"accepted"` // the turn
	Score    *float64 `json:"score"`    // of the turn; nil without a critic
	// Mask is 1 on what the policy learns from: its own text and code in accepted
	// turns. It is always 0 on the critic's.
	Mask int `json:"mask"`
}

// Trajectory is all that was written, in order: the texts of each output, then what
// was shown after it. Rejected turns are in it, marked; without them it is o of
// ReLook Eq. 1.
func (s *Session) Trajectory() []Segment {
	segments := []Segment{}
	for i := range s.Turns {
		t := &s.Turns[i]
		mask := 0
		if t.Accepted {
			mask = 1
		}
		for _, p := range Split(t.Output) {
			segments = append(segments, Segment{OwnerPolicy, p.Kind, p.Text, t.Turn, t.Accepted, t.score(), mask})
		}
		if t.Shown != "" {
			segments = append(segments, Segment{OwnerCritic, KindFeedback, t.Shown, t.Turn, t.Accepted, t.score(), 0})
		}
	}
	return segments
}

// A Message is one of a conversation.
type Message struct {
	Role    string `json:"role"` // user or assistant
	Content string `json:"content"`
}

// Opening is the first message to a policy: how feedback works, to ask for it unless the
// answer is flawless (ReLook Fig. 7), and what to build.
func (s *Session) Opening() string {
	if s.Settings.System != "" {
		return s.Settings.System + "\n\n# Request\n" + s.request()
	}
	return s.request()
}

func (s *Session) request() string {
	if s.Settings.CriticFree {
		return fmt.Sprintf(`Build the site that is asked for below, and give all of it in one answer.
You may go over your work: end the answer with %s and you will be asked for a better version, at most %d versions in all. Leave it out when there is nothing left to improve.

%s`, s.Settings.Trigger, s.Settings.MaxRounds, s.Instruction)
	}
	return fmt.Sprintf(`Build the site that is asked for below, and give all of it in one answer.
Unless you are sure that the version has no flaw, end the answer with %s. It is then opened in a browser, and what a critic sees comes back between <mlm_feedback> and </mlm_feedback>. Answer that with a better version, again all of it. There are at most %d versions; one that is no better than the best before it is thrown away.

%s`, s.Settings.Trigger, s.Settings.MaxRounds, s.Instruction)
}

// Messages is the conversation that the next output answers: the opening, the
// accepted outputs, and what was shown after each. Rejected outputs are not in it: a
// new one is sampled in the same place (ReLook §2.6).
func (s *Session) Messages() []Message { return s.messages(len(s.Turns)) }

func (s *Session) messages(turns int) []Message {
	m := []Message{{"user", s.Opening()}}
	for _, t := range s.Turns[:turns] {
		if !t.Accepted {
			continue
		}
		m = append(m, Message{"assistant", t.Output})
		if t.Shown != "" {
			m = append(m, Message{"user", t.Shown})
		}
	}
	return m
}
