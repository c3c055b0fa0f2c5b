package refinerun

import (
	"context"
	"fmt"

	"vitrine/internal/model"
	"vitrine/internal/refine"
)

// A Writer is the model that writes.
type Writer struct {
	Client      *model.Client
	Name        string
	MaxTokens   int      // of one version, reasoning included
	Temperature *float64 // nil: left to the endpoint
}

// String says who writes, for the header of a run: versions of others are not mixed
// with them.
func (w *Writer) String() string {
	text := fmt.Sprintf("%s, at most %d tokens", w.Name, w.MaxTokens)
	if w.Temperature != nil {
		text += fmt.Sprintf(", temperature %g", *w.Temperature)
	}
	return text
}

// Answer writes the next version. One that was cut off is what it is; one that was
// refused or is empty is an output without a site.
func (w *Writer) Answer(ctx context.Context, ask refine.Request) (refine.Answer, error) {
	q := model.Request{MaxTokens: w.MaxTokens, Temperature: w.Temperature, Repeat: ask.Turn}
	for _, m := range ask.Messages {
		q.Messages = append(q.Messages, model.Message{Role: model.Role(m.Role), Parts: []model.Part{{Text: m.Content}}})
	}
	reply, err := w.Client.Ask(ctx, w.Name, q)
	if err != nil {
		return refine.Answer{}, err
	}
	a := refine.Answer{Text: reply.Text}
	if reply.Usage.Out > 0 {
		a.Tokens = &reply.Usage.Out
	}
	return a, nil
}
