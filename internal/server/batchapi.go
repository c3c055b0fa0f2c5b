package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

// jobRoutes registers /v1/jobs.
func (s *Server) jobRoutes(api huma.API) {
	create := s.operation(http.MethodPost, "/v1/jobs", "Score outputs in the background", "The body of /v1/score; without a deadline_ms there is none. A job survives a restart of the server, and any server of the same cluster answers for it.")
	create.DefaultStatus = http.StatusAccepted
	huma.Register(api, create, s.createJob)
	huma.Register(api, s.operation(http.MethodGet, "/v1/jobs/{id}", "Show a job", "With its results so far."), s.showJob)
	huma.Register(api, s.operation(http.MethodDelete, "/v1/jobs/{id}", "Cancel a job", "What was answered stays."), s.cancelJob)
	events := s.operation(http.MethodGet, "/v1/jobs/{id}/events", "Watch a job", "Server-sent events: result with one result each, at last done. Last-Event-ID goes on where a connection broke off.")
	events.Parameters = []*huma.Param{{Name: "id", In: "path", Required: true, Schema: &huma.Schema{Type: "string"}}}
	events.Responses["200"] = &huma.Response{Description: "Events", Content: map[string]*huma.MediaType{"text/event-stream": {}}}
	api.OpenAPI().AddOperation(&events)
	s.mux.HandleFunc("GET /v1/jobs/{id}/events", s.handleJobEvents)
}

func (s *Server) createJob(ctx context.Context, in *scoreInput) (*answer[jobState], error) {
	r := in.Body.request(in.owner)
	r.Hold = true
	_, err := s.recipe(r.Recipe)
	if err == nil {
		err = number(r.Items)
	}
	if err != nil {
		return nil, err
	}
	return answered(http.StatusAccepted)(s.batches.create(ctx, r))
}

type jobInput struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Server) showJob(ctx context.Context, in *jobInput) (*answer[jobState], error) {
	return answered(http.StatusOK)(s.batches.read(ctx, in.ID))
}

func (s *Server) cancelJob(ctx context.Context, in *jobInput) (*answer[jobState], error) {
	if err := s.batches.cancel(ctx, in.ID); err != nil {
		return nil, problemOf(err)
	}
	return answered(http.StatusOK)(s.batches.read(ctx, in.ID))
}

// answered makes an answer of how a batch stands.
func answered(status int) func(jobState, error) (*answer[jobState], error) {
	return func(st jobState, err error) (*answer[jobState], error) {
		if err != nil {
			return nil, problemOf(err)
		}
		return &answer[jobState]{status, st}, nil
	}
}

// handleJobEvents sends each result as it comes. The number of an event is how many
// results there have been.
func (s *Server) handleJobEvents(w http.ResponseWriter, r *http.Request) {
	seen, _ := strconv.Atoi(r.Header.Get("Last-Event-ID")) // 0, where it is no number
	out := http.NewResponseController(w)
	begun := false
	for n, err := range s.batches.follow(r.Context(), r.PathValue("id")) {
		if err != nil {
			if !begun {
				problemOf(err).Write(w)
			}
			return // else who watches asks again, and hears why
		}
		if !begun {
			begun = true
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set("Cache-Control", "no-store")
		}
		if !tell(w, n, seen) {
			return
		}
		_ = out.Flush() // a writer that cannot flush sends by itself
	}
}

// tell writes the event of some news, but for results that were seen before.
func tell(w http.ResponseWriter, n news, seen int) bool {
	switch {
	case n.result != nil:
		return n.Done <= seen || event(w, "result", n.Done, n.result)
	case n.ended():
		return event(w, "done", n.Done, n.jobState)
	case n.idle:
		_, err := fmt.Fprint(w, ": waiting\n\n")
		return err == nil
	}
	return true
}

// event writes one event; JSON has no line breaks.
func event(w http.ResponseWriter, name string, id int, v any) bool {
	b, err := json.Marshal(v)
	if err == nil {
		_, err = fmt.Fprintf(w, "event: %s\nid: %d\ndata: %s\n\n", name, id, b)
	}
	return err == nil
}
