package refine

import (
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// The length penalty (ReLook Eq. 4, App. G), in tokens of the whole trajectory.
const (
	lengthStart = 12000
	lengthEnd   = 14000
)

func lengthReward(tokens int) float64 {
	return max(0, min(1, float64(lengthEnd-tokens)/(lengthEnd-lengthStart)))
}

// countedText bounds how many bytes are counted; the rest is extrapolated.
const countedText = 400 << 10

var encoder = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

// countTokens estimates the length of a text by a common tokenizer (o200k).
func countTokens(text string) (int, error) {
	enc, err := encoder()
	if err != nil {
		return 0, err
	}
	part := text[:min(len(text), countedText)]
	n, err := enc.Count(part)
	if err != nil || len(part) == 0 {
		return 0, err
	}
	return int(float64(n) * float64(len(text)) / float64(len(part))), nil
}
