// Package jest runs jest for benchmarks whose tests it decides: in the sandbox, with packages
// of one day, and with a result that an answer cannot print.
package jest

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"strings"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/build/exact"
	"vitrine/internal/project"
)

// reporter says in one line how the tests went, after a word that it removes from the disk
// before any code of an answer runs.
//
//go:embed reporter.cjs
var reporter string

// Summary is how the tests of one run of jest went.
type Summary struct {
	Passed  int    `json:"passed"`
	Total   int    `json:"total"`
	Message string `json:"message"` // of the first failure
}

// A Run of jest has ended by itself, or is a failure of what was run: a limit, or files that
// cannot be used.
type Run struct {
	Step    vitrine.BuildStep
	Failure *vitrine.BuildFailure
	Word    string // before the line of the reporter
}

// Do runs jest with its configuration jest.json in a folder of files, of which package.json
// names the packages; env is beyond the environment of a build. Errors are ours, and those
// of the sandbox.
func Do(ctx context.Context, projects *exact.Project, files []vitrine.File, env []string) (Run, error) {
	source, failure := project.Read(&vitrine.Artifact{Kind: vitrine.KindProject, Files: files}, build.DefaultMaxBytes)
	if failure != nil {
		return Run{Failure: failure}, nil
	}
	r, err := projects.Resolve(ctx, source.Package)
	if err == nil && r.Failure != nil {
		err = vitrine.NewFault("build", vitrine.FaultRegistry, nil, "jest cannot be installed: "+r.Failure.Message).WithFix("check the network and npm config get registry")
	}
	if err != nil {
		return Run{}, err
	}
	run := Run{Word: rand.Text()}
	run.Step, run.Failure, err = projects.Use(ctx, source, r, exact.Tool{
		Name: "jest", Args: []string{"node", "node_modules/jest/bin/jest.js", "--runInBand", "--ci", "--config", "jest.json", "--reporters", "/build/reporter.cjs"},
		Env: env, Files: map[string]string{"reporter.cjs": reporter, "word": run.Word},
	})
	if err == nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return run, err
}

// Read finds what the reporter said. Nothing was said where the process was ended.
func Read(log, word string) (s Summary, said bool) {
	for line := range strings.Lines(log) {
		if _, text, found := strings.Cut(line, word+" "); found && json.Unmarshal([]byte(text), &s) == nil {
			return s, true
		}
	}
	return Summary{}, false
}
