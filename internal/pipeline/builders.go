package pipeline

import (
	"context"
	"errors"
	"path/filepath"
	"sync"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/build/exact"
	"vitrine/internal/build/fast"
	"vitrine/internal/cache"
	"vitrine/internal/project"
)

// Builder says who builds projects.
type Builder string

// The builders of projects.
const (
	BuilderAuto  Builder = "auto"  // fast where it can, else exact
	BuilderFast  Builder = "fast"  // in this process; what it cannot build is a fault
	BuilderExact Builder = "exact" // npm and the project's own build script
)

// Builders are all of them, the default first.
var Builders = []Builder{BuilderAuto, BuilderFast, BuilderExact}

// projectBuilders are what builds projects, made when the first one comes.
type projectBuilders struct {
	choice  Builder
	lenient bool // as the recipe has it
	exact   *exact.Project
	fast    *fast.Builder
}

// newBuilders makes the builders of a pipeline.
func newBuilders(s Settings) (*projectBuilders, error) {
	dir := filepath.Join(s.CacheDir, cache.PackagesDir)
	e, err := exact.New(context.Background(), exact.Settings{Store: dir, Sandbox: s.Sandbox, Install: s.Limits.Install, Build: s.Limits.Build, Until: s.PackagesUntil})
	if err != nil {
		return nil, err
	}
	f, err := fast.New(fast.Settings{Store: dir, Sandbox: s.Sandbox})
	if err != nil {
		return nil, err
	}
	return &projectBuilders{choice: s.Builder, exact: e, fast: f}, nil
}

// parts are what a build is a function of, beside the project's files.
func (b *projectBuilders) parts() map[string]any {
	return map[string]any{"tools": b.versions(), "builder": string(b.choice), "lenient": b.lenient}
}

// versions are those of all builders, with those of Node.js and npm.
func (b *projectBuilders) versions() string {
	return b.exact.ToolVersions() + " " + fast.Name + "@" + fast.Version
}

// buildWith lets the builder that was asked for build a project.
func (p *Pipeline) buildWith(ctx context.Context, b *projectBuilders, j projectJob) (*vitrine.Site, error) {
	if err := j.project.Configure(ctx, b.fast); err != nil {
		return nil, err
	}
	if b.choice == BuilderExact {
		site, err := p.buildExact(ctx, b, j)
		if err != nil || site.Failure == nil || site.Failure.Code != vitrine.FailureBuild || !b.lenient {
			return site, err
		}
		return p.buildLenient(ctx, b, j, site)
	}
	set, steps, failure, err := p.installed(ctx, b, j)
	if err != nil {
		return nil, err
	}
	if failure != nil {
		return exact.Failed(j.project.Artifact, failure, steps), nil
	}
	site, err := b.fast.Build(ctx, j.project, set, b.lenient)
	var cannot *fast.Cannot
	if !errors.As(err, &cannot) {
		if site != nil {
			site.Steps = append(steps, site.Steps...)
		}
		return site, err
	}
	if b.choice == BuilderFast {
		return nil, vitrine.NewFault("build", vitrine.FaultBuilderCannot, nil, "the fast builder cannot build this project: "+cannot.Error()).
			WithFix("let the exact builder take it: --builder auto")
	}
	site, err = p.buildExact(ctx, b, j)
	if site != nil {
		refusal := vitrine.BuildStep{Name: "fast", Command: "vitrine fast build", ExitCode: 1, Log: "cannot: " + cannot.Error()}
		site.Steps = append([]vitrine.BuildStep{refusal}, site.Steps...)
	}
	return site, err
}

// A projectJob is a project with what its dependencies come to.
type projectJob struct {
	project    *project.Project
	resolution exact.Resolution
}

// resolve finds out which packages a project needs. Its failure is in the resolution.
func (p *Pipeline) resolve(ctx context.Context, b *projectBuilders, m project.Package) (exact.Resolution, error) {
	if r, ok := b.exact.Resolved(m); ok {
		return r, nil
	}
	if err := p.builds.Acquire(ctx, 1); err != nil {
		return exact.Resolution{}, err
	}
	defer p.builds.Release(1)
	return b.exact.Resolve(ctx, m)
}

// installed brings the dependency set of a project into the store.
func (p *Pipeline) installed(ctx context.Context, b *projectBuilders, j projectJob) (build.Set, []vitrine.BuildStep, *vitrine.BuildFailure, error) {
	if set, ok := b.exact.Installed(j.resolution); ok {
		return set, j.resolution.Steps, nil, nil
	}
	if err := p.builds.Acquire(ctx, 1); err != nil {
		return build.Set{}, nil, nil, err
	}
	defer p.builds.Release(1)
	return b.exact.Install(ctx, j.project.Package, j.resolution)
}

func (p *Pipeline) buildExact(ctx context.Context, b *projectBuilders, j projectJob) (*vitrine.Site, error) {
	if err := p.builds.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer p.builds.Release(1)
	return b.exact.Build(ctx, j.project, j.resolution)
}

// buildLenient builds a project that the exact builder could not build as a
// development server would show it. Where that cannot be done the failure stays.
func (p *Pipeline) buildLenient(ctx context.Context, b *projectBuilders, j projectJob, strict *vitrine.Site) (*vitrine.Site, error) {
	set, ok := b.exact.Installed(j.resolution)
	if !ok {
		return strict, nil
	}
	site, err := b.fast.Build(ctx, j.project, set, true)
	var cannot *fast.Cannot
	if errors.As(err, &cannot) {
		strict.Steps = append(strict.Steps, vitrine.BuildStep{Name: "fast", Command: "vitrine fast build", ExitCode: 1, Log: "cannot: " + cannot.Error()})
		return strict, nil
	}
	if site != nil {
		site.Steps = append(strict.Steps, site.Steps...)
	}
	return site, err
}

// lazyBuilders makes the builders once, and can close what was made.
type lazyBuilders struct {
	get  func() (*projectBuilders, error)
	mu   sync.Mutex
	made *projectBuilders
}

func newLazyBuilders(s Settings) *lazyBuilders {
	l := &lazyBuilders{}
	l.get = sync.OnceValues(func() (*projectBuilders, error) {
		b, err := newBuilders(s)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.made = b
		return b, err
	})
	return l
}

func (l *lazyBuilders) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.made != nil {
		l.made.fast.Close()
	}
}

// BuildSite makes the site of an artifact as Score does, from the cache if it was
// built before.
func (p *Pipeline) BuildSite(ctx context.Context, a *vitrine.Artifact) (*vitrine.Site, error) {
	b, err := p.build(ctx, a)
	return b.site, err
}
