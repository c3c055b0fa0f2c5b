package exact

import (
	"context"
	"errors"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/npm"
	"vitrine/internal/project"
)

// A Resolution is what the dependencies of a project come to: a tree of packages, or
// the project's failure.
type Resolution struct {
	Tree    *npm.Tree
	Failure *vitrine.BuildFailure
	Steps   []vitrine.BuildStep // what it took
}

// Resolved returns what a manifest was resolved to before, without any network.
func (p *Project) Resolved(m project.Package) (Resolution, bool) {
	t, ok := p.store.Resolution(p.resolutionKey(m))
	return Resolution{Tree: t, Steps: []vitrine.BuildStep{{Name: installStep, Command: "npm install", Cached: true}}}, ok
}

// Resolve finds out which packages a manifest needs, and remembers it. Of several
// that ask for the same at once, one works.
func (p *Project) Resolve(ctx context.Context, m project.Package) (Resolution, error) {
	if r, ok := p.Resolved(m); ok {
		return r, nil
	}
	// It is for everybody who waits: one caller's end must not end it.
	return await[Resolution](ctx, p.installs.DoChan(p.resolutionKey(m), func() (any, error) {
		if r, ok := p.Resolved(m); ok {
			return r, nil
		}
		return p.resolveAnew(context.WithoutCancel(ctx), m)
	}))
}

// Installed returns the set of a resolution, if it is in the store.
func (p *Project) Installed(r Resolution) (build.Set, bool) {
	if r.Tree == nil {
		return build.Set{}, false
	}
	modules, ok := p.store.Set(r.Tree)
	return build.Set{Key: r.Tree.Hash, Modules: modules}, ok
}

// Install makes sure that the set of a resolution is in the store, for whoever
// builds with it. A set that cannot be installed is the project's failure.
func (p *Project) Install(ctx context.Context, m project.Package, r Resolution) (build.Set, []vitrine.BuildStep, *vitrine.BuildFailure, error) {
	if r.Failure != nil {
		return build.Set{}, r.Steps, r.Failure, nil
	}
	if set, ok := p.Installed(r); ok {
		return set, r.Steps, nil, nil
	}
	start := time.Now()
	modules, err := await[string](ctx, p.installs.DoChan("set "+r.Tree.Hash+" "+r.Tree.Origin(), func() (any, error) {
		limited, end := context.WithTimeout(context.WithoutCancel(ctx), p.settings.Install.Wall)
		defer end()
		modules, err := p.store.Assemble(limited, r.Tree)
		if limited.Err() != nil {
			err = vitrine.NewFault("build", vitrine.FaultInstallTimeout, err, "npm install did not finish in time")
		}
		return modules, err
	}))
	steps := append([]vitrine.BuildStep{}, r.Steps...)
	last := &steps[len(steps)-1]
	last.Cached = false
	last.DurationMS += float64(time.Since(start).Milliseconds())
	if err == nil {
		return build.Set{Key: r.Tree.Hash, Modules: modules}, steps, nil, nil
	}
	failure, err := packagesFailure(err, m)
	if failure != nil {
		last.ExitCode = 1
	}
	return build.Set{}, steps, failure, err
}

// await waits for a shared answer, or for the end of ctx.
func await[T any](ctx context.Context, done <-chan result) (T, error) {
	var none T
	select {
	case r := <-done:
		if r.Err != nil {
			return none, r.Err
		}
		return r.Val.(T), nil
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// packagesFailure tells our failures from the project's, of packages that were
// resolved and cannot be had.
func packagesFailure(err error, m project.Package) (*vitrine.BuildFailure, error) {
	var fault *vitrine.Fault
	var wrong *npm.WrongHashError
	switch {
	case errors.As(err, &fault):
		return nil, err
	case errors.As(err, &wrong) && !strings.Contains(m.Lock, wrong.Package.Integrity+wrong.Package.Claim):
		return nil, registryFault(err) // it was the registry that gave this hash
	case errors.Is(err, npm.ErrUnanswered):
		return nil, registryFault(err)
	case errors.Is(err, npm.ErrTooLarge):
		return &vitrine.BuildFailure{Code: vitrine.FailureTooLarge, Message: build.Bounded(err.Error(), 300)}, nil
	case npm.OfPackage(err):
		return &vitrine.BuildFailure{Code: vitrine.FailureInstall, Message: build.Bounded(plain(err.Error()), 300)}, nil
	}
	return nil, storeFault(err)
}

func registryFault(err error) error {
	return vitrine.NewFault("build", vitrine.FaultRegistry, err, "the package registry does not answer").
		WithFix("check the network and npm config get registry, then score again with --retry-unjudged")
}
