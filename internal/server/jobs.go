package server

import (
	"context"
	"crypto/rand"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/reward"
)

// The states of a job.
const (
	jobQueued    = "queued"
	jobRunning   = "running"
	jobDone      = "done"
	jobCancelled = "cancelled"
)

// A job is a batch that is answered while the client does other things. Its results
// are in order of their coming: that is the order of its events.
type job struct {
	id      string
	created time.Time
	request Request
	recipe  *reward.Recipe
	folder  *jobFolder

	mu      sync.Mutex
	cancel  func() // nil until it runs
	status  string
	places  []int // of results in the request
	results []Result
	changed chan struct{} // closed when something changes
}

// A jobState is what a client sees of a job.
type jobState struct {
	ID      string   `json:"id"`
	Status  string   `json:"status" enum:"queued,running,done,cancelled"`
	Total   int      `json:"total"`
	Done    int      `json:"done"`
	Results []Result `json:"results,omitempty" doc:"so far, in order of their coming"`
}

// state is a copy, and what is closed at the next change.
func (j *job) state(from int) (jobState, <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	st := jobState{ID: j.id, Status: j.status, Total: len(j.request.Items), Done: len(j.results)}
	st.Results = slices.Clone(j.results[min(from, len(j.results)):])
	return st, j.changed
}

// ended reports whether nothing more will come.
func (st jobState) ended() bool { return st.Status == jobDone || st.Status == jobCancelled }

// change does something to the job and tells those who watch it.
func (j *job) change(do func() error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := do(); err != nil {
		return err
	}
	close(j.changed)
	j.changed = make(chan struct{})
	return nil
}

// add keeps a result, on disk first. What comes after a cancellation is dropped.
func (j *job) add(place int, r Result) error {
	return j.change(func() error {
		if j.status == jobCancelled {
			return nil
		}
		if err := j.folder.append(place, r); err != nil {
			return err
		}
		j.places, j.results = append(j.places, place), append(j.results, r)
		return nil
	})
}

// become changes the status; an ended job stays as it is.
func (j *job) become(status string) error {
	return j.change(func() error {
		if j.status == jobDone || j.status == jobCancelled {
			return nil
		}
		if status == jobDone || status == jobCancelled {
			if err := j.folder.end(status); err != nil {
				return err
			}
		}
		j.status = status
		return nil
	})
}

// left are the places that have no result yet.
func (j *job) left() (places []int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	done := map[int]bool{}
	for _, p := range j.places {
		done[p] = true
	}
	for i := range j.request.Items {
		if !done[i] {
			places = append(places, i)
		}
	}
	return places
}

// jobs are all that are kept. They run between start and the end of its context;
// what is not done by then goes on after a restart.
type jobs struct {
	server *Server
	mu     sync.Mutex
	by     map[string]*job
	launch func(do func(context.Context)) // in the background; nil before start
	runs   sync.WaitGroup
}

// start runs what an earlier process left undone, and what comes, until ctx ends.
// The wait is for those under way to let go.
func (js *jobs) start(ctx context.Context) (wait func()) {
	js.mu.Lock()
	defer js.mu.Unlock()
	js.launch = func(do func(context.Context)) { js.runs.Go(func() { do(ctx) }) }
	for _, j := range js.by {
		if st, _ := j.state(0); !st.ended() {
			js.run(j)
		}
	}
	return js.runs.Wait
}

// create keeps a new job and starts it.
func (js *jobs) create(r Request, recipe *reward.Recipe) (*job, error) {
	js.mu.Lock()
	defer js.mu.Unlock()
	if n := js.open(); n >= js.server.settings.MaxJobs {
		return nil, problem(429, string(vitrine.FaultBusy), "there are too many jobs that are not done", "wait for some, or cancel them").after(10)
	}
	j := &job{id: strings.ToLower(rand.Text()), created: time.Now(), request: r, recipe: recipe, status: jobQueued, changed: make(chan struct{})}
	folder, err := newJobFolder(js.server.settings.Dir, j)
	if err != nil {
		return nil, err
	}
	j.folder = folder
	js.by[j.id] = j
	if js.launch != nil {
		js.run(j)
	}
	return j, nil
}

// open counts jobs that are not done.
func (js *jobs) open() (n int) {
	for _, j := range js.by {
		if st, _ := j.state(0); !st.ended() {
			n++
		}
	}
	return n
}

func (js *jobs) countOpen() int {
	js.mu.Lock()
	defer js.mu.Unlock()
	return js.open()
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
	if err := j.become(jobRunning); err != nil {
		return err
	}
	if st, _ := j.state(0); st.ended() {
		return nil // cancelled before it began
	}
	limited := ctx
	if d := j.request.Deadline; d > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithDeadline(ctx, j.created.Add(d))
		defer cancel()
	}
	group, limited := errgroup.WithContext(limited)
	group.SetLimit(js.server.settings.Concurrent)
	for _, place := range j.left() {
		group.Go(func() error {
			r, err := js.server.one(limited, j.recipe, j.request, &j.request.Items[place])
			if err != nil || ctx.Err() != nil {
				return err // cancelled, or ending: this one is not answered
			}
			js.server.answered(&j.request.Items[place], &r)
			return j.add(place, r)
		})
	}
	if err := group.Wait(); err != nil || ctx.Err() != nil {
		return err
	}
	return j.become(jobDone)
}

func (js *jobs) find(id string) (*job, error) {
	js.mu.Lock()
	defer js.mu.Unlock()
	if j, ok := js.by[id]; ok {
		return j, nil
	}
	return nil, notFound("such job, or no longer")
}

// stop cancels a job.
func (j *job) stop() error {
	err := j.become(jobCancelled)
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.cancel != nil {
		j.cancel()
	}
	return err
}

// sweep forgets jobs that ended long ago.
func (js *jobs) sweep(now time.Time) {
	js.mu.Lock()
	defer js.mu.Unlock()
	maps.DeleteFunc(js.by, func(_ string, j *job) bool {
		st, _ := j.state(0)
		if !st.ended() || now.Sub(j.created) < js.server.settings.JobTTL {
			return false
		}
		if err := j.folder.remove(); err != nil {
			js.server.settings.Log.Warn("forget a job", "job", j.id, "error", err)
		}
		return true
	})
}
