package main

import (
	"github.com/spf13/cobra"

	"vitrine/internal/papers"
)

func papersCommand(c *common) *cobra.Command {
	var states []string
	cmd := &cobra.Command{
		Use:   "papers [PAPER]",
		Short: "Show what the papers state and how far Vitrine does it",
		Long: `Show what the four papers behind Vitrine state and how far Vitrine does it, row by
row: formulas, protocols, thresholds and figures, each with its state, the code that
does it, the test that holds it, and what differs. docs/papers.md has the same rows.

A state is published (as the paper has it), ours (otherwise, on purpose), decided
(where the paper is silent or unclear), partly, or missing.`,
		Example: `  vitrine papers
  vitrine papers relook
  vitrine papers --state missing,partly --json`,
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: papers.IDs(),
		RunE: func(_ *cobra.Command, args []string) error {
			rows, err := rowsOf(args, func(table []papers.Paper, paper string) ([]papers.Row, error) {
				return papers.Select(table, paper, states)
			})
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(map[string]any{"rows": rows, "counts": papers.Count(rows)})
			}
			return papers.Print(c.out, rows)
		},
	}
	cmd.Flags().StringSliceVar(&states, "state", nil, "rows in these states alone, comma-separated (default: all)")
	return cmd
}

// rowsOf picks rows of the paper that is named, of all where none is.
func rowsOf(args []string, pick func(table []papers.Paper, paper string) ([]papers.Row, error)) ([]papers.Row, error) {
	table, err := papers.Load()
	if err != nil {
		return nil, err
	}
	paper := ""
	if len(args) > 0 {
		paper = args[0]
	}
	return pick(table, paper)
}
