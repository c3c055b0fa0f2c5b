package model

import (
	"context"
	"time"
)

// A Model answers conversations. Implementations are safe for concurrent use and
// do not try again: [Endpoint] does that, for all of them alike.
type Model interface {
	// Answer sends one conversation and returns the whole answer. A failure is an
	// [*Error]; an answer that was cut off or refused is a Response that says so.
	Answer(ctx context.Context, r Request) (Response, error)
}

// A Request is one conversation to be answered.
type Request struct {
	Model    string    `json:"model"` // as the provider knows it, without the provider's name
	System   string    `json:"system,omitempty"`
	Messages []Message `json:"messages"`
	// Embed are texts to be turned into vectors, in place of messages and all else:
	// [Response.Vectors] has them. Only OpenAI's protocol does this.
	Embed []string `json:"embed,omitempty"`
	// Schema asks for one JSON value. Where the endpoint cannot enforce it, it is
	// put into the system text.
	Schema *Schema `json:"schema,omitempty"`
	// MaxTokens bounds the answer, reasoning included; 0 means [DefaultMaxTokens].
	MaxTokens int `json:"max_tokens,omitempty"`
	// Temperature is left to the endpoint where it is nil: some models take no other.
	Temperature *float64 `json:"temperature,omitempty"`
	// TopP is the share of the likeliest tokens of which each is drawn; nil leaves it to the
	// endpoint.
	TopP *float64 `json:"top_p,omitempty"`
	// Think has the model think before it answers, for up to half of MaxTokens. Only
	// Anthropic's protocol is told so; elsewhere it is left to the endpoint.
	Think bool   `json:"think,omitempty"`
	Seed  *int64 `json:"seed,omitempty"`
	// Repeat tells equal conversations apart that are to be answered anew, from 0.
	// It is part of what identifies a conversation and is not sent.
	Repeat int `json:"repeat,omitempty"`
	// Form is set by [Client], from what the endpoint refused before.
	Form Form `json:"-"`
}

// A Form is how a request is put where an endpoint does not take the usual way.
// It is no part of what identifies a conversation.
type Form struct {
	// JSON asks for any JSON object: the schema is in the system text.
	JSON bool
	// OtherLimit sends MaxTokens under the other of a protocol's two names
	// (max_tokens and max_completion_tokens).
	OtherLimit bool
}

// DefaultMaxTokens bounds an answer whose request does not.
const DefaultMaxTokens = 4096

// A Role says who speaks.
type Role string

// The speakers of a conversation.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// A Message is one turn of a conversation.
type Message struct {
	Role  Role   `json:"role"`
	Parts []Part `json:"parts"`
}

// A Part is a piece of text or a picture; exactly one is set.
type Part struct {
	Text  string `json:"text,omitempty"`
	Image *Image `json:"image,omitempty"`
}

// An Image is an encoded picture.
type Image struct {
	Type string `json:"type"` // image/jpeg, image/png, image/webp
	Data []byte `json:"data"`
}

// Text is a part of text.
func Text(s string) Part { return Part{Text: s} }

// User is a message of the user.
func User(parts ...Part) Message { return Message{Role: RoleUser, Parts: parts} }

// A Schema is the JSON Schema (draft 2020-12, in the subset that all providers
// enforce) of an answer.
type Schema struct {
	Name string `json:"name"` // [a-z0-9_]+
	JSON []byte `json:"json"`
}

// Finish says why an answer ended.
type Finish string

// The ends of an answer.
const (
	FinishStop    Finish = "stop"    // the model was done
	FinishLength  Finish = "length"  // cut off at MaxTokens: the rest is missing
	FinishRefused Finish = "refused" // the model or its filter would not answer
)

// A Response is a whole answer.
type Response struct {
	Text   string `json:"text"`
	Finish Finish `json:"finish"`
	// Model is what answered, as the endpoint names it; often more exact than what
	// was asked for.
	Model string `json:"model"`
	Usage Usage  `json:"usage"`
	// Reasoning is what the model thought before it answered, where the endpoint gives it
	// apart from the text.
	Reasoning string `json:"reasoning,omitempty"`
	// Refusal is what a model or its filter said instead of an answer.
	Refusal string `json:"refusal,omitempty"`
}

// Usage counts tokens. Cached ones are part of In, reasoning ones of Out.
type Usage struct {
	In        int `json:"in"`
	Out       int `json:"out"`
	Cached    int `json:"cached,omitempty"`
	Reasoning int `json:"reasoning,omitempty"`
}

// A Cause is why there is no answer.
type Cause string

// The causes.
const (
	CauseRate       Cause = "rate_limited" // 429: too many requests or tokens
	CauseOverloaded Cause = "overloaded"   // 5xx: the endpoint has trouble
	CauseConnection Cause = "connection"   // no connection, or it broke
	CauseTimeout    Cause = "timeout"      // no answer within the deadline
	CauseKey        Cause = "key"          // 401 or 403
	CauseRequest    Cause = "request"      // another 4xx: asking again is of no use
	CauseTooLarge   Cause = "too_large"    // the conversation is too long for the model
	CauseNoVision   Cause = "no_vision"    // the model reads no pictures, whatever the status
	CauseCredit     Cause = "credit"       // 402, or a quota that is used up
	CauseMalformed  Cause = "malformed"    // the endpoint does not speak its own protocol
)

// An Error is a conversation without an answer.
type Error struct {
	Cause   Cause
	Status  int // HTTP status, 0 without one
	Message string
	// RetryAfter is how long the endpoint asks to be left alone; 0 if it does not.
	RetryAfter time.Duration
	err        error
}

// NewError wraps err, which may be nil.
func NewError(cause Cause, status int, message string, err error) *Error {
	return &Error{Cause: cause, Status: status, Message: message, err: err}
}

func (e *Error) Error() string {
	if e.Message != "" {
		return string(e.Cause) + ": " + e.Message
	}
	if e.err != nil {
		return string(e.Cause) + ": " + e.err.Error()
	}
	return string(e.Cause)
}

func (e *Error) Unwrap() error { return e.err }

// Passing reports whether the same conversation may be answered later.
func (e *Error) Passing() bool {
	switch e.Cause {
	case CauseRate, CauseOverloaded, CauseConnection, CauseTimeout, CauseMalformed:
		return true
	}
	return false
}
