package main

import (
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"vitrine/internal/meta"
)

func metaCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "meta",
		Short: "Judge judges: how far one can be trusted, on what, and at what price",
		Long: `Judge judges: how far one can be trusted, on what, and at what price. What people say and
what judges say of the same things is read from a file, in a form that docs/meta-data.md
describes.`,
	}
	cmd.AddCommand(
		metaCardCommand(c), metaPairsCommand(c), metaUnitsCommand(c), metaRatingsCommand(c), metaRatersCommand(c), metaSwapCommand(c), metaRepeatCommand(c),
		metaBetweenCommand(c), metaRankCommand(c), metaCascadeCommand(c), metaPairBenchCommand(c), metaEquivalenceCommand(c), metaAttackCommand(c), metaAblateCommand(c), metaStudyCommand(c), metaImportCommand(c), metaStatCommand(c),
	)
	return cmd
}

func metaStatCommand(c *common) *cobra.Command {
	var columns strings.Builder
	for _, name := range meta.StatNames() {
		columns.WriteString("\n  " + name + strings.Repeat(" ", 29-len(name)) + meta.StatColumns(name))
	}
	return &cobra.Command{
		Use:   "stat NAME [TABLE.csv]",
		Short: "Compute one statistic of a CSV table",
		Long: `Compute one statistic of a CSV table with a header, which is read from standard input where
no file is named. It is printed as JSON: {"value": ...}, null where it is not defined, with
the reason. Rows that lack what the statistic needs are left out and counted.

Statistics and the columns that they need:
` + columns.String() + `

The columns a and b of mcnemar, mcnemar_chi2 and items_to_separate, and hit of wilson, are 1
where an answer is right and else 0; mcnemar, mcnemar_chi2 and permutation have the two-sided
probability as value, and wilson the share, with low and high. Of one a rater, an empty cell
is a rating that is missing; fleiss_kappa needs all.`,
		Example: `  vitrine meta stat kendall < scores.csv
  vitrine meta stat krippendorff_alpha_nominal raters.csv`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			in := c.in
			if len(args) == 2 {
				f, err := os.Open(args[1])
				if err != nil {
					return usage("cannot read "+args[1]+": "+err.Error(), "name a CSV file, or give the table on standard input")
				}
				defer f.Close()
				in = io.Reader(f)
			}
			answer, err := meta.Stat(args[0], in)
			if err != nil {
				return err
			}
			return c.printJSON(answer)
		},
	}
}
