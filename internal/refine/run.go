package refine

import (
	"context"
	"fmt"
)

// A Policy writes sites: a language model, say.
type Policy interface {
	// Answer writes the next output. An error stops the loop where it is.
	Answer(context.Context, Request) (Answer, error)
}

// A Request asks a policy for an output.
type Request struct {
	Messages []Message
	// Turn is the turn to be. A round that is sampled again has the same messages, and
	// a turn of its own: use it as the seed, or a cache gives the same output again.
	Turn int
}

// A Critic looks at outputs.
type Critic interface {
	// Assess renders and scores an output. An error means that it could not be judged,
	// which is not the output's doing.
	Assess(ctx context.Context, output string) (Assessment, error)
}

// Run takes a session to its end. The critic of a session without one may be nil. On
// an error the session is as it was before the turn, but that an output which was not
// judged yet is kept as its draft: the same call goes on with it.
//
// keep is called whenever the session has changed, so that it can be stored: with the
// draft before it is judged, and after each turn. Its error stops the loop.
func Run(ctx context.Context, s *Session, policy Policy, critic Critic, keep func(*Session) error) error {
	for !s.Done {
		if err := turn(ctx, s, policy, critic, keep); err != nil {
			return fmt.Errorf("turn %d: %w", len(s.Turns)+1, err)
		}
		if err := keep(s); err != nil {
			return fmt.Errorf("keep turn %d: %w", len(s.Turns), err)
		}
	}
	return nil
}

func turn(ctx context.Context, s *Session, policy Policy, critic Critic, keep func(*Session) error) error {
	next := len(s.Turns) + 1
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.Draft == nil {
		answer, err := policy.Answer(ctx, Request{Messages: s.Messages(), Turn: next})
		if err != nil {
			return fmt.Errorf("ask the policy: %w", err)
		}
		s.Draft = &answer
		if err := keep(s); err != nil {
			return fmt.Errorf("keep the output: %w", err)
		}
	}
	var a *Assessment
	if !s.Settings.CriticFree {
		found, err := critic.Assess(ctx, s.Draft.Text)
		if err != nil {
			return fmt.Errorf("judge the output: %w", err)
		}
		a = &found
	}
	_, err := s.Step(next, *s.Draft, a)
	return err
}
