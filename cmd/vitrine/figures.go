package main

import (
	"github.com/spf13/cobra"

	"vitrine/internal/figures"
	"vitrine/internal/setup"
)

func figuresCommand(c *common) *cobra.Command {
	var tasks string
	cmd := &cobra.Command{
		Use:   "figures [RUN...]",
		Short: "Show the published figures of runs: VRR, AAS, LDPR and FSR of each model",
		Long: `Show the published figures of one or more run folders (default: the newest run): of
each model, and with --tasks by category of the instructions. They are read from what
vitrine score wrote; nothing is built, shown or asked.

  VRR              share of outputs with a valid render
  AAS              mean grade 0 to 5 of a vision model, over valid renders
  AAS measured     the same of the measured judge, which stands in for a model
  LDPR             share of projects that ESLint passes and whose dependencies resolve
  FSR of sites     share of sites that pass all of their test cases
  FSR of cases     share of test cases that pass; a partial one is half

Each has its 95 % interval, and says of how many it is. What could not be judged is
counted apart and is in no value. Test cases have to be tried while scoring, with
--interact agent or verify; projects are linted by vitrine lint.`,
		Example: `  vitrine score outputs.jsonl --tasks webgen-bench.jsonl -m openai/gpt-4o --interact agent --out runs/a
  vitrine figures runs/a --tasks webgen-bench.jsonl
  vitrine figures runs/a runs/b --json | jq '.rows[] | {model, by, category, vrr: .vrr.value}'`,
		RunE: func(_ *cobra.Command, dirs []string) error {
			if len(dirs) == 0 {
				newest, err := runFolder(nil)
				if err != nil {
					return err
				}
				dirs = []string{newest}
			}
			known, err := setup.ReadTasks(tasks)
			if err != nil {
				return err
			}
			table, err := figures.Read(dirs, known)
			if err != nil {
				return err
			}
			for _, d := range table.Differ {
				c.say("%s: the figures do not compare", d)
			}
			if c.json {
				return c.printJSON(table)
			}
			return figures.Print(c.out, table)
		},
	}
	cmd.Flags().StringVar(&tasks, "tasks", "", "file of the tasks that the samples were made of, for categories")
	return cmd
}
