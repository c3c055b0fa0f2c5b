package main

import (
	"context"
	"encoding/json"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/meta"
	"vitrine/internal/pipeline"
	"vitrine/internal/setup"
)

// pairsAtOnce is how many pairs are compared at once; endpoints bound the conversations.
const pairsAtOnce = 8

// compared is a line that --pairs writes: a pair with what came of it.
type compared struct {
	meta.Pair
	Comparison vitrine.Comparison `json:"comparison"`
	Error      *vitrine.Fault     `json:"error,omitempty"` // why there is no verdict
}

// all compares a file of pairs, and writes them in its order. One that cannot be judged
// is written without a verdict, and the others go on.
func (p *comparing) all(ctx context.Context, look *pipeline.Vision) error {
	pairs, err := meta.ReadPairs("--pairs", p.pairs)
	if err != nil {
		return err
	}
	lines := make([]compared, len(pairs))
	done := make([]chan struct{}, len(pairs))
	for i := range done {
		done[i] = make(chan struct{})
	}
	work, inner := errgroup.WithContext(ctx)
	work.SetLimit(pairsAtOnce + 1) // and the one that writes
	work.Go(func() error { return p.write(inner, lines, done) })
	for i := range pairs {
		work.Go(func() (err error) {
			if lines[i], err = p.pair(inner, pairs[i], look); err == nil {
				close(done[i])
			}
			return err
		})
	}
	err = work.Wait()
	if ctx.Err() != nil {
		return exit(exitInterrupted)
	}
	if err != nil {
		return err
	}
	return p.tally(lines)
}

// pair compares one pair. Errors are those that the other pairs would meet as well.
func (p *comparing) pair(ctx context.Context, pair meta.Pair, look *pipeline.Vision) (compared, error) {
	line := compared{Pair: pair}
	if err := ctx.Err(); err != nil {
		return line, err
	}
	if pair.Rubric != "" && look != nil {
		own := *look
		var err error
		if own.Tree, err = setup.ReadTree(pair.Rubric); err != nil {
			return line, err
		}
		look = &own
	}
	var err error
	if line.Comparison, err = p.one(ctx, pair.A, pair.B, look); err == nil {
		return line, nil
	}
	line.Error = vitrine.AsFault("judge", err)
	if endsAll(ctx, line.Error.Code) {
		return line, err
	}
	return line, nil
}

// write writes each line when it and those before it are there.
func (p *comparing) write(ctx context.Context, lines []compared, done []chan struct{}) error {
	out := json.NewEncoder(p.out)
	for i := range lines {
		select {
		case <-done[i]:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := out.Encode(lines[i]); err != nil {
			return err
		}
	}
	return nil
}

// tally tells a person how it came out.
func (p *comparing) tally(lines []compared) error {
	verdicts := map[vitrine.Verdict]int{}
	for _, l := range lines {
		verdicts[l.Comparison.Verdict]++
	}
	p.say("%d pairs: A %d, B %d, tie %d, unjudged %d", len(lines), verdicts[vitrine.VerdictA], verdicts[vitrine.VerdictB], verdicts[vitrine.VerdictTie], verdicts[""])
	if verdicts[""] > 0 {
		return exit(exitUnjudged)
	}
	return nil
}
