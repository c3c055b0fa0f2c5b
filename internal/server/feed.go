package server

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"vitrine/internal/queue"
)

// A feed is a batch whose items this replica gives to the queue.
type feed struct {
	cancel func()
	mu     sync.Mutex
	items  []Item // until it has ended
}

func (f *feed) hold(items []Item) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.items = items
}

// run feeds the batches that fall to this replica until ctx ends, and leaves the others to
// them at once.
func (bs *batches) run(ctx context.Context) {
	var feeds sync.WaitGroup
	beat := time.NewTicker(bs.server.settings.Lease / 5)
	defer beat.Stop()
	for bs.beat(ctx); ctx.Err() == nil; {
		heads, replicas := bs.heads.change(), bs.replicas.change()
		bs.tend(ctx, &feeds)
		select {
		case <-heads:
		case <-replicas:
		case <-beat.C:
			bs.beat(ctx)
		case <-ctx.Done():
		}
	}
	feeds.Wait()
	leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := bs.replicas.bucket.Delete(leaving, replicaPrefix+bs.replica); err != nil {
		bs.server.settings.Log.Warn("others wait before they take the jobs of this server", "lease", bs.server.settings.Lease, "error", err)
	}
}

// beat says that this replica lives.
func (bs *batches) beat(ctx context.Context) {
	mine := replica{Provenance: bs.server.settings.Provenance}
	err := bs.replicas.update(ctx, bs.replica, func(r *replica) bool { *r = mine; return true })
	if errors.Is(err, queue.ErrNoEntry) {
		_, err = bs.replicas.bucket.Create(ctx, replicaPrefix+bs.replica, mine)
	}
	if err != nil && ctx.Err() == nil {
		bs.server.settings.Log.Warn("it is not known whether this server lives", "error", err)
	}
}

// tend starts to feed what this replica is to feed, ends what it is not, and takes what none
// feeds that lives.
func (bs *batches) tend(ctx context.Context, feeds *sync.WaitGroup) {
	all, living := bs.heads.all(), bs.living()
	bs.mu.Lock()
	defer bs.mu.Unlock()
	for id, f := range bs.feeding {
		if h, there := all[id]; !there || h.is.Ended != "" || h.is.Feeder != bs.replica {
			f.cancel()
			delete(bs.feeding, id)
		}
	}
	if _, known := living[bs.replica]; !known {
		return // by whose beats the others' are measured
	}
	for id, h := range all {
		_, fed := living[h.is.Feeder]
		switch {
		case h.is.Ended != "":
		case h.is.Feeder == bs.replica && bs.feeding[id] == nil:
			ctx, cancel := context.WithCancel(ctx)
			f := &feed{cancel: cancel}
			bs.feeding[id] = f
			feeds.Go(func() { bs.feed(ctx, id, h.is, f) })
		case !fed && bs.suits(&h.is, living):
			h.is.Feeder = bs.replica
			_, err := bs.heads.bucket.Replace(ctx, h.Entry, h.is)
			if err != nil && !errors.Is(err, queue.ErrConflict) && ctx.Err() == nil {
				bs.server.settings.Log.Warn("a job is not taken over", "job", id, "error", err)
			}
		case !fed && !bs.judgedBy(&h.is, living) && time.Since(h.seen) > leasesWithoutRecipe*bs.server.settings.Lease:
			damage := fmt.Sprintf("no server has its recipe %s any more", h.is.Recipe)
			bs.server.settings.Log.Error("a job can never be done", "job", id, "error", damage)
			if err := bs.end(ctx, id, batchCancelled, damage); err != nil && ctx.Err() == nil {
				bs.server.settings.Log.Warn("a job is not ended", "job", id, "error", err)
			}
		}
	}
}

// leasesWithoutRecipe is how long a batch waits for a replica that has its recipe, in leases:
// one that was started without it may be started again.
const leasesWithoutRecipe = 60

// living are the replicas whose last beat came here within the lease before the newest beat of
// all: while the queue's server is away, no replica is given up. Clocks of other machines do not
// count.
func (bs *batches) living() map[string]replica {
	var now time.Time
	all := bs.replicas.all()
	for _, r := range all {
		if r.seen.After(now) {
			now = r.seen
		}
	}
	living := map[string]replica{}
	for id, r := range all {
		if now.Sub(r.seen) < bs.server.settings.Lease {
			living[id] = r.is
		}
	}
	return living
}

// suits reports whether this replica may feed a batch: it judges as the one that took it, or
// none is left that does, as after an upgrade.
func (bs *batches) suits(h *batchHead, living map[string]replica) bool {
	if _, err := bs.server.recipe(h.Recipe); err != nil {
		return false
	}
	return h.Provenance == bs.server.settings.Provenance || !bs.judgedBy(h, living)
}

// judgedBy reports whether a replica lives that judges as the one that took a batch.
func (bs *batches) judgedBy(h *batchHead, living map[string]replica) bool {
	for _, r := range living {
		if r.Provenance == h.Provenance {
			return true
		}
	}
	return false
}

// feed answers what is left of a batch, until ctx ends.
func (bs *batches) feed(ctx context.Context, id string, h batchHead, f *feed) {
	defer f.cancel()
	err := bs.work(ctx, id, h, f)
	f.hold(nil)
	switch {
	case errors.Is(err, queue.ErrDamaged) || errors.Is(err, queue.ErrNoEntry):
		bs.server.settings.Log.Error("a job can never be done", "job", id, "error", err)
		err = bs.persist(ctx, id, func() error { return bs.end(ctx, id, batchCancelled, err.Error()) })
	case err == nil && ctx.Err() == nil:
		err = bs.persist(ctx, id, func() error { return bs.end(ctx, id, batchDone, "") })
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, queue.ErrNoEntry) { // it was forgotten meanwhile
		bs.server.settings.Log.Error("a job stops here", "job", id, "error", err)
	}
}

func (bs *batches) work(ctx context.Context, id string, h batchHead, f *feed) error {
	var request Request
	err := bs.persist(ctx, id, func() error {
		e, err := bs.heads.bucket.Get(ctx, requestKey(id))
		if err == nil {
			err = e.Decode(&request)
		}
		return err
	})
	if err != nil {
		return err
	}
	f.hold(request.Items)
	var answered map[int]bool
	if err = bs.persist(ctx, id, func() error { answered, err = bs.answered(ctx, id); return err }); err != nil {
		return err
	}
	limited := ctx
	if request.Deadline > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithDeadline(ctx, h.Created.Add(request.Deadline))
		defer cancel()
	}
	var group errgroup.Group
	group.SetLimit(bs.server.settings.Concurrent)
	for place := range request.Items {
		if !answered[place] {
			group.Go(func() error { return bs.answer(ctx, limited, id, &request, place) })
		}
	}
	return group.Wait()
}

// answer answers one item, unless another replica has.
func (bs *batches) answer(ctx, limited context.Context, id string, request *Request, place int) error {
	recipe, err := bs.server.recipe(request.Recipe)
	if err != nil {
		return err
	}
	item := &request.Items[place]
	r, err := bs.server.scoreItem(limited, recipe, *request, item)
	if err != nil || ctx.Err() != nil {
		return err // cancelled, or ending: this one is not answered
	}
	return bs.persist(ctx, id, func() error {
		_, err := bs.heads.bucket.Create(ctx, answerKey(id, place), r)
		if err == nil {
			bs.server.countAnswer(item, &r)
		}
		if errors.Is(err, queue.ErrConflict) {
			return nil
		}
		return err
	})
}

// answered are the places of the items of a batch that have an answer.
func (bs *batches) answered(ctx context.Context, id string) (map[int]bool, error) {
	w, err := bs.heads.bucket.Watch(ctx, answerKey(id, "*"))
	if err != nil {
		return nil, err
	}
	defer w.Stop()
	places := map[int]bool{}
	for {
		e, err := w.Next(ctx)
		if e == nil {
			return places, err
		}
		at, err := place(e, id)
		if err != nil {
			return nil, err
		}
		places[at] = true
	}
}

// persist does something with what is kept until it succeeds, can never, or ctx ends: a disk
// that is full now may have room later, and a server that is away may come back.
func (bs *batches) persist(ctx context.Context, id string, do func() error) error {
	for wait := firstWait; ; wait = min(2*wait, maxWait) {
		err := do()
		if err == nil || ctx.Err() != nil || errors.Is(err, queue.ErrDamaged) || errors.Is(err, queue.ErrNoEntry) {
			return err
		}
		if wait == firstWait {
			bs.server.settings.Log.Warn("a job waits until it can be kept", "job", id, "error", err)
		}
		sleep(ctx, wait)
	}
}
