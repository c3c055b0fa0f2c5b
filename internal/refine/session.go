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

// Version is the version of the JSON of sessions.
const Version = 1

// Reasons why a step is refused. They are mistakes of the caller and leave the session
// unchanged.
var (
	ErrConflict  = errors.New("the turn was taken by another output")
	ErrOutOfTurn = errors.New("this is not the next turn")
	ErrDone      = errors.New("the session is done")
)

// A Session is the state of refining the output to one prompt. Its JSON holds all of it: a
// session that was stored and loaded at any point continues in the same way. It is not
// safe for concurrent use.
type Session struct {
	Version     int      `json:"version"`
	ID          string   `json:"id"`
	TaskID      string   `json:"task_id,omitempty"`
	Instruction string   `json:"instruction"`
	Settings    Settings `json:"settings"`
	Turns       []Turn   `json:"turns"` // from turn 1
	Done        bool     `json:"done"`
	Why         End      `json:"why,omitempty"` // why it is done; empty before
	// Draft is an output that has not been judged yet: [Run] begins with it.
	Draft *Answer `json:"draft,omitempty"`
}

// End says why a session is done.
type End string

// The ends.
const (
	EndNotAsked  End = "not_asked"     // the policy did not ask for feedback
	EndRounds    End = "max_rounds"    // the last round was accepted
	EndResamples End = "max_resamples" // no output of the round was better
	EndRejected  End = "rejected"      // an output was rejected and OnReject is stop
	EndFinished  End = "finished"      // by [Session.Finish]
)

// Action is what the policy does after a turn.
type Action string

// The actions.
const (
	ActionRevise   Action = "revise"   // write the next round
	ActionResample Action = "resample" // write this round again
	ActionDone     Action = "done"
)

// A Turn is one output with its assessment and the decision on it.
type Turn struct {
	Turn       int         `json:"turn"`
	Round      int         `json:"round"` // that the output was written for
	Output     string      `json:"output"`
	Hash       string      `json:"hash"`   // SHA-256 of the output, in hex
	Tokens     int         `json:"tokens"` // of the output
	Estimated  bool        `json:"estimated"`
	Asked      bool        `json:"asked"` // whether the policy asked for feedback
	Accepted   bool        `json:"accepted"`
	Assessment *Assessment `json:"assessment"` // nil without a critic
	Action     Action      `json:"action"`
	// Shown is the message to the policy, as in the trajectory; empty if the session is
	// done. ShownTokens is its estimated length.
	Shown       string `json:"shown"`
	ShownTokens int    `json:"shown_tokens"`
}

// An Answer is one output of the policy.
type Answer struct {
	Text string `json:"text"`
	// Tokens is its length by the policy's own tokenizer; if nil, it is estimated.
	Tokens *int `json:"tokens,omitempty"`
	// Asks says whether it asks for feedback, for policies that do so by a tool call; if
	// nil, the text is searched for the trigger.
	Asks *bool `json:"asks,omitempty"`
}

// An Assessment is what a critic says about an output. An output that could not be judged
// has none.
type Assessment struct {
	Outcome vitrine.Outcome `json:"outcome"` // of a valid render: rendered
	Score   float64         `json:"score"`   // by the recipe; of an invalid render: 0 or less
	// Feedback is what to improve, in the critic's words; Why is the reason of an invalid
	// render. A session keeps both in the form that the policy may see.
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
	// JSON cannot hold other text, which would be different after a restart.
	instruction = strings.ToValidUTF8(instruction, "\uFFFD")
	return &Session{Version: Version, ID: id, TaskID: taskID, Instruction: instruction, Settings: settings, Turns: []Turn{}}, nil
}

// UnmarshalJSON reads a stored session. It refuses other JSON and other versions.
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
			return fmt.Errorf("session: turn %d is not complete", i+1)
		}
	}
	*s = Session(p)
	return nil
}

// Recall returns the reply to a step that was taken before, and nil for the next one.
// Callers use it before they judge an output, so that a repeated step costs nothing.
// Errors are [ErrConflict], [ErrOutOfTurn] and [ErrDone].
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
// critic. The same turn with the same output gets the same reply again and changes
// nothing. Errors are those of [Session.Recall], or a bug of the caller.
func (s *Session) Step(turn int, answer Answer, a *Assessment) (Reply, error) {
	if before, err := s.Recall(turn, answer.Text); before != nil || err != nil {
		return deref(before), err
	}
	if err := s.check(a); err != nil {
		return Reply{}, fmt.Errorf("turn %d: %w", turn, err)
	}
	t, err := s.newTurn(turn, answer, a)
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

// Finish ends a session with its best output so far. It does not change one that is done.
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
		return errors.New("want an assessment: an output that could not be judged is no turn")
	case a != nil && (math.IsNaN(a.Score) || math.IsInf(a.Score, 0)):
		return fmt.Errorf("want a score that is a number, got %v", a.Score)
	}
	return nil
}

// newTurn makes a turn of an output, and accepts it if it is better than the best so far.
func (s *Session) newTurn(turn int, answer Answer, a *Assessment) (Turn, error) {
	t := Turn{
		Turn: turn, Round: s.round(turn - 1), Output: strings.ToValidUTF8(answer.Text, "\uFFFD"), Hash: hashOf(answer.Text),
		Asked: asks(answer.Text, s.Settings.Trigger), Assessment: s.normalize(a), Accepted: true,
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

// normalize is an assessment as a session stores it. An invalid render scores 0 (ReLook
// Eq. 3), or the recipe's score if that is less.
func (s *Session) normalize(a *Assessment) *Assessment {
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

// next returns the action after a turn that is not in the session yet, and why the session
// ends if that is done. A rejected output is sampled again whether it asks for feedback or
// not (ReLook Alg. 1).
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

// attempts is the number of outputs of a round so far. Since the first one is no resample,
// this is also the number of resamples once the next output is added.
func (s *Session) attempts(round int) (n int) {
	for _, t := range s.Turns {
		if t.Round == round {
			n++
		}
	}
	return n
}

// round is the round that the policy writes after the given number of turns.
func (s *Session) round(turns int) int {
	n := 1
	for _, t := range s.Turns[:turns] {
		if t.Accepted {
			n++
		}
	}
	return n
}

// best returns the accepted turn with the highest score among the given number of first
// turns, the latest of equals; without scores the latest; nil if there is none.
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
