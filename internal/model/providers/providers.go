// Package providers chooses the package that speaks a protocol. It stands apart,
// since package model, which they all know, cannot know them.
package providers

import (
	"fmt"

	"vitrine/internal/model"
	"vitrine/internal/model/anthropic"
	"vitrine/internal/model/google"
	"vitrine/internal/model/openai"
)

// Dial makes the model of a target. It is the Dial of [model.Settings]. It sends
// nothing; an error is ours.
func Dial(t model.Target) (model.Model, error) {
	switch t.Protocol {
	case model.OpenAI:
		return openai.New(t), nil
	case model.Anthropic:
		return anthropic.New(t), nil
	case model.Google:
		return google.New(t)
	}
	return nil, fmt.Errorf("protocol %q is not known", t.Protocol)
}
