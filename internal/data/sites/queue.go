package sites

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/blob"
	"vitrine/internal/data/flow"
	"vitrine/internal/digest"
	"vitrine/internal/inputs"
	"vitrine/internal/pipeline"
	"vitrine/internal/queue"
	"vitrine/internal/runs"
	"vitrine/internal/server"
	"vitrine/internal/service"
	"vitrine/internal/setup"
	"vitrine/internal/worker"
)

// asked is how many outputs wait for workers elsewhere at once, where nothing else is said.
const asked = 64

// maxEvidence bounds an evidence folder of a worker, unpacked.
const maxEvidence = 512 << 20

// An elsewhere has outputs scored by the workers of a queue. Only workers whose rewards would
// be those of this machine take its jobs.
type elsewhere struct {
	worker.Worker        // of which the queue and the blobs are used: it takes no jobs
	by, recipe    string // part of the key of each job
	seed          json.RawMessage
	run           *runs.Run
	mu            sync.Mutex // progress is told of one thing at a time
	progress      pipeline.Progress
}

// scoreElsewhere is the run of a pipeline of which others do the work.
func (s *Scorer) scoreElsewhere(ctx context.Context, q flow.Scoring, p *setup.Pipeline, files []string, run *runs.Run, done map[string]vitrine.Sample, progress pipeline.Progress) error {
	recipes, err := setup.Recipes(q.Recipe, nil)
	if err != nil {
		return err
	}
	w, by, err := service.Join(ctx, service.Settings{
		Pipeline: p.Pipeline, Recipes: recipes, Queue: *s.Queue, Getenv: s.Here.Getenv,
		Say: func(string, ...any) {}, Log: slog.New(slog.NewTextHandler(cmp.Or[io.Writer](s.Talk, io.Discard), &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		return err
	}
	defer w.Queue.Close()
	e := &elsewhere{Worker: w, by: by.Fingerprint(), recipe: recipes[0].ID(), run: run, progress: progress}
	if seed := p.Seed(); len(seed) > 0 {
		if e.seed, err = json.Marshal(seed); err != nil {
			return fmt.Errorf("seed of a job: %w", err)
		}
	}
	if err := run.Sweep(); err != nil {
		return err
	}
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(cmp.Or(s.Concurrency, asked))
	var reading error
	for item, err := range rows(files).Items() {
		if reading = err; err != nil || working.Err() != nil {
			break
		}
		if before := done[item.ID]; before.Status != vitrine.SampleScored {
			group.Go(func() error { return e.one(working, item, before.Attempt+1) })
		}
	}
	if err := cmp.Or(group.Wait(), ctx.Err(), reading); err != nil {
		return err
	}
	return run.Finish()
}

// one has one output scored and adds it to the run, with the evidence.
func (e *elsewhere) one(ctx context.Context, item inputs.Item, attempt int) error {
	e.tell(func() { e.progress.Started(item.ID) })
	job, err := e.job(item)
	if err != nil {
		return err
	}
	r, err := e.Queue.Do(ctx, job)
	if err != nil {
		return err
	}
	s := r.Sample
	s.Meta, s.Attempt = item.Meta, attempt
	if f := s.Error; f != nil && f.Code.Stops() {
		return f
	}
	if r.Evidence != "" {
		if s.Evidence, err = e.keep(ctx, r.Evidence, item.ID); err != nil {
			return fmt.Errorf("evidence of %s: %w", item.ID, err)
		}
	}
	if err := e.run.Append(s); err != nil {
		return err
	}
	e.tell(func() { e.progress.Finished(s) })
	return nil
}

func (e *elsewhere) tell(what func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	what()
}

// job is what the queue is asked for an output.
func (e *elsewhere) job(item inputs.Item) (queue.Job, error) {
	o, meta := item.Output, map[string]json.RawMessage{}
	if item.Artifact != nil {
		files := map[string]string{}
		for _, f := range item.Artifact.Files {
			files[f.Path] = f.Content
		}
		raw, err := json.Marshal(files)
		if err != nil {
			return queue.Job{}, fmt.Errorf("files of %s: %w", o.ID, err)
		}
		meta[server.FilesMeta], o.Kind = raw, item.Artifact.Kind
	}
	if len(e.seed) > 0 {
		meta[server.SeedMeta] = e.seed
	}
	o.Meta = meta
	key := digest.Of(e.by, e.recipe, o.TaskID, o.Instruction, o.Kind, o.Text, meta)
	return queue.Job{Key: key, Client: "vitrine data", Recipe: e.recipe, Output: o}, nil
}

// keep puts the evidence of a worker into the run folder.
func (e *elsewhere) keep(ctx context.Context, name, id string) (string, error) {
	bundle, err := e.Blobs.Get(ctx, name)
	if err != nil {
		return "", err
	}
	dir, err := e.run.NewEvidence()
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir) // unless it was kept
	if err := blob.Unpack(bundle, dir, maxEvidence); err != nil {
		return "", err
	}
	return e.run.KeepEvidence(dir, id)
}
