// Package service puts a pipeline behind a queue: as a worker that takes jobs, and as a
// service that answers trainers over HTTP.
package service

import (
	"context"
	"log/slog"
	"time"

	"vitrine"
	"vitrine/internal/pipeline"
	"vitrine/internal/queue"
	"vitrine/internal/reward"
	"vitrine/internal/worker"
)

// Settings say what is scored, how, and where jobs and evidence are.
type Settings struct {
	Pipeline *pipeline.Pipeline
	Recipes  []*reward.Recipe // that jobs may name; the first is the default
	// Testers are of the benchmarks whose answers jobs may be; nil: there are none.
	Testers *Testers
	// Queue says where jobs are; its Provenance is that of the pipeline.
	Queue queue.Settings
	// Evidence says where evidence is kept: "queue", or a bucket as s3+https://HOST/BUCKET.
	// Empty: below Dir where nothing of it is elsewhere, else with the queue.
	Evidence string
	Dir      string // of a service: the queue inside and evidence
	Name     string // of the worker; empty: host and process
	// Alone gives the scorer for jobs over which a process was lost.
	Alone func(recipe string) (worker.Scorer, error)
	// Grace is how long what is under way may go on after the end was asked for.
	Grace  time.Duration
	Getenv func(string) string // for the keys of the bucket
	// Say is given what a person may want to read.
	Say func(format string, args ...any)
	Log *slog.Logger
}

// Join opens the queue and makes a worker for it, with the provenance of its rewards. Run
// the worker, and close its queue.
func Join(ctx context.Context, s Settings) (w worker.Worker, by vitrine.Provenance, err error) {
	if by, err = s.Pipeline.Provenance(ctx, s.Recipes...); err != nil { // a worker without a browser must not take jobs
		return w, by, err
	}
	s.Queue.Provenance, s.Queue.Log = by, s.Log
	q, err := queue.Open(ctx, s.Queue)
	if err != nil {
		return w, by, err
	}
	if file := q.TokenFile(); file != "" {
		s.Say("workers of other processes show the token in %s", file)
	}
	blobs, err := s.blobs(q)
	if err != nil {
		q.Close()
		return w, by, err
	}
	return worker.Worker{
		Queue: q, Blobs: blobs, Scorer: Scorers(s.Pipeline, s.Recipes, s.Testers), Alone: s.Alone, ID: s.Name, Slots: s.Pipeline.Concurrency(), Grace: s.Grace, Log: s.Log,
	}, by, nil
}
