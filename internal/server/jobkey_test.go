package server_test

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/queue"
	"vitrine/internal/server"
	"vitrine/internal/server/servertest"
)

// A task that was changed is another job, also where only its rubric was.
func TestChangedTasksAreJudgedAnew(t *testing.T) {
	dir := t.TempDir()
	for i, c := range []struct {
		rubric string
		calls  int64
	}{{`{"points":["tea"]}`, 1}, {`{"points":["tea"]}`, 0}, {`{"points":["tea","cups"]}`, 1}} {
		s := servertest.Start(t, servertest.Options{Dir: dir, Server: func(s *server.Settings) {
			s.Tasks = map[string]vitrine.Task{"t1": {ID: "t1", Instruction: "A tea shop", Rubric: json.RawMessage(c.rubric)}}
		}})
		s.Ask(t, "POST", "/v1/score", body(item{"output": "reward 0.5", "task_id": "t1"}))
		if n := s.Scorer.Calls.Load(); n != c.calls {
			t.Errorf("start %d: %d judgements, want %d", i, n, c.calls)
		}
		must(t, s.Stop())
	}
}

// What was answered by other means, such as yesterday's prompt, is another job.
func TestAnswersByAnotherProvenanceAreJudgedAgain(t *testing.T) {
	dir := t.TempDir()
	for i, c := range []struct {
		by    string
		calls int64
	}{{"yesterday", 1}, {"yesterday", 0}, {"today", 1}} {
		s := servertest.Start(t, servertest.Options{Dir: dir, Server: func(s *server.Settings) { s.Provenance = c.by }})
		s.Ask(t, "POST", "/v1/score", body(item{"output": "reward 0.5"}))
		if n := s.Scorer.Calls.Load(); n != c.calls {
			t.Errorf("start %d: %d judgements, want %d", i, n, c.calls)
		}
		must(t, s.Stop())
	}
}

// A job that no worker may take is a null with its cause, long before the deadline.
func TestAJobWithoutAWorkerIsUnjudged(t *testing.T) {
	s := servertest.Start(t, servertest.Options{NoWorker: true, Queue: func(q *queue.Settings) { q.WorkerWait = time.Millisecond }})
	status, text := s.Ask(t, "POST", "/v1/score", body(item{"output": "reward 0.5"}))
	r := decoded[answers](t, text).Results[0]
	if status != 200 || r.Status != vitrine.SampleUnjudged || r.Reward != nil || r.Error == nil || r.Error.Code != vitrine.FaultNoWorker {
		t.Errorf("%d %s", status, text)
	}
}

// overheard notes the recipe that the queue was asked for.
type overheard struct {
	server.Queue
	recipe atomic.Value
}

func (a *overheard) Do(ctx context.Context, j queue.Job) (queue.Result, error) {
	a.recipe.Store(j.Recipe)
	return a.Queue.Do(ctx, j)
}

func TestJobsNameTheRecipeByItsHash(t *testing.T) {
	q := &overheard{}
	s := servertest.Start(t, servertest.Options{Server: func(s *server.Settings) { q.Queue, s.Queue = s.Queue, q }})
	_, text := s.Ask(t, "POST", "/v1/score", body(item{"output": "reward 0.5"}))
	if got := decoded[answers](t, text); q.recipe.Load() != got.Recipe {
		t.Errorf("the job is of %v, the answer of %s", q.recipe.Load(), got.Recipe)
	}
}
