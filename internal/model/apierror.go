package model

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// An apiError is the JSON of a failure, as the providers and the common servers
// write it:
//
//	OpenAI     {"error": {"message", "type", "param", "code"}}
//	Anthropic  {"type": "error", "error": {"type", "message"}}
//	Google     {"error": {"code": 429, "message", "status", "details": [{"retryDelay": "12s"}]}}
//	OpenRouter {"error": {"code": 502, "message"}}
//	Ollama     {"error": "…"}        vLLM  {"message": "…"}        FastAPI  {"detail": "…"}
type apiError struct {
	Error   json.RawMessage `json:"error"`
	Message json.RawMessage `json:"message"`
	Detail  json.RawMessage `json:"detail"`
	// What only an answer has.
	Choices    json.RawMessage `json:"choices"`
	Content    json.RawMessage `json:"content"`
	Candidates json.RawMessage `json:"candidates"`
}

// readAPIError reads a body, which may be a list of one; ok is false where it is
// no JSON object.
func readAPIError(body []byte) (c apiError, ok bool) {
	var list []apiError
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		return list[0], true
	}
	return c, json.Unmarshal(body, &c) == nil
}

type apiErrorBody struct {
	Message json.RawMessage `json:"message"`
	Type    string          `json:"type"`
	Param   string          `json:"param"`
	Code    json.RawMessage `json:"code"` // a word or a status
	Status  string          `json:"status"`
	Details []struct {
		RetryDelay string `json:"retryDelay"`
	} `json:"details"`
}

// failed reports whether a body with a good status is an error all the same.
func (c apiError) failed() bool {
	return len(c.Error) > 0 && string(c.Error) != "null" && c.Choices == nil && c.Content == nil && c.Candidates == nil
}

func (c apiError) body() (b apiErrorBody) {
	if json.Unmarshal(c.Error, &b) != nil { // a text, or fields of other types
		var loose struct {
			Message json.RawMessage `json:"message"`
			Code    json.RawMessage `json:"code"`
		}
		b = apiErrorBody{}
		if json.Unmarshal(c.Error, &loose) == nil {
			b.Message, b.Code = loose.Message, loose.Code
		} else {
			b.Message = c.Error
		}
	}
	return b
}

// status is the HTTP status that the body tells of, or the one given.
func (c apiError) status(otherwise int) int {
	var n int
	if json.Unmarshal(c.body().Code, &n) == nil && n >= 400 && n < 600 {
		return n
	}
	return otherwise
}

// text reads a JSON value as text: strings as they are, others as JSON.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil || string(raw) == "null" {
		return s
	}
	return string(raw)
}

// read makes an [Error] of a status and its body; otherwise is the message where the
// body has none.
func (c apiError) read(status int, header http.Header, otherwise string) *Error {
	b := c.body()
	message := text(b.Message)
	for _, other := range []json.RawMessage{c.Message, c.Detail} {
		if message == "" {
			message = text(other)
		}
	}
	if message == "" {
		message = otherwise
	}
	words := strings.ToLower(strings.Join([]string{message, b.Type, b.Param, text(b.Code), b.Status}, " "))
	e := NewError(causeOf(status, words), status, message, nil)
	if b.Param != "" && !strings.Contains(message, b.Param) {
		e.Message += " (" + b.Param + ")"
	}
	e.RetryAfter = retryAfter(header, time.Now())
	for _, d := range b.Details {
		if wait, err := time.ParseDuration(d.RetryDelay); err == nil && wait > e.RetryAfter {
			e.RetryAfter = min(wait, maxRetryAfter)
		}
	}
	return e
}

// causeOf reads a status and the words that came with it, in lower case.
func causeOf(status int, words string) Cause {
	switch {
	case status == http.StatusPaymentRequired || anyOf(words, "insufficient_quota", "credit balance", "insufficient credit", "billing_hard_limit"):
		return CauseCredit
	case status == http.StatusTooManyRequests:
		return CauseRate
	case status == http.StatusUnauthorized, status == http.StatusForbidden, anyOf(words, "api_key_invalid", "api key not valid", "invalid_api_key"):
		return CauseKey
	case status == http.StatusRequestTimeout:
		return CauseTimeout
	case status == http.StatusRequestEntityTooLarge, anyOf(words, "context_length_exceeded", "context length", "prompt is too long", "context window", "input token count", "too many tokens", "maximum number of tokens"):
		return CauseTooLarge
	case blind(words):
		return CauseNoVision
	case status == http.StatusConflict, status == http.StatusTooEarly, status >= 500 && status != http.StatusNotImplemented, anyOf(words, "overloaded"):
		return CauseOverloaded
	}
	return CauseRequest
}

// blind reports whether the words, in lower case, say that the model reads no
// pictures at all. Servers say so with status 400, 404, 422 or 500. A picture that
// is refused for its size, format or number is another matter.
func blind(words string) bool {
	switch {
	case strings.Contains(words, "only supported by"): // OpenAI: "image_url is only supported by certain models"
		return strings.Contains(words, "image")
	case strings.Contains(words, "unknown variant"): // DeepSeek: "unknown variant `image_url`, expected `text`"
		return strings.Contains(words, "image_url") && strings.Contains(words, "`text`")
	}
	return anyOf(words,
		"mmproj", "no endpoints found that support image", "missing data required for image input", "at most 0 image",
		"not a multimodal model", "not a multi-modal model", "not compiled for multimodal", "not a vision model", "multimodal is not supported",
		"image input is not supported", "image inputs are not supported", "images are not supported", "image_url is not supported",
		"image content is not supported", "image input is not enabled", "image input modality is not enabled", "vision is not supported",
		"not support image", "n't support image", "not support the image", "n't support the image", "not support vision", "n't support vision",
		"not support multimodal", "not support multi-modal", "not have vision", "not accept image",
	)
}

func anyOf(words string, marks ...string) bool {
	for _, m := range marks {
		if strings.Contains(words, m) {
			return true
		}
	}
	return false
}

// maxRetryAfter bounds how long an endpoint can ask to be left alone.
const maxRetryAfter = time.Hour

// retryAfter reads how long an endpoint asks to be left alone: Retry-After in
// seconds or as a date (RFC 9110, section 10.2.3), or retry-after-ms, which OpenAI
// sends. 0 means that it does not say.
func retryAfter(header http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(header.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return bounded(ms / 1000)
	}
	value := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		return bounded(seconds)
	}
	if at, err := http.ParseTime(value); err == nil && at.After(now) {
		return min(at.Sub(now), maxRetryAfter)
	}
	return 0
}

func bounded(seconds float64) time.Duration {
	switch {
	case !(seconds > 0): // also what is no number
		return 0
	case seconds > maxRetryAfter.Seconds():
		return maxRetryAfter
	}
	return time.Duration(seconds * float64(time.Second))
}
