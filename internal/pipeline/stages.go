package pipeline

import (
	"context"
	"os"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/build/component"
	"vitrine/internal/build/exact"
	"vitrine/internal/build/static"
	"vitrine/internal/cache"
	"vitrine/internal/digest"
	"vitrine/internal/disk"
	"vitrine/internal/evidence"
	"vitrine/internal/project"
)

// A built site, or its failure, and what it is a function of; the key is empty
// where nothing had to be worked for.
type built struct {
	site   *vitrine.Site
	key    cache.Key
	cached bool
}

// build makes a site of an artifact, by the builder for its kind.
func (p *Pipeline) build(ctx context.Context, a *vitrine.Artifact) (built, error) {
	switch a.Kind {
	case vitrine.KindPage, vitrine.KindSVG:
		return built{site: static.Site(a)}, nil
	case vitrine.KindComponent:
		site, missing := component.Site(a)
		if site != nil {
			return built{site: site}, nil
		}
		b, err := p.buildProject(ctx, component.Project(a, missing))
		if err == nil {
			b.site.Kind = vitrine.KindComponent
		}
		return b, err
	case vitrine.KindProject:
		return p.buildProject(ctx, a)
	}
	return built{}, vitrine.NewFault("build", vitrine.FaultUnsupportedKind, nil, "this version cannot show outputs of kind "+string(a.Kind))
}

// buildProject builds a project, unless the same one was built before or is being
// built. The key has the tree that its dependencies resolved to, and none where they
// did not: whatever else a project installed before, a site is of its own packages.
func (p *Pipeline) buildProject(ctx context.Context, a *vitrine.Artifact) (built, error) {
	builders, err := p.builders()
	if err != nil {
		return built{}, err
	}
	b := built{key: cache.Key{Stage: "build", Parts: builders.parts()}}
	b.key.Parts["files"], b.key.Parts["tree"] = fileHashes(a.Files), ""
	b.key.Parts["limits"] = map[string]any{"install": p.settings.Limits.Install, "build": p.settings.Limits.Build}
	source, failure := project.Read(a, build.DefaultMaxBytes)
	if failure != nil {
		b.site = exact.Failed(a, failure, nil)
		return b, nil
	}
	if site, ok := p.unresolvedBefore(builders, source.Package, b.key); ok {
		b.site, b.cached = site, true
		return b, nil
	}
	j := projectJob{project: source}
	if j.resolution, err = p.resolve(ctx, builders, source.Package); err != nil {
		return b, err
	}
	if j.resolution.Failure != nil {
		b.site = exact.Failed(a, j.resolution.Failure, j.resolution.Steps)
		return b, p.rememberBuild(b.key, b.site)
	}
	b.key.Parts["tree"] = j.resolution.Tree.Hash
	return p.buildOnce(ctx, builders, j, b)
}

// unresolvedBefore finds the failure of a project whose dependencies could not be
// resolved.
func (p *Pipeline) unresolvedBefore(b *projectBuilders, m project.Package, key cache.Key) (*vitrine.Site, bool) {
	if _, ok := b.exact.Resolved(m); ok || p.cache.Dir == "" {
		return nil, false
	}
	return p.builtBefore(b.exact, key)
}

// buildOnce builds a project whose dependencies are resolved.
func (p *Pipeline) buildOnce(ctx context.Context, builders *projectBuilders, j projectJob, b built) (built, error) {
	var err error
	if p.cache.Dir == "" {
		b.site, err = p.buildWith(ctx, builders, j)
		return b, err
	}
	work := func() (*vitrine.Site, error) {
		if site, ok := p.builtBefore(builders.exact, b.key); ok {
			b.cached = true
			return site, nil
		}
		site, err := p.buildWith(ctx, builders, j)
		if err != nil {
			return nil, err
		}
		return site, p.rememberBuild(b.key, site)
	}
	site, shared, err := p.building.Do(ctx, b.key.Hash(), work, func(s *vitrine.Site) (*vitrine.Site, error) {
		own := *s
		return &own, nil
	})
	b.site, b.cached = site, b.cached || shared
	return b, err
}

// fileHashes identifies each file of an artifact, so that a person can be told
// which one differs.
func fileHashes(files []vitrine.File) map[string]string {
	hashes := map[string]string{}
	for _, f := range files {
		hashes[f.Path] = digest.Text(f.Content)
	}
	return hashes
}

// builtBefore finds a site in the cache whose files are still there.
func (p *Pipeline) builtBefore(builder *exact.Project, key cache.Key) (*vitrine.Site, bool) {
	var site vitrine.Site
	if _, ok := p.cache.Get(key, &site); !ok {
		return nil, false
	}
	if site.Failure != nil {
		return &site, true
	}
	root, ok := builder.Root(site.Hash)
	site.Root = root
	return &site, ok
}

// rememberBuild keeps a site or its failure. A build that ran out of time may
// have been a matter of load and is not kept.
func (p *Pipeline) rememberBuild(key cache.Key, site *vitrine.Site) error {
	if p.cache.Dir == "" || site.Failure != nil && site.Failure.Code == vitrine.FailureTimeout {
		return nil
	}
	return p.cache.Put(key, site, "")
}

// A sight is what was seen of a site, and where its frames are.
type sight struct {
	evidence *vitrine.Evidence
	dir      string
	key      cache.Key // empty: without a cache
	cached   bool
	// content identifies the evidence for good; empty if it was not kept.
	content string
}

// captured is what the cache says of a capture.
type captured struct {
	Content string `json:"content"`
}

// capture fills dir with frames and returns the evidence, from the cache if the
// same site was seen before with the same settings, browser and fonts, or from
// another sample that is just looking at it.
func (p *Pipeline) capture(ctx context.Context, site *vitrine.Site, dir string) (sight, error) {
	if p.cache.Dir == "" {
		ev, err := p.capturer.Site(ctx, site, p.settings.Capture, dir)
		return sight{evidence: ev, dir: dir}, err
	}
	version, err := p.browser.Version(ctx)
	if err != nil {
		return sight{}, err
	}
	made := p.made()
	key := cache.Key{Stage: "capture", Parts: map[string]any{
		"site": site.Hash, "base": site.Base, "routes": site.Routes, "settings": p.settings.Capture,
		"vitrine": made.Vitrine, "capture": made.Tools["capture"], "browser": version, "fonts": made.Fonts, "fixtures": made.Fixtures,
	}}
	work := func() (sight, error) {
		if s, ok := p.seenBefore(key, dir); ok {
			return s, nil
		}
		return p.lookAnew(ctx, key, site, dir)
	}
	s, _, err := p.looking.Do(ctx, key.Hash(), work, func(theirs sight) (sight, error) {
		ev := *theirs.evidence
		return sight{evidence: &ev, dir: dir, cached: true, content: theirs.content}, disk.LinkTree(theirs.dir, dir)
	})
	if err == nil {
		s.key, s.evidence.Site = key, *site
	}
	return s, err
}

// seenBefore takes evidence out of the cache. What cannot be taken whole, such as
// an entry that is being removed, is none.
func (p *Pipeline) seenBefore(key cache.Key, dir string) (sight, bool) {
	var kept captured
	files, ok := p.cache.Get(key, &kept)
	if !ok {
		return sight{}, false
	}
	err := disk.LinkTree(files, dir)
	if err == nil {
		var ev *vitrine.Evidence
		if ev, err = evidence.Load(dir); err == nil {
			return sight{evidence: ev, dir: dir, cached: true, content: kept.Content}, true
		}
	}
	_ = os.RemoveAll(dir) // a capture must not write into files that others share
	return sight{}, false
}

// lookAnew captures and keeps the evidence, unless it may be a matter of load.
func (p *Pipeline) lookAnew(ctx context.Context, key cache.Key, site *vitrine.Site, dir string) (sight, error) {
	ev, err := p.capturer.Site(ctx, site, p.settings.Capture, dir)
	if err != nil {
		return sight{}, err
	}
	if err := evidence.Save(dir, ev); err != nil || !lasting(ev) {
		return sight{evidence: ev, dir: dir}, err
	}
	content, err := evidence.ContentHash(dir, ev)
	if err != nil {
		return sight{}, err
	}
	return sight{evidence: ev, dir: dir, content: content}, p.cache.Put(key, captured{content}, dir)
}

// lasting reports whether a capture would come out the same again: one that ran
// out of time or crashed may have been a matter of load.
func lasting(ev *vitrine.Evidence) bool {
	for _, v := range ev.Views {
		if v.Validity.Reason == vitrine.InvalidTimeout || v.Validity.Reason == vitrine.InvalidCrashed || v.Validity.Valid && !v.Settled {
			return false
		}
	}
	return true
}
