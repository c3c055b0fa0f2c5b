package vlm

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"vitrine"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
)

var close = cmpopts.EquateApprox(0, 1e-9)

func TestEveryProtocolHasItsRightAnswer(t *testing.T) {
	t.Parallel()
	for _, p := range protocols {
		_, single := right[p.name]
		_, pair := rightPair[p.name]
		if single == p.pair || pair != p.pair {
			t.Errorf("%s is not tested", p.name)
		}
	}
}

// wires has a model for every wire format.
var wires = map[string]model.Protocol{
	"openai/gpt-5-mini": model.OpenAI, "anthropic/claude-sonnet-4-5": model.Anthropic, "google/gemini-2.5-flash": model.Google,
}

// versionOf is the version of a protocol: 1 until it was raised.
func versionOf(protocol string) string {
	switch protocol {
	case "filter-interaction", "filter-intention", "visual":
		return "2"
	}
	return "1"
}

// Right answers in every dress, through the real client and every provider's wire.
func TestRightAnswersEndToEnd(t *testing.T) {
	t.Parallel()
	dress := map[string]func(string) string{
		"bare":     func(s string) string { return s },
		"fenced":   func(s string) string { return "Here you are:\n```json\n" + s + "\n```\nI hope this helps." },
		"doubled":  func(s string) string { return s + "\n" + s },
		"thinking": func(s string) string { return "<think>{\"grade\": 1}? No.</think>" + s },
	}
	for how, dressed := range dress {
		for name := range wires {
			if how != "bare" && name != "openai/gpt-5-mini" {
				continue
			}
			for _, protocol := range Protocols(false) {
				t.Run(how+" "+name+" "+protocol, func(t *testing.T) {
					t.Parallel()
					server := modeltest.New(t, func(modeltest.Question) modeltest.Answer {
						return modeltest.Answer{Text: dressed(right[protocol].answer)}
					})
					j := Judge{Asker: server.Client(t, model.Settings{}), Settings: Settings{Protocol: protocol, Model: name}}
					got, err := j.Judge(t.Context(), site())
					if err != nil {
						t.Fatal(err)
					}
					for key, want := range right[protocol].scores {
						if diff := cmp.Diff(want, got.Scores[key], close); diff != "" {
							t.Errorf("%s: %s", key, diff)
						}
					}
					if want := protocol + "@" + versionOf(protocol) + " " + name; got.Judge != want || got.Protocol != protocol {
						t.Errorf("judge %q, protocol %q; want %q", got.Judge, got.Protocol, want)
					}
					wellKept(t, got, 1)
				})
			}
		}
	}
}

// wellKept holds what every judgement by a model promises.
func wellKept(t *testing.T, j vitrine.Judgement, calls int) {
	t.Helper()
	if len(j.Calls) != calls {
		t.Errorf("%d calls, want %d", len(j.Calls), calls)
	}
	in := 0
	for _, c := range j.Calls {
		if c.Model == "" || c.Prompt == "" || c.Conversation == "" || c.Attempts != 1 || c.Finish == "" {
			t.Errorf("the record of a call is incomplete: %+v", c)
		}
		in += c.Cost.TokensIn
	}
	if j.Cost.TokensIn != in || in == 0 {
		t.Errorf("cost has %d tokens, the calls %d", j.Cost.TokensIn, in)
	}
	for _, f := range j.Findings {
		if (f.Status == vitrine.StatusScored) != (f.Score != nil) || f.Why == "" {
			t.Errorf("finding %+v is not well-formed", f)
		}
		if f.Score != nil && !(*f.Score >= 0 && *f.Score <= 1) {
			t.Errorf("%s: %v is not in [0,1]", f.Check, *f.Score)
		}
	}
}

func TestAnInvalidRenderIsNotAskedAbout(t *testing.T) {
	t.Parallel()
	for protocol, want := range map[string]map[string]float64{
		"appearance": {"appearance": 0},
		"static":     {"alignment": 0, "aesthetics": 0, "structure": 0, "total": 0},
		"visual":     {"visual": 0},
		"direct":     {"direct": 1},
		"rubric":     {"rubric": 0, "rubric.intention": 0, "rubric.static": 0, "rubric.dynamic": 0},
		"alignment":  {"alignment.10": 1},
		"checklist":  {"checklist": 0, "checklist.1": 0, "checklist.2": 0},
		"screenshot": {"screenshot": 0},
		"plot":       {"plot": 0},
	} {
		for _, profile := range vitrine.Profiles {
			s := says("never")
			j := Judge{Asker: s, Settings: settings(protocol)}
			j.Settings.Profile = profile
			got, err := j.Judge(t.Context(), broken())
			if err != nil || len(s.asked) != 0 {
				t.Errorf("%s: %v, %d calls", protocol, err, len(s.asked))
			}
			if diff := cmp.Diff(want, got.Scores); diff != "" {
				t.Errorf("%s in %s: %s", protocol, profile, diff)
			}
			if len(got.Findings) != 1 || !strings.Contains(got.Findings[0].Why, "the page is blank") || got.Cost.USD == nil {
				t.Errorf("%s: finding %+v, cost %+v", protocol, got.Findings, got.Cost)
			}
		}
	}
	for _, profile := range vitrine.Profiles {
		j := Judge{Asker: says("never"), Settings: settings("likert")}
		j.Settings.Profile = profile
		if got, err := j.Judge(t.Context(), broken()); err != nil || got.Scores["likert"] != 13 {
			t.Errorf("likert: %v, %v; the scale begins at 13", got.Scores, err)
		}
	}
}

func TestProtocolsThatReadNoRenderAskAnyway(t *testing.T) {
	t.Parallel()
	for _, s := range []Settings{settings("code"), {Protocol: "likert", Model: "m/m", Observation: ObserveCode}, settings("filter-website")} {
		j := Judge{Asker: says(right[s.Protocol].answer), Settings: s}
		if got, err := j.Judge(t.Context(), broken()); err != nil || len(got.Calls) != 1 {
			t.Errorf("%s: %d calls, %v", s.Protocol, len(got.Calls), err)
		}
	}
}

func TestAMissingMomentIsAnInvalidRender(t *testing.T) {
	t.Parallel()
	s := site()
	s.Evidence.Views[0].Frames = s.Evidence.Views[0].Frames[:2]
	j := Judge{Asker: says("never"), Settings: settings("visual")}
	got, err := j.Judge(t.Context(), s)
	if err != nil || got.Scores["visual"] != 0 || !strings.Contains(got.Findings[0].Why, "2 of 3 frames") {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestParaphrase(t *testing.T) {
	t.Parallel()
	asked := says(right["paraphrase"].answer)
	j := Judge{Asker: asked, Settings: Settings{Model: "m/m"}}
	got, calls, err := j.Paraphrase(t.Context(), "A tea shop with a cart.")
	if err != nil || got != "Build a tea shop that has a cart." || len(calls) != 1 {
		t.Fatalf("%q, %d calls, %v", got, len(calls), err)
	}
	for _, words := range []string{"in other words", "Change wording, order and the build of sentences.", "and nothing else", "Keep every requirement, limit and detail; add none, drop none, change none.", "A tea shop with a cart."} {
		if !strings.Contains(sent(asked.asked[0]), words) {
			t.Errorf("the prompt does not say %q", words)
		}
	}
}

func TestUnknownPriceStaysUnknown(t *testing.T) {
	t.Parallel()
	s := says(right["static"].answer)
	known := s.answer
	s.answer = func(call int, r model.Request) model.Reply {
		a := known(call, r)
		a.USD = nil
		return a
	}
	got, err := (&Judge{Asker: s, Settings: settings("static")}).Judge(t.Context(), site())
	if err != nil || got.Cost.USD != nil || got.Cost.TokensIn != 100 {
		t.Errorf("cost %+v, %v", got.Cost, err)
	}
}

func TestTheDocumentationNamesEveryProtocol(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/judging.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range protocols {
		if !strings.Contains(string(text), "`"+p.name+"`") {
			t.Errorf("docs/judging.md does not name %s", p.name)
		}
	}
}
