package model

import (
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Abilities is what an endpoint takes, as far as it was asked.
type Abilities struct {
	// Schema is how answers are held to a schema: enforced, json_object (any JSON,
	// with the schema in the system text) or text (the schema in the system text).
	Schema      string `json:"schema"`
	Temperature bool   `json:"temperature"`
	Seed        bool   `json:"seed"`
}

// The ways of holding an answer to a schema, best first.
var schemaWays = []string{"enforced", "json_object", "text"}

// capabilities are what an endpoint refused, so that it is not asked for again. They
// hold for as long as the client.
type capabilities struct {
	mu            sync.Mutex
	schema        int // index of schemaWays
	noTemperature bool
	noTopP        bool
	noThink       bool
	noSeed        bool
	otherLimit    bool
}

// apply puts a request the way the endpoint takes it.
func (l *capabilities) apply(r Request) Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.noTemperature {
		r.Temperature = nil
	}
	if l.noTopP {
		r.TopP = nil
	}
	if l.noSeed {
		r.Seed = nil
	}
	r.Think = r.Think && !l.noThink
	r.Form.OtherLimit = l.otherLimit
	if r.Schema != nil && l.schema > 0 {
		r.Form.JSON = schemaWays[l.schema] == "json_object"
		r.System = strings.TrimSpace(r.System + "\n\n" + schemaText + string(r.Schema.JSON))
		r.Schema = nil
	}
	return r
}

// schemaText stands before a schema in the system text.
const schemaText = "Answer with one JSON value and nothing around it. It has to be valid under this JSON Schema:\n"

// learn reads the refusal of sent and reports whether asking again, put another
// way, can help. Others may have learned the same in the meantime.
func (l *capabilities) learn(sent Request, e *Error) bool {
	if e.Cause != CauseRequest || !slices.Contains([]int{http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusNotImplemented}, e.Status) {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	words := strings.ToLower(e.Message)
	switch {
	case sent.Think && strings.Contains(words, "thinking"):
		l.noThink = true
	case sent.TopP != nil && anyOf(words, "top_p", "topp"): // first: some take it, but not beside a temperature
		l.noTopP = true
	case sent.Temperature != nil && strings.Contains(words, "temperature"):
		l.noTemperature = true
	case sent.Seed != nil && strings.Contains(words, "seed"):
		l.noSeed = true
	case sent.Form.OtherLimit == l.otherLimit && !l.otherLimit && anyOf(words, "max_tokens", "max_completion_tokens"):
		l.otherLimit = true
	case !sent.Form.OtherLimit && l.otherLimit && anyOf(words, "max_tokens", "max_completion_tokens"): // learned since
	case sent.Schema != nil && aboutSchema(words):
		l.schema = max(l.schema, 1)
	case sent.Form.JSON && aboutSchema(words):
		l.schema = 2
	default:
		return false
	}
	return true
}

func aboutSchema(words string) bool {
	return anyOf(words, "response_format", "json_schema", "json_object", "output_config", "output_format", "responsejsonschema",
		"response_json_schema", "response_schema", "responsemimetype", "response_mime_type", "json mode", "structured output", "guided", "grammar", "schema")
}

func (l *capabilities) abilities() Abilities {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Abilities{Schema: schemaWays[l.schema], Temperature: !l.noTemperature, Seed: !l.noSeed}
}
