package redteamrun

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/build/static"
	"vitrine/internal/interact"
)

// The length of a trace, and its seed, are the same for all pages and were fixed before any was
// compared: 2,000 random events, with an observation after every 40 and a fresh page after every 200,
// since a search that matches no row would hide everything that follows.
const (
	traceLooks = 50
	freshLooks = 5
	lookEvents = 40
	traceSeed  = 20261128
	traceLimit = 90 * time.Second // of a processor; a mutant may loop for ever
)

// Distinct says of each mutant whether one long trace of random events tells it from its page. All are
// distinct where the page is lost, or where two traces of it differ already.
func (s *Scorer) Distinct(ctx context.Context, page vitrine.Output, mutants []vitrine.Output) ([]bool, error) {
	distinct := make([]bool, len(mutants))
	if len(mutants) == 0 {
		return distinct, nil
	}
	seen, err := s.trace(ctx, page, nil)
	if err != nil {
		return nil, err
	}
	again, err := s.trace(ctx, page, seen)
	if err != nil {
		return nil, err
	}
	repeats := len(seen) == traceLooks && slices.Equal(seen, again)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(s.Pipeline.Concurrency())
	for i, m := range mutants {
		distinct[i] = true
		if !repeats {
			continue
		}
		group.Go(func() error {
			own, err := s.trace(ctx, m, seen)
			distinct[i] = !slices.Equal(own, seen)
			return err
		})
	}
	return distinct, group.Wait()
}

// trace is what is seen in the course of a trace, to the first difference from another one. It is shorter
// where the page is lost, or the machine is too busy.
func (s *Scorer) trace(ctx context.Context, o vitrine.Output, other []string) (seen []string, err error) {
	d := s.Pipeline.Driver(static.Site(artifact(o)))
	d.Limit = traceLimit
	_, err = d.Run(ctx, "/", func(ctx context.Context, session *interact.Session) error {
		seen = nil // once more from the start, where the renderer died
		for i := range uint32(traceLooks) {
			if i > 0 && i%freshLooks == 0 {
				if err := session.Reset(ctx, "/"); err != nil {
					return err
				}
			}
			look, err := session.Random(ctx, traceSeed+i, lookEvents)
			if err != nil {
				return err
			}
			if seen = append(seen, look); other != nil && (int(i) >= len(other) || look != other[i]) {
				return nil
			}
		}
		return nil
	})
	if f, ok := errors.AsType[*vitrine.Fault](err); ok && !f.Code.Stops() {
		err = nil
	}
	return seen, err
}
