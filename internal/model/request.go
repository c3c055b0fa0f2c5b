package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"

	"vitrine/internal/digest"
)

var schemaName = regexp.MustCompile(`^[a-z0-9_]{1,64}$`)

// check wants a request that every provider can take.
func (r Request) check(maxImages int) error {
	if len(r.Embed) > 0 {
		if len(r.Messages) > 0 || slices.Contains(r.Embed, "") {
			return fmt.Errorf("want texts that are not empty, and no messages beside them")
		}
		return nil
	}
	images := 0
	for i, m := range r.Messages {
		if m.Role != RoleUser && m.Role != RoleAssistant || len(m.Parts) == 0 {
			return fmt.Errorf("message %d: want a role and at least one part", i)
		}
		for _, p := range m.Parts {
			if (p.Text == "") == (p.Image == nil) {
				return fmt.Errorf("message %d: want parts of either text or a picture", i)
			}
			if p.Image == nil {
				continue
			}
			images++
			if m.Role != RoleUser {
				return fmt.Errorf("message %d: only the user shows pictures", i)
			}
			if err := p.Image.check(); err != nil {
				return fmt.Errorf("message %d: %w", i, err)
			}
		}
	}
	switch {
	case len(r.Messages) == 0 || r.Messages[len(r.Messages)-1].Role != RoleUser:
		return fmt.Errorf("want messages of which the last is the user's")
	case r.MaxTokens < 0:
		return fmt.Errorf("max_tokens: want 1 or more, got %d", r.MaxTokens)
	case r.Schema != nil && (!schemaName.MatchString(r.Schema.Name) || !json.Valid(r.Schema.JSON)):
		return fmt.Errorf("schema %q: want a name of a-z, 0-9 and _, and JSON", r.Schema.Name)
	case maxImages > 0 && images > maxImages:
		return fmt.Errorf("%d pictures are more than the %d that the models file allows (max_images)", images, maxImages)
	}
	return nil
}

// pictured reports whether a request shows a picture.
func (r Request) pictured() bool {
	return slices.ContainsFunc(r.Messages, func(m Message) bool {
		return slices.ContainsFunc(m.Parts, func(p Part) bool { return p.Image != nil })
	})
}

// NewImage is an encoded picture with its true media type. An error means that it
// is neither JPEG nor PNG nor WebP.
func NewImage(data []byte) (Image, error) {
	found := http.DetectContentType(data)
	if !slices.Contains([]string{"image/jpeg", "image/png", "image/webp"}, found) {
		return Image{}, fmt.Errorf("want a picture in JPEG, PNG or WebP, got %s", found)
	}
	return Image{Type: found, Data: data}, nil
}

// check wants the media type that the bytes have: providers refuse or misread a
// PNG that says it is a JPEG.
func (i Image) check() error {
	true, err := NewImage(i.Data)
	if err == nil && true.Type != i.Type {
		return fmt.Errorf("the picture is %s and says %s", true.Type, i.Type)
	}
	return err
}

// A Conversation is a request and its answer, as the tape keeps it. Pictures are
// kept by hash only.
type Conversation struct {
	Hash     string   `json:"hash"`
	Name     string   `json:"name"` // provider/model
	BaseURL  string   `json:"base_url"`
	Request  Written  `json:"request"`
	Response Response `json:"response"`
}

// Written is a request with its pictures by hash.
type Written struct {
	Model       string           `json:"model"`
	System      string           `json:"system,omitempty"`
	Messages    []WrittenMessage `json:"messages"`
	Embed       []string         `json:"embed,omitempty"`
	SchemaName  string           `json:"schema_name,omitempty"`
	Schema      json.RawMessage  `json:"schema,omitempty"`
	MaxTokens   int              `json:"max_tokens"`
	Temperature *float64         `json:"temperature,omitempty"`
	TopP        *float64         `json:"top_p,omitempty"`
	Think       bool             `json:"think,omitempty"`
	Seed        *int64           `json:"seed,omitempty"`
	Repeat      int              `json:"repeat,omitempty"`
}

// WrittenMessage is a message with its pictures by hash.
type WrittenMessage struct {
	Role  Role          `json:"role"`
	Parts []WrittenPart `json:"parts"`
}

// WrittenPart is a text, or the media type, SHA-256 and length of a picture.
type WrittenPart struct {
	Text   string `json:"text,omitempty"`
	Type   string `json:"type,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
	Bytes  int    `json:"bytes,omitempty"`
}

func (r Request) written() Written {
	w := Written{Model: r.Model, System: r.System, Embed: r.Embed, MaxTokens: r.MaxTokens, Temperature: r.Temperature, TopP: r.TopP, Think: r.Think, Seed: r.Seed, Repeat: r.Repeat}
	for _, m := range r.Messages {
		wm := WrittenMessage{Role: m.Role}
		for _, p := range m.Parts {
			wp := WrittenPart{Text: p.Text}
			if p.Image != nil {
				sum := sha256.Sum256(p.Image.Data)
				wp = WrittenPart{Type: p.Image.Type, SHA256: hex.EncodeToString(sum[:]), Bytes: len(p.Image.Data)}
			}
			wm.Parts = append(wm.Parts, wp)
		}
		w.Messages = append(w.Messages, wm)
	}
	if r.Schema != nil {
		var compact bytes.Buffer
		if json.Compact(&compact, r.Schema.JSON) == nil { // checked before
			w.SchemaName, w.Schema = r.Schema.Name, compact.Bytes()
		}
	}
	return w
}

// conversationVersion is raised when the same request means another conversation.
const conversationVersion = 1

// conversation is a request at a place, without its answer. The hash is of all
// that an answer depends on: provider, model, address, texts, pictures by content,
// schema, bounds and Repeat. A text that is not UTF-8 counts as what is sent of it.
func (i Info) conversation(r Request) Conversation {
	c := Conversation{Name: i.Name, BaseURL: i.BaseURL, Request: r.written()}
	c.Hash = digest.Of(conversationVersion, c.Name, c.BaseURL, c.Request)
	return c
}

// estimate is the most tokens that a conversation can be expected to use: a token
// for every two bytes of text, which real texts stay well below, the pictures by
// the provider's formula, and the whole of MaxTokens.
func (r Request) estimate(p Protocol) Usage {
	const perMessage, perCall = 8, 32
	bytes := len(r.System)
	in := perCall
	if r.Schema != nil {
		bytes += len(r.Schema.JSON) + len(schemaText)
	}
	for _, text := range r.Embed {
		in, bytes = in+perMessage, bytes+len(text)
	}
	for _, m := range r.Messages {
		in += perMessage
		for _, part := range m.Parts {
			bytes += len(part.Text)
			if part.Image != nil {
				in += part.Image.tokens(p)
			}
		}
	}
	return Usage{In: in + (bytes+1)/2, Out: r.MaxTokens}
}
