package pipeline

import (
	"context"
	"os"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/build/plot"
	"vitrine/internal/cache"
	"vitrine/internal/capture"
	"vitrine/internal/disk"
	"vitrine/internal/evidence"
	"vitrine/internal/reward"
)

// build makes the site of an artifact, as strictly as the recipe asks. Files are what its
// task gives to plots.
func (p *Pipeline) build(ctx context.Context, a *vitrine.Artifact, files ...vitrine.File) (build.Result, error) {
	return p.builder.Build(ctx, a, build.Options{Lenient: p.settings.Recipe.Build == reward.BuildLenient, Files: files})
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
// an entry that is being removed, counts as missing.
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

// lacksPlotly is a fault where a plot is a figure of plotly and this machine does not have
// plotly's script: such a plot is not blank, it cannot be drawn here. The page is not
// asked: what it does is up to the program.
func (p *Pipeline) lacksPlotly(ctx context.Context, site *vitrine.Site) error {
	if site.Kind != vitrine.KindPlot || capture.IsPictures(site) {
		return nil
	}
	if p.settings.Fixtures != nil {
		if _, ok := p.settings.Fixtures.Answer(plot.PlotlyScript, "Script"); ok {
			return nil
		}
	}
	return vitrine.NewFault("capture", vitrine.FaultUnsupportedKind, nil, "figures of plotly are drawn by its script, which this machine does not have").
		WithFix("vitrine fixtures add plotly.js-dist-min@2.35.2")
}
