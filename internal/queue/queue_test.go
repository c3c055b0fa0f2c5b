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

	"github.com/nats-io/nats.go/jetstream"

	"vitrine"
	"vitrine/internal/leak"
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
	return Job{Key: key, Client: "c", Recipe: "quality", Output: vitrine.Output{ID: "id-" + key, Text: "<h1>" + key}}
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

// until waits for something that is on its way.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(30 * time.Second); !holds(); {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("never came: %s", what)
		}
	}
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
	until(t, "five who wait on each queue", func() bool { return waiting(a, "same") == 5 && waiting(b, "same") == 5 })
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
	until(t, "two who wait", func() bool { return waiting(q, "k") == 2 })
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
	until(t, "one who waits", func() bool { return waiting(q, job("k").Key) == 1 })
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
	until(t, "a worker that is gone", func() bool { return len(health(t, q).Workers) == 0 })
	pending := []<-chan Result{ask(t.Context(), q, job("one")), ask(t.Context(), q, job("two")), ask(t.Context(), q, job("three"))}
	until(t, "three jobs in the stream", func() bool { h := health(t, q); return h.Queued+h.Running == 3 })
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

func TestClientsTakeTurns(t *testing.T) {
	t.Parallel()
	q := start(t, Settings{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	from := func(client string, n int) {
		for i := range n {
			j := job(fmt.Sprintf("%s%d", client, i))
			j.Client = client
			ask(ctx, q, j)
		}
	}
	const published = 4 // where no worker is known
	from("greedy", 300)
	until(t, "a backlog", func() bool { return health(t, q).Waiting == 300-published })
	from("modest", 5)
	until(t, "a modest wish", func() bool { return health(t, q).Waiting == 305-published })
	var order []string
	served := make(chan struct{})
	serve(t, q, 1, func(j Job) Result {
		if order = append(order, j.Client); len(order) == 40 {
			close(served)
		}
		return scored(j)
	})
	<-served
	last, seen := 0, 0
	for i, client := range order[:40] {
		if client == "modest" {
			last, seen = i, seen+1
		}
	}
	if seen != 5 || last >= published+2*5 {
		t.Errorf("the last of %d modest jobs was number %d; want five, within %d", seen, last+1, published+2*5)
	}
}

// Names are what a client says of itself: a thousand of them are one owner's turn, and an
// owner's room.
func TestOwnersTakeTurnsWhateverNamesTheyGive(t *testing.T) {
	t.Parallel()
	l := newFairQueue()
	var taken []string
	add := func(client string) bool { return l.admit(&flight{client: client}, 1000) }
	for i := range 900 {
		add(fmt.Sprint("greedy ", i))
	}
	if n := l.owned["greedy"]; n != 750 {
		t.Errorf("one owner holds %d of 1000, want three quarters", n)
	}
	for range 5 {
		if !add("modest") || !add("other a") || !add("other b") {
			t.Fatal("there is no room for the others")
		}
	}
	for f := l.pop(); len(taken) < 15; f = l.pop() {
		taken = append(taken, f.client)
	}
	want := "greedy 0,modest,other a,greedy 1,modest,other b,greedy 2,modest,other a,greedy 3,modest,other b,greedy 4,modest,other a"
	if got := strings.Join(taken, ","); got != want {
		t.Errorf("turns are %s, want %s", got, want)
	}
	for f := l.pop(); f != nil; f = l.pop() {
		l.forget(f)
	}
	if l.length() != 0 || len(l.owners)+len(l.names)+len(l.queued) != 0 {
		t.Errorf("left behind: %+v", l)
	}
}

func TestTheQueueIsBounded(t *testing.T) {
	t.Parallel()
	q := start(t, Settings{MaxPending: 8})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	add := func(client, key string) <-chan Result {
		j := job(key)
		j.Client = client
		return ask(ctx, q, j)
	}
	held := func(n int) func() bool {
		return func() bool { q.mu.Lock(); defer q.mu.Unlock(); return q.line.total == n }
	}
	refused := func(client, key string) {
		t.Helper()
		j := job(key)
		j.Client = client
		_, err := q.Do(ctx, j)
		f := vitrine.AsFault("x", err)
		if err == nil || f.Code != vitrine.FaultBusy || !f.Code.Retryable() || f.Fix == "" {
			t.Errorf("%s %s: got %v, want busy", client, key, err)
		}
	}
	for i := range 4 {
		add("a", fmt.Sprint("a", i))
	}
	until(t, "half of the room taken", held(4))
	refused("a", "a4")
	add("b", "b0")
	add("b", "b1")
	until(t, "a part of the other half", held(6))
	refused("b", "b2")
	again := add("b", "a0") // asks for nothing new
	until(t, "another who waits", func() bool { return waiting(q, "a0") == 2 })
	serve(t, q, 1, scored)
	if r := <-again; r.Sample.Status != vitrine.SampleScored {
		t.Errorf("got %+v", r)
	}
	until(t, "room again", held(0))
	if r := mustDo(t, q, job("a4")); r.Sample.Status != vitrine.SampleScored {
		t.Errorf("got %+v", r)
	}
}

func TestDeadlines(t *testing.T) {
	t.Parallel()
	q := start(t, Settings{})
	hasty := job("k")
	hasty.Deadline = time.Now().Add(300 * time.Millisecond)
	one := ask(t.Context(), q, hasty)
	until(t, "a job with a deadline", func() bool { return health(t, q).Queued == 1 })
	patient := ask(t.Context(), q, job("k"))
	until(t, "two who wait", func() bool { return waiting(q, "k") == 2 })
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

func TestWhatNobodyWaitsForIsNotStarted(t *testing.T) {
	t.Parallel()
	a, b := shared(t, Settings{})
	several := func(n int, name string) (leave func()) {
		ctx, cancel := context.WithCancel(t.Context())
		var asked []<-chan Result
		for i := range n {
			asked = append(asked, ask(ctx, a, job(fmt.Sprint(name, i))))
		}
		return func() {
			cancel()
			for _, answer := range asked {
				<-answer
			}
		}
	}
	leaveStream := several(4, "published")
	until(t, "as many in the stream as there may be", func() bool { return health(t, a).Queued == 4 })
	leaveLine := several(6, "line")
	until(t, "the others in the line", func() bool { return health(t, a).Waiting == 6 })
	published := ""
	until(t, "a job that both wait for", func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		for key, f := range a.flights {
			if f.sequence > 0 {
				published = key
			}
		}
		return published != ""
	})
	wanted := ask(t.Context(), b, job(published))
	until(t, "one who waits elsewhere", func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		f := b.flights[published]
		return f != nil && !f.checkedAt.IsZero()
	})
	leaveLine() // first: else they go where the others leave room
	leaveStream()
	until(t, "all taken back but the one that both waited for", func() bool {
		info, err := a.jobs.Info(t.Context(), jetstream.WithSubjectFilter(a.subject("*")))
		if err != nil {
			t.Fatal(err)
		}
		delete(info.State.Subjects, a.subject(published))
		return len(info.State.Subjects) == 0 && health(t, a).Waiting == 0
	})
	var calls atomic.Int64
	serve(t, b, 1, func(j Job) Result { calls.Add(1); return scored(j) })
	if r := <-wanted; r.Key != published || r.Sample.Status != vitrine.SampleScored {
		t.Errorf("who still waits got %+v", r)
	}
	mustDo(t, a, job("other"))
	if n := calls.Load(); n != 2 {
		t.Errorf("%d jobs were worked on, want the two that somebody waits for", n)
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
	until(t, "a job", func() bool { return health(t, q).Queued == 1 })
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
