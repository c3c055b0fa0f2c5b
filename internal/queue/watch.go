package queue

import (
	"context"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// watchTimeout is how long the beginning of a watch may take.
const watchTimeout = 5 * time.Second

// A Watch shows entries as they are written.
type Watch struct {
	bucket  *Bucket
	watcher jetstream.KeyWatcher
	end     func()
}

// Watch shows the entries of some keys or patterns, in the order of their revisions. Stop it.
func (b *Bucket) Watch(ctx context.Context, keys ...string) (*Watch, error) {
	ctx, cancel := context.WithCancel(ctx) // its end is that of the watch
	late := time.AfterFunc(watchTimeout, cancel)
	watcher, err := b.kv.WatchFiltered(ctx, keys)
	switch {
	case !late.Stop() && err == nil:
		err = context.DeadlineExceeded
	case err == nil:
		err = ctx.Err() // a watch that ended while it began does not say that it has ended
	}
	if err != nil {
		cancel()
		return nil, b.fault("watch", strings.Join(keys, " "), err)
	}
	return &Watch{b, watcher, cancel}, nil
}

// Next waits for the next entry until ctx ends; nil is once, where all were seen that were
// there when the watch began. One that is damaged comes with its error.
func (w *Watch) Next(ctx context.Context) (*Entry, error) {
	found, err := w.next(ctx)
	if found == nil {
		return nil, err
	}
	return w.bucket.entry(context.WithoutCancel(ctx), found) // ctx is for the wait: an entry is not seen again
}

func (w *Watch) next(ctx context.Context) (jetstream.KeyValueEntry, error) {
	select {
	case found, more := <-w.watcher.Updates():
		if !more {
			return nil, unreachable(nats.ErrConnectionClosed)
		}
		return found, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Stop ends the watch.
func (w *Watch) Stop() {
	w.end()
	for range w.watcher.Updates() { // what comes until then would hold up its end
	}
}
