package model_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
)

// names is a model of each protocol.
var names = map[model.Protocol]string{
	model.OpenAI: "openai/gpt-5-mini", model.Anthropic: "anthropic/claude-haiku-4-5", model.Google: "google/gemini-2.5-flash",
}

// eachProtocol runs a test with a model of each.
func eachProtocol(t *testing.T, test func(t *testing.T, p model.Protocol, name string)) {
	t.Helper()
	for p, name := range names {
		t.Run(string(p), func(t *testing.T) { t.Parallel(); test(t, p, name) })
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ptr[T any](v T) *T { return &v }

func text(s string) model.Request {
	return model.Request{Messages: []model.Message{model.User(model.Text(s))}}
}

func square(t testing.TB, w, h int) model.Image {
	t.Helper()
	var out bytes.Buffer
	must(t, png.Encode(&out, image.NewRGBA(image.Rect(0, 0, w, h))))
	img, err := model.NewImage(out.Bytes())
	must(t, err)
	return img
}

// schema has properties that are not in the order of the alphabet.
var schema = &model.Schema{Name: "verdict", JSON: []byte(`{"type":"object","properties":{"why":{"type":"string"},"grade":{"type":"integer"}},"required":["why","grade"],"additionalProperties":false}`)}

func TestEveryProtocolSendsAllAndReadsAll(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, p model.Protocol, name string) {
		var got modeltest.Question
		usage := model.Usage{In: 100, Out: 20, Cached: 30}
		server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
			got = q
			return modeltest.Answer{Text: `{"why": "é\u0000<x>", "grade": 4}`, Model: "exactly-this", Usage: usage}
		})
		img, jpg := square(t, 3, 2), fitted(t)
		request := model.Request{
			System: "Be strict. «ü»", Schema: schema, MaxTokens: 77, Temperature: ptr(0.25), TopP: ptr(0.5),
			Messages: []model.Message{
				model.User(model.Text("first"), model.Part{Image: &img}, model.Part{Image: &jpg}),
				{Role: model.RoleAssistant, Parts: []model.Part{model.Text("said")}},
				model.User(model.Text("second")),
			},
		}
		reply, err := server.Client(t, model.Settings{}).Ask(t.Context(), name, request)
		must(t, err)
		if diff := cmp.Diff(request.Messages, got.Messages); diff != "" {
			t.Errorf("messages (-sent +read):\n%s", diff)
		}
		if got.Protocol != p || name != string(p)+"/"+got.Model || got.System != request.System || got.MaxTokens != 77 || *got.Temperature != 0.25 || *got.TopP != 0.5 {
			t.Errorf("the server read %+v", got)
		}
		if string(got.Schema) != string(schema.JSON) {
			t.Errorf("the schema came as %s", got.Schema)
		}
		if reply.Text != `{"why": "é\u0000<x>", "grade": 4}` || reply.Model != "exactly-this" || reply.Finish != model.FinishStop || reply.Usage != usage {
			t.Errorf("the answer was read as %+v", reply)
		}
		if reply.Name != name || reply.Attempts != 1 || reply.Cached || reply.Latency <= 0 || len(reply.Hash) != 32 || reply.USD == nil || *reply.USD <= 0 {
			t.Errorf("the reply is %+v", reply)
		}
	})
}

func fitted(t testing.TB) model.Image {
	t.Helper()
	images, err := model.Fit(image.NewGray(image.Rect(0, 0, 8, 8)), model.ImageBudget{})
	must(t, err)
	return images[0]
}

func TestEndsOfAnswers(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, p model.Protocol, name string) {
		midway := "No."
		if p == model.Google {
			midway = "SAFETY" // Gemini has words for a refused question only
		}
		for what, c := range map[string]struct {
			answer modeltest.Answer
			want   model.Response
		}{
			"done":           {modeltest.Answer{Text: "x"}, model.Response{Text: "x", Finish: model.FinishStop}},
			"empty":          {modeltest.Answer{}, model.Response{Finish: model.FinishStop}},
			"cut off":        {modeltest.Answer{Text: `{"a": `, Finish: model.FinishLength}, model.Response{Text: `{"a": `, Finish: model.FinishLength}},
			"all thought":    {modeltest.Answer{Finish: model.FinishLength}, model.Response{Finish: model.FinishLength}},
			"refused":        {modeltest.Answer{Finish: model.FinishRefused, Refusal: "I will not."}, model.Response{Finish: model.FinishRefused, Refusal: "I will not."}},
			"refused midway": {modeltest.Answer{Text: "Well", Finish: model.FinishRefused, Refusal: "No."}, model.Response{Text: "Well", Finish: model.FinishRefused, Refusal: midway}},
		} {
			server := modeltest.New(t, func(modeltest.Question) modeltest.Answer { return c.answer })
			reply, err := server.Client(t, model.Settings{}).Ask(t.Context(), name, text("?"))
			must(t, err)
			c.want.Model, c.want.Usage = reply.Model, reply.Usage
			if diff := cmp.Diff(c.want, reply.Response); diff != "" || server.Calls() != 1 {
				t.Errorf("%s: after %d calls (-want +got):\n%s", what, server.Calls(), diff)
			}
		}
	})
}

func TestAnAnswerInPiecesIsOneAnswer(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, _ model.Protocol, name string) {
		want := strings.Repeat("läuft — ", 200)
		server := modeltest.New(t, func(modeltest.Question) modeltest.Answer { return modeltest.Answer{Text: want, InPieces: true} })
		reply, err := server.Client(t, model.Settings{}).Ask(t.Context(), name, text("?"))
		must(t, err)
		if reply.Text != want || reply.Finish != model.FinishStop || server.Calls() != 1 {
			t.Errorf("got %d bytes, %s, after %d calls", len(reply.Text), reply.Finish, server.Calls())
		}
	})
}

// refusing answers 400 for what a server does not know.
func refusing(marks map[string]func(modeltest.Question) bool) func(modeltest.Question) modeltest.Answer {
	return func(q modeltest.Question) modeltest.Answer {
		for message, refused := range marks {
			if refused(q) {
				return modeltest.Answer{Failure: &modeltest.Failure{Status: 400, Message: message, Type: "invalid_request_error"}}
			}
		}
		return modeltest.Answer{Text: `{"why":"","grade":1}`}
	}
}

func TestWhatIsRefusedIsLearnedOnce(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, p model.Protocol, name string) {
		var last modeltest.Question
		answer := refusing(map[string]func(modeltest.Question) bool{
			"'temperature' and 'top_p' cannot both be given":                      func(q modeltest.Question) bool { return q.TopP != nil },
			"Unsupported value: 'temperature' does not support 0 with this model": func(q modeltest.Question) bool { return q.Temperature != nil },
			"Unknown name responseJsonSchema / output_config / response_format":   func(q modeltest.Question) bool { return q.Schema != nil },
			"json mode is not supported":                                          func(q modeltest.Question) bool { return q.JSON },
		})
		server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer { last = q; return answer(q) })
		client := server.Client(t, model.Settings{Retries: -1})
		r := text("?")
		r.System, r.Schema, r.Temperature, r.TopP = "Judge.", schema, ptr(0.0), ptr(0.5)
		reply, err := client.Ask(t.Context(), name, r)
		must(t, err)
		first := server.Calls()
		if reply.Attempts != 1 || client.Spent().Retries != 0 {
			t.Errorf("putting it another way counted as a try: %+v", reply)
		}
		if !strings.HasPrefix(last.System, "Judge.\n\n") || !strings.Contains(last.System, string(schema.JSON)) || last.Temperature != nil || last.TopP != nil {
			t.Errorf("the last was put as %+v", last)
		}
		_, err = client.Ask(t.Context(), name, r)
		must(t, err)
		if server.Calls() != first+1 {
			t.Errorf("the second conversation took %d calls, want 1", server.Calls()-first)
		}
		a, err := client.Abilities(name)
		must(t, err)
		want := model.Abilities{Schema: "text", Seed: true}
		if p == model.Anthropic {
			want.Schema = "json_object" // the protocol has no such mode: the schema is in the text
		}
		if a != want {
			t.Errorf("abilities are %+v, want %+v", a, want)
		}
	})
}

func TestBoundOnTokensGoesUnderTheNameThatIsTaken(t *testing.T) {
	t.Parallel()
	for name, refused := range map[string]string{"openai/gpt-4o": "max_completion_tokens", "vllm/m": "max_tokens"} {
		var last modeltest.Question
		answer := refusing(map[string]func(modeltest.Question) bool{
			"Unsupported parameter: '" + refused + "'": func(q modeltest.Question) bool { return q.LimitName == refused },
		})
		server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer { last = q; return answer(q) })
		client := server.Client(t, model.Settings{Retries: -1})
		for range 2 {
			_, err := client.Ask(t.Context(), name, text("?"))
			must(t, err)
		}
		if server.Calls() != 3 || last.LimitName == refused || last.MaxTokens != model.DefaultMaxTokens {
			t.Errorf("%s: %d calls, the last with %s = %d", name, server.Calls(), last.LimitName, last.MaxTokens)
		}
	}
}

func TestSchemaIsNotGivenUpForOtherReasons(t *testing.T) {
	t.Parallel()
	server := modeltest.New(t, refusing(map[string]func(modeltest.Question) bool{"the picture is too small": func(modeltest.Question) bool { return true }}))
	client := server.Client(t, model.Settings{})
	r := text("?")
	r.Schema = schema
	_, err := client.Ask(t.Context(), "openai/gpt-4o", r)
	a, _ := client.Abilities("openai/gpt-4o")
	if cause(err) != model.CauseRequest || server.Calls() != 1 || a.Schema != "enforced" {
		t.Errorf("got %v after %d calls, abilities %+v", err, server.Calls(), a)
	}
}

// The key is printed nowhere: not by errors, even where a server repeats it.
func TestKeysAreNotTold(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, _ model.Protocol, name string) {
		for what, f := range map[string]modeltest.Failure{
			"in the message": {Status: 400, Message: "your key " + modeltest.Key + " is odd"},
			"in a page":      {Status: 500, Body: "dump: " + modeltest.Key, ContentType: "text/plain"},
			"in garbage":     {Body: "Authorization: Bearer " + modeltest.Key, ContentType: "text/plain"},
			"refused":        {Status: 401, Message: "Incorrect API key provided: " + modeltest.Key},
			"cut off":        {CutOff: true},
		} {
			server := modeltest.New(t, func(modeltest.Question) modeltest.Answer { return modeltest.Answer{Text: "x", Failure: &f} })
			var heard []model.Retry
			client := server.Client(t, model.Settings{Retries: 1, OnRetry: func(r model.Retry) { heard = append(heard, r) }})
			_, err := client.Ask(t.Context(), name, text("?"))
			info, infoErr := client.Describe(name)
			must(t, infoErr)
			doc, jsonErr := json.Marshal(map[string]any{"fault": vitrine.AsFault("x", err), "info": info, "heard": heard})
			must(t, jsonErr)
			told := string(doc)
			for e := err; e != nil; e = errors.Unwrap(e) {
				told += "\n" + e.Error()
			}
			if err == nil || strings.Contains(told, modeltest.Key) {
				t.Errorf("%s: %s", what, told)
			}
		}
	})
}
