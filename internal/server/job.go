package server

import (
	"sync"
	"time"

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
	total   int   // items
	held    int64 // bytes of memory until it ends
	recipe  *reward.Recipe
	folder  *jobFolder

	mu      sync.Mutex
	cancel  func() // nil until it runs
	status  string
	done    int           // items that have a result
	changed chan struct{} // closed when something changes

	// What a job that has ended has only in its folder.
	request Request
	places  []int // of results in the request
	results []Result
}

// newJob makes a job that has no folder yet.
func newJob(id string, created time.Time, r Request, recipe *reward.Recipe) *job {
	return &job{
		id: id, created: created, total: len(r.Items), held: memoryOf(r.Items), request: r, recipe: recipe, status: jobQueued, changed: make(chan struct{}),
	}
}

// A jobState is what a client sees of a job.
type jobState struct {
	ID      string   `json:"id"`
	Status  string   `json:"status" enum:"queued,running,done,cancelled"`
	Total   int      `json:"total"`
	Done    int      `json:"done"`
	Results []Result `json:"results,omitempty" doc:"so far, in order of their coming"`
}

// ended reports whether nothing more will come.
func (st jobState) ended() bool { return st.Status == jobDone || st.Status == jobCancelled }

// summary is how a job stands, without its results.
func (j *job) summary() jobState {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.now()
}

func (j *job) now() jobState {
	return jobState{ID: j.id, Status: j.status, Total: j.total, Done: j.done}
}

// state is how a job stands with its results, but for the first, and what is closed at
// the next change. Results are shared: they never change.
func (j *job) state(from int) (jobState, <-chan struct{}, error) {
	j.mu.Lock()
	st, results, changed := j.now(), j.results, j.changed
	j.mu.Unlock()
	if st.ended() && from < st.Done {
		kept, _, err := j.folder.results()
		if err != nil {
			return st, changed, err
		}
		if len(kept) < st.Done {
			return st, changed, noJob()
		}
		results = nil
		for _, k := range kept[:st.Done] {
			results = append(results, k.Result)
		}
	}
	st.Results = results[min(from, len(results)):]
	return st, changed, nil
}

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
		j.done, j.places, j.results = j.done+1, append(j.places, place), append(j.results, r)
		return nil
	})
}

// become changes the status; an ended job stays as it is.
func (j *job) become(status string) error {
	return j.change(func() error {
		if j.now().ended() {
			return nil
		}
		if (jobState{Status: status}).ended() {
			if err := j.folder.end(status); err != nil {
				return err
			}
			j.rest()
		}
		j.status = status
		return nil
	})
}

// rest lets go of what the folder of a job that has ended keeps.
func (j *job) rest() { j.request.Items, j.places, j.results = nil, nil, nil }

// begin makes a job run and says what is left of it; nothing, if it was cancelled.
func (j *job) begin() (request Request, places []int, err error) {
	err = j.become(jobRunning)
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
	return j.request, places, err
}

// stop cancels a job.
func (j *job) stop() error {
	if err := j.become(jobCancelled); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.cancel != nil {
		j.cancel()
	}
	return nil
}
