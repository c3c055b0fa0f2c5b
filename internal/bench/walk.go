package bench

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/generate"
)

// Recorded answers the steps of each model by what outputs say that it answered. The key
// is the model, then the task of the step, then which try it was.
type Recorded map[string]map[string]map[int]vitrine.Output

// RecordedIn are the answers among outputs whose tasks are steps.
func RecordedIn(a Answers) Recorded {
	r := Recorded{}
	for _, o := range a.Outputs {
		if r[o.Model] == nil {
			r[o.Model] = map[string]map[int]vitrine.Output{}
		}
		if r[o.Model][o.TaskID] == nil {
			r[o.Model][o.TaskID] = map[int]vitrine.Output{}
		}
		r[o.Model][o.TaskID][sampleOf(o)] = o
	}
	return r
}

// Ask is that of a model.
func (r Recorded) Ask(model string) Ask {
	return func(_ context.Context, step vitrine.Task, try int, _ generate.Prompt) (*vitrine.Output, error) {
		if o, there := r[model][step.ID][try]; there {
			return &o, nil
		}
		return nil, nil
	}
}

// answers reports whether a model answered any of some steps.
func (r Recorded) answers(model string, steps []string) bool {
	for _, id := range steps {
		if len(r[model][id]) > 0 {
			return true
		}
	}
	return false
}

// ReferenceModel is the name of the benchmark's own solutions in the place of a model.
const ReferenceModel = "reference"

// A Path is the way of a model through a task.
type Path struct {
	Model string
	Task  vitrine.Task
	Ask   Ask // nil: the benchmark's own solution
}

// Paths are those of recorded outputs: of each model through each task of which it
// answered a step.
func (r Recorded) Paths(b Stepped, models []string, tasks []vitrine.Task) (all []Path) {
	for _, m := range models {
		for _, t := range tasks {
			if r.answers(m, b.StepIDs(t)) {
				all = append(all, Path{m, t, r.Ask(m)})
			}
		}
	}
	return all
}

// Walk goes all paths, several at once. What it returns is as that of answers to whole
// tasks, one a path. Each that has come to its end is reported, one call at a time.
func (r *Run) Walk(ctx context.Context, w Walker, paths []Path, models []string, atOnce int, report func(done int, p Path, m Measured)) (Answers, map[string]Measured, error) {
	a, measured := Answers{Models: models}, map[string]Measured{}
	j, err := r.OpenJournal()
	if err != nil {
		return a, nil, err
	}
	defer j.Close()
	var mu sync.Mutex
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, p := range paths {
		id := p.Model + "/" + p.Task.ID
		a.Outputs = append(a.Outputs, vitrine.Output{ID: id, TaskID: p.Task.ID, Model: p.Model})
		group.Go(func() (err error) {
			if working.Err() != nil {
				return working.Err()
			}
			var m Measured
			if p.Ask == nil {
				m, err = w.Reference(working, p.Task, j)
			} else {
				m, err = w.Walk(working, p.Task, p.Ask, j)
			}
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			measured[id] = m
			report(len(measured), p, m)
			return nil
		})
	}
	return a, measured, group.Wait()
}
