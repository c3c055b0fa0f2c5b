package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

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

// openRun makes a run folder, or opens the one to go on with and returns the newest
// line of each of its samples.
func (r *resuming) openRun(h runs.Header) (*runs.Run, map[string]vitrine.Sample, error) {
	dir := r.dir
	if !r.resume {
		if dir == "" {
			dir = newRunDir(h.Started, h.Input)
		}
		run, err := runs.Create(dir, h)
		return run, nil, err
	}
	if dir == "" {
		var err error
		if dir, err = runs.Latest(runsDir, h.Input); err != nil {
			return nil, nil, err
		}
	}
	return runs.Resume(dir, h.Provenance)
}

// newRunDir names a folder by time and input.
func newRunDir(now time.Time, input string) string {
	name := filepath.Base(input)
	if abs, err := filepath.Abs(input); err == nil {
		name = filepath.Base(abs) // of a folder that is called . or ..
	}
	name = strings.TrimSuffix(name, filepath.Ext(name))
	if input == "-" {
		name = "stdin"
	}
	base := filepath.Join(runsDir, now.Format("2006-01-02T15-04-05")+"_"+runs.FolderName(name))
	dir := base
	for i := 2; ; i++ {
		if _, err := os.Stat(dir); err != nil {
			return dir
		}
		dir = base + "-" + strconv.Itoa(i)
	}
}
