// Package anthropic speaks Anthropic's Messages through the official SDK. Answers
// are not streamed. The SDK refuses that for bounds on tokens that could take ten
// minutes, unless the request has a timeout of its own; ours always has, from the
// context, so it is told the longest.
package anthropic

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"vitrine/internal/model"
)

type client struct{ messages sdk.MessageService }

// New makes the model of a target. The service is made without the SDK's client,
// which would look for keys in variables and profiles of its own.
func New(t model.Target) model.Model {
	return client{sdk.NewMessageService(
		option.WithBaseURL(t.BaseURL), option.WithHTTPClient(t.HTTP), option.WithMaxRetries(0),
		option.WithAPIKey(string(t.Key)), option.WithRequestTimeout(24*time.Hour),
	)}
}

// Answer implements [model.Model]. The protocol has no seed.
func (c client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	var how []option.RequestOption
	if r.Schema != nil { // raw: the order of its properties is the order of the answer
		how = append(how, option.WithJSONSet("output_config.format", map[string]any{
			"type": "json_schema", "schema": json.RawMessage(r.Schema.JSON),
		}))
	}
	done, err := c.messages.New(ctx, params(r), how...)
	if err != nil {
		return model.Response{}, err
	}
	return response(done)
}

// leastThinking is the smallest bound on thinking that the protocol takes, in tokens; it has
// to be below that of the answer.
const leastThinking = 1024

func params(r model.Request) sdk.MessageNewParams {
	p := sdk.MessageNewParams{Model: sdk.Model(r.Model), MaxTokens: int64(r.MaxTokens)}
	if r.System != "" {
		p.System = []sdk.TextBlockParam{{Text: r.System}}
	}
	if r.Temperature != nil {
		p.Temperature = param.NewOpt(*r.Temperature)
	}
	if r.TopP != nil {
		p.TopP = param.NewOpt(*r.TopP)
	}
	if r.Think && r.MaxTokens > leastThinking {
		p.Thinking = sdk.ThinkingConfigParamOfEnabled(int64(max(leastThinking, r.MaxTokens/2)))
	}
	for _, m := range r.Messages {
		var blocks []sdk.ContentBlockParamUnion
		for _, part := range m.Parts {
			if part.Image == nil {
				blocks = append(blocks, sdk.NewTextBlock(part.Text))
			} else {
				blocks = append(blocks, sdk.NewImageBlockBase64(part.Image.Type, base64.StdEncoding.EncodeToString(part.Image.Data)))
			}
		}
		if m.Role == model.RoleAssistant {
			p.Messages = append(p.Messages, sdk.NewAssistantMessage(blocks...))
		} else {
			p.Messages = append(p.Messages, sdk.NewUserMessage(blocks...))
		}
	}
	return p
}

func response(done *sdk.Message) (model.Response, error) {
	if done.Type != "message" || done.StopReason == "" {
		return model.Response{}, model.NewError(model.CauseMalformed, 200, "the answer is no message", nil)
	}
	var text strings.Builder
	for _, block := range done.Content {
		if block.Type == "text" {
			text.WriteString(block.Text)
		}
	}
	u := done.Usage
	r := model.Response{
		Text: text.String(), Model: string(done.Model), Finish: model.FinishStop,
		Usage: model.Usage{ // Anthropic counts what it read before beside the rest
			In:  int(u.InputTokens + u.CacheCreationInputTokens + u.CacheReadInputTokens),
			Out: int(u.OutputTokens), Cached: int(u.CacheReadInputTokens),
		},
	}
	switch done.StopReason {
	case sdk.StopReasonMaxTokens, sdk.StopReasonModelContextWindowExceeded:
		r.Finish = model.FinishLength
	case sdk.StopReasonRefusal:
		r.Finish, r.Refusal = model.FinishRefused, cmp.Or(done.StopDetails.Explanation, "refusal")
	}
	return r, nil
}
