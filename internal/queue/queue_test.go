package queue

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/leak"
	"vitrine/internal/polltest"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

// start opens a queue of its own, unless s says which, and closes it after the
// test.
func start(t testing.TB, s Settings) *Queue {
	t.Helper()
	if s.URL == "" && s.Dir == "" {
		s.Dir = t.TempDir()
	}
	q, err := Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// shared is two queues on one server.
func shared(t *testing.T, s Settings) (a, b *Queue) {
	t.Helper()
	s.Listen = "127.0.0.1:0"
	a = start(t, s)
	s.Listen, s.Dir, s.URL, s.Auth.Token = "", "", a.URL(), a.Token()
	return a, start(t, s)
}

func job(key string) Job {
	return Job{Key: key, Client: "c", Recipe: "looks", Output: vitrine.Output{ID: "id-" + key, Text: "<h1>" + key}}
}

// scored is the judgement of the tests: the length of the text.
func scored(j Job) Result {
	reward := float64(len(j.Output.Text))
	return Result{Sample: vitrine.Sample{ID: "somebody", Status: vitrine.SampleScored, Reward: &reward, Parts: map[string]float64{"x": reward}}, Worker: "w"}
}

// serve answers jobs, slots at once, until the test ends or stop is called.
func serve(t testing.TB, q *Queue, slots int, answer func(Job) Result) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { q.Announce(ctx, t.Name(), slots, func() int { return 0 }) })
	for range slots {
		all.Go(func() {
			for {
				taken, err := q.Take(ctx)
				if err != nil {
					return
				}
				if err := taken.Ack(context.WithoutCancel(ctx), answer(taken.Job)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	stop = sync.OnceFunc(func() { cancel(); all.Wait() })
	t.Cleanup(stop)
	return stop
}

func health(t *testing.T, q *Queue) Health {
	t.Helper()
	h, err := q.Health(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// ask asks for a job in the background.
func ask(ctx context.Context, q *Queue, j Job) <-chan Result {
	out := make(chan Result, 1)
	go func() {
		defer close(out)
		if r, err := q.Do(ctx, j); err == nil {
			out <- r
		}
	}()
	return out
}

func mustDo(t *testing.T, q *Queue, j Job) Result {
	t.Helper()
	r, err := q.Do(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestDuplicatesAreWorkedOnOnce(t *testing.T) {
	t.Parallel()
	a, b := shared(t, Settings{})
	var calls atomic.Int64
	all := make(chan struct{})
	serve(t, b, 2, func(j Job) Result {
		calls.Add(1)
		<-all // until everybody has asked
		return scored(j)
	})
	var answers []<-chan Result
	for i := range 10 {
		j := job("same")
		j.Output.ID = fmt.Sprint(i)
		answers = append(answers, ask(t.Context(), []*Queue{a, b}[i%2], j))
	}
	polltest.Until(t, "five who wait on each queue", func() bool { return waiting(a, "same") == 5 && waiting(b, "same") == 5 })
	close(all)
	for i, answer := range answers {
		r := <-answer
		if r.Sample.ID != fmt.Sprint(i) || r.Sample.Reward == nil || *r.Sample.Reward != 8 || r.Key != "same" || r.Tries != 1 || r.Worker != "w" {
			t.Errorf("%d got %+v", i, r)
		}
		r.Sample.Parts["x"] = 0 // everyone has one of their own
	}
	if r := mustDo(t, a, job("same")); r.Sample.ID != "id-same" || r.Sample.Parts["x"] != 8 {
		t.Errorf("what is kept is %+v", r)
	}
	if n := calls.Load(); n != 1 {
		t.Errorf("worked on %d times", n)
	}
}

// waiting is how many wait for a key here.
func waiting(q *Queue, key string) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if f := q.flights[key]; f != nil {
		return f.waiters
	}
	return 0
}

func TestAnAnswerWithoutJudgementIsForThoseWhoWaitOnly(t *testing.T) {
	t.Parallel()
	q := start(t, Settings{})
	var calls atomic.Int64
	all := make(chan struct{})
	serve(t, q, 1, func(j Job) Result {
		<-all
		if calls.Add(1) == 1 {
			return Unjudged(j, vitrine.NewFault("capture", vitrine.FaultBrowserCrashed, nil, "gone").WithFix("try again"))
		}
		return scored(j)
	})
	one, two := ask(t.Context(), q, job("k")), ask(t.Context(), q, job("k"))
	polltest.Until(t, "two who wait", func() bool { return waiting(q, "k") == 2 })
	close(all)
	for _, r := range []Result{<-one, <-two} {
		if s := r.Sample; s.Status != vitrine.SampleUnjudged || s.Reward != nil || s.Error == nil || s.Error.Code != vitrine.FaultBrowserCrashed || s.Error.Fix == "" {
			t.Errorf("got %+v", s)
		}
	}
	for range 2 {
		if r := mustDo(t, q, job("k")); r.Sample.Status != vitrine.SampleScored {
			t.Errorf("asked again, got %+v", r.Sample)
		}
	}
	if n := calls.Load(); n != 2 {
		t.Errorf("worked on %d times, want once for the fault and once for the judgement", n)
	}
}

// An answer without judgement that comes late is not for who asked anew since.
func TestALateAnswerWithoutJudgementIsNotForTheNext(t *testing.T) {
	t.Parallel()
	q := start(t, Settings{})
	fail := make(chan bool, 2)
	serve(t, q, 1, func(j Job) Result {
		if <-fail {
			return Unjudged(j, vitrine.NewFault("capture", vitrine.FaultBrowserCrashed, nil, "gone"))
		}
		return scored(j)
	})
	fail <- true
	if r := mustDo(t, q, job("k")); r.Sample.Status != vitrine.SampleUnjudged {
		t.Fatalf("got %+v", r.Sample)
	}
	old, _ := q.lastResult(t.Context(), job("k").Key)
	if old == nil {
		t.Fatal("whoever is told of a fault finds it kept")
	}
	again := ask(t.Context(), q, job("k"))
	polltest.Until(t, "one who waits", func() bool { return waiting(q, job("k").Key) == 1 })
	q.mu.Lock()
	next := q.flights[job("k").Key]
	q.mu.Unlock()
	q.onResult(job("k").Key, old.header, old.data)
	if q.settle(t.Context(), next) {
		t.Error("the old answer was given to the next who asked")
	}
	fail <- false
	if r := <-again; r.Sample.Status != vitrine.SampleScored {
		t.Errorf("asked again, got %+v", r.Sample)
	}
}

func TestRestartKeepsResultsAndJobs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	q := start(t, Settings{Dir: dir})
	stop := serve(t, q, 1, scored)
	mustDo(t, q, job("done"))
	stop()
	polltest.Until(t, "a worker that is gone", func() bool { return len(health(t, q).Workers) == 0 })
	pending := []<-chan Result{ask(t.Context(), q, job("one")), ask(t.Context(), q, job("two")), ask(t.Context(), q, job("three"))}
	polltest.Until(t, "three jobs in the stream", func() bool { h := health(t, q); return h.Queued+h.Running == 3 })
	q.Close()
	for _, p := range pending {
		if _, answered := <-p; answered {
			t.Error("a job was answered by nobody")
		}
	}

	q = start(t, Settings{Dir: dir})
	if h := health(t, q); h.Queued+h.Running != 3 {
		t.Errorf("left are %+v, want 3 jobs", h)
	}
	if r := mustDo(t, q, job("done")); r.Sample.Status != vitrine.SampleScored {
		t.Errorf("what was done became %+v", r)
	}
	var mu sync.Mutex
	var keys []string
	serve(t, q, 1, func(j Job) Result {
		mu.Lock()
		defer mu.Unlock()
		keys = append(keys, j.Key)
		return scored(j)
	})
	for _, key := range []string{"three", "two", "one", "done"} {
		mustDo(t, q, job(key))
	}
	mu.Lock()
	defer mu.Unlock()
	slices.Sort(keys)
	if got := strings.Join(keys, " "); got != "one three two" {
		t.Errorf("worked on %q, want each of the three once", got)
	}
}

func TestDeadlines(t *testing.T) {
	t.Parallel()
	q := start(t, Settings{})
	hasty := job("k")
	hasty.Deadline = time.Now().Add(300 * time.Millisecond)
	one := ask(t.Context(), q, hasty)
	polltest.Until(t, "a job with a deadline", func() bool { return health(t, q).Queued == 1 })
	patient := ask(t.Context(), q, job("k"))
	polltest.Until(t, "two who wait", func() bool { return waiting(q, "k") == 2 })
	r := <-one
	if s := r.Sample; s.Status != vitrine.SampleUnjudged || s.Reward != nil || s.Error == nil || s.Error.Code != vitrine.FaultDeadline || s.ID != "id-k" {
		t.Errorf("got %+v", s)
	}
	var calls atomic.Int64
	serve(t, q, 1, func(j Job) Result { calls.Add(1); return scored(j) })
	if r := <-patient; r.Sample.Status != vitrine.SampleScored || calls.Load() != 1 {
		t.Errorf("who has time got %+v after %d calls", r, calls.Load())
	}
	gone := job("gone")
	gone.Deadline = time.Now().Add(-time.Second)
	if r := mustDo(t, q, gone); r.Sample.Error == nil || r.Sample.Error.Code != vitrine.FaultDeadline {
		t.Errorf("got %+v", r)
	}
	kept := job("k")
	kept.Deadline = time.Now().Add(time.Minute)
	if r := mustDo(t, q, kept); r.Sample.Status != vitrine.SampleScored || calls.Load() != 1 {
		t.Errorf("what is kept became %+v", r)
	}
}

func TestLargeJobsAndResultsTravel(t *testing.T) {
	t.Parallel()
	a, b := shared(t, Settings{})
	text := strings.Repeat("<p>words, many of them</p>\n", 400_000) // 10 MB
	serve(t, b, 1, func(j Job) Result {
		r := scored(j)
		r.Sample.Why = j.Output.Text
		return r
	})
	j := job("large")
	j.Output.Text = text
	if r := mustDo(t, a, j); r.Sample.Why != text || *r.Sample.Reward != float64(len(text)) {
		t.Errorf("%d bytes came back of %d", len(r.Sample.Why), len(text))
	}
}

func TestClosingAnswersWhoWaits(t *testing.T) {
	t.Parallel()
	q := start(t, Settings{})
	failed := make(chan error, 2)
	go func() { _, err := q.Do(context.Background(), job("k")); failed <- err }()
	polltest.Until(t, "a job", func() bool { return health(t, q).Queued == 1 })
	taken, err := q.Take(t.Context())
	if err != nil || taken.Job.Key != "k" {
		t.Fatal(taken, err)
	}
	go func() { _, err := q.Take(context.Background()); failed <- err }()
	q.Close()
	for range 2 {
		if err := <-failed; err == nil || vitrine.AsFault("x", err).Code != vitrine.FaultInterrupted {
			t.Errorf("got %v, want interrupted", err)
		}
	}
	if _, err := q.Do(t.Context(), job("k")); err == nil || vitrine.AsFault("x", err).Code != vitrine.FaultInterrupted {
		t.Errorf("after closing: got %v, want interrupted", err)
	}
}
