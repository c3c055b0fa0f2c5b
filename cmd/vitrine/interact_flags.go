package main

import (
	"github.com/spf13/pflag"

	"vitrine/internal/setup"
)

// addInteracting adds the flags of commands that exercise sites.
func addInteracting(f *setup.Interacting, flags *pflag.FlagSet) {
	flags.StringVar(&f.By, "interact", "auto", "how the site is exercised: explore (no model), agent or verify (the model of -m), none, or auto: explore where the recipe reads it")
	flags.IntVar(&f.N, "interactions", 3, "how many of the most important interactions count for s_interact")
	flags.IntVar(&f.Try, "try", 0, "controls that explore tries, at most (default: as many as --interactions)")
	flags.StringVar(&f.Cases, "cases", "", "test cases where the task has none: JSON lines with task and expected_result")
}
