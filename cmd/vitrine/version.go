package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/buildinfo"
)

func versionCommand(c *common) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if c.json {
				return c.printJSON(map[string]any{
					"version": vitrine.Version, "revision": buildinfo.Revision(), "go": runtime.Version(),
					"os": runtime.GOOS, "arch": runtime.GOARCH, "evidence_schema": vitrine.EvidenceSchema,
				})
			}
			_, err := fmt.Fprintf(c.out, "vitrine %s (%s, %s/%s)\n", vitrine.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
