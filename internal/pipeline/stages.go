package pipeline

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"vitrine"
	"vitrine/internal/build/component"
	"vitrine/internal/build/exact"
	"vitrine/internal/build/static"
	"vitrine/internal/capture"
	"vitrine/internal/store"
)

// build makes a site of an artifact, by the builder for its kind.
func (p *Pipeline) build(ctx context.Context, a *vitrine.Artifact) (site *vitrine.Site, cached bool, err error) {
	switch a.Kind {
	case vitrine.KindPage, vitrine.KindSVG:
		return static.Site(a), false, nil
	case vitrine.KindComponent:
		site, missing := component.Site(a)
		if len(missing) == 0 {
			return site, false, nil
		}
		site, cached, err = p.buildProject(ctx, component.Project(a, missing))
		if err == nil {
			site.Kind = vitrine.KindComponent
		}
		return site, cached, err
	case vitrine.KindProject:
		return p.buildProject(ctx, a)
	}
	return nil, false, vitrine.NewFault("build", vitrine.FaultUnsupportedKind, nil, "this version cannot show outputs of kind "+string(a.Kind))
}

// buildProject builds with npm, unless the same project was built before.
func (p *Pipeline) buildProject(ctx context.Context, a *vitrine.Artifact) (*vitrine.Site, bool, error) {
	builder, err := p.projects()
	if err != nil {
		return nil, false, err
	}
	key := store.Key("build", a.Files, builder.ToolVersions())
	if site, ok := p.builtBefore(builder, key); ok {
		return site, true, nil
	}
	if err := p.builds.Acquire(ctx, 1); err != nil {
		return nil, false, err
	}
	defer p.builds.Release(1)
	if site, ok := p.builtBefore(builder, key); ok { // while we waited
		return site, true, nil
	}
	site, err := builder.Build(ctx, a)
	if err != nil {
		return nil, false, err
	}
	return site, false, p.rememberBuild(key, site)
}

const siteFile = "site.json"

// builtBefore finds a site in the cache whose files are still there.
func (p *Pipeline) builtBefore(builder *exact.Project, key string) (*vitrine.Site, bool) {
	dir, ok := p.cache.Get("build", key)
	if !ok {
		return nil, false
	}
	b, err := os.ReadFile(filepath.Join(dir, siteFile))
	if err != nil {
		return nil, false
	}
	var site vitrine.Site
	if json.Unmarshal(b, &site) != nil {
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
func (p *Pipeline) rememberBuild(key string, site *vitrine.Site) error {
	if p.cache.Dir == "" || site.Failure != nil && site.Failure.Code == vitrine.FailureTimeout {
		return nil
	}
	b, err := json.Marshal(site)
	if err != nil {
		return err
	}
	return p.cache.PutFile("build", key, siteFile, b)
}

// capture fills dir with frames and returns the evidence, from the cache if the
// same site was seen before with the same settings, browser and fonts.
func (p *Pipeline) capture(ctx context.Context, site *vitrine.Site, dir string) (ev *vitrine.Evidence, cached bool, err error) {
	if p.cache.Dir == "" {
		ev, err = p.capturer.Site(ctx, site, p.settings.Capture, dir)
		return ev, false, err
	}
	version, err := p.browser.Version(ctx)
	if err != nil {
		return nil, false, err
	}
	key := store.Key("capture", site.Hash, site.Base, site.Routes, p.settings.Capture, vitrine.Version, capture.Version, version, p.fonts())
	if kept, ok := p.cache.Get("capture", key); ok {
		if ev, err := store.LoadEvidence(kept); err == nil {
			ev.Site = *site
			return ev, true, store.LinkTree(kept, dir)
		}
	}
	ev, err = p.capturer.Site(ctx, site, p.settings.Capture, dir)
	if err != nil || !lasting(ev) {
		return ev, false, err
	}
	if err := store.SaveEvidence(dir, ev); err != nil {
		return nil, false, err
	}
	return ev, false, p.cache.Put("capture", key, dir)
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
