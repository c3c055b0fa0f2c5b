// Package servertest runs the service with its real queue and a real worker, whose
// scorer judges by what an output says instead of looking at it. It is for tests.
package servertest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/blob"
	"vitrine/internal/queue"
	"vitrine/internal/reward"
	"vitrine/internal/server"
	"vitrine/internal/worker"
)

// A Scorer judges by the words of an output:
//
//	reward 0.5      scored so
//	parts {"a":0.5} scored so: their product
//	broken          an invalid render, 0
//	fault CODE      unjudged with this code
//	hold            waits until Release, then scores 1
//	anything else   no website, 0
type Scorer struct {
	Calls atomic.Int64 // how often it was asked

	once    sync.Once
	release chan struct{}
	init    sync.Once
}

func (s *Scorer) gate() chan struct{} {
	s.init.Do(func() { s.release = make(chan struct{}) })
	return s.release
}

// Release lets go of what is held, now and later.
func (s *Scorer) Release() { s.once.Do(func() { close(s.gate()) }) }

// Frame is the one screenshot of every evidence.
const Frame = "\x89PNG not really"

// Score judges.
func (s *Scorer) Score(ctx context.Context, o vitrine.Output, dir string) (vitrine.Sample, bool, error) {
	s.Calls.Add(1)
	sample := vitrine.Sample{Status: vitrine.SampleScored, Outcome: vitrine.OutcomeRendered, Parts: map[string]float64{}, Findings: []vitrine.Finding{
		{Check: "contrast", Status: vitrine.StatusScored, Score: new(0.5), Why: "The text is grey on grey."},
	}, Cost: vitrine.Free()}
	text := o.Text + string(o.Meta[server.FilesMeta])
	value, word := 0.0, ""
	switch {
	case strings.Contains(text, "hold"):
		select {
		case <-s.gate():
			value = 1
		case <-ctx.Done():
			return sample, false, ctx.Err()
		}
	case scan(text, "reward %g", &value):
	case scan(text, "parts %s", &word):
		if err := json.Unmarshal([]byte(word), &sample.Parts); err != nil {
			return sample, false, err
		}
		value = 1
		for _, part := range sample.Parts {
			value *= part
		}
		sample.Reward = &value
		return sample, true, evidence(dir, o)
	case scan(text, "fault %s", &word):
		sample.Status, sample.Outcome = vitrine.SampleUnjudged, ""
		sample.Error = vitrine.NewFault("judge", vitrine.FaultCode(word), nil, "injected")
		return sample, false, nil
	case strings.Contains(text, "broken"):
		sample.Outcome, sample.Why = vitrine.OutcomeInvalidRender, "script_error: x is not defined"
	default:
		sample.Outcome, sample.Why = vitrine.OutcomeNoArtifact, "there is no website in the output"
	}
	sample.Reward, sample.Parts["looks"] = &value, value
	return sample, true, evidence(dir, o)
}

func scan(text, format string, to any) bool {
	word, _, _ := strings.Cut(format, " ")
	at := strings.Index(text, word+" ")
	if at < 0 {
		return false
	}
	_, err := fmt.Sscanf(text[at:], format, to)
	return err == nil
}

func evidence(dir string, o vitrine.Output) error {
	artifact, err := json.Marshal(vitrine.Artifact{Kind: vitrine.KindPage, Files: []vitrine.File{{Path: "index.html", Content: o.Text}}})
	if err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(dir, "frames"), 0o755); err != nil {
		return err
	}
	for name, data := range map[string]string{"frames/index@desktop@0.png": Frame, "artifact.json": string(artifact), "output.txt": o.Text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// A Service is a service under test.
type Service struct {
	*server.Server
	URL, PagesURL string
	Scorer        *Scorer
	Stop          func() error // ends it well, and says how it ended
	Kill          func()       // ends it as SIGKILL does: no other hears of it
	Dir           string       // of its state
	Other         string       // URL of the third port, if there is one
}

// Options of a service.
type Options struct {
	Server   func(*server.Settings)
	Queue    func(*queue.Settings)
	NoWorker bool                              // else one of 4 slots
	Mount    func(*server.Server)              // adds protocols
	Other    func(*server.Server) http.Handler // has a port of its own
	Dir      string                            // of its state; default a new one
}

// Start runs a service until the test ends, or Stop.
func Start(t testing.TB, o Options) *Service {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	recipe, err := reward.Load("looks", os.ReadFile)
	must(t, err)
	qs := queue.Settings{Dir: filepath.Join(o.Dir, "queue")}
	if o.Queue != nil {
		o.Queue(&qs)
	}
	q, err := queue.Open(t.Context(), qs)
	must(t, err)
	api, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	pages, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	s := &Service{URL: "http://" + api.Addr().String(), PagesURL: "http://" + pages.Addr().String(), Scorer: &Scorer{}, Dir: o.Dir}
	settings := server.Settings{Queue: q, Blobs: blobs(o.Dir), Recipes: []*reward.Recipe{recipe}, Batches: q.Batches(), Sessions: q.Sessions(), Grace: 5 * time.Second}
	if o.Server != nil {
		o.Server(&settings)
	}
	s.Server, err = server.New(settings)
	must(t, err)
	if o.Mount != nil {
		o.Mount(s.Server)
	}
	services := []server.Service{{Listener: api, Handler: s.Handler()}, {Listener: pages, Handler: s.Server.Pages()}}
	if o.Other != nil {
		other, err := net.Listen("tcp", "127.0.0.1:0")
		must(t, err)
		s.Other = "http://" + other.Addr().String()
		services = append(services, server.Service{Listener: other, Handler: s.Guarded(o.Other(s.Server))})
	}
	s.run(t, q, o.NoWorker, services)
	return s
}

// blobs are files: evidence is put more often than it is judged here.
func blobs(dir string) blob.Store { return blob.Files{Dir: filepath.Join(dir, "blobs")} }

// run starts everything.
func (s *Service) run(t testing.TB, q *queue.Queue, noWorker bool, services []server.Service) {
	ctx, cancel := context.WithCancel(context.Background())
	stop, ended := make(chan struct{}), make(chan error, 1)
	var all sync.WaitGroup
	if !noWorker {
		w := worker.Worker{Queue: q, ID: "w", Blobs: blobs(s.Dir), Slots: 4, Grace: time.Millisecond, Scorer: func(string) (worker.Scorer, error) { return s.Scorer, nil }}
		all.Go(func() { _ = w.Run(ctx) })
	}
	go func() { ended <- s.Server.Run(ctx, stop, services...) }()
	s.Stop = sync.OnceValue(func() error {
		close(stop)
		err := <-ended
		cancel()
		all.Wait()
		q.Close()
		http.DefaultClient.CloseIdleConnections()
		return err
	})
	s.Kill = func() {
		q.Close() // nothing more leaves it
		cancel()
		_ = s.Stop()
	}
	t.Cleanup(func() { _ = s.Stop() })
}

// Ask sends a request with a JSON body, or a text as it is, and returns the status and
// the body of the answer.
func (s *Service) Ask(t testing.TB, method, path string, body any) (int, string) {
	t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		must(t, err)
		reader = bytes.NewReader(raw)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, reader)
	must(t, err)
	resp, err := http.DefaultClient.Do(r)
	must(t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	must(t, err)
	return resp.StatusCode, string(raw)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
