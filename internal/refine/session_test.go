package refine_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/refine"
)

func TestSettingsAreChecked(t *testing.T) {
	for want, change := range map[string]func(*refine.Settings){
		"max_rounds":            func(s *refine.Settings) { s.MaxRounds = 0 },
		"at most 3 without a c": func(s *refine.Settings) { s.CriticFree, s.MaxRounds = true, 4 },
		"max_resamples":         func(s *refine.Settings) { s.MaxResamples = -1 },
		"on_reject":             func(s *refine.Settings) { s.OnReject = "skip" },
		"ask: want":             func(s *refine.Settings) { s.Ask = "never" },
		"accept: want":          func(s *refine.Settings) { s.Accept = "all" },
		"epsilon":               func(s *refine.Settings) { s.Epsilon = math.NaN() },
		"feedback":              func(s *refine.Settings) { s.Feedback = "" },
		"max_feedback_chars":    func(s *refine.Settings) { s.MaxFeedbackChars = 0 },
		"trigger":               func(s *refine.Settings) { s.Trigger = " " },
		"reward":                func(s *refine.Settings) { s.Reward = "mean" },
		"full_score":            func(s *refine.Settings) { s.FullScore = 0 },
	} {
		settings := refine.Defaults()
		change(&settings)
		if _, err := refine.New("", "", "", settings); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestAStepThatIsNone(t *testing.T) {
	s := open(t, nil)
	for name, a := range map[string]*refine.Assessment{"unjudged": nil, "no number": assess(math.NaN(), true), "infinite": assess(math.Inf(1), true)} {
		if _, err := s.Step(1, refine.Answer{Text: "x"}, a); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
	if len(s.Turns) != 0 || s.Done || s.Result().Reward != nil {
		t.Errorf("the session moved: %+v", s)
	}
	if r, err := s.Recall(1, "x"); r != nil || err != nil {
		t.Errorf("turn 1 is not free: %v, %v", r, err)
	}
}

func TestStoredSessionsAreChecked(t *testing.T) {
	good, err := json.Marshal(open(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	for want, replace := range map[string][2]string{
		"version 2":               {`"version":1`, `"version":2`},
		"max_rounds":              {`"max_rounds":3`, `"max_rounds":0`},
		"turn 1 is not complete":  {`"turns":[]`, `"turns":[{"turn":2}]`},
		"turn 1 is not complete ": {`"turns":[]`, `"turns":[{"turn":1}]`},
		"cannot unmarshal":        {`"turns":[]`, `"turns":7`},
	} {
		bad := strings.Replace(string(good), replace[0], replace[1], 1)
		var s refine.Session
		if err := json.Unmarshal([]byte(bad), &s); err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("%s: got %v, want %q", bad, err, want)
		}
	}
}

// Sessions of programs that did not know forced rounds go on as they began.
func TestASessionThatDoesNotSayHowItAccepts(t *testing.T) {
	b, err := json.Marshal(open(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	var stored map[string]any
	if err := json.Unmarshal(b, &stored); err != nil {
		t.Fatal(err)
	}
	settings := stored["settings"].(map[string]any)
	delete(settings, "ask")
	delete(settings, "accept")
	if b, err = json.Marshal(stored); err != nil {
		t.Fatal(err)
	}
	var s refine.Session
	if err := json.Unmarshal(b, &s); err != nil || s.Settings != refine.Defaults() {
		t.Errorf("got %+v, %v", s.Settings, err)
	}
}

func TestWhatThePolicyIsShown(t *testing.T) {
	s := open(t, nil)
	step := func(turn int, a *refine.Assessment) string {
		r, err := s.Step(turn, refine.Answer{Text: output(turn, true)}, a)
		if err != nil {
			t.Fatal(err)
		}
		return r.Observation.Text
	}
	first := step(1, &refine.Assessment{Outcome: vitrine.OutcomeBuildFailed, Score: 0.7, Why: "```\n<Foo> is not defined", Feedback: "unused"})
	if want := "<mlm_feedback>\nThe page could not be shown: [code]\n</mlm_feedback>"; first != want {
		t.Errorf("invalid: got %q, want %q", first, want)
	}
	if got := *s.Turns[0].Assessment; got.Score != 0 {
		t.Errorf("an invalid render scores %v", got.Score)
	}
	if got, want := step(2, assess(0.5, true)), "<mlm_feedback>\nThe heading is too small.\n</mlm_feedback>"; got != want {
		t.Errorf("accepted: got %q, want %q", got, want)
	}
	rejected := step(3, assess(0.25, true))
	for _, want := range []string{"Not accepted", "0.25", "turn 2 scores 0.5", "The heading is too small."} {
		if !strings.Contains(rejected, want) {
			t.Errorf("rejected: %q does not say %q", rejected, want)
		}
	}
	if got := step(4, assess(0.6, true)); got != "" {
		t.Errorf("done: got %q", got)
	}
	// All that was accepted is in the conversation, and nothing that was rejected.
	want := []refine.Message{
		{Role: "user", Content: s.Opening()}, {Role: "assistant", Content: output(1, true)}, {Role: "user", Content: first},
		{Role: "assistant", Content: output(2, true)}, {Role: "user", Content: "<mlm_feedback>\nThe heading is too small.\n</mlm_feedback>"},
		{Role: "assistant", Content: output(4, true)},
	}
	if diff := cmp.Diff(want, s.Messages()); diff != "" {
		t.Errorf("the conversation (-want +got):\n%s", diff)
	}
}

// Without the rule a policy that is sure of itself never asks.
func TestThePolicyIsUrgedToAsk(t *testing.T) {
	opening := open(t, func(s *refine.Settings) { s.Trigger, s.MaxRounds = "<look>", 5 }).Opening()
	for _, want := range []string{"Unless you are sure that the version has no flaw, end the answer with <look>.", "It is then opened in a browser", "at most 5 versions", "no better than the best before it is thrown away", "\n\nA page about tea."} {
		if !strings.Contains(opening, want) {
			t.Errorf("the policy is not told %q: %s", want, opening)
		}
	}
}

func TestTheOpeningBeginsWithTheSystemPrompt(t *testing.T) {
	opening := open(t, func(s *refine.Settings) { s.System = "Write projects." }).Opening()
	if !strings.HasPrefix(opening, "Write projects.\n\n# Request\nBuild") || !strings.HasSuffix(opening, "\n\nA page about tea.") {
		t.Errorf("the opening is %s", opening)
	}
}

func TestFeedbackNone(t *testing.T) {
	s := open(t, func(s *refine.Settings) { s.Feedback = refine.None })
	r, err := s.Step(1, refine.Answer{Text: output(1, true)}, assess(0.5, true))
	if err != nil || strings.Contains(r.Observation.Text, "heading") || r.Action != refine.ActionRevise {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestLengthReward(t *testing.T) {
	for tokens, want := range map[int]float64{0: 1, 11999: 1, 12000: 1, 12001: 0.9995, 13000: 0.5, 13999: 0.0005, 14000: 0, 90000: 0} {
		s := open(t, func(s *refine.Settings) { s.Reward, s.FullScore = refine.RewardReLook, 100 })
		if _, err := s.Step(1, refine.Answer{Text: output(1, false), Tokens: &tokens}, assess(80, true)); err != nil {
			t.Fatal(err)
		}
		r := s.Result()
		if math.Abs(*r.Len-want) > 1e-12 || math.Abs(*r.Reward-0.8*want) > 1e-12 || r.Estimated || r.Tokens != tokens {
			t.Errorf("%d tokens: got %+v, want %v", tokens, r, want)
		}
	}
}

func TestTokensOfTheTrajectory(t *testing.T) {
	s := open(t, nil)
	for i, score := range []float64{0.4, 0.1, 0.6} {
		if _, err := s.Step(i+1, refine.Answer{Text: output(i+1, i < 2), Tokens: new(1000)}, assess(score, true)); err != nil {
			t.Fatal(err)
		}
	}
	r := s.Result()
	critique := s.Turns[0].ShownTokens
	if critique < 5 || r.Tokens != 2000+critique || !r.Estimated {
		t.Errorf("got %+v; want two accepted outputs and one critique of %d tokens, of which the critique is an estimate", r, critique)
	}
	ended := open(t, func(s *refine.Settings) { s.MaxResamples = 0 })
	for i, score := range []float64{0.4, 0.1} {
		if _, err := ended.Step(i+1, refine.Answer{Text: output(i+1, true), Tokens: new(1000)}, assess(score, true)); err != nil {
			t.Fatal(err)
		}
	}
	if r := ended.Result(); r.Tokens != 1000+ended.Turns[0].ShownTokens || r.Tokens == 1000 {
		t.Errorf("got %d tokens; want one accepted output and the critique that was shown after it", r.Tokens)
	}
	long := open(t, nil)
	text := strings.Repeat("<p>tea</p>\n", 100_000)
	if _, err := long.Step(1, refine.Answer{Text: text}, assess(0.4, true)); err != nil {
		t.Fatal(err)
	}
	if r := long.Result(); !r.Estimated || r.Tokens < len(text)/8 || r.Tokens > len(text) {
		t.Errorf("a megabyte: %d tokens, estimated %v", r.Tokens, r.Estimated)
	}
}

func TestFinishKeepsTheBest(t *testing.T) {
	s := open(t, nil)
	if _, err := s.Step(1, refine.Answer{Text: output(1, true)}, assess(0.4, true)); err != nil {
		t.Fatal(err)
	}
	if s.Result().Reward != nil {
		t.Error("there is a reward before the end")
	}
	s.Finish()
	s.Finish()
	if r := s.Result(); s.Why != refine.EndFinished || r.Reward == nil || *r.Reward != 0.4 {
		t.Errorf("got %s, %+v", s.Why, r)
	}
	empty := open(t, nil)
	empty.Finish()
	if r := empty.Result(); r.Reward != nil || r.BestTurn != 0 {
		t.Errorf("a session without a turn: %+v", r)
	}
}
