package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"vitrine"
)

// reconcileEvery is how often a published job, or its answer, is looked for.
const reconcileEvery = 2 * time.Second

// Headers of our messages.
const (
	codeHeader = "Vitrine-Code" // of a result: why it is no judgement; none if it is one
	blobHeader = "Vitrine-Blob" // where the message's content is, if it is too large for a message
)

var errNone = jetstream.ErrMsgNotFound

func judged(h nats.Header) bool { return h.Get(codeHeader) == "" }

// wakePump has the pump look at the line again.
func (q *Queue) wakePump() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// pump publishes flights, client after client, for as long as the workers have use
// for more.
func (q *Queue) pump(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-q.wake:
		}
		for f := q.next(); f != nil && ctx.Err() == nil; f = q.next() {
			q.publish(ctx, f)
		}
	}
}

// next takes the next flight from the line, if it may be published now: so many
// that every worker has one more at hand, and the others keep their turns.
func (q *Queue) next() *flight {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || q.inFlight >= max(4, 2*q.slots()) {
		return nil
	}
	f := q.line.pop()
	if f != nil {
		f.published = true
		q.inFlight++
	}
	return f
}

// publish puts a job into the stream, unless it is there. A server that does not
// answer is asked again by reconcile.
func (q *Queue) publish(ctx context.Context, f *flight) {
	q.mu.Lock()
	job := f.job
	job.Deadline = f.deadline
	q.mu.Unlock()
	data, err := json.Marshal(job)
	if err != nil {
		q.fail(f, fmt.Errorf("queue: %w", err))
		return
	}
	var ack *jetstream.PubAck
	err = withTimeout(ctx, func(ctx context.Context) error {
		if err := q.room(); err != nil {
			return err
		}
		m, err := q.wrap(ctx, q.subject(job.Key), data)
		if err == nil {
			ack, err = q.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(0))
		}
		return err
	})
	if err != nil && !underWay(err) && ctx.Err() == nil {
		q.settings.Log.Warn("queue: publish a job", "key", job.Key, "error", err)
	}
	q.published(f, ack)
}

// published notes what the server said; ack is nil if it did not take the job.
func (q *Queue) published(f *flight, ack *jetstream.PubAck) {
	q.mu.Lock()
	defer q.mu.Unlock()
	f.checkedAt = time.Now()
	if ack == nil {
		return
	}
	f.sequence = ack.Sequence
	if f.ended && f.answer == nil && !q.closed { // they left meanwhile
		q.run(func(ctx context.Context) { q.withdraw(ctx, ack.Sequence) })
	}
}

// fail ends a flight that can never be answered.
func (q *Queue) fail(f *flight, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.remove(f)
	f.end(nil, err)
}

// underWay reports whether the server refused a job because it has it.
func underWay(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) &&
		(api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// reconcile sees to it that whatever is waited for is in the stream or answered: answers
// and jobs that were lost on the way, and jobs that others took back.
func (q *Queue) reconcile(ctx context.Context) {
	tick := time.NewTicker(reconcileEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		q.abandon()
		if due := q.due(); len(due) > 0 {
			q.search(ctx, due)
		}
	}
}

// abandon ends the flights that no worker could have taken for so long.
func (q *Queue) abandon() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.slots() > 0 || !q.conn.IsConnected() { // heartbeats come by the connection
		q.workerSeen = time.Now()
		return
	}
	for _, f := range q.flights {
		alone := min(time.Since(f.askedAt), time.Since(q.workerSeen))
		if alone < q.settings.WorkerWait {
			continue
		}
		q.remove(f)
		f.end(nil, q.noWorker())
		if sequence := f.sequence; sequence > 0 && !q.closed {
			q.run(func(ctx context.Context) { q.withdraw(ctx, sequence) })
		}
	}
}

// noWorker is why a job is not worked on. It is asked for under mu.
func (q *Queue) noWorker() error {
	message := fmt.Sprintf("for %s no worker was there that may take the job", q.settings.WorkerWait)
	if others := len(q.seen); others > 0 {
		message += fmt.Sprintf("; %d judge by something else", others)
	}
	return vitrine.NewFault("queue", vitrine.FaultNoWorker, nil, message).
		WithFix("start vitrine worker with the version, browser, fonts, flags and files of the service; vitrine doctor --nats URL says what differs")
}

// due are the flights that were published, and not heard of for a while.
func (q *Queue) due() (out []*flight) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, f := range q.flights {
		if f.published && !f.checkedAt.IsZero() && time.Since(f.checkedAt) >= reconcileEvery {
			out = append(out, f)
		}
	}
	return out
}

func (q *Queue) search(ctx context.Context, due []*flight) {
	var there map[string]uint64
	err := withTimeout(ctx, func(ctx context.Context) error {
		info, err := q.jobs.Info(ctx, jetstream.WithSubjectFilter(q.subject("*")))
		if err == nil {
			there = info.State.Subjects
		}
		return err
	})
	if err != nil {
		return // later
	}
	for _, f := range due {
		if there[q.subject(f.job.Key)] == 0 {
			q.recover(ctx, f)
		}
	}
}

// recover finds the answer to a job that is not in the stream, or publishes it
// again.
func (q *Queue) recover(ctx context.Context, f *flight) {
	if !q.settle(ctx, f) {
		q.publish(ctx, f)
	}
}

// wrap makes a message. What is too large for one becomes a blob.
func (q *Queue) wrap(ctx context.Context, subject string, data []byte) (*nats.Msg, error) {
	m := nats.NewMsg(subject)
	if int64(len(data)) <= q.conn.MaxPayload()-4096 { // headers count, too
		m.Data = data
		return m, nil
	}
	hash, err := q.blobs.Put(ctx, data)
	m.Header.Set(blobHeader, hash)
	return m, err
}

// unwrap is the content of a message.
func (q *Queue) unwrap(ctx context.Context, h nats.Header, data []byte) ([]byte, error) {
	hash := h.Get(blobHeader)
	if hash == "" {
		return data, nil
	}
	data, err := q.blobs.Get(ctx, hash)
	if err != nil {
		return nil, vitrine.NewFault("queue", vitrine.FaultNoQueue, err, "a large message cannot be read").WithFix("ask again")
	}
	return data, nil
}
