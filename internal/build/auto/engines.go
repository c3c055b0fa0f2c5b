package auto

import (
	"context"
	"errors"

	"golang.org/x/sync/semaphore"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/build/exact"
	"vitrine/internal/build/fast"
	"vitrine/internal/project"
)

// engines make sites of projects, by the way that was chosen.
type engines struct {
	choice build.Choice
	exact  *exact.Project
	fast   *fast.Builder
	heavy  *semaphore.Weighted // npm and build scripts: fewer at once than samples
}

func newEngines(s Settings) (*engines, error) {
	e, err := exact.New(context.Background(), exact.Settings{
		Store: s.Store, Sandbox: s.Sandbox, Install: s.Install, Build: s.Build, Until: s.Until,
	})
	if err != nil {
		return nil, err
	}
	f, err := fast.New(fast.Settings{Store: s.Store, Sandbox: s.Sandbox})
	if err != nil {
		return nil, err
	}
	return &engines{choice: s.Projects, exact: e, fast: f, heavy: semaphore.NewWeighted(int64(s.AtOnce))}, nil
}

func (e *engines) versions() string {
	return e.exact.ToolVersions() + " " + fast.Name + "@" + fast.Version
}

// A job is a project with what its dependencies come to.
type job struct {
	project    *project.Project
	resolution exact.Resolution
	lenient    bool
}

func (e *engines) build(ctx context.Context, j job) (*vitrine.Site, error) {
	if err := j.project.Configure(ctx, e.fast); err != nil {
		return nil, err
	}
	switch e.choice {
	case build.Exact:
		return e.exactThenLenient(ctx, j)
	case build.Fast:
		site, cannot, err := e.byFast(ctx, j)
		if cannot != nil {
			err = vitrine.NewFault("build", vitrine.FaultBuilderCannot, nil, "the fast builder cannot build this project: "+cannot.Error()).
				WithFix("let the exact builder take it: --builder auto")
		}
		return site, err
	}
	return e.fastOrExact(ctx, j)
}

// fastOrExact says in the log why it was not the fast builder.
func (e *engines) fastOrExact(ctx context.Context, j job) (*vitrine.Site, error) {
	site, cannot, err := e.byFast(ctx, j)
	if cannot == nil {
		return site, err
	}
	site, err = e.byExact(ctx, j)
	if site != nil {
		site.Steps = append([]vitrine.BuildStep{refused(cannot)}, site.Steps...)
	}
	return site, err
}

// exactThenLenient has the fast builder show a project as a development server would,
// where that is asked for and the project's own Vite could not either.
func (e *engines) exactThenLenient(ctx context.Context, j job) (*vitrine.Site, error) {
	strict, err := e.byExact(ctx, j)
	if err != nil || strict.Failure == nil || strict.Failure.Code != vitrine.FailureBuild || !j.lenient {
		return strict, err
	}
	set, ok := e.exact.Installed(j.resolution)
	if !ok {
		return strict, nil
	}
	site, err := e.fast.Build(ctx, j.project, set, true)
	var cannot *fast.Cannot
	if errors.As(err, &cannot) {
		strict.Steps = append(strict.Steps, refused(cannot))
		return strict, nil
	}
	if site != nil {
		site.Steps = append(strict.Steps, site.Steps...)
	}
	return site, err
}

// byFast builds in this process, or says why it cannot.
func (e *engines) byFast(ctx context.Context, j job) (site *vitrine.Site, cannot *fast.Cannot, err error) {
	set, steps, failure, err := e.installed(ctx, j)
	if err != nil {
		return nil, nil, err
	}
	if failure != nil {
		return exact.Failed(j.project.Artifact, failure, steps), nil, nil
	}
	site, err = e.fast.Build(ctx, j.project, set, j.lenient)
	if errors.As(err, &cannot) {
		return nil, cannot, nil
	}
	if site != nil {
		site.Steps = append(steps, site.Steps...)
	}
	return site, nil, err
}

func (e *engines) byExact(ctx context.Context, j job) (*vitrine.Site, error) {
	if err := e.heavy.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer e.heavy.Release(1)
	return e.exact.Build(ctx, j.project, j.resolution, j.lenient)
}

// refused is the step of a project that was not for the fast builder.
func refused(why *fast.Cannot) vitrine.BuildStep {
	return vitrine.BuildStep{Name: fast.Name, Command: "vitrine fast build", ExitCode: 1, Log: "cannot: " + why.Error()}
}

// resolve finds out which packages a project needs. Its failure is in the resolution.
func (e *engines) resolve(ctx context.Context, pkg project.Package) (exact.Resolution, error) {
	if r, ok := e.exact.Resolved(pkg); ok {
		return r, nil
	}
	if err := e.heavy.Acquire(ctx, 1); err != nil {
		return exact.Resolution{}, err
	}
	defer e.heavy.Release(1)
	return e.exact.Resolve(ctx, pkg)
}

// installed brings the dependency set of a project into the store.
func (e *engines) installed(ctx context.Context, j job) (build.Set, []vitrine.BuildStep, *vitrine.BuildFailure, error) {
	if set, ok := e.exact.Installed(j.resolution); ok {
		return set, j.resolution.Steps, nil, nil
	}
	if err := e.heavy.Acquire(ctx, 1); err != nil {
		return build.Set{}, nil, nil, err
	}
	defer e.heavy.Release(1)
	return e.exact.Install(ctx, j.project.Package, j.resolution)
}
