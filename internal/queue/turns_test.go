package queue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"vitrine/internal/polltest"

	"github.com/nats-io/nats.go/jetstream"

	"vitrine"
)

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
	polltest.Until(t, "a backlog", func() bool { return health(t, q).Waiting == 300-published })
	from("modest", 5)
	polltest.Until(t, "a modest wish", func() bool { return health(t, q).Waiting == 305-published })
	var order []string
	first := make(chan []string, 1) // a copy: answers go on while it is read
	serve(t, q, 1, func(j Job) Result {
		if order = append(order, j.Client); len(order) == 40 {
			first <- slices.Clone(order)
		}
		return scored(j)
	})
	last, seen := 0, 0
	for i, client := range <-first {
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
	polltest.Until(t, "half of the room taken", held(4))
	refused("a", "a4")
	add("b", "b0")
	add("b", "b1")
	polltest.Until(t, "a part of the other half", held(6))
	refused("b", "b2")
	again := add("b", "a0") // asks for nothing new
	polltest.Until(t, "another who waits", func() bool { return waiting(q, "a0") == 2 })
	serve(t, q, 1, scored)
	if r := <-again; r.Sample.Status != vitrine.SampleScored {
		t.Errorf("got %+v", r)
	}
	polltest.Until(t, "room again", held(0))
	if r := mustDo(t, q, job("a4")); r.Sample.Status != vitrine.SampleScored {
		t.Errorf("got %+v", r)
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
	polltest.Until(t, "as many in the stream as there may be", func() bool { return health(t, a).Queued == 4 })
	leaveLine := several(6, "line")
	polltest.Until(t, "the others in the line", func() bool { return health(t, a).Waiting == 6 })
	published := ""
	polltest.Until(t, "a job that both wait for", func() bool {
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
	polltest.Until(t, "one who waits elsewhere", func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		f := b.flights[published]
		return f != nil && !f.checkedAt.IsZero()
	})
	leaveLine() // first: else they go where the others leave room
	leaveStream()
	polltest.Until(t, "all taken back but the one that both waited for", func() bool {
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
