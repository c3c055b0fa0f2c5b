package server

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"time"

	"vitrine"
	"vitrine/internal/queue"
)

// heads mirrors the entries PREFIX.ID of a bucket, which are small: what every replica must
// know of all batches, sessions or replicas. Only what the bucket shows changes the mirror.
type heads[H any] struct {
	bucket *queue.Bucket
	prefix string // with its dot
	log    *slog.Logger

	creating chan struct{} // holds who creates one: each must see the one before

	mu      sync.Mutex // guards what follows
	of      map[string]head[H]
	last    uint64        // revision up to which all is known
	ready   bool          // what was there at the beginning is known
	changed chan struct{} // closed at the next change
}

// A head is a mirrored entry.
type head[H any] struct {
	*queue.Entry
	is   H
	seen time.Time // when it came here
}

func newHeads[H any](bucket *queue.Bucket, prefix string, log *slog.Logger) *heads[H] {
	return &heads[H]{bucket: bucket, prefix: prefix, log: log, of: map[string]head[H]{}, changed: make(chan struct{}), creating: make(chan struct{}, 1)}
}

// run keeps the mirror until ctx ends.
func (x *heads[H]) run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := x.follow(ctx); ctx.Err() == nil {
			x.log.Warn("what is kept is watched again", "entries", x.prefix, "error", err)
			sleep(ctx, firstWait)
		}
	}
}

func (x *heads[H]) follow(ctx context.Context) error {
	w, err := x.bucket.Watch(ctx, x.prefix+"*")
	if err != nil {
		return err
	}
	defer w.Stop()
	begin := map[string]head[H]{} // in place of what was known, once it is whole
	var last uint64
	for into := begin; ; {
		e, err := w.Next(ctx)
		if err != nil && !errors.Is(err, queue.ErrDamaged) {
			return err
		}
		x.mu.Lock()
		if e == nil {
			x.of, x.ready, into = begin, true, nil
		} else {
			if into == nil {
				x.see(x.of, e)
			} else {
				x.see(into, e)
			}
			last = max(last, e.Revision)
		}
		if into == nil { // before, the mirror is that of the watch before
			x.last = max(x.last, last)
		}
		close(x.changed)
		x.changed = make(chan struct{})
		x.mu.Unlock()
	}
}

// see notes an entry. One that is damaged is left out.
func (x *heads[H]) see(of map[string]head[H], e *queue.Entry) {
	id := strings.TrimPrefix(e.Key, x.prefix)
	h := head[H]{Entry: e, seen: time.Now()}
	if e.Deleted {
		delete(of, id)
		return
	}
	if err := e.Decode(&h.is); err != nil {
		x.log.Error("an entry cannot be read", "error", err)
		delete(of, id)
		return
	}
	of[id] = h
}

// all are the heads by id, as far as they are known here.
func (x *heads[H]) all() map[string]head[H] {
	x.mu.Lock()
	defer x.mu.Unlock()
	return maps.Clone(x.of)
}

// change is closed at the next change.
func (x *heads[H]) change() <-chan struct{} {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.changed
}

// syncTimeout is how long the mirror may be behind.
const syncTimeout = 10 * time.Second

// sync waits until the mirror has all that was written before, and says up to which revision.
func (x *heads[H]) sync(ctx context.Context) (last uint64, err error) {
	if last, err = x.bucket.Last(ctx, x.prefix+"*"); err != nil {
		return 0, err
	}
	return last, x.await(ctx, last)
}

// await waits until the mirror has a revision.
func (x *heads[H]) await(ctx context.Context, revision uint64) error {
	late := time.NewTimer(syncTimeout)
	defer late.Stop()
	for {
		x.mu.Lock()
		done, changed := x.ready && x.last >= revision, x.changed
		x.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-late.C:
			return vitrine.NewFault("server", vitrine.FaultNoQueue, nil, "what the queue's server keeps is not known here yet").WithFix("ask again in a moment")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// create writes a new head if admit, which is shown all that there are on every replica,
// says so. It is written only if no head was written meanwhile, so that limits hold over all.
func (x *heads[H]) create(ctx context.Context, id string, is H, admit func(map[string]head[H]) error) error {
	select {
	case x.creating <- struct{}{}:
		defer func() { <-x.creating }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for {
		last, err := x.sync(ctx)
		if err == nil {
			err = admit(x.all())
		}
		if err != nil {
			return err
		}
		revision, err := x.bucket.CreateAfter(ctx, x.prefix+id, is, x.prefix+"*", last)
		if err == nil {
			return x.await(ctx, revision)
		}
		if !errors.Is(err, queue.ErrConflict) {
			return err
		}
	}
}

// get reads a head as it is kept, not as it is mirrored.
func (x *heads[H]) get(ctx context.Context, id string) (h head[H], err error) {
	if h.Entry, err = x.bucket.Get(ctx, x.prefix+id); err == nil {
		err = h.Decode(&h.is)
	}
	return h, err
}

// update changes a head for as long as change says so, however many do at once.
func (x *heads[H]) update(ctx context.Context, id string, change func(*H) bool) error {
	for {
		h, err := x.get(ctx, id)
		if err != nil || !change(&h.is) {
			return err
		}
		if _, err = x.bucket.Replace(ctx, h.Entry, h.is); !errors.Is(err, queue.ErrConflict) {
			return err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
