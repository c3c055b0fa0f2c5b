package auto

import (
	"cmp"
	"context"
	"sync"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/build/exact"
	"vitrine/internal/cache"
	"vitrine/internal/digest"
	"vitrine/internal/project"
	"vitrine/internal/singleflight"
)

// projects builds projects: each once, however many ask for it.
type projects struct {
	settings Settings
	building singleflight.Group[*vitrine.Site]
	mu       sync.Mutex
	engines  *engines // nil before the first project
	err      error    // why there are none
}

func newProjects(s Settings) *projects {
	s.Projects, s.AtOnce = cmp.Or(s.Projects, build.Auto), max(1, s.AtOnce)
	return &projects{settings: s}
}

// open makes what makes sites, when the first project comes.
func (p *projects) open() (*engines, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.engines == nil && p.err == nil {
		p.engines, p.err = newEngines(p.settings)
	}
	return p.engines, p.err
}

func (p *projects) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.engines != nil {
		p.engines.fast.Close()
	}
}

// Build builds a project, unless the same one was built before or is being built. The
// key has the tree that its dependencies resolved to, and none where they did not:
// whatever else a project installed before, a site is of its own packages.
func (p *projects) Build(ctx context.Context, a *vitrine.Artifact, o build.Options) (build.Result, error) {
	if err := ctx.Err(); err != nil {
		return build.Result{}, err
	}
	e, err := p.open()
	if err != nil {
		return build.Result{}, err
	}
	r := build.Result{Key: p.key(e, a, o)}
	source, failure := project.Read(a, build.DefaultMaxBytes)
	if failure != nil {
		r.Site = exact.Failed(a, failure, nil)
		return r, nil
	}
	if site, ok := p.unresolvedBefore(e, source.Package, r.Key); ok {
		r.Site, r.Cached = site, true
		return r, nil
	}
	j := job{project: source, lenient: o.Lenient}
	if j.resolution, err = e.resolve(ctx, source.Package); err != nil {
		return r, err
	}
	if j.resolution.Failure != nil {
		r.Site = exact.Failed(a, j.resolution.Failure, j.resolution.Steps)
		return r, p.remember(r.Key, r.Site)
	}
	r.Key.Parts["tree"] = j.resolution.Tree.Hash
	return p.once(ctx, e, j, r)
}

// key is what a build is a function of, the tree of its packages left out.
func (p *projects) key(e *engines, a *vitrine.Artifact, o build.Options) cache.Key {
	files := map[string]string{} // by name, so that "cache why" can say which one differs
	for _, f := range a.Files {
		files[f.Path] = digest.Text(f.Content)
	}
	return cache.Key{Stage: "build", Parts: map[string]any{
		"tools": e.versions(), "builder": string(p.settings.Projects), "lenient": o.Lenient, "files": files, "tree": "",
		"limits": map[string]any{"install": p.settings.Install, "build": p.settings.Build},
	}}
}

// once builds a project whose dependencies are resolved.
func (p *projects) once(ctx context.Context, e *engines, j job, r build.Result) (build.Result, error) {
	var err error
	if p.settings.Results.Dir == "" {
		r.Site, err = e.build(ctx, j)
		return r, err
	}
	work := func() (*vitrine.Site, error) {
		if site, ok := p.before(e, r.Key); ok {
			r.Cached = true
			return site, nil
		}
		site, err := e.build(ctx, j)
		if err != nil {
			return nil, err
		}
		return site, p.remember(r.Key, site)
	}
	site, shared, err := p.building.Do(ctx, r.Key.Hash(), work, func(s *vitrine.Site) (*vitrine.Site, error) {
		own := *s
		return &own, nil
	})
	r.Site, r.Cached = site, r.Cached || shared
	return r, err
}

// unresolvedBefore finds the failure of a project whose dependencies could not be
// resolved.
func (p *projects) unresolvedBefore(e *engines, pkg project.Package, key cache.Key) (*vitrine.Site, bool) {
	if _, ok := e.exact.Resolved(pkg); ok {
		return nil, false
	}
	return p.before(e, key)
}

// before finds a site in the cache whose files are still there.
func (p *projects) before(e *engines, key cache.Key) (*vitrine.Site, bool) {
	var site vitrine.Site
	if _, ok := p.settings.Results.Get(key, &site); !ok {
		return nil, false
	}
	if site.Failure != nil {
		return &site, true
	}
	root, ok := e.exact.Root(site.Hash)
	site.Root = root
	return &site, ok
}

// remember keeps a site or its failure. A build that ran out of time may have been a
// matter of load and is not kept.
func (p *projects) remember(key cache.Key, site *vitrine.Site) error {
	if site.Failure != nil && site.Failure.Code == vitrine.FailureTimeout {
		return nil
	}
	return p.settings.Results.Put(key, site, "")
}
