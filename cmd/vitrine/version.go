package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"vitrine"
)

func versionCommand(c *common) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if c.json {
				return c.printJSON(map[string]any{
					"version": vitrine.Version, "revision": revision(), "go": runtime.Version(),
					"os": runtime.GOOS, "arch": runtime.GOARCH, "evidence_schema": vitrine.EvidenceSchema,
				})
			}
			_, err := fmt.Fprintf(c.out, "vitrine %s (%s, %s/%s)\n", vitrine.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// revision is the commit that the program was built from, with "+dirty" where the tree
// had changes; empty where it was built outside of a checkout.
func revision() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return ""
	}
	var commit, dirty string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	if commit == "" {
		return ""
	}
	return commit + dirty
}
