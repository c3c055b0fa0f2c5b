package model_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

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
			System: "Be strict. «ü»", Schema: schema, MaxTokens: 77, Temperature: ptr(0.25),
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
		if got.Protocol != p || name != string(p)+"/"+got.Model || got.System != request.System || got.MaxTokens != 77 || *got.Temperature != 0.25 {
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

// cause is the cause that an error tells of.
func cause(err error) model.Cause {
	var e *model.Error
	if errors.As(err, &e) {
		return e.Cause
	}
	return ""
}

func TestEveryFailureHasItsCause(t *testing.T) {
	t.Parallel()
	type want struct {
		cause model.Cause
		code  vitrine.FaultCode
		asked bool // again, as often as is stated
	}
	eachProtocol(t, func(t *testing.T, _ model.Protocol, name string) {
		for what, c := range map[string]struct {
			failure modeltest.Failure
			want    want
		}{
			"too many":        {modeltest.Failure{Status: 429, Message: "slow down", RetryMillis: 1}, want{model.CauseRate, vitrine.FaultRateLimited, true}},
			"no credit":       {modeltest.Failure{Status: 429, Message: "You exceeded your current quota", Type: "insufficient_quota"}, want{model.CauseCredit, vitrine.FaultModelError, false}},
			"payment":         {modeltest.Failure{Status: 402, Message: "Insufficient credits"}, want{model.CauseCredit, vitrine.FaultModelError, false}},
			"overloaded":      {modeltest.Failure{Status: 529, Message: "Overloaded", Type: "overloaded_error"}, want{model.CauseOverloaded, vitrine.FaultModelError, true}},
			"server":          {modeltest.Failure{Status: 500, Message: "oops"}, want{model.CauseOverloaded, vitrine.FaultModelError, true}},
			"key":             {modeltest.Failure{Status: 401, Message: "bad key"}, want{model.CauseKey, vitrine.FaultNoKey, false}},
			"forbidden":       {modeltest.Failure{Status: 403, Message: "not yours"}, want{model.CauseKey, vitrine.FaultNoKey, false}},
			"google's key":    {modeltest.Failure{Status: 400, Message: "API key not valid. Please pass a valid API key.", Type: "INVALID_ARGUMENT"}, want{model.CauseKey, vitrine.FaultNoKey, false}},
			"no such model":   {modeltest.Failure{Status: 404, Message: "the model does not exist"}, want{model.CauseRequest, vitrine.FaultModelRequest, false}},
			"bad request":     {modeltest.Failure{Status: 400, Message: "strange"}, want{model.CauseRequest, vitrine.FaultModelRequest, false}},
			"too long":        {modeltest.Failure{Status: 400, Message: "This model's maximum context length is 8192 tokens", Type: "context_length_exceeded"}, want{model.CauseTooLarge, vitrine.FaultModelRequest, false}},
			"too big":         {modeltest.Failure{Status: 413, Message: "Request too large"}, want{model.CauseTooLarge, vitrine.FaultModelRequest, false}},
			"cut off":         {modeltest.Failure{CutOff: true}, want{model.CauseConnection, vitrine.FaultModelError, true}},
			"garbage":         {modeltest.Failure{Body: "\x00\xff{{{", ContentType: "application/json"}, want{model.CauseMalformed, vitrine.FaultModelError, true}},
			"half of JSON":    {modeltest.Failure{Body: `{"choices": [{"mess`, ContentType: "application/json"}, want{model.CauseMalformed, vitrine.FaultModelError, true}},
			"not the answer":  {modeltest.Failure{Body: `{"hello": 1}`, ContentType: "application/json"}, want{model.CauseMalformed, vitrine.FaultModelError, true}},
			"a list":          {modeltest.Failure{Body: `[1]`, ContentType: "application/json"}, want{model.CauseMalformed, vitrine.FaultModelError, true}},
			"null":            {modeltest.Failure{Body: `null`, ContentType: "application/json"}, want{model.CauseMalformed, vitrine.FaultModelError, true}},
			"HTML with 200":   {modeltest.Failure{Body: "<!DOCTYPE html><title>Sign in</title>", ContentType: "text/html"}, want{model.CauseMalformed, vitrine.FaultModelError, true}},
			"HTML with 502":   {modeltest.Failure{Status: 502, Body: "<html><h1>Bad Gateway</h1></html>", ContentType: "text/html"}, want{model.CauseOverloaded, vitrine.FaultModelError, true}},
			"error with 200":  {modeltest.Failure{Body: `{"error": {"code": 503, "message": "upstream is down"}}`, ContentType: "application/json"}, want{model.CauseOverloaded, vitrine.FaultModelError, true}},
			"error in a list": {modeltest.Failure{Status: 503, Body: `[{"error": {"code": 503, "message": "try later"}}]`, ContentType: "application/json"}, want{model.CauseOverloaded, vitrine.FaultModelError, true}},
			"error as text":   {modeltest.Failure{Status: 404, Body: `{"error": "model \"x\" not found, try pulling it first"}`, ContentType: "application/json"}, want{model.CauseRequest, vitrine.FaultModelRequest, false}},
			"a stream":        {modeltest.Failure{Body: "data: {\"choices\": [{\"index\": 0, \"delta\": {\"content\": \"4\"}}]}\n\ndata: [DONE]\n\n", ContentType: "text/event-stream"}, want{model.CauseMalformed, vitrine.FaultModelError, true}},
			"moved":           {modeltest.Failure{Status: 307, Body: `elsewhere`, ContentType: "text/plain"}, want{model.CauseRequest, vitrine.FaultModelRequest, false}},
		} {
			server := modeltest.New(t, func(modeltest.Question) modeltest.Answer {
				return modeltest.Answer{Text: strings.Repeat("x", 100), Failure: &c.failure}
			})
			client := server.Client(t, model.Settings{Retries: 2})
			_, err := client.Ask(t.Context(), name, text("?"))
			f := vitrine.AsFault("x", err)
			calls := 1
			if c.want.asked {
				calls = 3
			}
			if cause(err) != c.want.cause || f.Code != c.want.code || f.Stage != "judge" || f.Fix == "" || server.Calls() != calls {
				t.Errorf("%s: got %v (cause %s, code %s, fix %q) after %d calls, want %+v after %d", what, err, cause(err), f.Code, f.Fix, server.Calls(), c.want, calls)
			}
			if s := client.Spent(); s.Failed != 1 || s.Calls != 0 || s.USD != 0 || s.Retries != calls-1 {
				t.Errorf("%s: spent %+v", what, s)
			}
		}
	})
}

func TestWrongContentTypeAroundAGoodAnswerIsAGoodAnswer(t *testing.T) {
	t.Parallel()
	body := `{"object":"chat.completion","model":"m","choices":[{"finish_reason":"stop","message":{"content":"fine"}}]}`
	server := modeltest.New(t, func(modeltest.Question) modeltest.Answer {
		return modeltest.Answer{Failure: &modeltest.Failure{Body: body, ContentType: "text/plain"}}
	})
	reply, err := server.Client(t, model.Settings{}).Ask(t.Context(), "vllm/m", text("?"))
	must(t, err)
	if reply.Text != "fine" || reply.USD != nil {
		t.Errorf("got %+v, want the text, and no price for a model without one", reply)
	}
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

func TestSlowAnswerEndsByTheDeadline(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, _ model.Protocol, name string) {
		server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
			if q.Call == 1 {
				return modeltest.Answer{Failure: &modeltest.Failure{Hang: true}}
			}
			return modeltest.Answer{Text: "at last"}
		})
		var retries []model.Retry
		client := server.Client(t, model.Settings{AttemptDeadline: 2 * time.Second, OnRetry: func(r model.Retry) { retries = append(retries, r) }})
		reply, err := client.Ask(t.Context(), name, text("?"))
		must(t, err)
		if reply.Text != "at last" || reply.Attempts != 2 || len(retries) != 1 || retries[0].Cause != model.CauseTimeout || retries[0].Attempt != 1 || retries[0].Name != name {
			t.Errorf("got %+v after %+v", reply, retries)
		}
	})
}

func TestCallerWhoGivesUpIsNotMadeToWait(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, _ model.Protocol, name string) {
		ctx, stop := context.WithCancel(t.Context())
		server := modeltest.New(t, func(modeltest.Question) modeltest.Answer {
			stop()
			return modeltest.Answer{Failure: &modeltest.Failure{Hang: true}}
		})
		_, err := server.Client(t, model.Settings{}).Ask(ctx, name, text("?"))
		if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultInterrupted || server.Calls() != 1 {
			t.Errorf("got %v after %d calls", err, server.Calls())
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
			"Unsupported value: 'temperature' does not support 0 with this model": func(q modeltest.Question) bool { return q.Temperature != nil },
			"Unknown name responseJsonSchema / output_config / response_format":   func(q modeltest.Question) bool { return q.Schema != nil },
			"json mode is not supported":                                          func(q modeltest.Question) bool { return q.JSON },
		})
		server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer { last = q; return answer(q) })
		client := server.Client(t, model.Settings{Retries: -1})
		r := text("?")
		r.System, r.Schema, r.Temperature = "Judge.", schema, ptr(0.0)
		reply, err := client.Ask(t.Context(), name, r)
		must(t, err)
		first := server.Calls()
		if reply.Attempts != 1 || client.Spent().Retries != 0 {
			t.Errorf("putting it another way counted as a try: %+v", reply)
		}
		if !strings.HasPrefix(last.System, "Judge.\n\n") || !strings.Contains(last.System, string(schema.JSON)) || last.Temperature != nil {
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

func TestBadRequestsAreNotSent(t *testing.T) {
	t.Parallel()
	img, tooSmall := square(t, 2, 2), model.Image{Type: "image/png", Data: []byte("GIF89a")}
	lying := model.Image{Type: "image/jpeg", Data: img.Data}
	part := func(i *model.Image) []model.Message { return []model.Message{model.User(model.Part{Image: i})} }
	server := modeltest.New(t, func(modeltest.Question) modeltest.Answer { return modeltest.Answer{Text: "x"} })
	client := server.Client(t, model.Settings{Models: map[string]model.Entry{"few": {Model: "openai/gpt-4o", MaxImages: 1}}})
	for what, r := range map[string]model.Request{
		"nothing":            {},
		"no part":            {Messages: []model.Message{model.User()}},
		"an empty part":      {Messages: []model.Message{model.User(model.Text(""))}},
		"no role":            {Messages: []model.Message{{Parts: []model.Part{model.Text("x")}}}},
		"the model speaks":   {Messages: []model.Message{{Role: model.RoleAssistant, Parts: []model.Part{model.Text("x")}}}},
		"no picture":         {Messages: part(&tooSmall)},
		"another media type": {Messages: part(&lying)},
		"too many":           {Messages: []model.Message{model.User(model.Part{Image: &img}, model.Part{Image: &img})}},
		"a bad schema":       {Messages: part(&img), Schema: &model.Schema{Name: "x", JSON: []byte("{")}},
		"a bad name":         {Messages: part(&img), Schema: &model.Schema{Name: "a b", JSON: []byte("{}")}},
		"a negative bound":   {Messages: part(&img), MaxTokens: -1},
	} {
		_, err := client.Ask(t.Context(), "few", r)
		if f := vitrine.AsFault("x", err); err == nil || f.Code != vitrine.FaultModelRequest {
			t.Errorf("%s: got %v", what, err)
		}
	}
	if server.Calls() != 0 {
		t.Errorf("%d were sent", server.Calls())
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
