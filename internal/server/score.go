package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/queue"
	"vitrine/internal/reward"
)

// A Request asks for the rewards of a batch.
type Request struct {
	Recipe   string        // name; empty is the default
	Client   string        // who asks: clients take turns
	Deadline time.Duration // zero is the default of the settings
	Findings bool          // results carry what the checks say
	// Hold waits where the queue is full, and tries again what may succeed later,
	// until the deadline. Without it, a full queue is an error.
	Hold  bool
	Items []Item
}

// Score answers every item, in order: with a reward, or with the cause why there is
// none. An error is a *[Problem] with the request as a whole.
func (s *Server) Score(ctx context.Context, r Request) ([]Result, error) {
	recipe, err := s.recipe(r.Recipe)
	if err != nil {
		return nil, err
	}
	if err := s.CheckItems(len(r.Items)); err != nil {
		return nil, err
	}
	if err := number(r.Items); err != nil {
		return nil, err
	}
	return s.scoreAll(ctx, recipe, r)
}

// CheckItems refuses more items than one request may have, with a *[Problem].
func (s *Server) CheckItems(items int) error {
	if items <= s.settings.MaxItems {
		return nil
	}
	return problem(413, codeTooLarge, fmt.Sprintf("%d items in one request", items), fmt.Sprintf("send at most %d, or use /v1/jobs", s.settings.MaxItems))
}

// HasTask reports whether there is a task of this id.
func (s *Server) HasTask(id string) bool {
	_, known := s.settings.Tasks[id]
	return known
}

// number checks items and names those that have no name by their place.
func number(items []Item) error {
	for i := range items {
		if items[i].ID == "" {
			items[i].ID = ID(strconv.Itoa(i))
		}
		if err := items[i].check(i); err != nil {
			return err
		}
	}
	return nil
}

// scoreAll asks the queue for every item, some at a time.
func (s *Server) scoreAll(ctx context.Context, recipe *reward.Recipe, r Request) ([]Result, error) {
	deadline := time.Now().Add(min(positive(r.Deadline, s.settings.Deadline), s.settings.MaxDeadline))
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	results := make([]Result, len(r.Items))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(s.settings.Concurrent)
	for i := range r.Items {
		group.Go(func() error {
			var err error
			results[i], err = s.scoreItem(ctx, recipe, r, &r.Items[i])
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, problemOf(err)
	}
	for i := range results { // only now: answers of a batch that failed are not counted
		s.countAnswer(&r.Items[i], &results[i])
	}
	return results, nil
}

// scoreItem answers one item. The only error is a queue that is full, unless the request
// waits for it.
func (s *Server) scoreItem(ctx context.Context, recipe *reward.Recipe, r Request, item *Item) (Result, error) {
	if item.SessionID != "" {
		return s.ofSession(ctx, recipe, item, newBackoff(r.Hold)), nil
	}
	job, fault := s.queueJob(ctx, recipe, r.Client, item)
	if fault != nil {
		return unjudged(item, recipe, fault), nil
	}
	for again := newBackoff(r.Hold); ; {
		res, err := s.ask(ctx, job)
		fault := cause(ctx, res, err)
		switch {
		case fault == nil:
			return resultOf(item, recipe, res, r.Findings), nil
		case fault.Code == vitrine.FaultBusy && !r.Hold:
			return Result{}, fault
		case !again.wait(ctx, fault):
			if err != nil || res.Sample.Error == nil {
				return unjudged(item, recipe, fault), nil
			}
			return resultOf(item, recipe, res, r.Findings), nil
		}
	}
}

// ask asks the queue and meters the answer.
func (s *Server) ask(ctx context.Context, job queue.Job) (queue.Result, error) {
	res, err := s.settings.Queue.Do(ctx, job)
	if err == nil && s.seen.put(res.Key+res.Evidence, struct{}{}) {
		s.meters.judged(res, s.settings.Model)
		for _, f := range res.Frames {
			s.frames.put(f.SHA256, res.Evidence)
		}
	}
	return res, err
}

// countAnswer counts an answer.
func (s *Server) countAnswer(item *Item, r *Result) {
	s.meters.answered(r)
	s.groups.see(item, r)
	s.tally.add(r)
}

// queueJob is what the queue is asked for an item.
func (s *Server) queueJob(ctx context.Context, recipe *reward.Recipe, client string, item *Item) (queue.Job, *vitrine.Fault) {
	own := *item
	if task, known := s.settings.Tasks[string(item.TaskID)]; own.Instruction == "" {
		if own.Instruction = task.Instruction; !known && item.TaskID != "" {
			return queue.Job{}, vitrine.NewFault("input", vitrine.FaultUnknownTask, nil, fmt.Sprintf("no task has the id %.100q", item.TaskID)).
				WithFix("GET /v1/tasks lists them; or send the instruction with the item")
		}
	}
	deadline, _ := ctx.Deadline()
	j := queue.Job{
		Key: own.key(recipe.ID(), s.settings.Provenance, s.settings.Tasks[string(item.TaskID)]), Client: client, Recipe: recipe.ID(), Deadline: deadline,
		Output: vitrine.Output{ID: "job", TaskID: string(own.TaskID), Instruction: own.Instruction, Kind: own.Kind, Meta: own.tokens()},
	}
	if own.Output != nil {
		j.Output.Text = *own.Output
	}
	if own.Files != nil {
		files, _ := json.Marshal(own.Files) // texts marshal
		j.Output.Meta[FilesMeta] = files
	}
	if len(s.settings.Seed) > 0 {
		seed, _ := json.Marshal(s.settings.Seed)
		j.Output.Meta[SeedMeta] = seed
	}
	return j, nil
}

// SeedMeta is where the output of a job has the seed of what is typed into its site, so
// that all workers of a service share it.
const SeedMeta = "behave_seed"

// FilesMeta is where the output of a job has the files of a site, by path, in place
// of a text.
const FilesMeta = "files"

// cause says why there is no reward; nil if there is one.
func cause(ctx context.Context, r queue.Result, err error) *vitrine.Fault {
	switch {
	case errors.Is(err, context.DeadlineExceeded) || err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return vitrine.NewFault("server", vitrine.FaultDeadline, nil, "the deadline passed before there was an answer").
			WithFix("ask again: what was started is finished and kept; or give a longer deadline_ms or more workers")
	case errors.Is(err, context.Canceled):
		return vitrine.NewFault("server", vitrine.FaultInterrupted, nil, "the request was given up")
	case err != nil:
		return vitrine.AsFault("queue", err)
	case r.Sample.Status == vitrine.SampleScored && r.Sample.Reward != nil:
		return nil
	case r.Sample.Error != nil:
		return r.Sample.Error
	}
	return vitrine.NewFault("server", vitrine.FaultInternal, nil, "a worker answered without a reward and without a cause")
}

// backoff is how often what failed is tried again, and after how long.
type backoff struct {
	hold  bool
	tries int
	next  time.Duration
}

// How a request that holds tries again: a full queue without end, another fault
// that may pass, this often.
const (
	maxTries  = 2
	firstWait = 250 * time.Millisecond
	maxWait   = 4 * time.Second
)

func newBackoff(hold bool) *backoff { return &backoff{hold: hold, next: firstWait} }

// wait reports, after a while, whether to try again.
func (w *backoff) wait(ctx context.Context, f *vitrine.Fault) bool {
	if f.Code != vitrine.FaultBusy {
		w.tries++
	}
	if !w.hold || !f.Code.Retryable() || f.Code == vitrine.FaultNoWorker || w.tries > maxTries { // the queue has waited for a worker
		return false
	}
	timer := time.NewTimer(w.next)
	defer timer.Stop()
	w.next = min(2*w.next, maxWait)
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// recipe finds a recipe by its name; a request cannot name a file.
func (s *Server) recipe(name string) (*reward.Recipe, error) {
	if name == "" {
		return s.settings.Recipes[0], nil
	}
	var names []string
	for _, r := range s.settings.Recipes {
		if r.Name == name || r.ID() == name {
			return r, nil
		}
		names = append(names, r.Name)
	}
	return nil, problem(422, "unknown_recipe", fmt.Sprintf("no recipe %.100q", name), fmt.Sprintf("use one of %q, or start the server with --recipe FILE", names))
}
