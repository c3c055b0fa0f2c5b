package main

import (
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vitrine/internal/data/flow"
)

func dataCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "Make training sets: pipelines, near duplicates, benchmarks' tasks, export",
		Args:  cobra.NoArgs,
	}
	cmd.AddCommand(dataLsCommand(c), dataRunCommand(c), dataShowCommand(c), dataStatsCommand(c), dataReviewCommand(c), dedupCommand(c), decontaminateCommand(c), embedderCommand(c), exportCommand(c))
	return cmd
}

func dataLsCommand(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "ls",
		Short: "List the pipelines that ship, with what each takes and which models it asks",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			var all []*flow.Pipeline
			for _, name := range flow.Shipped() {
				p, err := flow.Load(name)
				if err != nil {
					return err
				}
				all = append(all, p)
			}
			if c.json {
				return c.printJSON(all)
			}
			for _, p := range all {
				fmt.Fprintf(c.out, "%s\n  %s\n", p.Name, p.About)
				for _, name := range slices.Sorted(maps.Keys(p.Inputs)) {
					fmt.Fprintf(c.out, "  takes %-10s %s\n", name, p.Inputs[name])
				}
				for _, role := range slices.Sorted(maps.Keys(p.Models)) {
					fmt.Fprintf(c.out, "  asks  %-10s %s\n", role, p.Models[role])
				}
			}
			return nil
		},
	}
}

func dataShowCommand(c *common) *cobra.Command {
	return &cobra.Command{
		Use:     "show DIR",
		Short:   "Show what each step of a run kept and dropped, and why",
		Example: `  vitrine data show clean --json | jq '.steps[] | {name, kept, reasons}'`,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			sum, err := flow.Open(args[0])
			if err != nil {
				return err
			}
			return c.showFlow(sum)
		},
	}
}

func (c *common) showFlow(sum *flow.Summary) error {
	if c.json {
		return c.printJSON(sum)
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "step\tread\tkept\tdropped\twhy")
	for _, r := range sum.Steps {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\n", r.Name, r.Read, r.Kept, r.Dropped, r.Why())
	}
	for _, f := range sum.Results {
		fmt.Fprintf(w, "%s\t%d rows\n", f.Name, f.Rows)
	}
	return w.Flush()
}
