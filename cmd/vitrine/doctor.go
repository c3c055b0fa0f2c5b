package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"vitrine/internal/doctor"
)

func doctorCommand(c *common) *cobra.Command {
	var j joining
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine lacks, and how to mend it",
		Long: `Say what this machine lacks, and how to mend it. With --nats, say also which workers on a
queue get no jobs of which service, and what they judge by that differs.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := doctor.Machine(cmd.Context(), doctor.Settings{Browser: c.browser, Sandbox: c.sandbox(), CacheDir: c.cacheDir})
			if j.nats != "" {
				all = append(all, doctor.Queue(cmd.Context(), j.nats, j.shown(c))...)
			}
			missing := slices.ContainsFunc(all, func(d doctor.Diagnosis) bool { return d.Status == doctor.Missing })
			if c.json {
				if err := c.printJSON(map[string]any{"ok": !missing, "checks": all}); err != nil {
					return err
				}
			} else {
				printDiagnoses(c, all)
			}
			if missing {
				return exit(exitEnvironment)
			}
			return nil
		},
	}
	j.addCluster(cmd.Flags())
	return cmd
}

func printDiagnoses(c *common, all []doctor.Diagnosis) {
	marks := map[doctor.Status]string{doctor.OK: "✓", doctor.Warning: "!", doctor.Missing: "✗"}
	for _, a := range all {
		fmt.Fprintf(c.out, " %s %-10s %s\n", marks[a.Status], a.Name, a.Text)
		if a.Fix != "" {
			fmt.Fprintf(c.out, "   %-10s fix: %s\n", "", a.Fix)
		}
	}
}
