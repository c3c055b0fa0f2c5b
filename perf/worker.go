package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/disk"
	"vitrine/internal/pipeline"
)

// worker is Vitrine's way, in a process of its own so that it can be weighed like
// any other. It scores outputs one way and prints the events that the peers'
// scripts print.
type worker struct {
	concurrency int
	builder     string
	cacheDir    string
	routes      int
}

func workerCommand() *cobra.Command {
	w := &worker{}
	cmd := &cobra.Command{
		Use: "worker OUTPUTS.json", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return w.run(cmd.Context(), args[0]) },
	}
	cmd.Flags().IntVar(&w.concurrency, "concurrency", 1, "")
	cmd.Flags().StringVar(&w.builder, "builder", "", "")
	cmd.Flags().StringVar(&w.cacheDir, "cache-dir", "", "")
	cmd.Flags().IntVar(&w.routes, "routes", 1, "")
	return cmd
}

func (w *worker) run(ctx context.Context, list string) error {
	var outputs []vitrine.Output
	if err := disk.ReadJSON(list, &outputs); err != nil {
		return err
	}
	p, err := newPipeline(func(s *pipeline.Settings) {
		s.Concurrency, s.NoCache, s.CacheDir = w.concurrency, true, w.cacheDir
		s.Capture.MaxRoutes, s.Builder = w.routes, build.Choice(w.builder)
	})
	if err != nil {
		return err
	}
	defer p.Close()
	work, err := os.MkdirTemp("", "vitrine-perf-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := scoreOne(ctx, p, outputs[0], filepath.Join(work, "warm"), func(event) {}); err != nil {
		return err
	}
	tell(event{Event: "ready"})
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(w.concurrency)
	for i, o := range outputs {
		group.Go(func() error { return scoreOne(ctx, p, o, filepath.Join(work, fmt.Sprint(i)), tell) })
	}
	err = group.Wait()
	tell(event{Event: "done"})
	return err
}

// scoreOne takes one output to its reward and removes the evidence.
func scoreOne(ctx context.Context, p *pipeline.Pipeline, o vitrine.Output, dir string, tell func(event)) error {
	defer os.RemoveAll(dir)
	start := time.Now()
	s, err := p.Score(ctx, o, dir)
	if err != nil {
		return err
	}
	e := event{ID: o.ID, MS: float64(time.Since(start).Microseconds()) / 1000, OK: s.Sample.Error == nil}
	if s.Sample.Error != nil {
		e.Error = s.Sample.Error.Error()
	} else if s.Sample.Outcome == vitrine.OutcomeBuildFailed {
		e.OK, e.Error = false, s.Sample.Why
	}
	tell(e)
	return nil
}

var telling sync.Mutex

// tell prints an event.
func tell(e event) {
	telling.Lock()
	defer telling.Unlock()
	_ = json.NewEncoder(os.Stdout).Encode(e)
}
