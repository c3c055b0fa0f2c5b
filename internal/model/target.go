package model

import "net/http"

// A Protocol is what an endpoint speaks.
type Protocol string

// The protocols.
const (
	OpenAI    Protocol = "openai"    // Chat Completions, also of vLLM, SGLang, Ollama, OpenRouter and others
	Anthropic Protocol = "anthropic" // Messages
	Google    Protocol = "google"    // Gemini generateContent
)

// A Secret is a key. However it is printed, it does not show.
type Secret string

// hidden stands for a key wherever text leaves the package.
const hidden = "[key]"

func (Secret) String() string { return hidden }

// GoString hides the key from %#v.
func (Secret) GoString() string { return hidden }

// MarshalText hides the key from JSON and YAML.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// A Target is where a model is asked.
type Target struct {
	Protocol Protocol
	BaseURL  string // as the protocol's SDK wants it: see baseURL
	Key      Secret // empty where the server wants none
	Model    string // as the provider knows it
	// HTTP sends the requests. What it returns without an error is a whole JSON
	// answer; a failure of any kind is an [*Error] in the chain of its error.
	HTTP *http.Client
}

// A Dial makes the Model of a target's protocol. providers.Dial is the one for
// use.
type Dial func(Target) (Model, error)
