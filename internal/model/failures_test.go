package model_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
)

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
