package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"vitrine"
)

// pullFor is how long one request for a job waits at the server.
const pullFor = time.Second

// A Taken job is a worker's until it is answered or given back, or until the
// worker is silent for AckWait.
type Taken struct {
	Job   Job
	Tries int // how many workers took it, this one included
	// Alone says that the job is to be worked on in a process of its own: a worker was
	// lost with it, or its last answer was poison.
	Alone bool

	queue     *Queue
	message   jetstream.Msg
	sequence  uint64
	delivered int
	record    record
}

// Take waits for a job and makes it the caller's. On the way it drops jobs that are already
// answered and answers those whose deadline has passed. The only error is that of ctx, or a
// fault with code interrupted when the queue is closed.
func (q *Queue) Take(ctx context.Context) (*Taken, error) {
	for ctx.Err() == nil {
		m, err := q.pull(ctx)
		switch {
		case ctx.Err() != nil:
			q.returnUnused(m)
		case q.isClosed():
			return nil, closing()
		case err != nil:
			q.settings.Log.Warn("queue: take a job", "error", err)
			pause(ctx, pullFor/2)
		case m != nil:
			if t := q.receive(context.WithoutCancel(ctx), m); t != nil {
				return t, nil
			}
		}
	}
	return nil, ctx.Err()
}

func (q *Queue) isClosed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// pull asks for one message; nil if there was none. One that comes after ctx has
// ended goes back at once.
func (q *Queue) pull(ctx context.Context) (jetstream.Msg, error) {
	batch, err := q.takers.Fetch(1, jetstream.FetchMaxWait(pullFor))
	if err != nil {
		return nil, err
	}
	select {
	case m := <-batch.Messages():
		return m, batch.Error()
	case <-ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.run(func(context.Context) { q.returnUnused(<-batch.Messages()) })
	}
	return nil, nil
}

// returnUnused gives a message back that nobody looked at; nil is none.
func (q *Queue) returnUnused(m jetstream.Msg) {
	if m == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), pullFor)
	defer cancel()
	if meta, err := m.Metadata(); err == nil {
		t := Taken{Job: Job{Key: q.key(m.Subject())}, queue: q, message: m, sequence: meta.Sequence.Stream}
		t.nakNow(ctx) // nobody held it
	}
}

// receive makes a message the caller's job; nil if there is nothing to do for it.
func (q *Queue) receive(ctx context.Context, m jetstream.Msg) *Taken {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	meta, err := m.Metadata()
	if err != nil {
		return nil // no message of the stream
	}
	t := &Taken{queue: q, message: m, sequence: meta.Sequence.Stream, delivered: int(meta.NumDelivered)}
	t.Job.Key = q.key(m.Subject())
	fault := t.decode(ctx)
	a, _ := q.lastResult(ctx, t.Job.Key)
	if a != nil && judged(a.header) {
		_ = m.DoubleAck(ctx) // answered by one that was thought lost
		return nil
	}
	if fault == nil {
		t.hold(ctx, a != nil && a.header.Get(codeHeader) == string(vitrine.FaultPoison))
		return t
	}
	if err := t.Ack(ctx, Unjudged(t.Job, fault)); err != nil {
		q.settings.Log.Warn("queue: answer a job", "key", t.Job.Key, "error", err)
	}
	return nil
}

// decode reads the job and says why it is not to be worked on, if so.
func (t *Taken) decode(ctx context.Context) *vitrine.Fault {
	key := t.Job.Key
	data, err := t.queue.unwrap(ctx, t.message.Headers(), t.message.Data())
	if err == nil {
		err = json.Unmarshal(data, &t.Job)
	}
	t.Job.Key = key
	switch {
	case err != nil:
		return vitrine.NewFault("queue", vitrine.FaultInternal, nil, "the job cannot be read: "+err.Error())
	case expired(t.Job.Deadline):
		return tooLate()
	}
	return nil
}

// KeepAlive extends the lease on the job until ctx ends.
func (t *Taken) KeepAlive(ctx context.Context) {
	tick := time.NewTicker(t.queue.ackWait / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = t.message.InProgress() // the next one may come through
		}
	}
}

// Ack answers the job. It tries until ctx ends; where it does not succeed, the job
// goes to another worker after AckWait.
func (t *Taken) Ack(ctx context.Context, r Result) error {
	r.Key, r.Tries = t.Job.Key, t.Tries
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("queue: answer: %w", err)
	}
	err = t.queue.retry(ctx, func(ctx context.Context) error {
		m, err := t.queue.wrap(ctx, resultSubject+r.Key, data)
		if err != nil {
			return err
		}
		if code := r.code(); code != "" {
			m.Header.Set(codeHeader, string(code))
		}
		_, err = t.queue.js.PublishMsg(ctx, m)
		return err
	})
	if err != nil {
		return fmt.Errorf("queue: answer: %w", err)
	}
	_ = t.message.DoubleAck(ctx) // if it fails, the next worker finds the answer
	return nil
}

// LastTry reports whether no try is left after this one.
func (t *Taken) LastTry() bool { return t.Tries >= t.queue.settings.MaxTries }

// Nak gives the job to another worker, a second later. It counts as a try.
func (t *Taken) Nak(ctx context.Context) {
	t.record.Held = false
	t.note(ctx)
	_ = t.message.NakWithDelay(time.Second)
}

// Release gives the job back as if it had never been taken: the worker is leaving.
func (t *Taken) Release(ctx context.Context) {
	t.record.Held = false
	t.record.Tries--
	t.note(ctx)
	t.nakNow(ctx)
}

// nakNow gives the message back at once.
func (t *Taken) nakNow(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pullFor) // it is sent in any case
	defer cancel()
	if _, err := t.queue.conn.RequestWithContext(ctx, t.message.Reply(), nakMessage); err != nil {
		t.queue.settings.Log.Warn("queue: a job is given back late", "key", t.Job.Key, "error", err)
	}
}

// nakMessage gives a message back. Without a delay, a restart of the server would forget it.
// It is sent as a request so that the server handles it at once: a NAK without a reply subject
// may be handled later, and is lost if the server stops first.
var nakMessage = fmt.Appendf(nil, `-NAK {"delay": %d}`, time.Millisecond)
