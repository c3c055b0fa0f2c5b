// Package openai speaks OpenAI's Chat Completions and Embeddings, which vLLM, SGLang, Ollama,
// OpenRouter and others speak too, through the official SDK. Answers are not
// streamed: a judge needs the whole of one, and the SDK asks for no streaming
// whatever the length.
package openai

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"vitrine/internal/model"
)

type client struct {
	chat       sdk.ChatCompletionService
	embeddings sdk.EmbeddingService
	// official has the newer name of the bound on tokens; its reasoning models refuse
	// the older one, which is the only one that other servers know.
	official bool
}

// New makes the model of a target. The service is made without the SDK's client,
// which would send the keys and headers of its own variables to every server.
func New(t model.Target) model.Model {
	options := []option.RequestOption{
		option.WithBaseURL(t.BaseURL), option.WithHTTPClient(t.HTTP), option.WithMaxRetries(0),
		option.WithAPIKey(cmp.Or(string(t.Key), "none")),
	}
	return client{
		chat: sdk.NewChatCompletionService(options...), embeddings: sdk.NewEmbeddingService(options...),
		official: strings.Contains(t.BaseURL, "//api.openai.com"),
	}
}

// Answer implements [model.Model].
func (c client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	if len(r.Embed) > 0 {
		return c.embed(ctx, r)
	}
	done, err := c.chat.New(ctx, c.params(r))
	if err != nil {
		return model.Response{}, err
	}
	return response(done)
}

func (c client) params(r model.Request) sdk.ChatCompletionNewParams {
	p := sdk.ChatCompletionNewParams{Model: r.Model, ResponseFormat: format(r)}
	if r.System != "" {
		p.Messages = append(p.Messages, sdk.SystemMessage(r.System))
	}
	for _, m := range r.Messages {
		p.Messages = append(p.Messages, message(m))
	}
	limit := param.NewOpt(int64(r.MaxTokens))
	if c.official != r.Form.OtherLimit {
		p.MaxCompletionTokens = limit
	} else {
		p.MaxTokens = limit
	}
	if r.Temperature != nil {
		p.Temperature = param.NewOpt(*r.Temperature)
	}
	if r.TopP != nil {
		p.TopP = param.NewOpt(*r.TopP)
	}
	if r.Seed != nil {
		p.Seed = param.NewOpt(*r.Seed)
	}
	return p
}

func format(r model.Request) (f sdk.ChatCompletionNewParamsResponseFormatUnion) {
	switch {
	case r.Schema != nil: // raw: the order of its properties is the order of the answer
		f.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: r.Schema.Name, Strict: param.NewOpt(true), Schema: json.RawMessage(r.Schema.JSON),
		}}
	case r.Form.JSON:
		f.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	}
	return f
}

func message(m model.Message) sdk.ChatCompletionMessageParamUnion {
	if m.Role == model.RoleAssistant {
		var said strings.Builder
		for _, p := range m.Parts {
			said.WriteString(p.Text)
		}
		return sdk.AssistantMessage(said.String())
	}
	if len(m.Parts) == 1 && m.Parts[0].Image == nil { // what servers without pictures understand
		return sdk.UserMessage(m.Parts[0].Text)
	}
	var parts []sdk.ChatCompletionContentPartUnionParam
	for _, p := range m.Parts {
		if p.Image == nil {
			parts = append(parts, sdk.TextContentPart(p.Text))
			continue
		}
		parts = append(parts, sdk.ImageContentPart(sdk.ChatCompletionContentPartImageImageURLParam{
			URL:    "data:" + p.Image.Type + ";base64," + base64.StdEncoding.EncodeToString(p.Image.Data),
			Detail: "high", // else the endpoint may look at a thumbnail
		}))
	}
	return sdk.UserMessage(parts)
}

// reasoning is what a model thought, by the names that servers give it: vLLM, SGLang and
// DeepSeek say reasoning_content, OpenRouter and newer vLLM reasoning.
func reasoning(m sdk.ChatCompletionMessage) (text string) {
	for _, name := range []string{"reasoning_content", "reasoning"} {
		if field, there := m.JSON.ExtraFields[name]; there && json.Unmarshal([]byte(field.Raw()), &text) == nil && text != "" {
			return text
		}
	}
	return ""
}

func response(done *sdk.ChatCompletion) (model.Response, error) {
	if len(done.Choices) == 0 {
		return model.Response{}, model.NewError(model.CauseMalformed, 200, "the answer has no choices", nil)
	}
	choice := done.Choices[0]
	r := model.Response{
		Text: choice.Message.Content, Reasoning: reasoning(choice.Message), Refusal: choice.Message.Refusal, Model: done.Model, Finish: model.FinishStop,
		Usage: model.Usage{
			In: int(done.Usage.PromptTokens), Out: int(done.Usage.CompletionTokens),
			Cached: int(done.Usage.PromptTokensDetails.CachedTokens), Reasoning: int(done.Usage.CompletionTokensDetails.ReasoningTokens),
		},
	}
	switch {
	case choice.FinishReason == "error": // routers, where the server behind them broke off
		return model.Response{}, model.NewError(model.CauseOverloaded, 200, "the answer broke off with an error", nil)
	case r.Refusal != "" || choice.FinishReason == "content_filter":
		r.Finish = model.FinishRefused
		r.Refusal = cmp.Or(r.Refusal, choice.FinishReason)
	case choice.FinishReason == "length":
		r.Finish = model.FinishLength
	}
	return r, nil
}
