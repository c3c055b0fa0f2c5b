package main

import (
	"fmt"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vitrine/internal/train"
)

func trainSweepCommand(c *common) *cobra.Command {
	t := &training{}
	var out string
	var only []string
	var check bool
	cmd := &cobra.Command{
		Use:   "sweep SWEEP",
		Short: "Run one training with several settings, and compare them in a table",
		Long: `Run the rows of a sweep one after another: a recipe with some settings changed. All rows
are checked first. Each has a run folder of its own; a sweep that was interrupted goes on
when it is run again with the same folder.`,
		Example: `  vitrine train sweep webgen-r1 --check
  vitrine train sweep grpo --only group,batch --out runs/grpo`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			sweep, err := train.LoadSweep(args[0])
			if err != nil {
				return err
			}
			dir, err := filepath.Abs(out)
			if err != nil {
				return err
			}
			if !check {
				ctx, release := cancelOnSignal(cmd.Context(), c)
				defer release()
				s, err := t.settings(c, dir)
				if err != nil {
					return err
				}
				err = train.RunSweep(ctx, sweep, only, s, dir)
				if ctx.Err() != nil {
					c.say("interrupted: the same command goes on")
					return exit(exitInterrupted)
				}
				if err != nil {
					return err
				}
			}
			return c.showSweep(sweep, dir)
		},
	}
	t.add(c, cmd)
	cmd.Flags().StringVar(&out, "out", filepath.Join("runs", "sweep"), "folder of the run folders")
	cmd.Flags().StringSliceVar(&only, "only", nil, "rows to run (default: all)")
	cmd.Flags().BoolVar(&check, "check", false, "run nothing: check all rows, and show what is done of them")
	return cmd
}

func (c *common) showSweep(sweep *train.Sweep, dir string) error {
	rows, err := train.Standings(sweep, dir)
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(map[string]any{"sweep": sweep, "rows": rows})
	}
	if sweep.Paper != "" {
		fmt.Fprintf(c.out, "published: %s\n", sweep.Paper)
	}
	table := tabwriter.NewWriter(c.out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "row\tis\tsteps\tdone\theld out\tunjudged\treward\tgain\tfunction\trendered\talarms")
	for _, r := range rows {
		fmt.Fprintf(table, "%s\t%s\t%d\t%t\t%d\t%d\t%s\t%s\t%s\t%s\t%d\n",
			r.Row, r.About, r.Steps, r.Done, r.N, r.Unjudged, interval(r.Reward), interval(r.Gain), interval(r.Function), interval(r.Rendered), r.Alarms)
	}
	return table.Flush()
}
