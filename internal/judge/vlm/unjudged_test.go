package vlm

import (
	"errors"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/model"
	"vitrine/internal/model/dialog"
	"vitrine/internal/model/modeltest"
)

// Whatever a model does wrong, there is no score, a typed cause, and the raw answers.
func TestUnusableAnswersAreUnjudged(t *testing.T) {
	t.Parallel()
	always := func(text string) func(modeltest.Question) modeltest.Answer {
		return func(modeltest.Question) modeltest.Answer { return modeltest.Answer{Text: text} }
	}
	for name, c := range map[string]struct {
		answer func(modeltest.Question) modeltest.Answer
		cause  dialog.Cause
		calls  int
	}{
		"garbage":    {always("I like it, 4 out of 5!"), dialog.CauseInvalid, 2},
		"empty":      {always(""), dialog.CauseInvalid, 2},
		"wrong keys": {always(`{"stars":4}`), dialog.CauseInvalid, 2},
		"two values": {always(`{"grade":4} {"grade":5}`), dialog.CauseInvalid, 2},
		"NaN":        {always(`{"score":NaN}`), dialog.CauseInvalid, 2},
		"refused": {func(modeltest.Question) modeltest.Answer {
			return modeltest.Answer{Finish: model.FinishRefused, Refusal: "I will not judge people's work."}
		}, dialog.CauseRefused, 1},
		"cut off": {func(modeltest.Question) modeltest.Answer {
			return modeltest.Answer{Finish: model.FinishLength, Text: `{"analysis":"It`}
		}, dialog.CauseCutOff, 2},
	} {
		for _, protocol := range Protocols(false) {
			t.Run(name+" "+protocol, func(t *testing.T) {
				t.Parallel()
				server := modeltest.New(t, c.answer)
				j := Judge{Asker: server.Client(t, model.Settings{}), Settings: settings(protocol)}
				got, err := j.Judge(t.Context(), site())
				unjudged(t, err, c.cause)
				if got.Scores != nil || got.Feedback != "" {
					t.Errorf("there are scores %v and feedback %q", got.Scores, got.Feedback)
				}
				wellKept(t, got, c.calls)
				for _, call := range got.Calls {
					if call.Problem == "" {
						t.Errorf("a call that could not be used does not say why: %+v", call)
					}
				}
			})
		}
	}
}

func unjudged(t *testing.T, err error, cause dialog.Cause) {
	t.Helper()
	var f *vitrine.Fault
	var u *dialog.Unusable
	if !errors.As(err, &f) || f.Code != vitrine.FaultJudge || !errors.As(err, &u) || u.Cause != cause {
		t.Fatalf("got error %v, want an unusable answer, %s", err, cause)
	}
}

// What the wrong answer of each protocol looks like when everything but a number or
// a word is right.
func TestWrongValuesAreAskedAgainAndThenUnjudged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ protocol, old, wrong, want string }{
		{"appearance", `"grade":3`, `"grade":6`, "out of range"},
		{"appearance", `"grade":3`, `"grade":"3"`, "want an integer"},
		{"appearance", `"grade":3`, `"grade":3.5`, "no whole number"},
		{"static", `"total":70.5`, `"total":80`, "total is 80, but its parts add up to 70.5"},
		{"static", `"alignment":30`, `"alignment":41`, "alignment: 41 is out of range, want 0 to 40"},
		{"code", `"design":25`, `"design":51`, "want 0 to 50"},
		{"code", `"total":60`, `"total":59`, "add up to 60"},
		{"visual", `"score":62.5`, `"score":101`, "out of range"},
		{"visual", `["Move the heading above the list, since visitors look there first."]`, `[]`, "what keeps the score below 100"},
		{"visual", `Move the heading above`, "Set `margin: 0;` on", "holds code"},
		{"visual", `Move the heading above the list, since visitors look there first.`, "Better colours", "no sentence"},
		{"direct", `"score":7`, `"score":0`, "out of range"},
		{"likert", `"1.2":1`, `"1.2":0`, "ratings.1.2: 0 is out of range"},
		{"likert", `"4.3":3`, `"4.4":3`, "ratings.4.4: unknown key"},
		{"rubric", `"static.1":true`, `"static.1":"yes"`, "leaves.static.1: want a boolean"},
		{"rubric", `"static.1":true,`, ``, "leaves.static.1: missing"},
		{"alignment", `"score":8`, `"score":11`, "out of range"},
		{"checklist", `"item_2":5`, `"item_2":6`, "items.item_2: 6 is out of range, want 0 to 5"},
		{"checklist", `"overall":12.5`, `"overall":13`, "overall is 13, but its parts add up to 12.5"},
		{"filter-safety", `"category":"none"`, `"category":"hate"`, "category is none exactly where safe is true"},
		{"filter-interaction", `"score":0`, `"score":11`, "out of range"},
		{"filter-intention", `"score":5`, `"score":0`, "out of range"},
		{"filter-website", `false`, `"NO"`, "want a boolean"},
		{"screenshot", `true`, `1`, "want a boolean"},
		{"paraphrase", `Build a tea shop that has a cart.`, ` `, "must not be empty"},
	} {
		good := right[c.protocol].answer
		wrong := strings.Replace(good, c.old, c.wrong, 1)
		if wrong == good {
			t.Fatalf("%s has no %s", c.protocol, c.old)
		}
		mended := &script{answer: func(call int, _ model.Request) model.Reply {
			if call == 1 {
				return reply(wrong)
			}
			return reply(good)
		}}
		j := Judge{Asker: mended, Settings: settings(c.protocol)}
		got, err := j.Judge(t.Context(), site())
		if err != nil || len(got.Calls) != 2 || !strings.Contains(got.Calls[0].Problem, c.want) {
			t.Errorf("%s, %s: %v, calls %+v; want a second call because of %q", c.protocol, c.wrong, err, got.Calls, c.want)
			continue
		}
		if again := mended.asked[1]; len(again.Messages) != 3 || again.Messages[1].Role != model.RoleAssistant || !strings.Contains(again.Messages[2].Parts[0].Text, c.want) {
			t.Errorf("%s, %s: the model is not told what is wrong", c.protocol, c.wrong)
		}
		if got.Cost.USD == nil || *got.Cost.USD != 0.5 {
			t.Errorf("%s: both calls are not paid for: %+v", c.protocol, got.Cost)
		}
		j.Asker = says(wrong)
		_, err = j.Judge(t.Context(), site())
		unjudged(t, err, dialog.CauseInvalid)
	}
}

func TestACutOffAnswerGetsMoreRoomOnce(t *testing.T) {
	t.Parallel()
	s := &script{answer: func(call int, _ model.Request) model.Reply {
		r := reply(right["static"].answer)
		if call == 1 {
			r.Finish = model.FinishLength
		}
		return r
	}}
	j := Judge{Asker: s, Settings: settings("static")}
	j.Settings.MaxTokens = 1000
	got, err := j.Judge(t.Context(), site())
	if err != nil || got.Scores["total"] != 70.5 {
		t.Fatalf("%v, %v", got.Scores, err)
	}
	if s.asked[0].MaxTokens != 1000 || s.asked[1].MaxTokens != 4000 {
		t.Errorf("asked with %d, then %d tokens", s.asked[0].MaxTokens, s.asked[1].MaxTokens)
	}
}

func TestAnEmptyAnswerIsNoTurn(t *testing.T) {
	t.Parallel()
	s := says("")
	j := Judge{Asker: s, Settings: settings("static")}
	if _, err := j.Judge(t.Context(), site()); err == nil {
		t.Fatal("nothing is wrong")
	}
	again := s.asked[1]
	if len(again.Messages) != 1 || !strings.Contains(sent(again), "the answer is empty") {
		t.Errorf("sent %d messages: %q", len(again.Messages), sent(again))
	}
	if len(s.asked[0].Messages[0].Parts) == len(again.Messages[0].Parts) {
		t.Error("the first request was changed, or the second was not")
	}
}

func TestAnEndpointInTroubleKeepsItsCause(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]vitrine.FaultCode{401: vitrine.FaultNoKey, 429: vitrine.FaultRateLimited, 400: vitrine.FaultModelRequest, 503: vitrine.FaultModelError} {
		server := modeltest.New(t, func(modeltest.Question) modeltest.Answer {
			return modeltest.Answer{Failure: &modeltest.Failure{Status: status}}
		})
		j := Judge{Asker: server.Client(t, model.Settings{Retries: -1}), Settings: settings("static")}
		got, err := j.Judge(t.Context(), site())
		if f := vitrine.AsFault("judge", err); err == nil || f.Code != want || got.Scores != nil {
			t.Errorf("%d: got %v and %v, want %s", status, got.Scores, err, want)
		}
	}
}

func TestAFrameThatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	s := site()
	s.Frames = func(vitrine.Frame) ([]model.Image, error) { return nil, errors.New("torn file") }
	_, err := (&Judge{Asker: says("never"), Settings: settings("static")}).Judge(t.Context(), s)
	if err == nil || !strings.Contains(err.Error(), "/@desktop@0: torn file") {
		t.Errorf("got %v", err)
	}
}
