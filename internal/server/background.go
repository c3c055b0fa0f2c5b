package server

import (
	"context"
	"sync"
	"time"
)

// sweepEvery is how often what has had its time is looked for.
const sweepEvery = time.Minute

// background does what the server does besides answering: it mirrors what all replicas know
// while it serves, and works until working ends. It returns what waits for its end.
func (s *Server) background(serving, working context.Context) (wait func()) {
	var all sync.WaitGroup
	all.Go(func() { s.batches.heads.run(serving) })
	all.Go(func() { s.batches.replicas.run(serving) })
	all.Go(func() { s.sessions.heads.run(serving) })
	all.Go(func() {
		tick := time.NewTicker(sweepEvery)
		defer tick.Stop()
		for {
			s.Sweep(working, time.Now())
			select {
			case <-working.Done():
				return
			case <-tick.C:
			}
		}
	})
	all.Go(func() { s.batches.run(working) })
	return all.Wait
}

// Sweep forgets what had its time by now: finished batches, sessions that are not stepped,
// evidence in files. Run does it once in a while.
func (s *Server) Sweep(ctx context.Context, now time.Time) {
	if err := s.batches.sweep(ctx, now); err != nil && ctx.Err() == nil {
		s.settings.Log.Warn("jobs that had their time could not be forgotten", "error", err)
	}
	if err := s.sessions.sweep(ctx, now); err != nil && ctx.Err() == nil {
		s.settings.Log.Warn("sessions that had their time could not be forgotten", "error", err)
	}
	if p, ok := s.settings.Blobs.(pruner); ok {
		if err := p.Prune(now); err != nil {
			s.settings.Log.Warn("evidence that had its time could not be removed", "error", err)
		}
	}
}

// A pruner is a store that does not by itself forget what had its time.
type pruner interface{ Prune(now time.Time) error }
