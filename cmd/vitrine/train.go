package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"vitrine/internal/stats"
	"vitrine/internal/train"
)

func trainCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train a small model on the rewards of Vitrine",
		Long: `Train a model by a recipe: stages of SFT, of GRPO on rewards of a vitrine serve, and of
evaluation on held-out tasks. The trainer is a Python package on TRL that train/setup.sh
installs. It runs on a CPU, and on a GPU where there is one.`,
	}
	cmd.AddCommand(trainListCommand(c), trainRunCommand(c), trainResumeCommand(c), trainShowCommand(c), trainWatchCommand(c), trainReportCommand(c), trainSweepCommand(c))
	return cmd
}

func trainListCommand(c *common) *cobra.Command {
	return &cobra.Command{
		Use: "ls", Short: "List the trainings that ship", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if c.json {
				return c.printJSON(map[string]any{"recipes": train.Builtin(), "sweeps": train.BuiltinSweeps()})
			}
			table := tabwriter.NewWriter(c.out, 0, 8, 2, ' ', 0)
			for _, r := range train.Builtin() {
				fmt.Fprintf(table, "%s\t%s\n", r.Name, r.About)
				if r.Paper != "" {
					fmt.Fprintf(table, "\tpublished: %s\n", r.Paper)
				}
			}
			for _, s := range train.BuiltinSweeps() {
				fmt.Fprintf(table, "sweep %s\t%s\n", s.Name, s.About)
				if s.Paper != "" {
					fmt.Fprintf(table, "\tpublished: %s\n", s.Paper)
				}
			}
			return table.Flush()
		},
	}
}

// training are the flags of what runs a training.
type training struct{ python, url string }

func (t *training) add(c *common, cmd *cobra.Command) {
	cmd.Flags().StringVar(&t.python, "python", c.getenv("VITRINE_TRAIN_PYTHON"), "Python with TRL and the package of train/ (default: what train/setup.sh made; VITRINE_TRAIN_PYTHON)")
	cmd.Flags().StringVar(&t.url, "url", "", "a running vitrine serve (default: one is started)")
}

func (t *training) settings(c *common, dir string) (train.Settings, error) {
	program, err := os.Executable()
	if err != nil {
		return train.Settings{}, err
	}
	serve := []string{program, "serve", "--state", filepath.Join(dir, "serve"), "--cache-dir", c.cacheDir}
	if c.browser != "" {
		serve = append(serve, "--browser", c.browser)
	}
	if c.unsafe {
		serve = append(serve, "--unsafe-no-sandbox")
	}
	python := t.python
	if python == "" {
		python = filepath.Join(c.cacheDir, "train", "venv", "bin", "python")
	}
	return train.Settings{Dir: dir, Python: python, Cache: filepath.Join(c.cacheDir, "train"), URL: t.url, Serve: serve, Say: c.sayTraining()}, nil
}

func trainRunCommand(c *common) *cobra.Command {
	t := &training{}
	var out string
	cmd := &cobra.Command{
		Use:   "run RECIPE",
		Short: "Run a training that ships or one of a file",
		Example: `  vitrine train run smoke --out runs/smoke
  vitrine train run my.yaml --url http://rewards:7400`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := train.Load(args[0])
			if err != nil {
				return err
			}
			if out == "" {
				out = filepath.Join("runs", "train-"+time.Now().Format("20060102-150405"))
			}
			return c.train(cmd.Context(), t, out, func(ctx context.Context, s train.Settings) error { return train.Start(ctx, r, s) })
		},
	}
	t.add(c, cmd)
	cmd.Flags().StringVar(&out, "out", "", "run folder (default: runs/train-TIME)")
	return cmd
}

func trainResumeCommand(c *common) *cobra.Command {
	t := &training{}
	cmd := &cobra.Command{
		Use: "resume RUN", Short: "Go on with a training from its last checkpoint", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.train(cmd.Context(), t, args[0], train.Resume)
		},
	}
	t.add(c, cmd)
	return cmd
}

func (c *common) train(ctx context.Context, t *training, dir string, do func(context.Context, train.Settings) error) error {
	ctx, release := cancelOnSignal(ctx, c)
	defer release()
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	s, err := t.settings(c, dir)
	if err != nil {
		return err
	}
	err = do(ctx, s)
	if ctx.Err() != nil {
		c.say("interrupted: vitrine train resume %s goes on", dir)
		return exit(exitInterrupted)
	}
	if err != nil {
		return err
	}
	return c.showTraining(dir)
}

func trainShowCommand(c *common) *cobra.Command {
	return &cobra.Command{
		Use: "show RUN", Short: "Show what a training came to: curves, alarms, held-out rewards", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return c.showTraining(args[0]) },
	}
}

func (c *common) showTraining(dir string) error {
	report, err := train.Show(dir)
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(report)
	}
	table := tabwriter.NewWriter(c.out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "stage\tstep\tloss\treward\tfunction\trendered\tunjudged\ttokens\ts\ts in reward")
	for _, row := range report.Steps {
		fmt.Fprintf(table, "%v\t%v", row["stage"], row["step"])
		for _, key := range []string{"loss", "reward", "part_function", "rendered", "unjudged", "tokens", "seconds", "seconds_reward"} {
			if v, ok := row[key].(float64); ok {
				fmt.Fprintf(table, "\t%.3g", v)
			} else {
				fmt.Fprint(table, "\t-")
			}
		}
		fmt.Fprintln(table)
	}
	if len(report.Tests) > 0 {
		fmt.Fprintln(table, "\nheld out\toutputs\tunjudged\treward\tfunction\trendered")
	}
	for _, t := range report.Tests {
		fmt.Fprintf(table, "%s\t%d\t%d\t%s\t%s\t%s\n", t.Stage, t.N, t.Unjudged, interval(t.Reward), interval(t.Function), interval(t.Rendered))
	}
	for _, g := range report.Gain {
		fmt.Fprintf(table, "gain in %s\t%s\t%d tasks\t%s\n", g.What, g.Of, g.Tasks, interval(g.Mean))
	}
	for _, a := range report.Alarms {
		fmt.Fprintf(table, "ALARM\t%s\t%d\t%s\n", a.Stage, a.Step, a.Alarm)
	}
	return table.Flush()
}

// interval is an estimate with its interval of 95 %.
func interval(e *stats.Estimate) string {
	if e == nil {
		return "-"
	}
	return fmt.Sprintf("%.3f (%.3f to %.3f)", e.Value, e.Low, e.High)
}
