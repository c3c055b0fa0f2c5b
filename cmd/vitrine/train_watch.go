package main

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"vitrine/internal/train"
)

func trainWatchCommand(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "watch RUN",
		Short: "Follow a training that runs elsewhere",
		Long: `Say each step of a training as it is done, with what its rewards are made of and the
alarms, until its end. It only reads the run folder.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, release := cancelOnSignal(cmd.Context(), c)
			defer release()
			err := train.Watch(ctx, args[0], time.Second, c.sayTraining())
			if ctx.Err() != nil {
				return exit(exitInterrupted)
			}
			if err != nil {
				return err
			}
			return c.showTraining(args[0])
		},
	}
}

func trainReportCommand(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "report RUN",
		Short: "Write report.html of a training: curves, alarms, samples",
		Long: `Write report.html into the run folder: curves, alarms, held-out rewards, and samples with
their rewards. It opens from disk. Pictures are in it where the samples were scored into
the folder pictures of the run.`,
		Example: `  vitrine score runs/a/samples.jsonl --out runs/a/pictures
  vitrine train report runs/a`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := train.WriteReport(args[0]); err != nil {
				return err
			}
			file := filepath.Join(args[0], "report.html")
			if c.json {
				return c.printJSON(map[string]string{"report": file})
			}
			fmt.Fprintln(c.out, file)
			return nil
		},
	}
}

// recent is how many steps the time that is left is reckoned from.
const recent = 10

// sayTraining shows each step, with the time that its stage still takes by the last steps.
func (c *common) sayTraining() func(train.Progress) {
	last := map[string][]float64{}
	return func(p train.Progress) {
		if p.Alarm != "" {
			c.say("ALARM  %s", p.Alarm)
			return
		}
		line := fmt.Sprintf("%s  %d of %d", p.Stage, p.Step, p.Of)
		for _, f := range []struct {
			value        *float64
			name, format string
		}{
			{p.Loss, "loss", "%.4f"}, {p.Reward, "reward", "%.3f"}, {p.Recipe, "recipe", "%.3f"}, {p.Function, "function", "%.3f"}, {p.Looks, "looks", "%.3f"},
			{p.Rendered, "rendered", "%.2f"}, {p.Unique, "unique", "%.2f"}, {p.Tokens, "tokens", "%.0f"},
		} {
			if f.value != nil {
				line += fmt.Sprintf("  "+f.name+" "+f.format, *f.value)
			}
		}
		if p.Seconds > 0 {
			line += fmt.Sprintf("  %.0f s", p.Seconds)
			times := append(last[p.Stage], p.Seconds)
			times = times[max(0, len(times)-recent):]
			last[p.Stage] = times
			if p.Step < p.Of {
				sum := 0.0
				for _, t := range times {
					sum += t
				}
				left := time.Duration(sum / float64(len(times)) * float64(p.Of-p.Step) * float64(time.Second))
				line += fmt.Sprintf("  %s left", left.Round(time.Second))
			}
		}
		c.say("%s", line)
	}
}
