package server

import (
	"context"
	"sync"
	"time"
)

// sweepEvery is how often what has had its time is looked for.
const sweepEvery = time.Minute

// background does what the server does besides answering, until ctx ends, and
// returns what waits for its end.
func (s *Server) background(ctx context.Context) (wait func()) {
	var sweeping sync.WaitGroup
	sweeping.Go(func() {
		tick := time.NewTicker(sweepEvery)
		defer tick.Stop()
		for {
			s.Sweep(time.Now())
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	})
	jobs := s.jobs.start(ctx)
	return func() {
		sweeping.Wait()
		jobs()
	}
}

// Sweep forgets what had its time by now: finished jobs, sessions that nobody steps,
// evidence in files. Run does it once in a while.
func (s *Server) Sweep(now time.Time) {
	s.jobs.sweep(now)
	s.sessions.sweep(now)
	if p, ok := s.settings.Blobs.(pruner); ok {
		if err := p.Prune(now); err != nil {
			s.settings.Log.Warn("evidence that had its time could not be removed", "error", err)
		}
	}
}

// A pruner is a store that does not by itself forget what had its time.
type pruner interface{ Prune(now time.Time) error }
