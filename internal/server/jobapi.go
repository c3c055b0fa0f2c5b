package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// jobRoutes registers /v1/jobs.
func (s *Server) jobRoutes(api huma.API) {
	create := s.operation(http.MethodPost, "/v1/jobs", "Score outputs in the background", "The body of /v1/score; without a deadline_ms there is none. A job survives a restart of the server.")
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

func (s *Server) createJob(_ context.Context, in *scoreInput) (*answer[jobState], error) {
	r := in.Body.request(in.owner)
	r.Hold = true
	recipe, err := s.recipe(r.Recipe)
	if err == nil {
		err = number(r.Items)
	}
	if err != nil {
		return nil, err
	}
	j, err := s.jobs.create(r, recipe)
	if err != nil {
		return nil, problemOf(err)
	}
	return &answer[jobState]{http.StatusAccepted, j.summary()}, nil
}

type jobInput struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Server) showJob(_ context.Context, in *jobInput) (*answer[jobState], error) {
	j, err := s.jobs.find(in.ID)
	if err != nil {
		return nil, err
	}
	return results(j)
}

func (s *Server) cancelJob(_ context.Context, in *jobInput) (*answer[jobState], error) {
	j, err := s.jobs.find(in.ID)
	if err == nil {
		err = j.stop()
	}
	if err != nil {
		return nil, problemOf(err)
	}
	return results(j)
}

// results is the answer with a job and its results so far.
func results(j *job) (*answer[jobState], error) {
	st, _, err := j.state(0)
	if err != nil {
		return nil, problemOf(err)
	}
	return &answer[jobState]{http.StatusOK, st}, nil
}

// keepAlive is how often a connection without news shows that it lives.
const keepAlive = 15 * time.Second

// handleJobEvents sends each result as it comes. The number of an event is how many
// results there have been.
func (s *Server) handleJobEvents(w http.ResponseWriter, r *http.Request) {
	j, err := s.jobs.find(r.PathValue("id"))
	if err != nil {
		problemOf(err).Write(w)
		return
	}
	next := 0
	if seen, err := strconv.Atoi(r.Header.Get("Last-Event-ID")); err == nil && seen > 0 {
		next = seen
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out := http.NewResponseController(w)
	tick := time.NewTicker(keepAlive)
	defer tick.Stop()
	for {
		st, changed, err := j.state(next)
		if err != nil {
			return // who watches asks again, and hears why
		}
		for _, result := range st.Results {
			if next++; !event(w, "result", next, result) {
				return
			}
		}
		if st.ended() {
			st.Results = nil
			event(w, "done", next, st)
			return
		}
		_ = out.Flush() // a writer that cannot flush sends by itself
		select {
		case <-changed:
		case <-tick.C:
			if _, err := fmt.Fprint(w, ": waiting\n\n"); err != nil {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}

// event writes one event; JSON has no line breaks.
func event(w http.ResponseWriter, name string, id int, v any) bool {
	b, err := json.Marshal(v)
	if err == nil {
		_, err = fmt.Fprintf(w, "event: %s\nid: %d\ndata: %s\n\n", name, id, b)
	}
	return err == nil
}
