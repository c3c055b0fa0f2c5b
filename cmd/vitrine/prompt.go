package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"vitrine/internal/starter"
)

func promptCommand(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "prompt",
		Short: "Print the system prompt by which models write projects",
		Long: `Print the system prompt by which models write projects (WebGen-R1 G.1): the
environment, the stack, the form of the answer with its reasoning, and the starter
project that every answer begins from. Trainers and benchmarks put it before each
instruction; vitrine refine --project does so by itself.`,
		Example: `  vitrine prompt > system.txt`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if c.json {
				return c.printJSON(map[string]any{"system": starter.System(), "files": starter.Files()})
			}
			_, err := fmt.Fprintln(c.out, starter.System())
			return err
		},
	}
}
