package refinerun

import (
	"context"
	"fmt"
	"maps"

	"vitrine/internal/model"
	"vitrine/internal/refine"
	"vitrine/internal/runs"
)

// A Writer is the model that writes.
type Writer struct {
	Client      *model.Client
	Name        string
	MaxTokens   int      // of one version, reasoning included
	Temperature *float64 // nil: left to the endpoint
	TopP        *float64 // the same
	// Seed is that of the first version, and the next ones have the numbers after it, or a
	// rejected one would come again; nil sends none.
	Seed *int64
	// Sample numbers the sessions of the same task, from 0.
	Sample int
}

// String says who writes, for the header of a run: versions of others are not mixed
// with them.
func (w *Writer) String() string {
	text := fmt.Sprintf("%s, at most %d tokens", w.Name, w.MaxTokens)
	if w.Temperature != nil {
		text += fmt.Sprintf(", temperature %g", *w.Temperature)
	}
	if w.TopP != nil {
		text += fmt.Sprintf(", top-p %g", *w.TopP)
	}
	if w.Seed != nil {
		text += fmt.Sprintf(", seed %d", *w.Seed)
	}
	return text
}

// Header is that of a run whose versions it writes.
func (w *Writer) Header(h runs.Header) runs.Header {
	h.Policy = w.String()
	settings := map[string]string{"policy": h.Policy}
	maps.Copy(settings, h.Provenance.Settings)
	h.Provenance.Settings = settings
	return h
}

// write has the next version written. One that was cut off is what it is; one that was
// refused or is empty is an output without a site.
func (w *Writer) write(ctx context.Context, ask refine.Request) (model.Reply, error) {
	q := model.Request{MaxTokens: w.MaxTokens, Temperature: w.Temperature, TopP: w.TopP, Repeat: w.Sample<<16 + ask.Turn} // one number for each version of each session
	if w.Seed != nil {
		q.Seed = new(*w.Seed + int64(ask.Turn-1))
	}
	for _, m := range ask.Messages {
		q.Messages = append(q.Messages, model.Message{Role: model.Role(m.Role), Parts: []model.Part{{Text: m.Content}}})
	}
	return w.Client.Ask(ctx, w.Name, q)
}
