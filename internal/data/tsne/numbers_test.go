package tsne

import (
	"context"
	"testing"
)

// The numbers of AesCoder B.2.
func TestThePublishedNumbers(t *testing.T) {
	t.Parallel()
	x := make([]float32, 91*2)
	for i := range x {
		x[i] = float32(i * i % 97)
	}
	l, err := Run(context.Background(), x, 2)
	if err != nil || l.Perplexity != 30 || rounds != 1000 {
		t.Errorf("perplexity %v, %d rounds, %v", l.Perplexity, rounds, err)
	}
}
