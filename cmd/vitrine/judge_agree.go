package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vitrine/internal/meta"
)

type agreeing struct {
	*common
	rated meta.Settings
	seed  uint64
}

func agreeCommand(c *common) *cobra.Command {
	a := &agreeing{common: c}
	cmd := &cobra.Command{
		Use:   "agree --ratings FILE.csv",
		Short: "Say how far the measured judge agrees with people",
		Long: `Say how far the measured judge agrees with people's ratings: correlations with 95 %
intervals for each of its scores, and for each group where the ratings have that
column. Sites that do not render count, with their score of 0.

The file of ratings is that of vitrine judge calibrate. With --run, the rewards of
the run are compared as well.`,
		Example: `  vitrine judge agree --ratings ratings.csv --run .vitrine/runs/a
  vitrine judge agree --ratings others.csv --calibration calibration.yaml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.StringVar(&a.rated.File, "ratings", "", "CSV file of ratings (required)")
	flags.StringVar(&a.rated.Run, "run", "", "run folder that the column id is about")
	flags.StringVar(&a.rated.Calibration, "calibration", "", "judge with this calibration, made by vitrine judge calibrate")
	flags.Uint64Var(&a.seed, "seed", 1, "seed of the intervals")
	return cmd
}

func (a *agreeing) run(ctx context.Context) error {
	if a.rated.File == "" {
		return usage("--ratings is missing", "name a CSV file of ratings, see vitrine judge agree --help")
	}
	a.rated.Say = a.say
	ratings, err := meta.Read(a.rated)
	if err != nil {
		return err
	}
	sites, bad, err := ratings.Judge(ctx)
	if err != nil {
		return err
	}
	groups := meta.Agree(sites, a.seed)
	if a.json {
		return a.printJSON(map[string]any{"groups": groups, "unreadable": bad})
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "group\tscore\tn\tPearson\tSpearman\tKendall τ-b")
	for _, g := range groups {
		for _, name := range slices.Sorted(maps.Keys(g.Scores)) {
			fmt.Fprintf(w, "%s\t", orAll(g.Group))
			printAgreement(w, name, g.Scores[name])
		}
	}
	return w.Flush()
}

func orAll(group string) string {
	if group == "" {
		return "all"
	}
	return group
}
