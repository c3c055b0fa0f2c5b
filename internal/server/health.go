package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"vitrine/internal/queue"
)

// handleHealth says that the process lives.
func (s *Server) handleHealth(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok", "server": banner})
}

// handleReady says whether work can be done now.
func (s *Server) handleReady(w http.ResponseWriter, r *http.Request) {
	h, err := s.health(r.Context())
	if err != nil {
		p := problemOf(err)
		p.Status, p.Title = http.StatusServiceUnavailable, http.StatusText(http.StatusServiceUnavailable)
		p.Write(w)
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{"status": "ready", "workers": len(h.Workers), "queued": h.Waiting + h.Queued, "running": h.Running})
}

// health is that of the queue; a *Problem if nothing can be done now.
func (s *Server) health(ctx context.Context) (queue.Health, error) {
	if s.work.closed() {
		return queue.Health{}, draining()
	}
	h, err := s.settings.Queue.Health(ctx)
	if err == nil && len(h.Workers) == 0 && len(h.Others) > 0 {
		err = problem(http.StatusServiceUnavailable, codeNotReady, fmt.Sprintf("no worker is there that judges as this service does; %d judge by something else", len(h.Others)),
			"vitrine doctor --nats URL says what differs").after(5)
	} else if err == nil && len(h.Workers) == 0 {
		err = problem(http.StatusServiceUnavailable, codeNotReady, "no worker is there",
			"start one with vitrine worker --nats URL, or leave out --no-worker; vitrine doctor says what a machine lacks").after(5)
	}
	if err == nil && s.settings.Browser != nil {
		err = s.settings.Browser(ctx)
	}
	return h, err
}

// writeJSON answers with a document; with a problem where it cannot be written, such
// as a number that is infinite.
func writeJSON(w http.ResponseWriter, status int, v any) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		problemOf(fmt.Errorf("the answer cannot be written: %w", err)).Write(w)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = text.WriteTo(w) // who asked may be gone
}

// Reply answers a request of a protocol.
func Reply(w http.ResponseWriter, v any) { writeJSON(w, http.StatusOK, v) }

// Fail tells a client of a protocol what was wrong with its request.
func Fail(w http.ResponseWriter, err error) { problemOf(err).Write(w) }
