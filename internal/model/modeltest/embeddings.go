package modeltest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"vitrine/internal/model"
)

// embedding is the part of OpenAI's protocol that has a path and a form of its own.
const embedding model.Protocol = "openai embeddings"

type embeddings struct{ openAI }

func (embeddings) read(_ *http.Request, body []byte) (Question, error) {
	var in struct {
		Model string
		Input []string
	}
	err := json.Unmarshal(body, &in)
	return Question{Protocol: model.OpenAI, Model: in.Model, Embed: in.Input, Text: strings.Join(in.Input, "\n")}, err
}

// write gives the vectors last first: their index says whose they are.
func (embeddings) write(_ Question, a Answer) []byte {
	data := make([]object, 0, len(a.Vectors))
	for i, v := range slices.Backward(a.Vectors) {
		data = append(data, object{"object": "embedding", "index": i, "embedding": v})
	}
	out := object{"object": "list", "model": a.Model, "data": data}
	if !a.NoUsage {
		out["usage"] = object{"prompt_tokens": a.Usage.In, "total_tokens": a.Usage.In}
	}
	return encoded(out)
}
