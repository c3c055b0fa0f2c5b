package server_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"vitrine/internal/polltest"
	"vitrine/internal/server"
	"vitrine/internal/server/servertest"
)

// A journal is what a server logs.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

func (j *journal) has(text string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Contains(j.text.String(), text)
}

func TestFinishedJobsAreNotInMemory(t *testing.T) {
	dir := t.TempDir()
	s := servertest.Start(t, servertest.Options{Dir: dir})
	id := newJob(t, s, "hold", "hold 2", "reward 0.5")
	polltest.Until(t, "one is answered", func() bool { return showJob(t, s, id).Done > 0 })
	if s.Held(id) == 0 {
		t.Error("nothing of a job that runs is in memory: the test measures nothing")
	}
	s.Scorer.Release()
	polltest.Until(t, "it is done", func() bool { return showJob(t, s, id).Status == "done" })
	for i := range 2 {
		if n := s.Held(id); n != 0 {
			t.Errorf("start %d: %d items of a finished job are in memory", i, n)
		}
		if j := showJob(t, s, id); j.Total != 3 || j.Done != 3 || len(j.Results) != 3 {
			t.Errorf("start %d: %+v", i, j)
		}
		if all := events(t, s, id, "1", 10); len(all) != 3 || all[0].id != "2" || all[2].name != "done" {
			t.Errorf("start %d: %+v", i, all)
		}
		must(t, s.Stop())
		s = servertest.Start(t, servertest.Options{Dir: dir})
	}
}

func TestFinishedJobsAreBounded(t *testing.T) {
	s := servertest.Start(t, servertest.Options{Server: func(s *server.Settings) { s.MaxJobs = 1 }})
	var ids []string
	for range 18 { // one, and the 16 that are kept for it
		id := newJob(t, s)
		polltest.Until(t, "it is done", func() bool { return showJob(t, s, id).Status == "done" })
		ids = append(ids, id)
	}
	s.Sweep(t.Context(), time.Now())
	if status, text := s.Ask(t, "GET", "/v1/jobs/"+ids[0], nil); status != 404 {
		t.Errorf("the oldest: %d %s", status, text)
	}
	showJob(t, s, ids[2])
	left := 0
	for _, id := range ids {
		if status, _ := s.Ask(t, "GET", "/v1/jobs/"+id, nil); status == 200 {
			left++
		}
	}
	if left != 16 {
		t.Errorf("%d jobs, want 16", left)
	}
}

// full has a bucket take nothing more, as a full disk does, until room is called.
func full(t *testing.T, url, bucket string) (room func()) {
	t.Helper()
	conn, err := nats.Connect(url)
	must(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	must(t, err)
	stream, err := js.Stream(t.Context(), "KV_"+bucket)
	must(t, err)
	limit := func(bytes int64) {
		config := stream.CachedInfo().Config
		config.Discard, config.MaxBytes = jetstream.DiscardNew, bytes
		_, err := js.UpdateStream(t.Context(), config)
		must(t, err)
	}
	limit(1)
	return func() { limit(-1) }
}

func TestJobWaitsForADiskThatTakesNothing(t *testing.T) {
	var log journal
	c := servertest.StartCluster(t)
	s := servertest.Start(t, servertest.Options{Queue: c.Join, Server: func(s *server.Settings) { s.Log = slog.New(slog.NewTextHandler(&log, nil)) }})
	var outputs []string
	for i := range 20 {
		outputs = append(outputs, fmt.Sprint("hold ", i))
	}
	id := newJob(t, s, outputs...)
	polltest.Until(t, "it is under way", func() bool { return s.Scorer.Calls.Load() > 0 })
	room := full(t, c.URL, "vitrine-batches")
	if status, text := s.Ask(t, "POST", "/v1/jobs", body(item{"output": "reward 1"})); status != 507 || !strings.Contains(text, `"code":"disk_full"`) {
		t.Errorf("a job while nothing can be kept: %d %s", status, text)
	}
	s.Scorer.Release()
	polltest.Until(t, "a result cannot be kept", func() bool { return log.has(id) })
	room()
	polltest.Until(t, "it is done", func() bool { return showJob(t, s, id).Status == "done" })
	for _, r := range showJob(t, s, id).Results {
		if r.Reward == nil || *r.Reward != 1 {
			t.Errorf("%s: %+v", r.ID, r.Error)
		}
	}
}

func TestFinishedSessionsAreKept(t *testing.T) {
	dir := t.TempDir()
	s := servertest.Start(t, servertest.Options{Dir: dir})
	id := open(t, s, nil)
	step(t, s, id, 1, "reward 0.5 <get_feedback>")
	last := step(t, s, id, 2, "reward 0.75")
	for i := range 2 {
		if again := step(t, s, id, 2, "reward 0.75"); jsonOf(t, again) != jsonOf(t, last) {
			t.Errorf("start %d: %+v, want %+v", i, again, last)
		}
		if status, _ := s.Ask(t, "POST", "/v1/sessions/"+id+"/step", item{"turn": 3, "output": "reward 1"}); status != 409 {
			t.Errorf("start %d: a step after the end: %d", i, status)
		}
		must(t, s.Stop())
		s = servertest.Start(t, servertest.Options{Dir: dir})
	}
}

func TestFinishedSessionsAreBounded(t *testing.T) {
	s := servertest.Start(t, servertest.Options{Server: func(s *server.Settings) { s.MaxSessions = 1 }})
	var ids []string
	for range 18 { // one, and the 16 that are kept for it
		id := open(t, s, nil)
		s.Ask(t, "POST", "/v1/sessions/"+id+"/finish", nil)
		ids = append(ids, id)
	}
	s.Sweep(t.Context(), time.Now())
	for i, want := range map[int]int{0: 404, 17: 200} {
		if status, text := s.Ask(t, "GET", "/v1/sessions/"+ids[i], nil); status != want {
			t.Errorf("session %d: %d %s", i, status, text)
		}
	}
}

func TestDeletedSessionStaysAway(t *testing.T) {
	dir := t.TempDir()
	s := servertest.Start(t, servertest.Options{Dir: dir})
	id := open(t, s, nil)
	status := 0
	var stepping sync.WaitGroup
	stepping.Go(func() {
		status, _ = s.Ask(t, "POST", "/v1/sessions/"+id+"/step", item{"turn": 1, "output": "hold"})
	})
	polltest.Until(t, "a step is under way", func() bool { return s.Scorer.Calls.Load() > 0 })
	if status, text := s.Ask(t, "DELETE", "/v1/sessions/"+id, nil); status != 204 {
		t.Errorf("delete: %d %s", status, text)
	}
	s.Scorer.Release()
	stepping.Wait()
	if status != 404 {
		t.Errorf("the step of a session that was deleted: %d", status)
	}
	must(t, s.Stop())
	s = servertest.Start(t, servertest.Options{Dir: dir})
	if status, text := s.Ask(t, "GET", "/v1/sessions/"+id, nil); status != 404 {
		t.Errorf("after a restart: %d %s", status, text)
	}
}

// How long a batch took does not count for how long it is kept.
func TestALongJobIsKeptAfterItsEnd(t *testing.T) {
	s := servertest.Start(t, servertest.Options{Server: func(s *server.Settings) { s.JobTTL = time.Second }})
	id := newJob(t, s, "hold")
	polltest.Until(t, "it is under way", func() bool { return s.Held(id) == 1 })
	begun := time.Now()
	polltest.Until(t, "more than its time is over", func() bool { return time.Since(begun) > 1100*time.Millisecond })
	s.Scorer.Release()
	polltest.Until(t, "it is done", func() bool { return showJob(t, s, id).Status == "done" })
	s.Sweep(t.Context(), time.Now())
	if status, text := s.Ask(t, "GET", "/v1/jobs/"+id, nil); status != 200 {
		t.Errorf("right after its end: %d %s", status, text)
	}
}
