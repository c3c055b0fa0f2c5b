package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	heartbeatEvery = time.Second
	goneAfter      = 10 * time.Second
	maxWorkers     = 4096 // of which is kept count
)

// A Worker is one that takes jobs from the queue.
type Worker struct {
	ID    string    `json:"id"`
	Slots int       `json:"slots"` // jobs that it works on at once
	Busy  int       `json:"busy"`  // of them
	Seen  time.Time `json:"seen"`  // when it was last heard of, by the clock here
	// Provenance is the fingerprint of what it judges by: it takes jobs of that alone.
	Provenance string `json:"provenance"`
}

// Announce says who takes jobs here, every second until ctx ends; then, that it is
// gone. busy is asked each time.
func (q *Queue) Announce(ctx context.Context, id string, slots int, busy func() int) {
	tick := time.NewTicker(heartbeatEvery)
	defer tick.Stop()
	q.mu.Lock()
	q.worker = id
	q.mu.Unlock()
	for {
		q.heartbeat(Worker{ID: id, Slots: slots, Busy: busy(), Provenance: q.fingerprint})
		select {
		case <-ctx.Done():
			q.heartbeat(Worker{ID: id})
			return
		case <-tick.C:
		}
	}
}

func (q *Queue) heartbeat(w Worker) {
	data, err := json.Marshal(w)
	if err == nil {
		err = q.conn.Publish(workerSubject+"here", data)
	}
	if err != nil {
		q.settings.Log.Warn("queue: announce a worker", "error", err)
	}
}

// onHeartbeat notes a worker; one without slots is gone.
func (q *Queue) onHeartbeat(data []byte) {
	var w Worker
	if json.Unmarshal(data, &w) != nil {
		return
	}
	w.Seen = time.Now()
	q.mu.Lock()
	defer q.mu.Unlock()
	switch _, known := q.seen[w.ID]; {
	case w.Slots <= 0:
		delete(q.seen, w.ID)
	case known || len(q.seen) < maxWorkers:
		q.seen[w.ID] = w
		q.wakePump()
	}
}

// slots is how many jobs all workers that may take ours hold at once.
func (q *Queue) slots() (n int) {
	maps.DeleteFunc(q.seen, func(_ string, w Worker) bool { return time.Since(w.Seen) > goneAfter })
	for _, w := range q.seen {
		if w.Provenance == q.fingerprint {
			n += w.Slots
		}
	}
	return n
}

// Health is how the queue does.
type Health struct {
	Waiting int           // jobs in the line of this process
	Clients int           // whose jobs are waited for in this process
	Queued  int           // jobs in the stream that no worker has taken
	Running int           // jobs that workers have
	Oldest  time.Duration // age of the oldest job, in the stream or waited for here
	Workers []Worker      // that may take our jobs, heard of lately, in order of their names
	Others  []Worker      // that judge by something else
}

// Health asks the server; a fault with code no_queue says that it does not answer.
func (q *Queue) Health(ctx context.Context) (Health, error) {
	h := q.local()
	err := withTimeout(ctx, func(ctx context.Context) error {
		stream, err := q.jobs.Info(ctx)
		if err != nil {
			return fmt.Errorf("jobs: %w", err)
		}
		takers, err := q.consumerInfo(ctx)
		if err != nil {
			return fmt.Errorf("workers: %w", err)
		}
		h.Queued, h.Running = int(takers.NumPending), takers.NumAckPending
		if h.Queued+h.Running > 0 {
			h.Oldest = max(h.Oldest, time.Since(stream.State.FirstTime))
		}
		return nil
	})
	if err != nil {
		return h, unreachable(err)
	}
	return h, nil
}

func (q *Queue) local() (h Health) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots() // forgets who is gone
	h.Waiting, h.Clients = q.line.length(), len(q.line.held)
	for _, f := range q.flights {
		h.Oldest = max(h.Oldest, time.Since(f.askedAt))
	}
	for _, w := range slices.SortedFunc(maps.Values(q.seen), func(a, b Worker) int { return strings.Compare(a.ID, b.ID) }) {
		if w.Provenance == q.fingerprint {
			h.Workers = append(h.Workers, w)
		} else {
			h.Others = append(h.Others, w)
		}
	}
	return h
}

// consumerInfo says what the workers of our provenance have and what is there for them; nothing,
// where there was none for so long that their place was cleared.
func (q *Queue) consumerInfo(ctx context.Context) (*jetstream.ConsumerInfo, error) {
	info, err := q.takers.Info(ctx)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		return &jetstream.ConsumerInfo{}, nil
	}
	return info, err
}
