package model_test

import (
	"strings"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
)

// blindness is how servers say that their model reads no pictures.
var blindness = map[string]modeltest.Failure{
	"llama.cpp":       {Status: 500, Message: "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj", Type: "server_error"},
	"llama.cpp, old":  {Status: 500, Message: "image input is not supported by this server", Type: "server_error"},
	"llama.cpp, text": {Status: 500, Body: "image input is not supported by this server", ContentType: "text/plain"},
	"llamafile":       {Status: 500, Message: "The server was not compiled for multimodal or the model projector can't be loaded."},
	"vLLM":            {Status: 400, Message: "Qwen/Qwen3-8B is not a multimodal model", Type: "BadRequestError"},
	"vLLM, limit":     {Status: 400, Message: "At most 0 image(s) may be provided in one prompt.", Type: "BadRequestError"},
	"vLLM, detail":    {Status: 400, Body: `{"object": "error", "message": "m is not a multimodal model None", "type": "BadRequestError"}`, ContentType: "application/json"},
	"Ollama":          {Status: 400, Body: `{"error": "this model does not support image input (ref: b8bd630e)"}`, ContentType: "application/json"},
	"Ollama, vision":  {Status: 500, Body: `{"error": {"message": "this model is missing data required for image input", "type": "api_error"}}`, ContentType: "application/json"},
	"LM Studio":       {Status: 400, Body: `{"error": "Model does not support images. Please use a model that does."}`, ContentType: "application/json"},
	"OpenRouter":      {Status: 404, Message: "No endpoints found that support image input"},
	"OpenRouter, 200": {Body: `{"error": {"code": 404, "message": "No endpoints found that support image input"}}`, ContentType: "application/json"},
	"OpenAI":          {Status: 400, Message: "Invalid content type. image_url is only supported by certain models.", Type: "invalid_request_error", Param: "messages.[0].content.[1].type"},
	"DeepSeek":        {Status: 400, Message: "Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`, expected `text` at line 1 column 90"},
	"Google":          {Status: 400, Message: "Image input modality is not enabled for models/gemma-3-1b-it", Type: "INVALID_ARGUMENT"},
	"Mistral":         {Status: 400, Message: "Image input is not enabled for this model"},
	"xAI":             {Status: 400, Message: "Image inputs are not supported by this model."},
	"Bedrock":         {Status: 400, Message: "This model doesn't support the image content block that you provided."},
}

// pictured asks about a picture.
func pictured(t testing.TB) model.Request {
	t.Helper()
	img := square(t, 8, 8)
	return model.Request{Messages: []model.Message{model.User(model.Text("?"), model.Part{Image: &img})}}
}

func TestAModelThatReadsNoPicturesIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, _ model.Protocol, name string) {
		for who, failure := range blindness {
			server := modeltest.New(t, func(modeltest.Question) modeltest.Answer { return modeltest.Answer{Failure: &failure} })
			_, err := server.Client(t, model.Settings{Retries: 3}).Ask(t.Context(), name, pictured(t))
			f := vitrine.AsFault("x", err)
			if cause(err) != model.CauseNoVision || f.Code != vitrine.FaultNoVision || server.Calls() != 1 {
				t.Errorf("%s: %v (cause %s, code %s) after %d calls", who, err, cause(err), f.Code, server.Calls())
			}
			if f.Code.Retryable() || !strings.Contains(f.Fix, "--judge code") || !strings.Contains(f.Message, name) {
				t.Errorf("%s: %+v", who, f)
			}
		}
	})
}

// What is wrong with one picture, or with a request without any, is not the model's
// lack of eyes.
func TestOtherTroubleWithPicturesIsNotBlindness(t *testing.T) {
	t.Parallel()
	for message, c := range map[string]struct {
		request model.Request
		want    model.Cause
	}{
		"Invalid image: could not decode":                             {pictured(t), model.CauseRequest},
		"image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes":   {pictured(t), model.CauseRequest},
		"At most 4 image(s) may be provided in one request.":          {pictured(t), model.CauseRequest},
		"Unsupported image format. Supported formats: png, jpeg, gif": {pictured(t), model.CauseRequest},
		"image input is not supported":                                {text("a page about pictures"), model.CauseRequest},
	} {
		server := modeltest.New(t, func(modeltest.Question) modeltest.Answer {
			return modeltest.Answer{Failure: &modeltest.Failure{Status: 400, Message: message}}
		})
		_, err := server.Client(t, model.Settings{}).Ask(t.Context(), "vllm/m", c.request)
		if cause(err) != c.want || vitrine.AsFault("x", err).Code != vitrine.FaultModelRequest {
			t.Errorf("%s: %v (cause %s), want %s", message, err, cause(err), c.want)
		}
	}
}

// An endpoint cannot hold a conversation for ever, fill the memory or lead it
// elsewhere.
func TestHostileEndpointsAreBounded(t *testing.T) {
	t.Parallel()
	type want struct {
		cause model.Cause
		code  vitrine.FaultCode
		calls int
		words string
	}
	eachProtocol(t, func(t *testing.T, _ model.Protocol, name string) {
		for what, c := range map[string]struct {
			failure modeltest.Failure
			want    want
		}{
			"a stream without end": {
				modeltest.Failure{Endless: "data: {\"choices\": []}\n\n", ContentType: "text/event-stream"},
				want{model.CauseMalformed, vitrine.FaultModelError, 2, "longer than"},
			},
			"ten gigabytes": {
				modeltest.Failure{Endless: strings.Repeat(" ", 1<<16), ContentType: "application/json"},
				want{model.CauseMalformed, vitrine.FaultModelError, 2, "longer than"},
			},
			"half an answer and silence": {modeltest.Failure{Stall: true}, want{model.CauseTimeout, vitrine.FaultModelError, 2, ""}},
			"deep nesting": {
				modeltest.Failure{Body: strings.Repeat("[", 1<<20), ContentType: "application/json"},
				want{model.CauseMalformed, vitrine.FaultModelError, 2, "no JSON object"},
			},
			"deep nesting, closed": {
				modeltest.Failure{Body: `{"choices":` + strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20) + "}", ContentType: "application/json"},
				want{model.CauseMalformed, vitrine.FaultModelError, 2, "no JSON object"},
			},
			"a page": {
				modeltest.Failure{Body: "<!doctype html><title>Sign in</title>", ContentType: "text/html"},
				want{model.CauseMalformed, vitrine.FaultModelError, 2, "page of HTML"},
			},
			"a picture":         {modeltest.Failure{Body: "\x89PNG\r\n\x1a\n", ContentType: "image/png"}, want{model.CauseMalformed, vitrine.FaultModelError, 2, "no JSON object"}},
			"moved to a file":   {modeltest.Failure{Status: 302, Location: "file:///etc/passwd"}, want{model.CauseRequest, vitrine.FaultModelRequest, 1, "redirects are not followed"}},
			"moved to itself":   {modeltest.Failure{Status: 307, Location: "?again"}, want{model.CauseRequest, vitrine.FaultModelRequest, 1, "redirects are not followed"}},
			"moved to metadata": {modeltest.Failure{Status: 308, Location: "http://169.254.169.254/"}, want{model.CauseRequest, vitrine.FaultModelRequest, 1, "redirects are not followed"}},
		} {
			server := modeltest.New(t, func(modeltest.Question) modeltest.Answer {
				return modeltest.Answer{Text: strings.Repeat("x", 100), Failure: &c.failure}
			})
			s := model.Settings{Retries: 1}
			if c.failure.Stall {
				s.AttemptDeadline = time.Second
			}
			_, err := server.Client(t, s).Ask(t.Context(), name, text("?"))
			f := vitrine.AsFault("x", err)
			if cause(err) != c.want.cause || f.Code != c.want.code || f.Fix == "" || server.Calls() != c.want.calls || !strings.Contains(err.Error(), c.want.words) {
				t.Errorf("%s: %v (cause %s, code %s) after %d calls, want %+v", what, err, cause(err), f.Code, server.Calls(), c.want)
			}
			if len(err.Error()) > 2000 {
				t.Errorf("%s: the message has %d bytes", what, len(err.Error()))
			}
		}
	})
}
