package pipeline

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/inputs"
	"vitrine/internal/runs"
)

// Progress is notified of a run's steps, one call at a time.
type Progress interface {
	Started(id string)
	Finished(s vitrine.Sample)
	Unusable(e *inputs.RowError)
}

// An Input gives one output after the other; see [inputs.Input.Items].
type Input interface {
	Items() iter.Seq2[inputs.Item, error]
}

// Elsewhere is what works on outputs in place of this machine.
type Elsewhere interface {
	// Add has one output scored and adds it to a run, with its evidence. The faults that it
	// returns are those of Run.
	Add(ctx context.Context, item inputs.Item, attempt int, run *runs.Run) (vitrine.Sample, error)
	// AtOnce is how many outputs may be under way there.
	AtOnce() int
}

// RunSettings say which samples of an input are worked on.
type RunSettings struct {
	Done map[string]vitrine.Sample // finished before, by id; they are skipped
	// RetryUnjudged works again on samples of Done that have no reward.
	RetryUnjudged bool
	// Stop, when closed, ends the feeding: what is under way is finished.
	Stop <-chan struct{}
	// Elsewhere scores in place of this pipeline; nil: nothing does.
	Elsewhere Elsewhere

	// spent is why the budget ends the feeding: answers under way are paid for, and
	// are waited for.
	spent *atomic.Pointer[vitrine.Fault]
}

// Run scores every output of an input and adds each to the run folder the moment
// it is finished. It returns early with the fault of a disk that cannot be
// written, of a missing key or of a budget that is reached, and with ctx's error;
// what was added before stays.
func (p *Pipeline) Run(ctx context.Context, in Input, run *runs.Run, s RunSettings, progress Progress) error {
	if err := run.Sweep(); err != nil {
		return err
	}
	run.Header.Finished, run.Header.InputErrors = nil, nil
	s.spent = &atomic.Pointer[vitrine.Fault]{}
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(p.settings.Concurrency)
	if s.Elsewhere != nil {
		group.SetLimit(s.Elsewhere.AtOnce())
	}
	err := p.feed(working, group, in, run, s, &oneAtATime{to: progress})
	if failed := group.Wait(); failed != nil {
		err = failed
	}
	if f := s.spent.Load(); f != nil && err == nil {
		err = f
	}
	if err == nil && !stopped(s.Stop) {
		return run.Finish()
	}
	return errors.Join(err, run.SaveHeader())
}

// feed starts work on one output after the other, as soon as there is room.
func (p *Pipeline) feed(ctx context.Context, group *errgroup.Group, in Input, run *runs.Run, s RunSettings, progress Progress) error {
	for item, err := range in.Items() {
		var bad *inputs.RowError
		switch {
		case errors.As(err, &bad):
			run.Header.InputErrors = append(run.Header.InputErrors, runs.InputError{Line: bad.Number(), Message: bad.Error()})
			progress.Unusable(bad)
			continue
		case err != nil:
			return vitrine.NewFault("input", vitrine.FaultUsage, err, "the input cannot be read")
		case ctx.Err() != nil:
			return ctx.Err()
		}
		before, again := s.Done[item.ID]
		if again && !s.again(before) {
			continue
		}
		group.Go(func() error {
			if stopped(s.Stop) || s.spent.Load() != nil {
				return nil
			}
			err := p.one(ctx, item, before.Attempt+1, run, s.Elsewhere, progress)
			if f := vitrine.AsFault("judge", err); err != nil && f.Code == vitrine.FaultBudget {
				s.spent.Store(f)
				return nil
			}
			return err
		})
	}
	return nil
}

func stopped(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}

// again says whether a sample that was finished before is worked on again.
func (s RunSettings) again(before vitrine.Sample) bool {
	return s.RetryUnjudged && before.Status != vitrine.SampleScored
}

// Left is how many of total outputs there are to work on.
func (s RunSettings) Left(total int) int {
	for _, before := range s.Done {
		if !s.again(before) {
			total--
		}
	}
	return total
}

// one scores one output and adds it to the run. Evidence is kept of samples that
// were seen and measured, also where a model had no usable answer: they can be
// judged again.
func (p *Pipeline) one(ctx context.Context, o inputs.Item, attempt int, run *runs.Run, elsewhere Elsewhere, progress Progress) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	progress.Started(o.ID)
	var s vitrine.Sample
	var err error
	if elsewhere != nil {
		s, err = elsewhere.Add(ctx, o, attempt, run)
	} else {
		var scored *Scored
		if scored, err = p.Add(ctx, o.Output, o.Artifact, attempt, run); err == nil {
			s = scored.Sample
		}
	}
	if err != nil {
		return err
	}
	progress.Finished(s)
	return nil
}

// Add scores one output, or the files of a folder, and adds it to a run.
func (p *Pipeline) Add(ctx context.Context, o vitrine.Output, a *vitrine.Artifact, attempt int, run *runs.Run) (*Scored, error) {
	dir, err := run.NewEvidence()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) // unless it was kept
	scored, err := p.ScoreArtifact(ctx, o, a, dir)
	if err != nil {
		return nil, err
	}
	s := &scored.Sample
	s.Attempt = attempt
	if f := s.Error; f != nil && f.Code.Stops() {
		return nil, f // the sample is not written down, so that --resume takes it again
	}
	if scored.Judgement != nil {
		if s.Evidence, err = run.KeepEvidence(dir, o.ID); err != nil {
			return nil, fmt.Errorf("sample %s: %w", o.ID, err)
		}
	}
	return scored, run.Append(*s)
}

// oneAtATime makes concurrent calls wait for each other.
type oneAtATime struct {
	mu sync.Mutex
	to Progress
}

func (p *oneAtATime) Started(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.to.Started(id)
}

func (p *oneAtATime) Finished(s vitrine.Sample) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.to.Finished(s)
}

func (p *oneAtATime) Unusable(e *inputs.RowError) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.to.Unusable(e)
}
