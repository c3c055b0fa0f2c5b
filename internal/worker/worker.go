// Package worker takes jobs from the queue, has them scored and answers them. A worker
// may die at any moment: the queue gives its jobs to another one.
package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"vitrine"
	"vitrine/internal/blob"
	"vitrine/internal/disk"
	"vitrine/internal/queue"
)

// A Scorer scores one output and writes the evidence to dir, an empty folder. evidence
// reports whether that is complete. An error means that a retry may help, or that ctx
// ended; every other failure is recorded in the sample.
type Scorer interface {
	Score(ctx context.Context, o vitrine.Output, dir string) (s vitrine.Sample, evidence bool, err error)
}

// A Worker takes jobs of one queue.
type Worker struct {
	Queue *queue.Queue
	// Scorer returns the scorer of a recipe. It is called for every job, concurrently; an
	// error is the answer to the job.
	Scorer func(recipe string) (Scorer, error)
	// Alone returns the scorer for jobs during which a worker died, usually a [Process];
	// default Scorer.
	Alone func(recipe string) (Scorer, error)
	Blobs blob.Store // for evidence; default the queue's
	ID    string     // unique among workers; default host name and process
	Slots int        // jobs at once; default 1
	// Dir is for incomplete evidence; default the system's temporary folder. What killed
	// workers left in it is removed.
	Dir   string
	Grace time.Duration // how long Run waits for running jobs when ctx ends; default 30 s
	// MaxEvidence is the largest evidence folder that is stored, in bytes; default 64 MiB.
	// A larger one is dropped; the job is still answered.
	MaxEvidence int64
	Log         *slog.Logger // default: messages are discarded
}

const (
	ackTimeout = 10 * time.Second       // for sending an answer, also while the worker shuts down
	putTries   = 6                      // for storing evidence
	putDelay   = 500 * time.Millisecond // between these tries
)

func (w Worker) withDefaults() Worker {
	if w.Blobs == nil {
		w.Blobs = w.Queue.Blobs()
	}
	if w.ID == "" {
		host, _ := os.Hostname()
		w.ID = fmt.Sprintf("%s-%d", host, os.Getpid())
	}
	if w.Alone == nil {
		w.Alone = w.Scorer
	}
	w.Slots = max(w.Slots, 1)
	if w.Grace <= 0 {
		w.Grace = 30 * time.Second
	}
	if w.MaxEvidence <= 0 {
		w.MaxEvidence = 64 << 20
	}
	if w.Log == nil {
		w.Log = slog.New(slog.DiscardHandler)
	}
	return w
}

// Run works until ctx ends. Then it takes no more jobs, finishes the running ones within
// Grace, and gives back those that it could not finish. It returns an error if the queue
// was closed or a folder cannot be written.
func (w Worker) Run(ctx context.Context) error {
	w = w.withDefaults()
	dir, done, err := scratch(w.Dir)
	if err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	defer done()
	w.Dir = dir
	work, stop := withGrace(ctx, w.Grace)
	defer stop()
	var busy atomic.Int64
	var announced, slots sync.WaitGroup
	announceCtx, stopAnnouncing := context.WithCancel(context.WithoutCancel(ctx))
	announced.Go(func() { w.Queue.Announce(announceCtx, w.ID, w.Slots, func() int { return int(busy.Load()) }) })
	failures := make([]error, w.Slots)
	for i := range w.Slots {
		slots.Go(func() { failures[i] = w.slot(ctx, work, &busy) })
	}
	slots.Wait()
	stopAnnouncing()
	announced.Wait()
	return errors.Join(failures...)
}

// withGrace is a context that ends by grace after ctx.
func withGrace(ctx context.Context, grace time.Duration) (context.Context, func()) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(grace):
			cancel()
		case <-work.Done():
		}
	})
	return work, func() { stop(); cancel() }
}

// slot takes and handles jobs, one at a time.
func (w Worker) slot(ctx, work context.Context, busy *atomic.Int64) error {
	for {
		t, err := w.Queue.Take(ctx)
		if ctx.Err() != nil && t == nil {
			return nil
		}
		if err != nil {
			return err
		}
		busy.Add(1)
		w.handle(work, t)
		busy.Add(-1)
	}
}

// handle answers a job, or gives it back.
func (w Worker) handle(ctx context.Context, t *queue.Taken) {
	leaseCtx, stopHeartbeat := context.WithCancel(ctx)
	var heartbeat sync.WaitGroup
	heartbeat.Go(func() { t.KeepAlive(leaseCtx) })
	defer heartbeat.Wait()
	defer stopHeartbeat()
	r, err := w.judge(ctx, t)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ackTimeout)
	defer cancel()
	switch {
	case errors.Is(err, errShutdown):
		t.Release(ctx)
		return
	case err != nil && !t.LastTry():
		w.Log.Warn("worker: a job will be tried again", "key", t.Job.Key, "error", err)
		t.Nak(ctx)
		return
	case err != nil:
		r = queue.Unjudged(t.Job, withCauseInMessage(vitrine.AsFault("worker", err)))
	}
	r.Worker, r.Sample.Attempt = w.ID, t.Tries
	if err := t.Ack(ctx, r); err != nil {
		w.Log.Error("worker: answer a job", "key", t.Job.Key, "error", err)
	}
}

// judge scores a job in this process, or in a process of its own if a worker died during
// it. A job that crashes that process too often is answered with the fault poison.
func (w Worker) judge(ctx context.Context, t *queue.Taken) (queue.Result, error) {
	if !t.Alone {
		return w.score(ctx, t.Job, w.Scorer)
	}
	w.Log.Warn("worker: a worker died during this job, so it is scored in a process of its own", "key", t.Job.Key)
	for {
		r, err := w.score(ctx, t.Job, w.Alone)
		var c crash
		if !errors.As(err, &c) {
			return r, err
		}
		w.Log.Warn("worker: a job crashed its own process", "key", t.Job.Key, "how", c.how)
		if t.Crashed(ctx) {
			return queue.Unjudged(t.Job, vitrine.NewFault("worker", vitrine.FaultPoison, nil, fmt.Sprintf("the output ended a process of its own %d times: %s", queue.MaxCrashes, c.how)).
				WithFix("this is a fault of vitrine: report it with the output")), nil
		}
	}
}

// withCauseInMessage joins a fault's message with its cause, which is not sent.
func withCauseInMessage(f *vitrine.Fault) *vitrine.Fault {
	message := strings.TrimPrefix(f.Error(), f.Stage+": ")
	return vitrine.NewFault(f.Stage, f.Code, nil, message).WithFix(f.Fix)
}

// errShutdown means that the worker shut down before the job was finished.
var errShutdown = errors.New("the worker shuts down")

func (w Worker) score(ctx context.Context, job queue.Job, by func(recipe string) (Scorer, error)) (queue.Result, error) {
	scorer, err := by(job.Recipe)
	if err != nil {
		return queue.Unjudged(job, withCauseInMessage(vitrine.AsFault("input", err))), nil
	}
	dir, err := os.MkdirTemp(w.Dir, "job-")
	if err != nil {
		return queue.Result{}, disk.Classify(err)
	}
	defer os.RemoveAll(dir)
	sample, evidence, err := scorer.Score(ctx, job.Output, dir)
	if ctx.Err() != nil && err != nil {
		return queue.Result{}, errShutdown
	}
	if err != nil {
		return queue.Result{}, err
	}
	r := queue.Result{Sample: sample}
	if evidence {
		if r.Evidence, r.Frames, err = w.keep(ctx, dir); err != nil {
			w.Log.Error("worker: store the evidence of a job", "key", job.Key, "error", err)
			if sample.Status == vitrine.SampleScored && sample.Reward == nil {
				return queue.Result{}, err // the figures of a benchmark's own test are in the evidence alone
			}
		}
	}
	return r, nil
}

// keep stores an evidence folder in w.Blobs and lists its frames.
func (w Worker) keep(ctx context.Context, dir string) (hash string, frames []queue.Frame, err error) {
	bundle, err := blob.Pack(dir, w.MaxEvidence)
	if err != nil {
		return "", nil, err
	}
	if frames, err = listFrames(dir); err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, ackTimeout)
	defer cancel()
	for try := 1; ; try++ { // the server of the queue may be restarting
		if hash, err = w.Blobs.Put(ctx, bundle); err == nil {
			return hash, frames, nil
		}
		if try == putTries {
			return "", nil, err
		}
		select {
		case <-ctx.Done():
			return "", nil, err
		case <-time.After(putDelay):
		}
	}
}

func listFrames(dir string) (frames []queue.Frame, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "frames", "*.png")) // in order
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, disk.Classify(err)
		}
		frames = append(frames, queue.Frame{File: "frames/" + filepath.Base(name), SHA256: blob.Hash(data)})
	}
	return frames, err
}
