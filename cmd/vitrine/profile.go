package main

import (
	"github.com/spf13/cobra"

	"vitrine/internal/papers"
)

func profileCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "profile",
		Short: "Show how the readings of a paper differ: published and vitrine",
		Long: `Show how the readings of a paper differ.

Models judge, exercise sites and write rubrics in one of two profiles. published is
what a reader of the paper expects, its quirks included; vitrine is what we think is
right. A recipe names its own (webgen-r1, aescoder and relook the published one,
quality ours), --profile of a command overrides it, and run.json, each sample and the
report say which it was.`,
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "diff [PAPER]",
		Short: "Say in words where the two profiles differ",
		Example: `  vitrine profile diff webdevjudge
  vitrine profile diff --json`,
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: papers.IDs(),
		RunE: func(_ *cobra.Command, args []string) error {
			rows, err := rowsOf(args, papers.Differences)
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(rows)
			}
			return papers.PrintDifferences(c.out, rows)
		},
	})
	return cmd
}
