package parse

import (
	"encoding/json"
	"sync"

	"github.com/tiktoken-go/tokenizer"

	"vitrine"
)

// tokenKeys are the names by which inputs tell how long the output is.
var tokenKeys = []string{"output_tokens", "completion_tokens", "tokens"}

// countedText bounds what is counted by ourselves; the rest is extrapolated.
const countedText = 400 << 10

var encoder = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

// Tokens is the length of an output in tokens: what the input says, else an
// estimate by a common tokenizer (o200k).
func Tokens(o vitrine.Output) (float64, error) {
	for _, key := range tokenKeys {
		var n float64
		if raw, ok := o.Meta[key]; ok && json.Unmarshal(raw, &n) == nil && n >= 0 {
			return n, nil
		}
	}
	enc, err := encoder()
	if err != nil {
		return 0, err
	}
	part := o.Text[:min(len(o.Text), countedText)]
	n, err := enc.Count(part)
	if err != nil || len(part) == 0 {
		return 0, err
	}
	return float64(n) * float64(len(o.Text)) / float64(len(part)), nil
}
