package main

import (
	"github.com/spf13/pflag"

	"vitrine"
	"vitrine/internal/runs"
)

// runsDir is where run folders are made when --out is not given.
const runsDir = ".vitrine/runs"

// resuming are the flags of a run that can be gone on with.
type resuming struct {
	dir    string // empty: a new one, or the newest
	resume bool
}

func (r *resuming) add(flags *pflag.FlagSet) {
	flags.StringVar(&r.dir, "out", "", "run folder (default: a new one under "+runsDir+")")
	flags.BoolVar(&r.resume, "resume", false, "go on with the run in --out, or with the newest one")
}

func (r *resuming) openRun(h runs.Header) (*runs.Run, map[string]vitrine.Sample, error) {
	return runs.Open(runsDir, r.dir, r.resume, h)
}
