package queue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"vitrine/internal/polltest"

	"vitrine"
)

func TestALostWorkerCostsADelivery(t *testing.T) {
	t.Parallel()
	q := start(t, Settings{AckWait: 300 * time.Millisecond})
	answer := ask(t.Context(), q, job("k"))
	if _, err := q.Take(t.Context()); err != nil { // and never a word again
		t.Fatal(err)
	}
	serve(t, q, 1, scored)
	if r := <-answer; r.Sample.Status != vitrine.SampleScored || r.Tries != 2 {
		t.Errorf("got %+v", r)
	}
	polltest.Until(t, "an empty queue", func() bool { h := health(t, q); return h.Queued+h.Running+h.Waiting == 0 })
}

func TestAWorkerThatSpeaksKeepsItsJob(t *testing.T) {
	t.Parallel()
	q := start(t, Settings{AckWait: 6 * time.Second})
	answer := ask(t.Context(), q, job("k"))
	slow, err := q.Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	held, letGo := context.WithCancel(t.Context())
	var beat sync.WaitGroup
	beat.Go(func() { slow.KeepAlive(held) })
	longer, cancel := context.WithTimeout(t.Context(), 13*time.Second) // more than twice AckWait
	defer cancel()
	if other, err := q.Take(longer); err == nil {
		t.Errorf("another worker got %+v", other.Job)
	}
	letGo()
	beat.Wait()
	if err := slow.Ack(t.Context(), scored(slow.Job)); err != nil {
		t.Fatal(err)
	}
	if r := <-answer; r.Tries != 1 || r.Sample.Reward == nil {
		t.Errorf("got %+v", r)
	}
}

// A worker may be lost for many causes. What was lost with it is worked on alone from then
// on, however often, and never called poison for that.
func TestWhatAWorkerWasLostWithIsWorkedOnAlone(t *testing.T) {
	t.Parallel()
	q := start(t, Settings{AckWait: 200 * time.Millisecond, MaxTries: 2})
	answer := ask(t.Context(), q, job("k"))
	for try := 1; try <= 5; try++ {
		taken, err := q.Take(t.Context()) // and never a word again
		if err != nil {
			t.Fatal(err)
		}
		if taken.Alone != (try > 1) || taken.Tries != try {
			t.Errorf("delivery %d is try %d, alone: %v", try, taken.Tries, taken.Alone)
		}
	}
	serve(t, q, 1, scored)
	if r := <-answer; r.Sample.Status != vitrine.SampleScored || r.Tries != 6 {
		t.Errorf("got %+v", r)
	}
}

// What is known of a job is there after the end of the process that knew it, and belongs
// to that job alone.
func TestCrashesAreCountedOverARestart(t *testing.T) {
	t.Parallel()
	s := Settings{Dir: t.TempDir(), AckWait: time.Second}
	q := start(t, s)
	ask(t.Context(), q, job("k"))
	taken, err := q.Take(t.Context())
	if err != nil || taken.Alone || taken.Crashed(t.Context()) {
		t.Fatal("the first crash is none too many", taken, err)
	}
	q.Close()
	q = start(t, s)
	answer := ask(t.Context(), q, job("k"))
	if taken, err = q.Take(t.Context()); err != nil || !taken.Alone || !taken.Crashed(t.Context()) {
		t.Fatalf("the second crash is one too many: %+v, %v", taken, err)
	}
	poison := vitrine.NewFault("queue", vitrine.FaultPoison, nil, "twice")
	if err := taken.Ack(t.Context(), Unjudged(taken.Job, poison)); err != nil {
		t.Fatal(err)
	}
	if r := <-answer; r.Sample.Error == nil || r.Sample.Error.Code != vitrine.FaultPoison {
		t.Fatalf("got %+v", r)
	}
	ask(t.Context(), q, job("k"))
	if taken, err = q.Take(t.Context()); err != nil || !taken.Alone || taken.Tries != 1 || taken.Crashed(t.Context()) {
		t.Errorf("asked again, it is alone at once and has its tries: %+v, %v", taken, err)
	}
}

func TestAJobThatIsGivenBackWasNeverTaken(t *testing.T) {
	t.Parallel()
	q := start(t, Settings{MaxTries: 2})
	answer := ask(t.Context(), q, job("k"))
	for i, give := range []func(*Taken){
		func(x *Taken) { x.Release(t.Context()) }, func(x *Taken) { x.Release(t.Context()) }, func(x *Taken) { x.Release(t.Context()) },
		func(x *Taken) { x.Nak(t.Context()) }, func(x *Taken) { x.Release(t.Context()) },
	} {
		taken, err := q.Take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if want := 1 + i/4; taken.Tries != want || taken.LastTry() != (want == 2) {
			t.Errorf("delivery %d is try %d, last: %v; want try %d", i, taken.Tries, taken.LastTry(), want)
		}
		give(taken)
	}
	serve(t, q, 1, scored)
	if r := <-answer; r.Sample.Status != vitrine.SampleScored || r.Tries != 2 {
		t.Errorf("got %+v", r)
	}
}

func TestWhatIsGivenBackAtTheEndIsThereAfterARestart(t *testing.T) {
	t.Parallel()
	s := Settings{Dir: t.TempDir()} // AckWait is a minute: nobody waits for it here
	for round := range 20 {
		q := start(t, s)
		ask(t.Context(), q, job("k"))
		soon, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		taken, err := q.Take(soon)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		taken.Release(soon)
		cancel()
		q.Close()
	}
}

func TestACanceledTakeLosesNothing(t *testing.T) {
	t.Parallel()
	q := start(t, Settings{})
	for i := range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		answer := ask(t.Context(), q, job(fmt.Sprint(i)))
		go cancel() // about when the job comes
		if taken, err := q.Take(ctx); err == nil {
			taken.Release(t.Context())
		} else if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		stop := serve(t, q, 1, scored)
		if r := <-answer; r.Sample.Status != vitrine.SampleScored || r.Tries != 1 {
			t.Errorf("got %+v", r)
		}
		stop()
	}
}
