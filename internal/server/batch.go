package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"vitrine/internal/queue"
)

// The states of a batch.
const (
	batchQueued    = "queued"
	batchRunning   = "running"
	batchDone      = "done"
	batchCancelled = "cancelled"
)

// A batchHead is what every replica knows of a batch. Its items are in request.ID until it
// ends, the answer to each in answer.ID.PLACE, which is written once; in the order of their
// revisions they are in that of their coming.
type batchHead struct {
	Created time.Time `json:"created"`
	Client  string    `json:"client"`
	Recipe  string    `json:"recipe,omitempty"` // name; empty is the default
	Total   int       `json:"total"`
	Held    int64     `json:"held"` // bytes of memory of who feeds it
	// Provenance is by what the replica judges that took it.
	Provenance string `json:"provenance"`
	Feeder     string `json:"feeder"` // the replica that gives its items to the queue
	// Ended is done or cancelled; then nothing of the head changes any more.
	Ended string `json:"ended,omitempty"`
	// Damage is why it can never be done.
	Damage string `json:"damage,omitempty"`
}

func (h *batchHead) state(id string, done int) jobState {
	return jobState{ID: id, Status: cmp.Or(h.Ended, batchRunning), Total: h.Total, Done: done}
}

// A jobState is what a client sees of a batch.
type jobState struct {
	ID      string   `json:"id"`
	Status  string   `json:"status" enum:"queued,running,done,cancelled"`
	Total   int      `json:"total"`
	Done    int      `json:"done"`
	Results []Result `json:"results,omitempty" doc:"so far, in order of their coming"`
}

// ended reports whether nothing more will come.
func (st jobState) ended() bool { return st.Status == batchDone || st.Status == batchCancelled }

const (
	headPrefix    = "head."
	replicaPrefix = "replica."
)

func requestKey(id string) string { return "request." + id }

func answerKey(id string, place any) string { return fmt.Sprint("answer.", id, ".", place) }

// place is that of the item which an entry answers.
func place(e *queue.Entry, id string) (place int, err error) {
	if _, err = fmt.Sscanf(e.Key, answerKey(id, "%d"), &place); err != nil {
		err = queue.Damaged(e.Key, err)
	}
	return place, err
}

func noBatch() *Problem { return notFound("such job, or no longer") }

// news is what there is to tell of a batch: a result, or how it stands.
type news struct {
	jobState         // without results
	result   *Result // nil where no further one has come
	idle     bool    // there was none for long
}

// follow gives the results of a batch in the order in which they come, until it ends. News
// without a result say that all results so far were sent.
func (bs *batches) follow(ctx context.Context, id string) iter.Seq2[news, error] {
	return func(yield func(news, error) bool) {
		if err := bs.tell(ctx, id, func(n news) bool { return yield(n, nil) }); err != nil {
			if errors.Is(err, queue.ErrNoEntry) {
				err = noBatch()
			}
			yield(news{}, err)
		}
	}
}

func (bs *batches) tell(ctx context.Context, id string, tell func(news) bool) error {
	h, err := bs.heads.get(ctx, id)
	if err != nil {
		return err
	}
	if h.is.Damage != "" {
		return queue.Damaged("the job "+id, errors.New(h.is.Damage))
	}
	w, err := bs.heads.bucket.Watch(ctx, headPrefix+id, answerKey(id, "*"))
	if err != nil {
		return err
	}
	defer w.Stop()
	sent, current, whole := 0, false, false
	for {
		e, err := next(ctx, w)
		idle := errors.Is(err, errIdle)
		if err != nil && !idle {
			return err
		}
		var n news
		switch {
		case e == nil:
			whole = true
		case e.Key != headPrefix+id:
			n.result = new(Result)
			if err := e.Decode(n.result); err != nil {
				return err
			}
			sent++
		case e.Deleted:
			return noBatch()
		default:
			current = e.Revision >= h.Revision // a replica of the stream may be behind
			if err := e.Decode(&h.is); err != nil {
				return err
			}
		}
		n.jobState, n.idle = h.is.state(id, sent), idle
		if n.result != nil {
			n.Status = batchRunning // until the head says that it ended, which comes last
		}
		if n.result == nil && (!current || !whole && !n.ended()) {
			continue
		}
		if n.result == nil && n.Status == batchDone && sent < n.Total {
			return queue.Damaged("the job "+id, fmt.Errorf("%d of its %d answers are gone", n.Total-sent, n.Total))
		}
		if !tell(n) || n.ended() {
			return nil
		}
	}
}

// keepAlive is how often a connection without news shows that it lives.
const keepAlive = 15 * time.Second

var errIdle = errors.New("nothing came")

// next waits for the next entry for a while.
func next(ctx context.Context, w *queue.Watch) (*queue.Entry, error) {
	waiting, cancel := context.WithTimeout(ctx, keepAlive)
	defer cancel()
	e, err := w.Next(waiting)
	if err != nil && waiting.Err() != nil && ctx.Err() == nil {
		err = errIdle
	}
	return e, err
}

// read is how a batch stands, with its results so far.
func (bs *batches) read(ctx context.Context, id string) (jobState, error) {
	var results []Result
	for n, err := range bs.follow(ctx, id) {
		if err != nil {
			return jobState{}, err
		}
		if n.result == nil {
			n.Results = results
			return n.jobState, nil
		}
		results = append(results, *n.result)
	}
	return jobState{}, noBatch()
}
