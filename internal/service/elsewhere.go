package service

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"vitrine"
	"vitrine/internal/blob"
	"vitrine/internal/digest"
	"vitrine/internal/inputs"
	"vitrine/internal/queue"
	"vitrine/internal/runs"
	"vitrine/internal/server"
	"vitrine/internal/worker"
)

// asked is how many outputs wait for workers elsewhere at once, where nothing else is said.
const asked = 64

// maxEvidence bounds an evidence folder of a worker, unpacked.
const maxEvidence = 512 << 20

// An Elsewhere has outputs worked on by the workers of a queue. Only workers whose rewards
// would be those of this machine take its jobs. It implements [pipeline.Elsewhere]. Close it.
type Elsewhere struct {
	worker worker.Worker // of which the queue and the blobs are used: it takes no jobs
	by     string        // part of the key of each job
	recipe string        // of the jobs of a pipeline
	client string
	seed   json.RawMessage
	tasks  map[string]vitrine.Task
	atOnce int
}

// OpenElsewhere joins the queue for a client. Tasks travel with their outputs, so that
// workers need no file of them; atOnce is how many outputs may wait for workers, 0 for 64.
func OpenElsewhere(ctx context.Context, s Settings, client string, tasks map[string]vitrine.Task, atOnce int) (*Elsewhere, error) {
	s.Pipeline = s.Pipeline.WithTasks(nil) // no part of what workers must have
	w, by, err := Join(ctx, s)
	if err != nil {
		return nil, err
	}
	e := &Elsewhere{worker: w, by: by.Fingerprint(), recipe: s.Recipes[0].ID(), client: client, tasks: tasks, atOnce: cmp.Or(atOnce, asked)}
	if seed := s.Pipeline.Seed(); len(seed) > 0 {
		if e.seed, err = json.Marshal(seed); err != nil {
			e.Close()
			return nil, fmt.Errorf("seed of a job: %w", err)
		}
	}
	return e, nil
}

// Close leaves the queue.
func (e *Elsewhere) Close() { e.worker.Queue.Close() }

// AtOnce implements [pipeline.Elsewhere].
func (e *Elsewhere) AtOnce() int { return e.atOnce }

// Add implements [pipeline.Elsewhere].
func (e *Elsewhere) Add(ctx context.Context, item inputs.Item, attempt int, run *runs.Run) (vitrine.Sample, error) {
	o, meta := item.Output, map[string]json.RawMessage{}
	if item.Artifact != nil {
		files := map[string]string{}
		for _, f := range item.Artifact.Files {
			files[f.Path] = f.Content
		}
		if err := put(meta, server.FilesMeta, files); err != nil {
			return vitrine.Sample{}, err
		}
		o.Kind = item.Artifact.Kind
	}
	if e.tasks != nil {
		if err := put(meta, taskMeta, e.tasks[o.TaskID]); err != nil {
			return vitrine.Sample{}, err
		}
	}
	if len(e.seed) > 0 {
		meta[server.SeedMeta] = e.seed
	}
	o.Meta = meta
	r, err := e.do(ctx, e.recipe, o)
	if err != nil {
		return vitrine.Sample{}, err
	}
	s := r.Sample
	s.Meta, s.Attempt = item.Output.Meta, attempt
	if f := s.Error; f != nil && f.Code.Stops() {
		return s, f
	}
	if r.Evidence != "" {
		if s.Evidence, err = e.keep(ctx, r.Evidence, run, o.ID); err != nil {
			return s, fmt.Errorf("evidence of %s: %w", o.ID, err)
		}
	}
	return s, run.Append(s)
}

// do asks the queue for what comes of an output.
func (e *Elsewhere) do(ctx context.Context, recipe string, o vitrine.Output) (queue.Result, error) {
	key := digest.Of(e.by, recipe, o.TaskID, o.Instruction, o.Kind, o.Text, o.Meta)
	return e.worker.Queue.Do(ctx, queue.Job{Key: key, Client: e.client, Recipe: recipe, Output: o})
}

// put adds a value to what travels with an output.
func put(meta map[string]json.RawMessage, name string, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("%s of a job: %w", name, err)
	}
	meta[name] = raw
	return nil
}

// keep puts the evidence of a worker into the run folder.
func (e *Elsewhere) keep(ctx context.Context, name string, run *runs.Run, id string) (string, error) {
	dir, err := run.NewEvidence()
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir) // unless it was kept
	if err := e.unpack(ctx, name, dir); err != nil {
		return "", err
	}
	return run.KeepEvidence(dir, id)
}

// unpack lays the evidence of a worker into a folder.
func (e *Elsewhere) unpack(ctx context.Context, name, dir string) error {
	bundle, err := e.worker.Blobs.Get(ctx, name)
	if err != nil {
		return err
	}
	return blob.Unpack(bundle, dir, maxEvidence)
}
