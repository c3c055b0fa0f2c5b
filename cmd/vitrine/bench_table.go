package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"vitrine/docs/published"
	"vitrine/internal/bench"
)

func benchTableCommand(c *common) *cobra.Command {
	var compat, strict bool
	var by []string
	var format string
	cmd := &cobra.Command{
		Use:   "table RUN...",
		Short: "Show the table of runs of one benchmark, with intervals and published rows",
		Long: `Show the table of runs of one benchmark: a row a model, the columns of the paper and
those that are ours, with 95 % intervals by bootstrap over tasks, and published rows
below for comparison. Where a model gave several answers to each task, ± is the
standard deviation over these runs.

By --strict, the default, what a site does wrong counts, and what we could not judge is
in no figure and is counted beside it. By --compat figures are as the published script
has them, with its quirks (docs/bench/NAME.md names each).`,
		Example: `  vitrine bench table runs/a runs/b --by instruction
  vitrine bench table runs/a --compat --format latex`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, dirs []string) error {
			rule := bench.Strict
			if compat {
				if strict {
					return usage("--strict and --compat are two rules", "name one of them")
				}
				rule = bench.Compat
			}
			return showTable(c, dirs, rule, by, format)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&strict, "strict", false, "count as we think right (default)")
	flags.BoolVar(&compat, "compat", false, "count as the published script does")
	flags.StringSliceVar(&by, "by", nil, "rows of groups of tasks, too, such as instruction, scenario, category, application, or all of them")
	flags.StringVar(&format, "format", "markdown", "form of the table: markdown, csv or latex")
	return cmd
}

// showTable prints the table of runs.
func showTable(c *common, dirs []string, rule bench.Rule, by []string, format string) error {
	t, err := tabulated(dirs, rule, by)
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(t)
	}
	if err := t.Write(c.out, format); err != nil {
		return err
	}
	for _, col := range t.Columns {
		c.say("%s: %s", col.Title, col.About)
	}
	if len(t.Columns) == 0 {
		_, err = fmt.Fprintln(c.err, "nothing could be judged: see the run's report")
	}
	return err
}

// tabulated is the table of runs with the published rows.
func tabulated(dirs []string, rule bench.Rule, by []string) (bench.Table, error) {
	t, err := bench.Tabulate(dirs, rule, by)
	if err != nil {
		return t, err
	}
	return t.WithPublished(published.Tables)
}
