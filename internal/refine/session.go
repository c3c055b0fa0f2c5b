package refine

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"vitrine"
)

// Version is that of a session's JSON.
const Version = 1

// Why a step is refused. All are the caller's doing; the session is as it was.
var (
	ErrConflict  = errors.New("the turn was taken by another output")
	ErrOutOfTurn = errors.New("this is not the next turn")
	ErrDone      = errors.New("the session is done")
)

// A Session is one prompt on its way through the rounds. Its JSON is all there is to
// it: stored and read back at any point, it goes on the same. Where it stands follows
// from its turns. It is not for several goroutines at once.
type Session struct {
	Version     int      `json:"version"`
	ID          string   `json:"id"`
	TaskID      string   `json:"task_id,omitempty"`
	Instruction string   `json:"instruction"`
	Settings    Settings `json:"settings"`
	Turns       []Turn   `json:"turns"` // of turn 1 and so on
	Done        bool     `json:"done"`
	Why         End      `json:"why,omitempty"` // it is done
	// Draft is an output that was not judged yet: [Run] begins with it.
	Draft *Answer `json:"draft,omitempty"`
}

// End says why a session is done.
type End string

// The ends.
const (
	EndNotAsked  End = "not_asked" // the policy asked for no feedback
	EndRounds    End = "max_rounds"
	EndResamples End = "max_resamples" // no output of the round was better
	EndRejected  End = "rejected"      // and OnReject is stop
	EndFinished  End = "finished"      // by [Session.Finish]
)

// Action is what comes after a turn.
type Action string

// The actions.
const (
	ActionRevise   Action = "revise"   // write the next round
	ActionResample Action = "resample" // write this round again
	ActionDone     Action = "done"
)

// A Turn is one output and what became of it.
type Turn struct {
	Turn       int         `json:"turn"`
	Round      int         `json:"round"` // the one it was written for
	Output     string      `json:"output"`
	Hash       string      `json:"hash"`   // SHA-256 of the output, in hex
	Tokens     int         `json:"tokens"` // of the output
	Estimated  bool        `json:"estimated"`
	Asked      bool        `json:"asked"` // for feedback
	Accepted   bool        `json:"accepted"`
	Assessment *Assessment `json:"assessment"` // nil without a critic
	Action     Action      `json:"action"`
	// Shown is what the policy is told, as it stands in the trajectory; empty if the
	// session is done. ShownTokens is its length, an estimate.
	Shown       string `json:"shown"`
	ShownTokens int    `json:"shown_tokens"`
}

// An Answer is one output of the policy.
type Answer struct {
	Text string `json:"text"`
	// Tokens is its length by the policy's own tokenizer; nil: it is estimated.
	Tokens *int `json:"tokens,omitempty"`
	// Asks says whether it asks for feedback, for policies that do so by a tool; nil:
	// the text is looked at.
	Asks *bool `json:"asks,omitempty"`
}

// An Assessment is what a critic found out about an output. What could not be judged
// has none.
type Assessment struct {
	Outcome vitrine.Outcome `json:"outcome"` // the render is valid if it is rendered
	Score   float64         `json:"score"`   // by the recipe; of an invalid render: 0 or less
	// Feedback is what to mend, in the critic's words; Why is the reason of an invalid
	// render. A session keeps them as the policy may see them.
	Feedback string   `json:"feedback"`
	Why      string   `json:"why,omitempty"`
	Frames   []string `json:"frames,omitempty"` // names of screenshots
	Evidence string   `json:"evidence,omitempty"`
}

// Valid reports whether the render showed a site.
func (a Assessment) Valid() bool { return a.Outcome == vitrine.OutcomeRendered }

// New begins a session; an error names a setting and its valid values.
func New(id, taskID, instruction string, settings Settings) (*Session, error) {
	if err := settings.Check(); err != nil {
		return nil, err
	}
	// What JSON could not carry would not be the same after a restart.
	instruction = strings.ToValidUTF8(instruction, "\uFFFD")
	return &Session{Version: Version, ID: id, TaskID: taskID, Instruction: instruction, Settings: settings, Turns: []Turn{}}, nil
}

// UnmarshalJSON reads a stored session, and refuses what is none or of a later
// version.
func (s *Session) UnmarshalJSON(b []byte) error {
	type plain Session
	var p plain
	if err := json.Unmarshal(b, &p); err != nil {
		return err
	}
	if p.Version != Version {
		return fmt.Errorf("session of version %d: this program reads version %d", p.Version, Version)
	}
	// Sessions of earlier programs do not say these.
	p.Settings.Ask, p.Settings.Accept = cmp.Or(p.Settings.Ask, AskTrigger), cmp.Or(p.Settings.Accept, AcceptBetter)
	if err := p.Settings.Check(); err != nil {
		return fmt.Errorf("session: %w", err)
	}
	for i, t := range p.Turns {
		if t.Turn != i+1 || !p.Settings.CriticFree && t.Assessment == nil {
			return fmt.Errorf("session: turn %d is not whole", i+1)
		}
	}
	*s = Session(p)
	return nil
}

// Recall returns the answer to a step that was taken before, and nil if it is the
// next one. It is asked before an output is judged, so that a repeated step costs
// nothing. Errors are [ErrConflict], [ErrOutOfTurn] and [ErrDone].
func (s *Session) Recall(turn int, output string) (*Reply, error) {
	switch last := len(s.Turns); {
	case turn < 1 || turn > last+1:
		return nil, fmt.Errorf("turn %d: %w: that is %d", turn, ErrOutOfTurn, last+1)
	case turn <= last && s.Turns[turn-1].Hash != hashOf(output):
		return nil, fmt.Errorf("turn %d: %w", turn, ErrConflict)
	case turn <= last:
		return new(s.reply(turn)), nil
	case s.Done:
		return nil, fmt.Errorf("turn %d: %w (%s)", turn, ErrDone, s.Why)
	}
	return nil, nil
}

// Step takes the output of a turn with its assessment, nil in a session without a
// critic. The same turn with the same output answers the same again and changes
// nothing. Errors are those of [Session.Recall], or a bug of the caller.
func (s *Session) Step(turn int, answer Answer, a *Assessment) (Reply, error) {
	if before, err := s.Recall(turn, answer.Text); before != nil || err != nil {
		return deref(before), err
	}
	if err := s.check(a); err != nil {
		return Reply{}, fmt.Errorf("turn %d: %w", turn, err)
	}
	t, err := s.weigh(turn, answer, a)
	if err != nil {
		return Reply{}, fmt.Errorf("turn %d: %w", turn, err)
	}
	t.Action, s.Why = s.next(t)
	if t.Action != ActionDone {
		t.Shown = s.shown(t)
		if t.ShownTokens, err = countTokens(t.Shown); err != nil {
			return Reply{}, err
		}
	}
	s.Turns = append(s.Turns, t)
	s.Done, s.Draft = t.Action == ActionDone, nil
	return s.reply(turn), nil
}

// Finish ends a session with the best there is. One that is done stays as it is.
func (s *Session) Finish() {
	if !s.Done {
		s.Done, s.Why, s.Draft = true, EndFinished, nil
	}
}

func (s *Session) check(a *Assessment) error {
	switch {
	case s.Settings.CriticFree && a != nil:
		return errors.New("want no assessment: the session has no critic")
	case !s.Settings.CriticFree && a == nil:
		return errors.New("want an assessment: what could not be judged is no turn")
	case a != nil && (math.IsNaN(a.Score) || math.IsInf(a.Score, 0)):
		return fmt.Errorf("want a score that is a number, got %v", a.Score)
	}
	return nil
}

// weigh makes a turn of an output and says whether it is accepted.
func (s *Session) weigh(turn int, answer Answer, a *Assessment) (Turn, error) {
	t := Turn{
		Turn: turn, Round: s.round(turn - 1), Output: strings.ToValidUTF8(answer.Text, "\uFFFD"), Hash: hashOf(answer.Text),
		Asked: asks(answer.Text, s.Settings.Trigger), Assessment: s.kept(a), Accepted: true,
	}
	if answer.Asks != nil {
		t.Asked = *answer.Asks
	}
	if best := s.best(turn - 1); best != nil && a != nil && s.Settings.Accept != AcceptAny {
		t.Accepted = t.Assessment.Score > best.Assessment.Score+s.Settings.Epsilon
	}
	if answer.Tokens != nil {
		t.Tokens = *answer.Tokens
		return t, nil
	}
	var err error
	t.Estimated = true
	t.Tokens, err = countTokens(t.Output)
	return t, err
}

// kept is an assessment as a session keeps it. An invalid render scores 0 (ReLook
// Eq. 3), or what the recipe gave if that is less.
func (s *Session) kept(a *Assessment) *Assessment {
	if a == nil {
		return nil
	}
	k := *a
	if !k.Valid() {
		k.Score = min(0, k.Score)
	}
	k.Feedback = Critique(a.Feedback, s.Settings.MaxFeedbackChars)
	k.Why = Critique(a.Why, s.Settings.MaxFeedbackChars)
	return &k
}

// next is what comes after a turn that is not in the session yet, and why it ends. A
// rejected output is sampled again whether it asks for feedback or not (ReLook Alg. 1):
// a revision that is worse is no way to end.
func (s *Session) next(t Turn) (Action, End) {
	switch {
	case t.Accepted && !t.Asked && s.Settings.Ask != AskAlways:
		return ActionDone, EndNotAsked
	case t.Accepted && t.Round >= s.Settings.MaxRounds:
		return ActionDone, EndRounds
	case t.Accepted:
		return ActionRevise, ""
	case s.Settings.OnReject == Stop:
		return ActionDone, EndRejected
	case s.attempts(t.Round) >= s.Settings.MaxResamples:
		return ActionDone, EndResamples
	}
	return ActionResample, ""
}

// attempts is how many outputs a round has had so far. The first is no resample, so
// this is how many resamples the output that comes now makes it.
func (s *Session) attempts(round int) (n int) {
	for _, t := range s.Turns {
		if t.Round == round {
			n++
		}
	}
	return n
}

// round is the one that is written after so many turns.
func (s *Session) round(turns int) int {
	n := 1
	for _, t := range s.Turns[:turns] {
		if t.Accepted {
			n++
		}
	}
	return n
}

// best is the accepted turn with the highest score of the first turns, the last of several
// and of those without a score; nil without any.
func (s *Session) best(turns int) (best *Turn) {
	for i := range s.Turns[:turns] {
		t := &s.Turns[i]
		if t.Accepted && (best == nil || t.Assessment == nil || t.Assessment.Score >= best.Assessment.Score) {
			best = t
		}
	}
	return best
}

func hashOf(output string) string {
	sum := sha256.Sum256([]byte(output))
	return hex.EncodeToString(sum[:])
}

func deref(r *Reply) Reply {
	if r == nil {
		return Reply{}
	}
	return *r
}
