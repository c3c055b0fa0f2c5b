package server

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"sync"
	"time"

	"vitrine"
	"vitrine/internal/queue"
)

// batches are those that are answered while their clients do other things. Each is fed to the
// queue by one replica of the service, and by another where that is gone.
type batches struct {
	server   *Server
	replica  string // name of this one
	heads    *heads[batchHead]
	replicas *heads[replica]

	mu      sync.Mutex
	feeding map[string]*feed // by id; one that has ended stays until its head is seen to have
}

// A replica says once in a while that it lives.
type replica struct {
	Provenance string `json:"provenance"`
}

func newBatches(s *Server) *batches {
	bucket, log := s.settings.Batches, s.settings.Log
	return &batches{
		server: s, replica: strings.ToLower(rand.Text()), heads: newHeads[batchHead](bucket, headPrefix, log), replicas: newHeads[replica](bucket, replicaPrefix, log), feeding: map[string]*feed{},
	}
}

// create keeps a new batch, which this replica feeds.
func (bs *batches) create(ctx context.Context, r Request) (jobState, error) {
	id := strings.ToLower(rand.Text())
	h := batchHead{Created: time.Now(), Client: r.Client, Recipe: r.Recipe, Total: len(r.Items), Held: memoryOf(r.Items), Provenance: bs.server.settings.Provenance, Feeder: bs.replica}
	if _, err := bs.heads.sync(ctx); err != nil {
		return jobState{}, err
	}
	if err := bs.admit(&h, bs.heads.all()); err != nil { // before its items are stored
		return jobState{}, err
	}
	if _, err := bs.heads.bucket.Create(ctx, requestKey(id), r); err != nil {
		return jobState{}, err
	}
	err := bs.heads.create(ctx, id, h, func(all map[string]head[batchHead]) error { return bs.admit(&h, all) })
	if err != nil {
		_ = bs.heads.bucket.Purge(context.WithoutCancel(ctx), requestKey(id)) // else it goes by its age
		return jobState{}, err
	}
	return jobState{ID: id, Status: batchQueued, Total: h.Total}, nil
}

// admit refuses a batch where those that are not done are too many, or hold too much, on all
// replicas: each of them may have to feed all. One that would be alone is not too large: its
// body was bounded.
func (bs *batches) admit(h *batchHead, all map[string]head[batchHead]) error {
	s, owner := bs.server, ownerOf(h.Client)
	count, memory := openBatches(all, owner)
	if !s.withinQuota(owner, count, 1, int64(s.settings.MaxJobs)) {
		return problem(429, string(vitrine.FaultBusy), "there are too many jobs that are not done", "wait for some, or cancel them").after(10)
	}
	if count.all > 0 && !s.withinQuota(owner, memory, h.Held, s.jobMemory()) {
		return outOfMemory(memory.all+h.Held <= s.jobMemory())
	}
	return nil
}

// openBatches counts batches that are not done, and the bytes that they hold.
func openBatches(all map[string]head[batchHead], owner string) (count, memory usage) {
	for _, h := range all {
		if h.is.Ended != "" {
			continue
		}
		count.all, memory.all = count.all+1, memory.all+h.is.Held
		if ownerOf(h.is.Client) == owner {
			count.own, memory.own = count.own+1, memory.own+h.is.Held
		}
	}
	return count, memory
}

func (bs *batches) countOpen() int {
	count, _ := openBatches(bs.heads.all(), "")
	return int(count.all)
}

// memory is what open batches hold, in bytes.
func (bs *batches) memory() int64 {
	_, memory := openBatches(bs.heads.all(), "")
	return memory.all
}

// end ends a batch that has not ended; its items are of no more use.
func (bs *batches) end(ctx context.Context, id, how, damage string) error {
	err := bs.heads.update(ctx, id, func(h *batchHead) bool {
		if h.Ended != "" {
			return false
		}
		h.Ended, h.Damage = how, damage
		return true
	})
	if err == nil {
		err = bs.heads.bucket.Purge(ctx, requestKey(id))
	}
	return err
}

// cancel cancels a batch, whoever feeds it.
func (bs *batches) cancel(ctx context.Context, id string) error {
	return bs.end(ctx, id, batchCancelled, "")
}

// keptPerOpen is how many batches, or sessions, that have ended are kept for each that
// may be open.
const keptPerOpen = 16

// sweep forgets batches that have ended: those that had their time by now and, where there are
// too many, the oldest. One that is not done when its entries go by their age is forgotten, too.
func (bs *batches) sweep(ctx context.Context, now time.Time) error {
	if _, err := bs.heads.sync(ctx); err != nil {
		return err
	}
	type ended struct {
		id string
		at time.Time
	}
	var all []ended
	for id, h := range bs.heads.all() {
		if h.is.Ended != "" { // its last write
			all = append(all, ended{id, h.At})
		} else if now.Sub(h.is.Created) > queue.KeepState {
			all = append(all, ended{id, h.is.Created})
		}
	}
	slices.SortFunc(all, func(a, b ended) int { return b.at.Compare(a.at) })
	for i, b := range all {
		if i < keptPerOpen*bs.server.settings.MaxJobs && now.Sub(b.at) < bs.server.settings.JobTTL {
			continue
		}
		if err := bs.forget(ctx, b.id); err != nil {
			return err
		}
	}
	return nil
}

func (bs *batches) forget(ctx context.Context, id string) error {
	err := bs.heads.bucket.Delete(ctx, headPrefix+id)
	for _, key := range []string{answerKey(id, "*"), requestKey(id)} {
		if err == nil {
			err = bs.heads.bucket.Purge(ctx, key)
		}
	}
	return err
}
