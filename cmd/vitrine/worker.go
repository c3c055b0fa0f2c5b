package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vitrine"
	"vitrine/internal/queue"
	pool "vitrine/internal/worker"
)

// working are the flags of vitrine worker.
type working struct {
	*common
	looking
	joining
	tasks string
	name  string
	grace time.Duration
	given *pflag.FlagSet
}

func workerCommand(c *common) *cobra.Command {
	w := &working{common: c}
	cmd := &cobra.Command{
		Use:   "worker --nats URL",
		Short: "Take jobs from the queue of a vitrine serve on another machine",
		Long: `Take jobs from the queue of a vitrine serve on another machine, or of several, and answer
them. A worker that is lost costs its jobs another delivery, never their results.

Give it the version, browser, fonts, flags of judging and files that the server has: it
takes jobs of that alone, and vitrine doctor --nats URL says what differs. What the queue wants to see is VITRINE_NATS_TOKEN, or VITRINE_NATS_USER and
VITRINE_NATS_PASSWORD, or files that flags name.`,
		Example: `  vitrine worker --nats nats://queue:4222 -j 8`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return w.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	w.given = flags
	w.looking.add(c, flags)
	w.interactFlags.add(flags)
	w.joining.add(flags)
	flags.StringVar(&w.tasks, "tasks", "", "file of tasks, for their rubrics and checklists")
	flags.StringVar(&w.name, "name", "", "name of this worker (default: host and process)")
	flags.DurationVar(&w.grace, "grace", 30*time.Second, "how long jobs under way may go on after SIGTERM; then others take them")
	return cmd
}

func (w *working) run(ctx context.Context) error {
	if w.nats == "" {
		return usage("a worker needs a queue", "name it with --nats nats://HOST:4222; vitrine serve works by itself")
	}
	tasks, err := readTasks(w.tasks)
	if err != nil {
		return err
	}
	all, err := recipes(w.recipe, w.joining.recipes)
	if err != nil {
		return err
	}
	p, err := w.pipeline(w.common, tasks)
	if err != nil {
		return err
	}
	defer p.Close()
	by, err := p.Provenance(ctx, all...) // a worker without a browser must not take jobs
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(w.err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	q, err := queue.Open(ctx, queue.Settings{URL: w.nats, Auth: w.shown(w.common), Replicas: w.replicas, MaxTries: w.tries, Log: log, Provenance: by})
	if err != nil {
		return err
	}
	defer q.Close()
	blobs, err := w.joining.evidence(w.common, q, "")
	if err != nil {
		return err
	}
	ctx, release := cancelOnSignal(ctx, w.common)
	defer release()
	w.say("working for %s with %s, %d jobs at once", queue.Address(w.nats), by.Browser, p.Concurrency())
	err = pool.Worker{
		Queue: q, Blobs: blobs, Scorer: scorers(p.Pipeline, all), Alone: apart(w.common, w.given), ID: w.name, Slots: p.Concurrency(), Grace: w.grace, Log: log,
	}.Run(ctx)
	if err != nil {
		return vitrine.AsFault("worker", err)
	}
	return nil
}
