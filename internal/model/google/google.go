// Package google speaks Gemini's generateContent through the official SDK, with a
// key (not through Vertex AI). Answers are not streamed.
package google

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	sdk "google.golang.org/genai"

	"vitrine/internal/model"
)

type client struct{ models *sdk.Models }

// New makes the model of a target.
func New(t model.Target) (model.Model, error) {
	c, err := sdk.NewClient(context.Background(), &sdk.ClientConfig{
		APIKey: string(t.Key), Backend: sdk.BackendGeminiAPI, HTTPClient: t.HTTP,
		HTTPOptions: sdk.HTTPOptions{BaseURL: t.BaseURL + "/", APIVersion: "v1beta"},
	})
	if err != nil {
		return nil, fmt.Errorf("google client of %s could not be made", t.BaseURL) // the SDK's error shows the key
	}
	return client{c.Models}, nil
}

// Answer implements [model.Model].
func (c client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	done, err := c.models.GenerateContent(ctx, r.Model, contents(r), config(r))
	if err != nil {
		return model.Response{}, err
	}
	return response(done)
}

func contents(r model.Request) (all []*sdk.Content) {
	for _, m := range r.Messages {
		c := &sdk.Content{Role: sdk.RoleUser}
		if m.Role == model.RoleAssistant {
			c.Role = sdk.RoleModel
		}
		for _, p := range m.Parts {
			if p.Image == nil {
				c.Parts = append(c.Parts, sdk.NewPartFromText(p.Text))
			} else {
				c.Parts = append(c.Parts, sdk.NewPartFromBytes(p.Image.Data, p.Image.Type))
			}
		}
		all = append(all, c)
	}
	return all
}

func config(r model.Request) *sdk.GenerateContentConfig {
	c := &sdk.GenerateContentConfig{MaxOutputTokens: int32(min(r.MaxTokens, 1<<30)), AutomaticContinuation: new(bool)}
	if r.System != "" {
		c.SystemInstruction = &sdk.Content{Parts: []*sdk.Part{sdk.NewPartFromText(r.System)}}
	}
	if r.Temperature != nil {
		t := float32(*r.Temperature)
		c.Temperature = &t
	}
	if r.TopP != nil {
		t := float32(*r.TopP)
		c.TopP = &t
	}
	if r.Seed != nil {
		seed := int32(*r.Seed)
		c.Seed = &seed
	}
	if r.Schema != nil || r.Form.JSON {
		c.ResponseMIMEType = "application/json"
	}
	if r.Schema != nil {
		c.HTTPOptions = &sdk.HTTPOptions{ExtrasRequestProvider: withSchema(r.Schema.JSON)}
	}
	return c
}

// withSchema puts the schema into the body as it is: the SDK would sort its
// properties, and their order is the order of the answer.
func withSchema(schema []byte) func(map[string]any) map[string]any {
	return func(body map[string]any) map[string]any {
		generation, ok := body["generationConfig"].(map[string]any)
		if !ok {
			generation = map[string]any{}
			body["generationConfig"] = generation
		}
		generation["responseJsonSchema"] = json.RawMessage(schema)
		return body
	}
}

func response(done *sdk.GenerateContentResponse) (model.Response, error) {
	r := model.Response{Model: done.ModelVersion, Finish: model.FinishStop}
	if u := done.UsageMetadata; u != nil { // Google counts thoughts beside the answer
		r.Usage = model.Usage{
			In: int(u.PromptTokenCount), Out: int(u.CandidatesTokenCount + u.ThoughtsTokenCount),
			Cached: int(u.CachedContentTokenCount), Reasoning: int(u.ThoughtsTokenCount),
		}
	}
	if len(done.Candidates) == 0 {
		if f := done.PromptFeedback; f != nil && f.BlockReason != "" {
			r.Finish, r.Refusal = model.FinishRefused, cmp.Or(f.BlockReasonMessage, string(f.BlockReason))
			return r, nil
		}
		return model.Response{}, model.NewError(model.CauseMalformed, 200, "the answer has no candidates", nil)
	}
	first := done.Candidates[0]
	r.Text = said(first)
	switch first.FinishReason {
	case sdk.FinishReasonStop, sdk.FinishReasonUnspecified, "":
	case sdk.FinishReasonMaxTokens:
		r.Finish = model.FinishLength
	case sdk.FinishReasonSafety, sdk.FinishReasonRecitation, sdk.FinishReasonLanguage, sdk.FinishReasonBlocklist,
		sdk.FinishReasonProhibitedContent, sdk.FinishReasonSPII, sdk.FinishReasonImageSafety:
		r.Finish, r.Refusal = model.FinishRefused, cmp.Or(first.FinishMessage, string(first.FinishReason))
	default:
		return model.Response{}, model.NewError(model.CauseMalformed, 200, "the answer ended with "+string(first.FinishReason), nil)
	}
	return r, nil
}

// said is the text of a candidate without its thoughts.
func said(c *sdk.Candidate) string {
	var text strings.Builder
	if c.Content != nil {
		for _, p := range c.Content.Parts {
			if !p.Thought {
				text.WriteString(p.Text)
			}
		}
	}
	return text.String()
}
