package refine_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/leak"
	"vitrine/internal/refine"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

// assess is what a critic says of a render.
func assess(score float64, valid bool) *refine.Assessment {
	if !valid {
		return &refine.Assessment{Outcome: vitrine.OutcomeInvalidRender, Score: score, Why: "the page is blank"}
	}
	return &refine.Assessment{Outcome: vitrine.OutcomeRendered, Score: score, Feedback: "The heading is too small.", Frames: []string{"f1"}}
}

// open begins a session.
func open(t interface{ Fatal(...any) }, change func(*refine.Settings)) *refine.Session {
	settings := refine.Defaults()
	if change != nil {
		change(&settings)
	}
	s, err := refine.New("s1", "t1", "A page about tea.", settings)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func output(turn int, asks bool) string {
	text := fmt.Sprintf("Version %d.\n```html\n<h1>%d</h1>\n```\n", turn, turn)
	if asks {
		text += "<get_feedback>"
	}
	return text
}

// TestLoops plays the cases that testdata/vectors/refine/make.py wrote, which tells
// their format.
func TestLoops(t *testing.T) {
	data, err := os.ReadFile("../../testdata/vectors/refine/loops.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name     string
		Settings json.RawMessage
		Steps    []struct {
			Score       float64
			Valid, Asks bool
			Want        []any
		}
		Why        refine.End
		Best, MLLM float64
	}
	if err := json.Unmarshal(data, &cases); err != nil || len(cases) == 0 {
		t.Fatal(err)
	}
	for _, c := range cases {
		for _, rule := range []refine.Reward{refine.RewardBest, refine.RewardReLook} {
			t.Run(c.Name+"/"+string(rule), func(t *testing.T) {
				s := open(t, func(set *refine.Settings) {
					if err := json.Unmarshal(c.Settings, set); err != nil {
						t.Fatal(err)
					}
					set.Reward = rule
				})
				for i, step := range c.Steps {
					r, err := s.Step(i+1, refine.Answer{Text: output(i+1, step.Asks)}, assess(step.Score, step.Valid))
					if err != nil {
						t.Fatal(err)
					}
					got := []any{float64(r.Round), r.Accepted, string(r.Action), *r.BestScore, float64(*r.BestTurn)}
					if diff := cmp.Diff(step.Want, got); diff != "" {
						t.Fatalf("turn %d (-want +got):\n%s", i+1, diff)
					}
				}
				got := s.Result()
				if !s.Done || s.Why != c.Why {
					t.Errorf("done %v, %s; want %s", s.Done, s.Why, c.Why)
				}
				want := c.Best
				if rule == refine.RewardReLook {
					want = c.MLLM // the trajectory is short
				}
				if got.Reward == nil || math.Abs(*got.Reward-want) > 1e-12 {
					t.Errorf("reward: got %v, want %v", got.Reward, want)
				}
			})
		}
	}
}
