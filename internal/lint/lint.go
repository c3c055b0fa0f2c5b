// Package lint says of a project whether ESLint finds no error in it and its dependencies
// resolve, for the LDPR of WebGen-R1 (§3.1). ESLint runs in the sandbox, with the
// configuration that the project brings, or with that of WebGen-R1's starter project.
package lint

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/build/exact"
	"vitrine/internal/project"
	"vitrine/internal/starter"
)

// Check is the name of the finding.
const Check = "lint"

// tools are the packages that ESLint runs with where a project has none of its own. Their
// versions are those of one day, in the ranges of WebGen-R1's starter project (G.1); jiti
// reads configurations in TypeScript.
const tools = `{"name":"site","version":"0.0.0","private":true,"dependencies":{
	"eslint":"9.17.0","@eslint/js":"9.17.0","eslint-plugin-react-hooks":"5.1.0","eslint-plugin-react-refresh":"0.4.16",
	"globals":"15.14.0","jiti":"2.4.2","typescript":"5.7.2","typescript-eslint":"8.18.2"}}`

// starterFile is where it lies: around the project, so that ESLint takes no file of the
// project for it.
const starterFile = "eslint.starter.mjs"

// A Linter lints projects. It is safe for concurrent use.
type Linter struct {
	Projects *exact.Project

	mu  sync.Mutex
	set build.Set // of the tools; empty before the first project
}

// Lint gives the finding of one artifact: 1 where ESLint ends without an error and the
// dependencies resolve, 0 where one of both does not hold. One that is no project is not
// applicable; one that could not be linted has failed, with the reason and no score. The
// only error is that of ctx.
func (l *Linter) Lint(ctx context.Context, a *vitrine.Artifact) (vitrine.Finding, error) {
	if a.Kind != vitrine.KindProject {
		return vitrine.Finding{Check: Check, Status: vitrine.StatusNotApplicable, Why: "It is no project."}, nil
	}
	source, failure := project.Read(a, build.DefaultMaxBytes)
	if failure != nil {
		return ofFailure(failure), nil
	}
	f, err := l.lint(ctx, source)
	if ctx.Err() != nil {
		return f, ctx.Err()
	}
	if err != nil {
		return failed("It could not be linted: " + vitrine.AsFault("lint", err).Error()), nil
	}
	return f, nil
}

func (l *Linter) lint(ctx context.Context, source *project.Project) (vitrine.Finding, error) {
	r, err := l.Projects.Resolve(ctx, source.Package)
	if err != nil {
		return vitrine.Finding{}, err
	}
	if r.Failure != nil {
		return ofFailure(r.Failure), nil
	}
	set, err := l.tools(ctx)
	if err != nil {
		return vitrine.Finding{}, err
	}
	c := configurationOf(source, r.Tree)
	step, failure, err := l.Projects.Use(ctx, source, r, exact.Tool{
		Name: "ESLint", Args: c.args, Env: c.env, Packages: map[string]build.Set{"/node_modules": set}, Files: map[string]string{starterFile: starter.File("eslint.config.js")},
	})
	if err != nil {
		return vitrine.Finding{}, err
	}
	if failure != nil {
		return ofFailure(failure), nil
	}
	return read(step, c), nil
}

// tools installs the packages of ESLint, once.
func (l *Linter) tools(ctx context.Context) (build.Set, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.set.Modules != "" {
		return l.set, nil
	}
	m := project.Package{Install: []byte(tools)}
	r, err := l.Projects.Resolve(ctx, m)
	if err != nil {
		return build.Set{}, err
	}
	set, _, failure, err := l.Projects.Install(ctx, m, r)
	if failure != nil { // a fault of ours: the project did not ask for them
		err = vitrine.NewFault("lint", vitrine.FaultRegistry, nil, "ESLint cannot be installed: "+failure.Message).WithFix("check the network and npm config get registry")
	}
	if err == nil {
		l.set = set
	}
	return set, err
}

// ofFailure is the finding of a project that ESLint does not come to an end with:
// dependencies that do not resolve, and limits that are used up, are the project's doing.
func ofFailure(f *vitrine.BuildFailure) vitrine.Finding {
	if f.Code == vitrine.FailureInstall {
		return scored(0, "Its dependencies do not resolve: "+f.Message)
	}
	return scored(0, "It is not linted within the limits of a build: "+f.Message)
}

var (
	// problems is ESLint's last line: how many it found, and how many of them are errors.
	problems = regexp.MustCompile(`\d+ problems? \((\d+) errors?, \d+ warnings?\)`)
	// oneError is a line of its report: place, then what is wrong and by which rule.
	oneError = regexp.MustCompile(`(?m)^\s+(\d+:\d+)\s+error\s+(.+)$`)
	spaces   = regexp.MustCompile(`\s+`)
)

// read makes the finding of what ESLint said: 0 is no error, 1 is some, anything else is
// no answer (its manual, "Exit Codes"), which is the doing of a configuration that the
// project brings.
func read(step vitrine.BuildStep, c configuration) vitrine.Finding {
	counted := problems.FindStringSubmatch(step.Log)
	switch {
	case step.ExitCode == 0:
		return scored(1, "ESLint finds no error by "+c.name+".")
	case step.ExitCode == 1 && counted != nil:
		why := fmt.Sprintf("ESLint finds errors by %s: %s", c.name, counted[1])
		if e := oneError.FindStringSubmatch(step.Log); e != nil {
			why += ", such as " + e[1] + " " + spaces.ReplaceAllString(strings.TrimSpace(e[2]), " ")
		}
		return scored(0, why)
	}
	why := fmt.Sprintf("ESLint gave no answer by %s, exit code %d: %s", c.name, step.ExitCode, spaces.ReplaceAllString(step.Log, " "))
	if c.name != startersName {
		return scored(0, why)
	}
	return failed(why)
}

// mostWhy bounds the words of a finding, in bytes.
const mostWhy = 400

func scored(score float64, why string) vitrine.Finding {
	return vitrine.Finding{Check: Check, Status: vitrine.StatusScored, Score: &score, Why: build.Bounded(why, mostWhy)}
}

func failed(why string) vitrine.Finding {
	return vitrine.Finding{Check: Check, Status: vitrine.StatusFailed, Why: build.Bounded(why, mostWhy)}
}
