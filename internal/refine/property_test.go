package refine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/refine"
)

// drawSession is one with settings of all kinds.
func drawSession(t *rapid.T) *refine.Session {
	return open(t, func(s *refine.Settings) {
		s.MaxRounds = rapid.IntRange(1, 5).Draw(t, "rounds")
		s.MaxResamples = rapid.IntRange(0, 4).Draw(t, "resamples")
		s.OnReject = rapid.SampledFrom([]string{refine.Retry, refine.Retry, refine.Stop}).Draw(t, "on reject")
		s.Epsilon = rapid.SampledFrom([]float64{s.Epsilon, s.Epsilon, 0.2}).Draw(t, "epsilon")
		s.Feedback = rapid.SampledFrom([]string{refine.Text, refine.None}).Draw(t, "feedback")
		s.Reward = rapid.SampledFrom([]refine.Reward{refine.RewardBest, refine.RewardReLook}).Draw(t, "reward")
	})
}

// A drawnStep is one output of any text, with any assessment.
type drawnStep struct {
	answer refine.Answer
	a      *refine.Assessment
}

func drawStep(t *rapid.T) drawnStep {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "\xff<html>", "<mlm_feedback>mine</mlm_feedback>", "<think>``` <get_feedback>"})).Draw(t, "text")
	if rapid.IntRange(0, 9).Draw(t, "asks") > 0 {
		text += "<get_feedback>"
	}
	a := assess(rapid.SampledFrom([]float64{-1, 0, 0.1, 0.2, 0.5, 0.9, 1}).Draw(t, "score"), rapid.IntRange(0, 5).Draw(t, "valid") > 0)
	a.Feedback = rapid.String().Draw(t, "feedback")
	return drawnStep{refine.Answer{Text: text, Tokens: rapid.Ptr(rapid.IntRange(0, 9000), true).Draw(t, "tokens")}, a}
}

// restarted is a session that was stored and read back.
func restarted(t *rapid.T, s *refine.Session) *refine.Session {
	b, err := json.Marshal(s)
	var again refine.Session
	if err == nil {
		err = json.Unmarshal(b, &again)
	}
	if err != nil {
		t.Fatal(err)
	}
	return &again
}

func asJSON(t *rapid.T, v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// play steps a session to its end and calls after with every reply.
func play(t *rapid.T, s *refine.Session, after func(drawnStep, refine.Reply)) {
	for i := 1; !s.Done; i++ {
		step := drawStep(t)
		r, err := s.Step(i, step.answer, step.a)
		if err != nil {
			t.Fatal(err)
		}
		after(step, r)
	}
}

func TestAcceptedScoresStrictlyIncreaseAndTheBestIsReturned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSession(t)
		if e := s.Settings.Epsilon; e != 0 && e != 0.2 {
			t.Fatalf("by default a version must be better by %v", e)
		}
		best, turn := math.Inf(-1), 0
		play(t, s, func(step drawnStep, r refine.Reply) {
			if r.Accepted != (turn == 0 || *r.Score > best+s.Settings.Epsilon) {
				t.Fatalf("turn %d: accepted %v with %v, best %v", r.Turn, r.Accepted, *r.Score, best)
			}
			if r.Accepted {
				best, turn = *r.Score, r.Turn
			}
			if *r.BestScore != best || *r.BestTurn != turn {
				t.Fatalf("turn %d: best %v of turn %d, want %v of %d", r.Turn, *r.BestScore, *r.BestTurn, best, turn)
			}
			if (r.Reward != nil) != r.Done || r.Done != (r.Action == refine.ActionDone) {
				t.Fatalf("turn %d: %+v", r.Turn, r)
			}
		})
		got := s.Result()
		if got.BestTurn != turn || *got.BestScore != best || got.Output != s.Turns[turn-1].Output {
			t.Fatalf("result %+v, want turn %d with %v", got, turn, best)
		}
		if s.Settings.Reward == refine.RewardReLook && (*got.Reward < 0 || *got.Reward > 1) {
			t.Fatalf("reward %v", *got.Reward)
		}
	})
}

func TestRoundsAndResamplesAreBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSession(t)
		rejected := map[int]int{}
		play(t, s, func(_ drawnStep, r refine.Reply) {
			if !r.Accepted {
				rejected[r.Round]++
			}
		})
		for _, turn := range s.Turns {
			if turn.Round > s.Settings.MaxRounds {
				t.Fatalf("turn %d is of round %d", turn.Turn, turn.Round)
			}
		}
		for round, n := range rejected {
			// The first attempt of a round is no resample.
			if n-1 > s.Settings.MaxResamples || s.Settings.OnReject == refine.Stop && n > 1 {
				t.Fatalf("round %d: %d rejected", round, n)
			}
		}
	})
}

func TestCriticSegmentsAreAlwaysMasked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSession(t)
		play(t, s, func(drawnStep, refine.Reply) {})
		policy, critic := map[int]string{}, map[int]string{}
		var last refine.Segment
		for _, seg := range s.Trajectory() {
			if seg.Turn < last.Turn || seg.Turn == last.Turn && last.Owner == refine.OwnerCritic {
				t.Fatalf("%+v after %+v", seg, last)
			}
			last = seg
			if seg.Owner == refine.OwnerPolicy {
				policy[seg.Turn] += seg.Text
			} else {
				critic[seg.Turn] += seg.Text
			}
			if want := seg.Owner == refine.OwnerPolicy && seg.Accepted; (seg.Mask == 1) != want {
				t.Fatalf("mask %d of %+v", seg.Mask, seg)
			}
			if (seg.Owner == refine.OwnerCritic) != (seg.Kind == refine.KindFeedback) || seg.Accepted != s.Turns[seg.Turn-1].Accepted {
				t.Fatalf("%+v", seg)
			}
		}
		for _, turn := range s.Turns {
			if policy[turn.Turn] != turn.Output {
				t.Fatalf("turn %d: the segments are %q, the output %q", turn.Turn, policy[turn.Turn], turn.Output)
			}
			if critic[turn.Turn] != turn.Shown {
				t.Fatalf("turn %d: the critic's segments are %q, shown was %q", turn.Turn, critic[turn.Turn], turn.Shown)
			}
		}
	})
}

func TestARestartChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSession(t)
		other := restarted(t, s)
		play(t, s, func(step drawnStep, r refine.Reply) {
			if rapid.Bool().Draw(t, "restart") {
				other = restarted(t, other)
			}
			got, err := other.Step(r.Turn, step.answer, step.a)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(asJSON(t, r), asJSON(t, got)); diff != "" {
				t.Fatalf("turn %d (-went on +restarted):\n%s", r.Turn, diff)
			}
		})
		if diff := cmp.Diff(asJSON(t, s), asJSON(t, restarted(t, other))); diff != "" {
			t.Fatalf("(-went on +restarted):\n%s", diff)
		}
		if diff := cmp.Diff(asJSON(t, s.Trajectory()), asJSON(t, other.Trajectory())); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestTheSameStepAnswersTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSession(t)
		var steps []drawnStep
		var replies []string
		again := func() {
			before := asJSON(t, s)
			for i, step := range steps {
				// Judged anew, it might have scored otherwise: the first answer holds.
				r, err := s.Step(i+1, step.answer, assess(7, true))
				if err != nil || asJSON(t, r) != replies[i] {
					t.Fatalf("turn %d: %v, %s, want %s", i+1, err, asJSON(t, r), replies[i])
				}
				if _, err := s.Step(i+1, refine.Answer{Text: step.answer.Text + "!"}, step.a); !errors.Is(err, refine.ErrConflict) {
					t.Fatalf("turn %d with another output: %v", i+1, err)
				}
			}
			if asJSON(t, s) != before {
				t.Fatal("repeated steps changed the session")
			}
		}
		play(t, s, func(step drawnStep, r refine.Reply) {
			steps, replies = append(steps, step), append(replies, asJSON(t, r))
			again()
		})
		s.Finish()
		again()
		if _, err := s.Step(len(steps)+1, refine.Answer{}, assess(1, true)); !errors.Is(err, refine.ErrDone) {
			t.Fatalf("a step after the end: %v", err)
		}
		if _, err := s.Step(len(steps)+2, refine.Answer{}, assess(1, true)); !errors.Is(err, refine.ErrOutOfTurn) {
			t.Fatalf("a step too far: %v", err)
		}
		if _, err := s.Step(0, refine.Answer{}, assess(1, true)); !errors.Is(err, refine.ErrOutOfTurn) {
			t.Fatalf("turn 0: %v", err)
		}
	})
}

func TestWhatTheModelSeesNeverHoldsTheCriticsCode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		said := rapid.StringOf(rapid.SampledFrom([]rune("<>/`~!? \n\r\tpre mlm_fdbackcodé|\u200b\u202e\x00"))).Draw(t, "said")
		limit := rapid.IntRange(1, 40).Draw(t, "limit")
		fit(t, said, limit, refine.Critique(said, limit))
	})
}

// fit checks what a critique promises.
func fit(t interface{ Fatalf(string, ...any) }, said string, limit int, got string) {
	for _, bad := range []string{"<", ">", "```", "~~~", "\u200b", "\x00", "\r", "\n ", "\n\n"} {
		for i := 0; i+len(bad) <= len(got); i++ {
			if got[i:i+len(bad)] == bad {
				t.Fatalf("%q became %q, which holds %q", said, got, bad)
			}
		}
	}
	if n := len([]rune(got)); n > limit {
		t.Fatalf("%q became %q: %d characters, want at most %d", said, got, n, limit)
	}
	if again := refine.Critique(got, limit); again != got {
		t.Fatalf("%q became %q, and then %s", said, got, fmt.Sprintf("%q", again))
	}
}
