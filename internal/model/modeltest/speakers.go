package modeltest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"vitrine/internal/model"
)

// A speaker is the server's side of a protocol.
type speaker interface {
	key(*http.Request) string
	read(req *http.Request, body []byte) (Question, error)
	write(Question, Answer) []byte
	fail(http.ResponseWriter, Failure)
}

var speakers = map[model.Protocol]speaker{model.OpenAI: openAI{}, embedding: embeddings{}, model.Anthropic: anthropic{}, model.Google: google{}}

func protocolOf(path string) model.Protocol {
	switch {
	case strings.HasSuffix(path, "/v1/chat/completions"):
		return model.OpenAI
	case strings.HasSuffix(path, "/v1/embeddings"):
		return embedding
	case path == "/v1/messages":
		return model.Anthropic
	case strings.HasPrefix(path, "/v1beta/models/") && strings.HasSuffix(path, ":generateContent"):
		return model.Google
	}
	return ""
}

// add puts a message into the question.
func (q *Question) add(role string, parts []model.Part) {
	m := model.Message{Role: model.RoleUser, Parts: parts}
	if role != string(model.RoleUser) {
		m.Role = model.RoleAssistant
	}
	q.Messages = append(q.Messages, m)
	for _, p := range parts {
		if p.Image != nil {
			q.Images = append(q.Images, *p.Image)
		} else {
			q.Text += p.Text + "\n"
		}
	}
}

// picture reads a picture in base64 and wants the media type to be the true one.
func picture(mediaType, data string) (model.Part, error) {
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return model.Part{}, err
	}
	if found := http.DetectContentType(raw); found != mediaType {
		return model.Part{}, fmt.Errorf("a picture says %s and is %s", mediaType, found)
	}
	return model.Part{Image: &model.Image{Type: mediaType, Data: raw}}, nil
}

func encoded(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain values of ours
	}
	return b
}

type object = map[string]any

type openAI struct{}

func (openAI) key(req *http.Request) string {
	return strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer ")
}

func (openAI) read(_ *http.Request, body []byte) (q Question, err error) {
	var in struct {
		Model    string
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
		MaxTokens           int      `json:"max_tokens"`
		MaxCompletionTokens int      `json:"max_completion_tokens"`
		Temperature         *float64 `json:"temperature"`
		TopP                *float64 `json:"top_p"`
		Seed                *int64   `json:"seed"`
		ResponseFormat      struct {
			Type       string
			JSONSchema struct{ Schema json.RawMessage } `json:"json_schema"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return q, err
	}
	q = Question{
		Protocol: model.OpenAI, Model: in.Model, MaxTokens: in.MaxTokens, LimitName: "max_tokens", Temperature: in.Temperature, TopP: in.TopP, Seed: in.Seed,
		Schema: in.ResponseFormat.JSONSchema.Schema, JSON: in.ResponseFormat.Type == "json_object",
	}
	if in.MaxCompletionTokens > 0 {
		q.MaxTokens, q.LimitName = in.MaxCompletionTokens, "max_completion_tokens"
	}
	for _, m := range in.Messages {
		parts, err := openAIParts(m.Content)
		if err != nil {
			return q, err
		}
		if m.Role == "system" {
			q.System += parts[0].Text
		} else {
			q.add(m.Role, parts)
		}
	}
	return q, nil
}

func openAIParts(content json.RawMessage) ([]model.Part, error) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []model.Part{model.Text(text)}, nil
	}
	var in []struct {
		Type, Text string
		ImageURL   struct{ URL string } `json:"image_url"`
	}
	if err := json.Unmarshal(content, &in); err != nil {
		return nil, err
	}
	var parts []model.Part
	for _, p := range in {
		if p.Type == "text" {
			parts = append(parts, model.Text(p.Text))
			continue
		}
		mediaType, data, ok := strings.Cut(strings.TrimPrefix(p.ImageURL.URL, "data:"), ";base64,")
		if !ok {
			return nil, fmt.Errorf("a picture that is no data")
		}
		part, err := picture(mediaType, data)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}

func (openAI) write(_ Question, a Answer) []byte {
	finish := map[model.Finish]string{model.FinishStop: "stop", model.FinishLength: "length", model.FinishRefused: "stop"}[a.Finish]
	message := object{"role": "assistant", "content": a.Text}
	if a.Refusal != "" {
		message["refusal"] = a.Refusal
	} else if a.Finish == model.FinishRefused {
		finish = "content_filter"
	}
	out := object{"id": "chatcmpl-1", "object": "chat.completion", "created": time.Now().Unix(), "model": a.Model,
		"choices": []object{{"index": 0, "finish_reason": finish, "message": message}}}
	if !a.NoUsage {
		out["usage"] = object{"prompt_tokens": a.Usage.In, "completion_tokens": a.Usage.Out, "total_tokens": a.Usage.In + a.Usage.Out,
			"prompt_tokens_details":     object{"cached_tokens": a.Usage.Cached},
			"completion_tokens_details": object{"reasoning_tokens": a.Usage.Reasoning}}
	}
	return encoded(out)
}

func (openAI) fail(w http.ResponseWriter, f Failure) {
	headers(w, f)
	sendJSON(w, orInternal(f.Status), object{"error": object{"message": f.Message, "type": f.Type, "param": f.Param, "code": f.Type}})
}

func orInternal(status int) int {
	if status == 0 {
		return http.StatusInternalServerError
	}
	return status
}

type anthropic struct{}

func (anthropic) key(req *http.Request) string { return req.Header.Get("X-Api-Key") }

func (anthropic) read(_ *http.Request, body []byte) (q Question, err error) {
	var in struct {
		Model     string
		MaxTokens int `json:"max_tokens"`
		System    []struct{ Text string }
		Messages  []struct {
			Role    string
			Content []struct {
				Type, Text string
				Source     struct {
					MediaType string `json:"media_type"`
					Data      string
				}
			}
		}
		Temperature *float64
		TopP        *float64 `json:"top_p"`
		Thinking    struct {
			Type   string
			Budget int `json:"budget_tokens"`
		}
		OutputConfig struct {
			Format struct{ Schema json.RawMessage }
		} `json:"output_config"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return q, err
	}
	if in.MaxTokens < 1 {
		return q, fmt.Errorf("max_tokens: field required")
	}
	q = Question{Protocol: model.Anthropic, Model: in.Model, MaxTokens: in.MaxTokens, LimitName: "max_tokens", Temperature: in.Temperature, TopP: in.TopP, Schema: in.OutputConfig.Format.Schema}
	if in.Thinking.Type == "enabled" {
		q.Thinking = in.Thinking.Budget
	}
	for _, s := range in.System {
		q.System += s.Text
	}
	for _, m := range in.Messages {
		var parts []model.Part
		for _, c := range m.Content {
			part := model.Text(c.Text)
			if c.Type == "image" {
				if part, err = picture(c.Source.MediaType, c.Source.Data); err != nil {
					return q, err
				}
			}
			parts = append(parts, part)
		}
		q.add(m.Role, parts)
	}
	return q, nil
}

func (anthropic) write(_ Question, a Answer) []byte {
	reason := map[model.Finish]string{model.FinishStop: "end_turn", model.FinishLength: "max_tokens", model.FinishRefused: "refusal"}[a.Finish]
	content := []object{}
	if a.Text != "" {
		content = append(content, object{"type": "text", "text": a.Text})
	}
	out := object{"id": "msg_1", "type": "message", "role": "assistant", "model": a.Model, "content": content, "stop_reason": reason, "stop_sequence": nil,
		"usage": object{"input_tokens": a.Usage.In - a.Usage.Cached, "cache_read_input_tokens": a.Usage.Cached, "output_tokens": a.Usage.Out}}
	if a.Refusal != "" {
		out["stop_details"] = object{"type": "refusal", "explanation": a.Refusal}
	}
	return encoded(out)
}

func (anthropic) fail(w http.ResponseWriter, f Failure) {
	headers(w, f)
	sendJSON(w, orInternal(f.Status), object{"type": "error", "error": object{"type": f.Type, "message": f.Message}})
}

type google struct{}

func (google) key(req *http.Request) string { return req.Header.Get("X-Goog-Api-Key") }

func (google) read(req *http.Request, body []byte) (q Question, err error) {
	type content struct {
		Role  string
		Parts []struct {
			Text       string
			InlineData *struct{ MIMEType, Data string }
		}
	}
	var in struct {
		Contents          []content
		SystemInstruction content
		GenerationConfig  struct {
			MaxOutputTokens    int
			Temperature        *float64
			TopP               *float64
			Seed               *int64
			ResponseMIMEType   string
			ResponseJsonSchema json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return q, err
	}
	g := in.GenerationConfig
	q = Question{
		Protocol: model.Google, MaxTokens: g.MaxOutputTokens, LimitName: "maxOutputTokens", Temperature: g.Temperature, TopP: g.TopP, Seed: g.Seed,
		Model:  strings.TrimSuffix(strings.TrimPrefix(req.URL.Path, "/v1beta/models/"), ":generateContent"),
		Schema: g.ResponseJsonSchema, JSON: g.ResponseMIMEType == "application/json" && g.ResponseJsonSchema == nil,
	}
	for _, p := range in.SystemInstruction.Parts {
		q.System += p.Text
	}
	for _, c := range in.Contents {
		var parts []model.Part
		for _, p := range c.Parts {
			part := model.Text(p.Text)
			if p.InlineData != nil {
				if part, err = picture(p.InlineData.MIMEType, p.InlineData.Data); err != nil {
					return q, err
				}
			}
			parts = append(parts, part)
		}
		q.add(c.Role, parts)
	}
	return q, nil
}

func (google) write(_ Question, a Answer) []byte {
	usage := object{"promptTokenCount": a.Usage.In, "candidatesTokenCount": a.Usage.Out - a.Usage.Reasoning,
		"thoughtsTokenCount": a.Usage.Reasoning, "cachedContentTokenCount": a.Usage.Cached}
	out := object{"modelVersion": a.Model}
	if !a.NoUsage {
		out["usageMetadata"] = usage
	}
	if a.Finish == model.FinishRefused && a.Text == "" {
		out["promptFeedback"] = object{"blockReason": "SAFETY", "blockReasonMessage": a.Refusal}
		return encoded(out)
	}
	reason := map[model.Finish]string{model.FinishStop: "STOP", model.FinishLength: "MAX_TOKENS", model.FinishRefused: "SAFETY"}[a.Finish]
	parts := []object{{"text": "thinking about it", "thought": true}}
	if a.Text != "" {
		parts = append(parts, object{"text": a.Text})
	}
	out["candidates"] = []object{{"index": 0, "finishReason": reason, "finishMessage": a.Refusal, "content": object{"role": "model", "parts": parts}}}
	return encoded(out)
}

func (google) fail(w http.ResponseWriter, f Failure) {
	millis := f.RetryMillis
	f.RetryMillis = 0
	headers(w, f)
	e := object{"code": orInternal(f.Status), "message": f.Message, "status": f.Type}
	if millis > 0 {
		e["details"] = []object{{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": fmt.Sprintf("%.3fs", float64(millis)/1000)}}
	}
	sendJSON(w, orInternal(f.Status), object{"error": e})
}
