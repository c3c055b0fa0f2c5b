package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	sdk "github.com/openai/openai-go/v3"

	"vitrine/internal/model"
)

// embed turns texts into vectors. No encoding is asked for, since not every server knows
// the parameter; all give numbers without it.
func (c client) embed(ctx context.Context, r model.Request) (model.Response, error) {
	done, err := c.embeddings.New(ctx, sdk.EmbeddingNewParams{Model: r.Model, Input: sdk.EmbeddingNewParamsInputUnion{OfArrayOfStrings: r.Embed}})
	if err != nil {
		return model.Response{}, err
	}
	x, err := vectors(done.Data, len(r.Embed))
	if err != nil {
		return model.Response{}, model.NewError(model.CauseMalformed, 200, err.Error(), nil)
	}
	return model.Response{Text: model.VectorText(x), Finish: model.FinishStop, Model: done.Model, Usage: model.Usage{In: int(done.Usage.PromptTokens)}}, nil
}

// vectors are those of n texts, one after the other. The numbers are read from what was
// sent: the SDK takes any value for a number.
func vectors(data []sdk.Embedding, n int) ([]float32, error) {
	if len(data) != n {
		return nil, fmt.Errorf("the answer has %d vectors for %d texts", len(data), n)
	}
	var x []float32
	seen, dim := make([]bool, n), 0
	for _, e := range data {
		var v []float32
		raw := []byte(e.JSON.Embedding.Raw())
		if err := json.Unmarshal(raw, &v); err != nil || bytes.Contains(raw, []byte("null")) || len(v) == 0 {
			return nil, fmt.Errorf("vector %d is no list of finite numbers", e.Index)
		}
		if x == nil {
			dim = len(v)
			x = make([]float32, n*dim)
		}
		if len(v) != dim {
			return nil, fmt.Errorf("the vectors of one answer have %d and %d numbers", dim, len(v))
		}
		if e.Index < 0 || e.Index >= int64(n) || seen[e.Index] {
			return nil, fmt.Errorf("the answer has no vector for each text, or two: index %d", e.Index)
		}
		seen[e.Index] = true
		copy(x[int(e.Index)*dim:], v)
	}
	return x, nil
}
