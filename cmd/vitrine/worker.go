package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vitrine"
	"vitrine/internal/queue"
	"vitrine/internal/service"
	"vitrine/internal/setup"
)

// working are the flags of vitrine worker.
type working struct {
	*common
	setup.Looking
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
	addLooking(&w.Looking, c, flags)
	addInteracting(&w.Interacting, flags)
	w.joining.add(flags)
	flags.StringVar(&w.tasks, "tasks", "", "file of tasks, for their rubrics, checklists and test cases")
	flags.StringVar(&w.name, "name", "", "name of this worker (default: host and process)")
	flags.DurationVar(&w.grace, "grace", 30*time.Second, "how long jobs under way may go on after SIGTERM; then others take them")
	return cmd
}

func (w *working) run(ctx context.Context) error {
	if w.nats == "" {
		return usage("a worker needs a queue", "name it with --nats nats://HOST:4222; vitrine serve works by itself")
	}
	tasks, err := setup.ReadTasks(w.tasks)
	if err != nil {
		return err
	}
	all, err := setup.Recipes(w.Recipe, w.joining.recipes)
	if err != nil {
		return err
	}
	p, err := w.Looking.Open(w.machine(), tasks)
	if err != nil {
		return err
	}
	defer p.Close()
	set := w.joining.settings(w.common, p, all, w.given)
	set.Name, set.Grace = w.name, w.grace
	at, by, err := service.Join(ctx, set)
	if err != nil {
		return err
	}
	defer at.Queue.Close()
	ctx, release := cancelOnSignal(ctx, w.common)
	defer release()
	w.say("working for %s with %s, %d jobs at once", queue.Address(w.nats), by.Browser, at.Slots)
	if err := at.Run(ctx); err != nil {
		return vitrine.AsFault("worker", err)
	}
	return nil
}
