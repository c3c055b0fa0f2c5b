package server

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/reward"
)

// jobs holds every job that the server has not forgotten. They run between start and the end
// of its context; what is not done by then goes on after a restart.
type jobs struct {
	server *Server
	mu     sync.Mutex
	byID   map[string]*job
	launch func(do func(context.Context)) // in the background; nil before start
	runs   sync.WaitGroup
}

// start runs what an earlier process left undone, and what comes, until ctx ends.
// wait returns when the jobs under way have stopped.
func (js *jobs) start(ctx context.Context) (wait func()) {
	js.mu.Lock()
	defer js.mu.Unlock()
	js.launch = func(do func(context.Context)) { js.runs.Go(func() { do(ctx) }) }
	for _, j := range js.byID {
		if !j.summary().ended() {
			js.run(j)
		}
	}
	return js.runs.Wait
}

// create keeps a new job and starts it.
func (js *jobs) create(r Request, recipe *reward.Recipe) (*job, error) {
	js.mu.Lock()
	defer js.mu.Unlock()
	j := newJob(strings.ToLower(rand.Text()), time.Now(), r, recipe)
	if err := js.admit(j); err != nil {
		return nil, err
	}
	folder, err := newJobFolder(js.server.settings.Dir, j)
	if err != nil {
		return nil, err
	}
	j.folder = folder
	js.byID[j.id] = j
	if len(js.byID) > (keptPerOpen+1)*js.server.settings.MaxJobs {
		js.forget(j.created)
	}
	if js.launch != nil {
		js.run(j)
	}
	return j, nil
}

// admit refuses a job where those that are not done are too many, or hold too much. One
// that would be alone is not too large: its body was bounded.
func (js *jobs) admit(j *job) error {
	s, owner := js.server, ownerOf(j.request.Client)
	count, memory := js.open(owner)
	if !s.withinQuota(owner, count, 1, int64(s.settings.MaxJobs)) {
		return problem(429, string(vitrine.FaultBusy), "there are too many jobs that are not done", "wait for some, or cancel them").after(10)
	}
	if count.all > 0 && !s.withinQuota(owner, memory, j.held, s.jobMemory()) {
		return outOfMemory(memory.all+j.held <= s.jobMemory())
	}
	return nil
}

// open counts jobs that are not done, and the bytes that they hold.
func (js *jobs) open(owner string) (count, memory usage) {
	for _, j := range js.byID {
		if j.summary().ended() {
			continue
		}
		count.all, memory.all = count.all+1, memory.all+j.held
		if ownerOf(j.request.Client) == owner {
			count.own, memory.own = count.own+1, memory.own+j.held
		}
	}
	return count, memory
}

func (js *jobs) countOpen() int {
	js.mu.Lock()
	defer js.mu.Unlock()
	count, _ := js.open("")
	return int(count.all)
}

// memory is what open jobs hold, in bytes.
func (js *jobs) memory() int64 {
	js.mu.Lock()
	defer js.mu.Unlock()
	_, memory := js.open("")
	return memory.all
}

// run works on what is left of a job.
func (js *jobs) run(j *job) {
	js.launch(func(ctx context.Context) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		j.mu.Lock()
		j.cancel = cancel
		j.mu.Unlock()
		if err := js.work(ctx, j); err != nil {
			js.server.settings.Log.Error("a job stops here; it goes on after a restart", "job", j.id, "error", err)
		}
	})
}

func (js *jobs) work(ctx context.Context, j *job) error {
	request, places, err := j.begin()
	if err != nil {
		return err
	}
	limited := ctx
	if d := request.Deadline; d > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithDeadline(ctx, j.created.Add(d))
		defer cancel()
	}
	var group errgroup.Group
	group.SetLimit(js.server.settings.Concurrent)
	for _, place := range places {
		group.Go(func() error {
			item := &request.Items[place]
			r, err := js.server.scoreItem(limited, j.recipe, request, item)
			if err != nil || ctx.Err() != nil {
				return err // cancelled, or ending: this one is not answered
			}
			js.server.countAnswer(item, &r)
			return js.retry(ctx, j, func() error { return j.add(place, r) })
		})
	}
	if err := group.Wait(); err != nil || ctx.Err() != nil {
		return err
	}
	return js.retry(ctx, j, func() error { return j.become(jobDone) })
}

// retry writes to the folder of a job until it succeeds, or ctx ends: a disk that is
// full now may have room later, and the answers are there.
func (js *jobs) retry(ctx context.Context, j *job, write func() error) error {
	for wait := firstWait; ; wait = min(2*wait, maxWait) {
		err := write()
		if err == nil || ctx.Err() != nil {
			return err
		}
		if wait == firstWait {
			js.server.settings.Log.Warn("a job waits until it can be kept", "job", j.id, "error", err)
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
}

func (js *jobs) find(id string) (*job, error) {
	js.mu.Lock()
	defer js.mu.Unlock()
	if j, ok := js.byID[id]; ok {
		return j, nil
	}
	return nil, noJob()
}

func noJob() *Problem { return notFound("such job, or no longer") }

// keptPerOpen is how many jobs, or sessions, that have ended are kept for each that
// may be open.
const keptPerOpen = 16

// sweep forgets jobs that ended long ago.
func (js *jobs) sweep(now time.Time) {
	js.mu.Lock()
	defer js.mu.Unlock()
	js.forget(now)
}

// forget removes jobs that have ended: those that had their time by now and, where
// there are too many, the oldest.
func (js *jobs) forget(now time.Time) {
	var ended []*job
	for _, j := range js.byID {
		if j.summary().ended() {
			ended = append(ended, j)
		}
	}
	slices.SortFunc(ended, func(a, b *job) int { return b.created.Compare(a.created) })
	for i, j := range ended {
		if i < keptPerOpen*js.server.settings.MaxJobs && now.Sub(j.created) < js.server.settings.JobTTL {
			continue
		}
		if err := j.folder.remove(); err != nil {
			js.server.settings.Log.Warn("forget a job", "job", j.id, "error", err)
		}
		delete(js.byID, j.id)
	}
}
