// Package fast builds a React project as "vite build" would, in this process and
// without npm: esbuild bundles the project's own files from memory, and its
// dependencies were made into ES modules once for all projects that share them.
// Configurations are read as data; what is not, and Tailwind 3, runs in Node.js processes in
// the sandbox, each of which has one project in its life.
//
// It only takes projects that it can build with the same result, and says why it
// cannot take another one.
package fast

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/singleflight"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/project"
	"vitrine/internal/sandbox"
)

// Name of this builder in a Site.
const Name = "fast"

// Version is part of the cache key of every build.
const Version = "6"

// Settings of the fast builder.
type Settings struct {
	// Store is the package store of the exact builder; libraries and sites are kept
	// in it, too.
	Store   string
	Sandbox sandbox.Sandbox
	// Timeout bounds the bundling of one project; 0 means 30 seconds.
	Timeout time.Duration
	// MaxBytes bounds the files of a project; 0 means 100 MB.
	MaxBytes int64
}

// A Builder turns projects into sites. It is safe for concurrent use; Close ends
// its Node.js processes.
type Builder struct {
	settings  Settings
	scripts   string        // folder of the scripts that Node.js runs
	styleTime time.Duration // for one stylesheet
	configs   pool
	styles    pool
	making    singleflight.Group
	libraries *memo[*library]
	refused   *memo[*Cannot]                    // packages that do not bundle, by key of the library
	lookups   *memo[found]                      // by hash of a tree and import path
	themes    *memo[map[string]json.RawMessage] // modules of Tailwind, by hash of a tree
	stylers   *memo[string]                     // name of the snapshot, may be empty, by key
}

// Node.js processes of all projects together, those that wait for a job included: as many as
// a project for each processor can use at once, and those that are started ahead. Each may
// take 2 GB.
const (
	minProcesses    = 8
	processesPerCPU = maxAtOnce + 1
)

// What is kept in memory of what was found. Each costs little to find again.
const (
	keptLibraries = 256
	keptRefused   = 1024
	keptLookups   = 16384
	keptSets      = 256
)

// New makes a builder. No process is started before a project needs it.
func New(s Settings) (*Builder, error) {
	if s.Timeout == 0 {
		s.Timeout = 30 * time.Second
	}
	if s.MaxBytes == 0 {
		s.MaxBytes = build.DefaultMaxBytes
	}
	var err error
	if s.Store, err = filepath.Abs(s.Store); err != nil {
		return nil, fmt.Errorf("find the package store: %w", err)
	}
	scripts := filepath.Join(s.Store, "worker-"+Version)
	if err := errors.Join(os.MkdirAll(scripts, 0o755), os.MkdirAll(filepath.Join(s.Store, "sites"), 0o755)); err != nil {
		return nil, fmt.Errorf("make the package store: %w", err)
	}
	if err := replaceFile(filepath.Join(scripts, "evaluate.cjs"), evaluateScript); err != nil {
		return nil, fmt.Errorf("write the script that evaluates configurations: %w", err)
	}
	slots := make(chan struct{}, max(minProcesses, processesPerCPU*runtime.NumCPU()))
	return &Builder{
		settings: s, scripts: scripts, styleTime: jobTime,
		configs: pool{sandbox: s.Sandbox, ahead: 1, slots: slots}, styles: pool{sandbox: s.Sandbox, ahead: 2, slots: slots},
		libraries: newMemo[*library](keptLibraries), refused: newMemo[*Cannot](keptRefused), lookups: newMemo[found](keptLookups),
		themes: newMemo[map[string]json.RawMessage](keptSets), stylers: newMemo[string](keptSets),
	}, nil
}

// Close ends the Node.js processes that wait for a job.
func (b *Builder) Close() {
	b.configs.close()
	b.styles.close()
}

// Build builds a project that is configured with an installed set of dependencies. A project that
// does not build is a Site with a Failure. A project that is not for this builder
// is a *Cannot. Lenient builds as a development server does: a module that cannot
// be made throws where it is imported, and the rest lives on.
func (b *Builder) Build(ctx context.Context, source *project.Project, set build.Set, lenient bool) (*vitrine.Site, error) {
	start := time.Now()
	ctx, end := context.WithCancel(ctx)
	defer end()
	p, err := b.open(ctx, source, set, lenient)
	if err != nil {
		return nil, err
	}
	defer p.underway.Wait() // of stylesheets that turned out to be in no use
	defer end()
	site := &vitrine.Site{Kind: vitrine.KindProject, Builder: Name, Base: source.Config.Path(), Routes: project.Routes(source.Artifact)}
	step := vitrine.BuildStep{Name: "bundle", Command: "vitrine fast build"}
	err = p.build(ctx, site)
	step.DurationMS = float64(time.Since(start).Microseconds()) / 1000
	var mistake *broken
	if errors.As(err, &mistake) {
		step.ExitCode, step.Log = 1, build.Bounded(mistake.log, 64<<10)
		site.Failure = &vitrine.BuildFailure{Code: vitrine.FailureBuild, Message: build.Bounded(mistake.message, 300), Log: step.Log}
		err = nil
	}
	if lenient {
		for _, name := range slices.Sorted(keys(p.thrown)) {
			step.Log += name + ": " + p.thrown[name] + "\n"
		}
	}
	site.Steps = append(site.Steps, step)
	return site, err
}

// replaceFile writes a file so that nobody sees half of it.
func replaceFile(name, content string) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".new-")
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	return errors.Join(err, f.Chmod(0o644), f.Close(), os.Rename(f.Name(), name))
}
