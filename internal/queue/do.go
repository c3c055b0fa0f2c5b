package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"vitrine"
)

// A flight is a job that somebody here waits for.
type flight struct {
	job     Job // of who asked first
	client  string
	askedAt time.Time
	done    chan struct{}
	answer  *answer // once done is closed; nil with err
	err     error

	// What follows is guarded by the queue's mu.
	ended     bool
	admitted  bool // counts as pending
	published bool
	waiters   int       // who waits
	deadline  time.Time // of the last who waits; zero: somebody has none
	after     uint64    // sequence of the last answer that is not for us
	sequence  uint64    // of the job, if this queue published it
	checkedAt time.Time // when the job or its answer was last looked for
}

// An answer is a result as it travels.
type answer struct {
	header nats.Header
	data   []byte
}

func (f *flight) end(a *answer, err error) {
	if !f.ended {
		f.ended, f.answer, f.err = true, a, err
		close(f.done)
	}
}

// Do answers a job: with a judgement that is kept, with the answer to the same job
// if it is under way, or by having it worked on. The sample carries the names of
// this job's output. It is unjudged where no judgement was to be had, with the code
// deadline if the time was up, or poison if it ended a process of its own twice.
//
// An error is a fault with code busy (too much is asked for; try again), a fault
// with code interrupted (the queue was closed), one with code no_worker (no worker was
// there that may take it), or that of ctx. A job that nobody
// waits for any more and that no worker has started is not worked on.
func (q *Queue) Do(ctx context.Context, job Job) (Result, error) {
	if err := job.check(); err != nil {
		return Result{}, err
	}
	f, err := q.join(job)
	if err != nil {
		return Result{}, err
	}
	defer q.leave(f)
	late, stop := alarm(job.Deadline)
	defer stop()
	select {
	case <-f.done:
	case <-late:
		return Unjudged(job, tooLate()), nil
	case <-ctx.Done():
		return Result{}, ctx.Err()
	}
	if f.err != nil {
		return Result{}, f.err
	}
	return q.read(ctx, f.answer, job)
}

// alarm tells when a deadline has passed; never, if it is zero.
func alarm(deadline time.Time) (<-chan time.Time, func()) {
	if deadline.IsZero() {
		return nil, func() {}
	}
	t := time.NewTimer(time.Until(deadline))
	return t.C, func() { t.Stop() }
}

// read makes a result of what was received. Everyone who waits gets one of their
// own.
func (q *Queue) read(ctx context.Context, a *answer, job Job) (Result, error) {
	data, err := q.unwrap(ctx, a.header, a.data)
	if err != nil {
		return Result{}, err
	}
	var r Result
	if err := json.Unmarshal(data, &r); err != nil {
		return Result{}, fmt.Errorf("queue: answer to %s: %w", job.Key, err)
	}
	r.Sample = name(r.Sample, job.Output)
	return r, nil
}

// join finds the flight of a job, or starts one.
func (q *Queue) join(job Job) (*flight, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil, closing()
	}
	f, there := q.flights[job.Key]
	if !there {
		f = &flight{job: job, client: job.Client, askedAt: time.Now(), done: make(chan struct{}), deadline: job.Deadline}
		q.flights[job.Key] = f
		q.run(func(ctx context.Context) { q.answerOrEnqueue(ctx, f) })
	}
	f.waiters++
	if job.Deadline.IsZero() || !f.deadline.IsZero() && job.Deadline.After(f.deadline) {
		f.deadline = job.Deadline
	}
	return f, nil
}

// answerOrEnqueue answers a flight by what is kept, or enqueues it.
func (q *Queue) answerOrEnqueue(ctx context.Context, f *flight) {
	a, sequence := q.lastResult(ctx, f.job.Key)
	if a != nil && judged(a.header) {
		q.finish(f.job.Key, a.header, a.data)
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	f.after = sequence
	switch {
	case f.ended || f.waiters == 0:
	case q.line.admit(f, q.settings.MaxPending):
		q.wakePump()
	default:
		q.remove(f)
		f.end(nil, vitrine.NewFault("queue", vitrine.FaultBusy, nil, fmt.Sprintf("%d jobs wait already", q.line.total)).
			WithFix("ask again in a moment, or add workers"))
	}
}

// lastResult returns the last answer to a key and its place among the answers; nil if
// there is none, or none to be had.
func (q *Queue) lastResult(ctx context.Context, key string) (a *answer, sequence uint64) {
	err := withTimeout(ctx, func(ctx context.Context) error {
		m, err := q.results.GetLastMsgForSubject(ctx, resultSubject+key)
		if err == nil {
			a, sequence = &answer{m.Header, m.Data}, m.Sequence
		}
		return err
	})
	if err != nil && !errors.Is(err, errNone) && ctx.Err() == nil {
		q.settings.Log.Warn("queue: look for an answer", "key", key, "error", err)
	}
	return a, sequence
}

// onResult handles an answer as NATS delivers it, which is before the stream has stored it. A
// judgement is passed on at once. An unjudged answer is passed on only once it is stored: its
// caller may ask again at once, and the new flight must see that answer's sequence
// (flight.after), or it would take the old answer for its own.
func (q *Queue) onResult(key string, header nats.Header, data []byte) {
	if judged(header) {
		q.finish(key, header, data)
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	f := q.flights[key]
	if f == nil || q.closed {
		return
	}
	q.run(func(ctx context.Context) {
		for wait := 5 * time.Millisecond; !q.settle(ctx, f) && wait < time.Second; wait *= 2 { // then reconcile sees to it
			pause(ctx, wait)
		}
	})
}

// settle gives a flight what is kept, if that is an answer to it, and reports whether it
// needs no other.
func (q *Queue) settle(ctx context.Context, f *flight) bool {
	a, sequence := q.lastResult(ctx, f.job.Key)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.flights[f.job.Key] != f {
		return true
	}
	// An unjudged answer that was stored before this flight was admitted belongs to an earlier flight.
	if a == nil || !judged(a.header) && (!f.admitted || sequence <= f.after) {
		return false
	}
	f.after = sequence
	q.give(f, a.header, a.data)
	return true
}

// finish gives an answer to everyone who waits for it here.
func (q *Queue) finish(key string, header nats.Header, data []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if f := q.flights[key]; f != nil {
		q.give(f, header, data)
	}
}

// give ends a flight with an answer. An answer with code deadline does not end a flight whose
// own deadline is later: its job is queued again.
func (q *Queue) give(f *flight, header nats.Header, data []byte) {
	if header.Get(codeHeader) == string(vitrine.FaultDeadline) && !expired(f.deadline) {
		if f.published {
			f.published, f.checkedAt = false, time.Time{}
			q.inFlight--
			q.line.push(f, true)
			q.wakePump()
		}
		return
	}
	q.remove(f)
	f.end(&answer{header, data}, nil)
}

// leave ends one wait. The last to leave takes the job back, if it can.
func (q *Queue) leave(f *flight) {
	q.mu.Lock()
	defer q.mu.Unlock()
	f.waiters--
	if f.waiters > 0 || f.ended {
		return
	}
	q.remove(f)
	f.ended = true
	if sequence := f.sequence; sequence > 0 && !q.closed {
		q.run(func(ctx context.Context) { q.withdraw(ctx, sequence) })
	}
}

// remove lets go of a flight.
func (q *Queue) remove(f *flight) {
	if q.flights[f.job.Key] == f {
		delete(q.flights, f.job.Key)
	}
	q.line.forget(f)
	if f.published {
		f.published = false
		q.inFlight--
	}
	q.wakePump()
}

// withdraw takes a job back that no worker has taken. Others who wait for it ask
// for it again (see reconcile). Where this does not work, the job is done in vain.
func (q *Queue) withdraw(ctx context.Context, sequence uint64) {
	err := withTimeout(ctx, func(ctx context.Context) error {
		info, err := q.consumerInfo(ctx)
		if err != nil || info.Delivered.Stream >= sequence {
			return err
		}
		return q.jobs.DeleteMsg(ctx, sequence)
	})
	if err != nil && ctx.Err() == nil {
		q.settings.Log.Warn("queue: take back a job", "error", err)
	}
}
