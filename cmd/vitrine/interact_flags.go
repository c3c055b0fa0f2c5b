package main

import (
	"github.com/spf13/pflag"

	"vitrine/internal/setup"
)

// addInteracting adds the flags of commands that exercise sites.
func addInteracting(f *setup.Interacting, flags *pflag.FlagSet) {
	flags.StringVar(&f.By, "interact", "auto", "how the site is exercised: behave or explore (no model), agent or verify (the model of -m), none, or auto: behave or explore, as the recipe reads it")
	flags.IntVar(&f.N, "interactions", 3, "how many of the most important interactions count for s_interact")
	flags.IntVar(&f.Try, "try", 0, "controls that explore tries, at most (default: as many as --interactions)")
	addProving(f, flags)
	flags.StringVar(&f.Cases, "cases", "", "test cases where the task has none: JSON lines with task and expected_result")
}

// addProving adds the flags of behave.
func addProving(f *setup.Interacting, flags *pflag.FlagSet) {
	flags.IntVar(&f.Budget, "interact-budget", 0, "actions that behave carries out on one site, at most; what is not tried for it does not count as working (default 600, and 75 more for each behaviour beyond the eighth)")
	flags.StringVar(&f.Require, "require", "", "model that reads what behave proves: provider/model or an alias (default: rules, see vitrine require)")
	flags.StringVar(&f.Seed, "behave-seed", "", "seed of what behave types in, to replay a run (default: the secret one of this installation)")
}
