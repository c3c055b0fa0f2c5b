package openenv_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/coder/websocket"

	"vitrine/internal/polltest"
	"vitrine/internal/server"
	"vitrine/internal/server/openenv"
	"vitrine/internal/server/servertest"
)

// An expiring context has its deadline when a channel is closed.
type expiring struct {
	context.Context
	late <-chan struct{}
}

func (e expiring) Done() <-chan struct{} { return e.late }

func (e expiring) Err() error {
	select {
	case <-e.late:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// Clients give up after 60 s and would take a late answer for that to their next
// message. A step that is not judged by then is answered as an error, nothing comes
// after it, and the same step on the same connection gets the answer.
func TestALateAnswerIsNotThatToTheNextMessage(t *testing.T) {
	env := &slow{late: make(chan struct{})}
	s := servertest.Start(t, servertest.Options{Mount: func(s *server.Server) {
		env.Server = s
		s.Mount("/openenv/", openenv.Handler(env))
	}})
	c := dial(t, s)
	c.ask(`{"type":"reset","data":{"instruction":"A clock","episode_id":"e1"}}`)
	c.send(`{"type":"step","data":{"message":"hold"}}`)
	polltest.Until(t, "the step is under way", func() bool { return s.Scorer.Calls.Load() == 1 })
	close(env.late)
	if r := c.receive(); r.Type != "error" || r.Data.Code != "EXECUTION_ERROR" || r.Data.Reward != nil {
		t.Errorf("out of time: %+v", r)
	}
	if env.left <= 0 || env.left > openenv.Deadline || openenv.Deadline > 50*time.Second {
		t.Errorf("a step has %s, want at most %s, well below a minute", env.left, openenv.Deadline)
	}
	s.Scorer.Release()
	if r := c.ask(`{"type":"state"}`); r.Type != "state" || r.Data.StepCount != 0 || r.Data.EpisodeID != "e1" {
		t.Errorf("the next message is answered with %+v", r)
	}
	if r := c.ask(`{"type":"step","data":{"message":"hold"}}`); r.Data.Reward == nil || *r.Data.Reward != 1 || !r.Data.Done {
		t.Errorf("the same step again: %+v", r)
	}
	if n := s.Scorer.Calls.Load(); n != 1 {
		t.Errorf("%d judgements, want the one that was late", n)
	}
}

func TestCapacity(t *testing.T) {
	s := start(t, func(s *server.Settings) { s.MaxSessions = 1 })
	first, second := dial(t, s), dial(t, s)
	first.ask(`{"type":"reset","data":{}}`)
	if r := second.ask(`{"type":"reset","data":{}}`); r.Type != "error" || r.Data.Code != "CAPACITY_REACHED" {
		t.Errorf("%+v", r)
	}
	_ = first.conn.Close(websocket.StatusNormalClosure, "")
	for deadline := time.Now().Add(20 * time.Second); ; {
		r := second.ask(`{"type":"reset","data":{}}`)
		if r.Type == "observation" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the first session was never let go: %+v", r)
		}
	}
}

func TestLargeMessagesAreRefused(t *testing.T) {
	c := dial(t, start(t, nil))
	_ = c.conn.Write(t.Context(), websocket.MessageText, bytes.Repeat([]byte(" "), 17<<20)) // it may be cut off in the midst
	if _, _, err := c.conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
		t.Errorf("%v", err)
	}
}

// A flood of messages must not be kept.
func TestMessagesAheadAreBounded(t *testing.T) {
	s := start(t, nil)
	defer s.Scorer.Release()
	c := dial(t, s)
	c.ask(`{"type":"reset","data":{}}`)
	for range 20 {
		if c.conn.Write(t.Context(), websocket.MessageText, []byte(`{"type":"step","data":{"message":"hold"}}`)) != nil {
			break
		}
	}
	if _, _, err := c.conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
		t.Errorf("%v", err)
	}
}
