package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"vitrine/internal/report"
	"vitrine/internal/runs"
)

func reportCommand(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "report [RUN]",
		Short: "Write the report of a run folder",
		Long:  "Write report.html into a run folder (default: the newest run). It opens from disk; no server is needed.",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := runFolder(args)
			if err != nil {
				return err
			}
			if err := report.Write(dir); err != nil {
				return err
			}
			header, samples, err := runs.Read(dir)
			if err != nil {
				return err
			}
			summary := report.Summarize(header, runs.Newest(samples))
			file := filepath.Join(dir, "report.html")
			if c.json {
				return c.printJSON(map[string]any{"run": dir, "report": file, "summary": summary})
			}
			report.Text(c.err, summary)
			fmt.Fprintln(c.out, file)
			return nil
		},
	}
}

func runFolder(args []string) (string, error) {
	if len(args) == 1 {
		return args[0], nil
	}
	return runs.Latest(runsDir, "")
}
