package server_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/polltest"
	"vitrine/internal/server"
	"vitrine/internal/server/servertest"
)

type reply struct {
	status int
	text   string
}

// asked sends a request in the background.
func asked(t *testing.T, s *servertest.Service, path string, body any) <-chan reply {
	out := make(chan reply, 1)
	go func() {
		defer close(out) // also where the connection was cut
		status, text := s.Ask(t, "POST", path, body)
		out <- reply{status, text}
	}()
	return out
}

// ending asks for the end, and waits until nothing new is taken.
func ending(t *testing.T, s *servertest.Service) <-chan error {
	stopped := make(chan error, 1)
	go func() { stopped <- s.Stop() }()
	polltest.Until(t, "the end was asked for", func() bool { status, _ := s.Ask(t, "GET", "/readyz", nil); return status == 503 })
	return stopped
}

// An answer is given only when it was sent.
func TestDrainSendsWhatWasAnswered(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	items := make([]item, 4000)
	for i := range items {
		items[i] = item{"output": "hold", "meta": item{"with": strings.Repeat("x", 1000)}}
	}
	answer := asked(t, s, "/v1/score", body(items...))
	polltest.Until(t, "it is under way", func() bool { return s.Scorer.Calls.Load() == 1 })
	stopped := ending(t, s)
	s.Scorer.Release()
	if r := <-answer; r.status != 200 || len(decoded[answers](t, r.text).Results) != len(items) {
		t.Errorf("%d %.300s", r.status, r.text)
	}
	must(t, <-stopped)
}

// The end waits for what a protocol does after the score.
func TestDrainWaitsForProtocols(t *testing.T) {
	scored, write := make(chan struct{}), make(chan struct{})
	s := servertest.Start(t, servertest.Options{Mount: func(s *server.Server) {
		mux := http.NewServeMux()
		mux.HandleFunc("POST /late", func(w http.ResponseWriter, r *http.Request) {
			text := "reward 1"
			results, err := s.Score(r.Context(), server.Request{Items: []server.Item{{Output: &text}}})
			close(scored)
			<-write
			if err != nil {
				server.Fail(w, err)
				return
			}
			server.Reply(w, results)
		})
		s.Mount("/protocol/", mux)
	}})
	answer := asked(t, s, "/protocol/late", nil)
	<-scored
	stopped := ending(t, s)
	close(write)
	if r := <-answer; r.status != 200 || !strings.Contains(r.text, `"reward":1`) {
		t.Errorf("%d %s", r.status, r.text)
	}
	must(t, <-stopped)
}

// A job goes on after a restart, so nobody waits for its events.
func TestDrainEndsStreams(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	defer s.Scorer.Release()
	id := newJob(t, s, "hold")
	resp, err := http.Get(s.URL + "/v1/jobs/" + id + "/events")
	must(t, err)
	defer resp.Body.Close()
	must(t, s.Stop())
	var rest bytes.Buffer
	_, _ = rest.ReadFrom(resp.Body) // its end, or that of the connection
	if strings.Contains(rest.String(), "event: done") {
		t.Errorf("the job is not done: %s", rest.String())
	}
}

func TestDrain(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	first := asked(t, s, "/v1/score", body(item{"output": "hold"}))
	polltest.Until(t, "the first is under way", func() bool { return s.Scorer.Calls.Load() == 1 })
	stopped := make(chan error)
	go func() { stopped <- s.Stop() }()
	polltest.Until(t, "new work is refused", func() bool {
		status, text := s.Ask(t, "POST", "/v1/score", body(item{"output": "reward 1"}))
		return status == 503 && strings.Contains(text, `"code":"draining"`)
	})
	if status, _ := s.Ask(t, "GET", "/readyz", nil); status != 503 {
		t.Errorf("/readyz: %d", status)
	}
	s.Scorer.Release()
	if r := <-first; r.status != 200 || *decoded[answers](t, r.text).Results[0].Reward != 1 {
		t.Errorf("what was under way: %d %s", r.status, r.text)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

func TestGraceEnds(t *testing.T) {
	s := servertest.Start(t, servertest.Options{Server: func(s *server.Settings) { s.Grace = 50 * time.Millisecond }})
	ended := make(chan string)
	go func() {
		defer close(ended)
		resp, err := http.Post(s.URL+"/v1/score", "application/json", strings.NewReader(`{"items":[{"output":"hold"}]}`))
		if err == nil { // the answer may still say why there is no reward
			defer resp.Body.Close()
			text, _ := io.ReadAll(resp.Body)
			ended <- string(text)
		}
	}()
	polltest.Until(t, "it is under way", func() bool { return s.Scorer.Calls.Load() == 1 })
	must(t, s.Stop())
	for text := range ended {
		if text != "" && !strings.Contains(text, `"reward":null`) {
			t.Errorf("cut off, and yet %s", text)
		}
	}
}

func TestReady(t *testing.T) {
	s := servertest.Start(t, servertest.Options{NoWorker: true})
	if status, text := s.Ask(t, "GET", "/readyz", nil); status != 503 || !strings.Contains(text, "no worker") {
		t.Errorf("without a worker: %d %s", status, text)
	}
	s = servertest.Start(t, servertest.Options{Server: func(s *server.Settings) {
		s.Browser = func(context.Context) error {
			return vitrine.NewFault("capture", vitrine.FaultNoBrowser, nil, "Chromium does not start")
		}
	}})
	polltest.Until(t, "the browser is asked", func() bool {
		status, text := s.Ask(t, "GET", "/readyz", nil)
		return status == 503 && strings.Contains(text, "Chromium does not start")
	})
	s = servertest.Start(t, servertest.Options{})
	polltest.Until(t, "a worker is there", func() bool { status, _ := s.Ask(t, "GET", "/readyz", nil); return status == 200 })
}
