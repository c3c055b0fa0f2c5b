package generate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/digest"
	"vitrine/internal/model"
)

// An Asker has conversations with models; [model.Client] is one.
type Asker interface {
	Ask(ctx context.Context, name string, r model.Request) (model.Reply, error)
}

// A Prompt is how a task is put to a model.
type Prompt struct{ System, Text string }

// Settings say what is asked. Concurrency and N are 1 or more.
type Settings struct {
	Asker       Asker
	Author      Author   // writes the answers; nil: Asker is asked once for each
	Model       string   // as it is asked
	Name        string   // as it stands in the outputs: provider/model
	N           int      // samples of each task in a run
	Runs        int      // over all tasks, one after the other; 0 and 1 are one that is not numbered
	From        int      // number of the first sample of each, from 0
	Temperature *float64 // nil: left to the endpoint
	TopP        *float64 // the same
	MaxTokens   int      // of one answer, reasoning included
	// Seed is that of the first sample of each task, and the next ones have the numbers
	// after it; nil sends none.
	Seed        *int64
	Prompt      func(vitrine.Task) Prompt
	Kind        vitrine.Kind // of all outputs; empty: the parser finds out
	Concurrency int
	// Stop, when closed, ends the asking: what is under way is waited for.
	Stop <-chan struct{}
	// Told is told of every step, one call at a time. It may be nil.
	Told func(Progress)
}

// Progress is how far a run got.
type Progress struct {
	Total, Done, Failed int // Done counts the answers of earlier runs too
	Before              int // answers that were there when the run began
	Cut, Refused        int // of the new answers
	Tokens              int // written, of the new answers
	Elapsed             time.Duration
	Pace                Pace // of the whole file; known at the end
}

// Left is how long the rest will take at the pace so far; 0 if that is not known.
func (p Progress) Left() time.Duration {
	fresh := p.Done + p.Failed - p.Before
	if fresh < 3 {
		return 0
	}
	return p.Elapsed / time.Duration(fresh) * time.Duration(p.Total-p.Done-p.Failed)
}

// hopeless is after how many failures without an answer in between a run ends: the
// endpoint is down, and asking on would only take time.
const hopeless = 10

// A job is one sample of a task that has no answer yet.
type job struct {
	id    string
	task  vitrine.Task
	asked Asked
	ask   model.Request
}

// Run has the tasks answered into the file. A task that has no answer after all tries is a
// [Failure] of the file, and the others go on. Faults are those that concern all: of usage
// where the file has answers to what was put in another way, a key, a budget, a disk, an
// endpoint that does not answer at all. What was answered before stays.
func Run(ctx context.Context, tasks []vitrine.Task, f *File, s Settings) (Progress, error) {
	jobs, err := s.jobs(tasks, f.Done)
	if err != nil {
		return Progress{}, err
	}
	total := len(tasks) * s.N * max(1, s.Runs)
	before := total - len(jobs)
	r := &run{file: f, settings: s, began: time.Now(), progress: Progress{Total: total, Done: before, Before: before}}
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(s.Concurrency)
	for _, j := range jobs {
		if stopped(s.Stop) || working.Err() != nil {
			break
		}
		group.Go(func() error {
			if stopped(s.Stop) {
				return nil
			}
			return r.one(working, j)
		})
	}
	err = group.Wait()
	r.progress.Pace = f.Pace()
	return r.progress, errors.Join(err, ctx.Err())
}

func stopped(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}

// jobs are the samples that the file lacks, run by run and task by task.
func (s Settings) jobs(tasks []vitrine.Task, done map[string]Answer) (jobs []job, err error) {
	for run := range max(1, s.Runs) {
		for _, t := range tasks {
			for i := range s.N {
				j := s.job(t, run, s.From+run*s.N+i)
				a, there := done[j.id]
				if !there {
					jobs = append(jobs, j)
				} else if drift := s.drift(a, j); drift != "" {
					return nil, usage(fmt.Sprintf("the file has an answer to task %s that was asked with another %s", t.ID, drift),
						"go on with the same flags and tasks, or choose another file with --out; nothing was changed")
				}
			}
		}
	}
	return jobs, nil
}

// job is a sample of a task.
func (s Settings) job(t vitrine.Task, run, sample int) job {
	p := s.Prompt(t)
	j := job{id: fmt.Sprintf("%s-%d", t.ID, sample), task: t}
	j.asked = Asked{Sample: sample, Temperature: s.Temperature, TopP: s.TopP, MaxTokens: s.MaxTokens, Prompt: digest.Of(p.System, p.Text)}
	if s.Runs > 1 {
		j.asked.Run = &run
	}
	if s.Author != nil {
		j.asked.Loop = s.Author.String()
	}
	if s.Seed != nil {
		seed := *s.Seed + int64(sample)
		j.asked.Seed = &seed
	}
	j.ask = model.Request{
		System: p.System, Messages: []model.Message{model.User(model.Text(p.Text))},
		MaxTokens: s.MaxTokens, Temperature: s.Temperature, TopP: s.TopP, Seed: j.asked.Seed, Repeat: sample,
	}
	return j
}

// drift names in what an answer was asked for differently.
func (s Settings) drift(a Answer, j job) string {
	switch {
	case a.Model != s.Name:
		return "model (" + a.Model + ")"
	case a.Asked.Prompt != j.asked.Prompt:
		return "prompt"
	case !same(a.Asked.Temperature, j.asked.Temperature):
		return "--temperature"
	case !same(a.Asked.TopP, j.asked.TopP):
		return "--top-p"
	case a.Asked.MaxTokens != j.asked.MaxTokens:
		return "--max-tokens"
	case a.Asked.Loop != j.asked.Loop:
		return "--loop, or another setting of it"
	case !same(a.Asked.Run, j.asked.Run):
		return "-n beside --runs"
	case !same(a.Asked.Seed, j.asked.Seed):
		return "--seed"
	}
	return ""
}

func same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// run is a run under way.
type run struct {
	file     *File
	settings Settings
	began    time.Time

	mu       sync.Mutex // guards what is below
	progress Progress
	inARow   int // failures since the last answer
}

// one asks for one sample. The error ends the run.
func (r *run) one(ctx context.Context, j job) error {
	written, err := r.settings.write(ctx, j)
	if err != nil {
		return r.failed(ctx, j, err)
	}
	a := r.settings.answer(j, written)
	if err := r.file.add(a); err != nil {
		return err
	}
	r.note(func(p *Progress) {
		r.inARow = 0
		p.Done++
		p.Tokens += a.Usage.Out
		switch a.Finish {
		case model.FinishLength:
			p.Cut++
		case model.FinishRefused:
			p.Refused++
		}
	})
	return nil
}

// answer is the line of what was written.
func (s Settings) answer(j job, reply Written) Answer {
	return Answer{
		ID: j.id, TaskID: j.task.ID, GroupID: j.task.ID, Model: s.Name, Instruction: j.task.Instruction, Kind: s.Kind,
		Text: reply.Text, Reasoning: reply.Reasoning, Finish: reply.Finish, Refusal: reply.Refusal, By: reply.Model, Usage: reply.Usage,
		USD: reply.USD, Seconds: reply.Latency.Seconds(), Attempts: reply.Attempts, Cached: reply.Cached, Asked: j.asked, Loop: reply.Loop,
	}
}

// One has one task answered into the file, as sample From, where what is asked depends on
// the answers before. An answer that the file had when it was opened is not asked for again.
// A task without an answer after all tries is a [Failure] of the file and a fault.
func One(ctx context.Context, t vitrine.Task, f *File, s Settings) (Answer, error) {
	s.N = 1
	jobs, err := s.jobs([]vitrine.Task{t}, f.Done)
	if err != nil {
		return Answer{}, err
	}
	if len(jobs) == 0 {
		return f.Done[fmt.Sprintf("%s-%d", t.ID, s.From)], nil
	}
	r := &run{file: f, settings: s}
	written, err := s.write(ctx, jobs[0])
	if err != nil {
		return Answer{}, errors.Join(err, r.failed(ctx, jobs[0], err))
	}
	a := s.answer(jobs[0], written)
	return a, f.add(a)
}

// failed notes a sample without an answer. The error is there if others would fail alike.
func (r *run) failed(ctx context.Context, j job, err error) error {
	fault := vitrine.AsFault("judge", err)
	if ctx.Err() != nil || fault.Code.Stops() || fault.Code == vitrine.FaultUsage || fault.Code == vitrine.FaultInternal {
		return err
	}
	x := Failure{ID: j.id, TaskID: j.task.ID, Sample: j.asked.Sample, Model: r.settings.Name, Error: fault}
	var told *model.Error
	if errors.As(err, &told) {
		x.Cause = told.Cause
	}
	if err := r.file.fail(x); err != nil {
		return err
	}
	row := 0
	r.note(func(p *Progress) {
		p.Failed++
		r.inARow++
		row = r.inARow
	})
	if row >= hopeless {
		return fault
	}
	return nil
}

// note changes the progress and tells of it.
func (r *run) note(change func(*Progress)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.progress)
	r.progress.Elapsed = time.Since(r.began)
	if r.settings.Told != nil {
		r.settings.Told(r.progress)
	}
}
