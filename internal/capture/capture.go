package capture

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/page"
)

// Version is part of the cache key of every capture: it changes whenever the
// same site could give other evidence.
const Version = "15"

// Defaults of CaptureSettings, and limits that no setting changes.
const (
	DefaultMaxRoutes = 8
	DefaultMaxHeight = 8000

	settleMS    = 1000             // page time before the first frame
	revealMS    = 700              // more page time where scrolling may have revealed something
	viewTimeout = 90 * time.Second // allowance for one view
	siteTimeout = 5 * time.Minute  // allowance for all views of a site, after which no view is started
	maxElements = 3000
	maxLinks    = 500
	maxText     = 20000
)

// WithDefaults returns s with its zero fields set to the defaults.
func WithDefaults(s vitrine.CaptureSettings) vitrine.CaptureSettings {
	if len(s.Viewports) == 0 {
		s.Viewports = []vitrine.Viewport{vitrine.Desktop}
	}
	if len(s.TimesMS) == 0 {
		s.TimesMS = []int{0, 1000, 2000}
	}
	if s.MaxRoutes == 0 {
		s.MaxRoutes = DefaultMaxRoutes
	}
	if s.MaxHeight == 0 {
		s.MaxHeight = DefaultMaxHeight
	}
	return s
}

// A Capturer captures sites with the pages of one supervisor. It is safe for
// concurrent use.
type Capturer struct {
	Browser *browser.Supervisor
	// Mirror answers requests to other hosts; nil blocks all of them.
	Mirror page.Mirror
}

// Site visits every route of the site and writes the frames below dir/frames.
// A site that does not load, hangs, crashes or shows nothing is evidence with an
// invalid render, not an error; an error is a failure of Vitrine or of the machine.
func (c *Capturer) Site(ctx context.Context, site *vitrine.Site, settings vitrine.CaptureSettings, dir string) (*vitrine.Evidence, error) {
	settings = WithDefaults(settings)
	if err := os.MkdirAll(filepath.Join(dir, "frames"), 0o755); err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	ev := &vitrine.Evidence{
		Schema: vitrine.EvidenceSchema, Tool: vitrine.Version, Settings: settings,
		Site: *site, SiteHash: site.Hash,
	}
	if IsPictures(site) {
		return ev, c.pictures(ctx, site, ev, dir)
	}
	routes := newRouteList(site.Routes, settings.MaxRoutes)
	var spent time.Duration
	for i, viewport := range settings.Viewports {
		p := &pass{capturer: c, site: site, evidence: ev, dir: dir, viewport: viewport, first: i == 0, routes: routes, spent: &spent}
		if err := p.run(ctx); err != nil {
			return nil, err
		}
		if !ev.Views[0].Validity.Valid {
			break // the first view is invalid, so the others would be, too
		}
		routes = p.visited
	}
	ev.Validity = ev.Views[0].Validity
	sortByRoute(ev)
	markDeadLinks(site, ev)
	return ev, nil
}

// hangsOrCrashes reports whether the view made its page hang or crash.
func hangsOrCrashes(v vitrine.View) bool {
	return v.Validity.Reason == vitrine.InvalidTimeout || v.Validity.Reason == vitrine.InvalidCrashed
}
