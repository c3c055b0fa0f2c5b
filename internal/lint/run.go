package lint

import (
	"context"
	"path/filepath"
	"sync"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/runs"
)

// A Result is the finding of one sample.
type Result struct {
	ID      string          `json:"id"`
	Finding vitrine.Finding `json:"finding"`
}

// Run lints the projects of a run folder, so many at once, and saves each finding with
// its evidence. Samples that have one are left alone, unless they could not be linted.
// Done is called after each that was worked on, one at a time. The results are those of
// all projects, in the order of the run; samples without evidence have none.
func Run(ctx context.Context, l *Linter, dir string, atOnce int, done func(Result)) ([]Result, error) {
	_, samples, err := runs.Read(dir)
	if err != nil {
		return nil, err
	}
	var projects []vitrine.Sample
	for _, s := range runs.Newest(samples) {
		if s.Kind == vitrine.KindProject && s.Evidence != "" {
			projects = append(projects, s)
		}
	}
	results := make([]Result, len(projects))
	var mu sync.Mutex // guards done
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(atOnce)
	for i, s := range projects {
		work.Go(func() error {
			f, known, err := l.sample(ctx, filepath.Join(dir, filepath.FromSlash(s.Evidence)))
			results[i] = Result{s.ID, f}
			if err == nil && !known {
				mu.Lock()
				defer mu.Unlock()
				done(results[i])
			}
			return err
		})
	}
	return results, work.Wait()
}

// sample lints the project of an evidence folder, unless that is known.
func (l *Linter) sample(ctx context.Context, dir string) (f vitrine.Finding, known bool, err error) {
	if ctx.Err() != nil {
		return f, false, ctx.Err()
	}
	before, err := evidence.LoadLint(dir)
	if err != nil {
		return f, false, err
	}
	if before != nil && before.Status != vitrine.StatusFailed {
		return *before, true, nil
	}
	a, err := evidence.LoadArtifact(dir)
	if err != nil {
		return f, false, vitrine.NewFault("lint", vitrine.FaultUsage, err, dir+" holds no artifact").WithFix("score the outputs again")
	}
	if f, err = l.Lint(ctx, a); err != nil {
		return f, false, err
	}
	return f, false, evidence.SaveLint(dir, f)
}
