package main

import (
	"strings"

	"github.com/spf13/pflag"

	"vitrine/internal/build"
	"vitrine/internal/npm"
	"vitrine/internal/reward"
	"vitrine/internal/setup"
)

// defaultRecipe gives a fair number to sites of every kind. lookingRecipe is that of
// commands that look at a site without an instruction.
const (
	defaultRecipe = "quality"
	lookingRecipe = "looks"
)

// addLooking adds the flags of every command that renders.
func addLooking(l *setup.Looking, c *common, flags *pflag.FlagSet) {
	addRendering(l, flags, defaultRecipe)
	addJudging(&l.Judging, c, flags)
}

// addRendering adds the flags without those of a model that judges.
func addRendering(l *setup.Looking, flags *pflag.FlagSet, recipe string) {
	flags.StringVar(&l.Recipe, "recipe", recipe, "reward recipe: "+strings.Join(reward.Builtin(), ", ")+", or a YAML file")
	flags.StringVar(&l.Builder, "builder", string(build.Auto), "who builds projects: auto (fast where it can, else exact), fast (in this process) or exact (npm and the build script)")
	flags.StringVar(&l.Until, "packages-until", npm.Until, "YYYY-MM-DD: version ranges of projects are resolved as the package registry stood on this date")
	flags.StringVar(&l.Viewports, "viewport", "desktop", "window sizes: desktop (1280x800), mobile (390x844), tablet (768x1024) or WxH, comma-separated")
	flags.StringVar(&l.Times, "times", "0,1,2", "seconds of page time after load at which frames are taken, rising")
	flags.IntVar(&l.MaxRoutes, "max-routes", 8, "routes looked at per site")
	flags.IntVarP(&l.Concurrency, "concurrency", "j", 0, "samples in work at once (default: by cores and memory)")
	flags.BoolVar(&l.NoCache, "no-cache", false, "build and capture everything again")
}
