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
const Version = "12"

// Defaults of CaptureSettings, and bounds that are not worth a setting.
const (
	DefaultMaxRoutes = 8
	DefaultMaxHeight = 8000

	settleMS    = 1000             // page time before the first frame
	revealMS    = 700              // more page time where scrolling may have revealed something
	viewTimeout = 90 * time.Second // allowance of one view
	siteTimeout = 5 * time.Minute  // allowance of all views of a site, after which none is begun
	maxElements = 3000
	maxLinks    = 500
	maxText     = 20000
)

// WithDefaults fills in what a user left open.
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
	// Mirror answers what pages ask other hosts for; nil blocks all of it.
	Mirror page.Mirror
}

// Site visits every route of the site and writes the frames below dir/frames.
// A site that does not load, hangs, crashes or shows nothing is evidence with an
// invalid render, not an error; errors are ours and carry a *vitrine.Fault.
func (c *Capturer) Site(ctx context.Context, site *vitrine.Site, settings vitrine.CaptureSettings, dir string) (*vitrine.Evidence, error) {
	settings = WithDefaults(settings)
	if err := os.MkdirAll(filepath.Join(dir, "frames"), 0o755); err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	ev := &vitrine.Evidence{
		Schema: vitrine.EvidenceSchema, Tool: vitrine.Version, Settings: settings,
		Site: *site, SiteHash: site.Hash,
	}
	routes := newRouteList(site.Routes, settings.MaxRoutes)
	var spent time.Duration
	for i, viewport := range settings.Viewports {
		p := &pass{capturer: c, site: site, evidence: ev, dir: dir, viewport: viewport, first: i == 0, routes: routes, spent: &spent}
		if err := p.run(ctx); err != nil {
			return nil, err
		}
		if !ev.Views[0].Validity.Valid {
			break // nothing is mounted: other windows and routes show the same nothing
		}
		routes = p.visited
	}
	ev.Validity = ev.Views[0].Validity
	byRoute(ev)
	markDeadLinks(site, ev)
	return ev, nil
}

func hangs(v vitrine.View) bool {
	return v.Validity.Reason == vitrine.InvalidTimeout || v.Validity.Reason == vitrine.InvalidCrashed
}
