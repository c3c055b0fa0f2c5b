package interact

import (
	"cmp"
	"context"
	"errors"
	"time"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/page"
)

// A Driver opens sessions: one site, one window. It is safe for concurrent use.
type Driver struct {
	Browser *browser.Supervisor
	// Mirror answers what pages ask other hosts for; nil blocks all of it.
	Mirror   page.Mirror
	Site     *vitrine.Site
	Viewport vitrine.Viewport
	// Dir is the evidence folder; frames go to Dir/trace. Empty writes none.
	Dir string
	// Limit is the allowance of one run, as the time that the page had a processor; 0 is
	// runTimeout.
	Limit time.Duration
	// DaysBack is how many days before 1 January 2026 pages begin.
	DaysBack int
}

// runTimeout is the allowance of one run, so that nothing hangs for ever: more than the
// longest deadline of an agent.
const runTimeout = 12 * time.Minute

// Run opens the site at route on a page of its own and calls do with it. What the page
// does wrong (it crashes, hangs, does not load) comes back as an invalid Validity,
// whatever do returned; errors are ours. Where the browser or the page's renderer dies under
// it, do is called once more from the start.
func (d *Driver) Run(ctx context.Context, route string, do func(context.Context, *Session) error) (vitrine.Validity, error) {
	var validity vitrine.Validity
	crashed := false
	err := d.Browser.Run(ctx, d.Viewport, func(ctx context.Context, tab *browser.Page) error {
		inner, cancel := tab.Allow(cmp.Or(d.Limit, runTimeout)).Context(ctx)
		defer cancel()
		inner, end := page.WithCrash(inner, tab)
		defer end()
		s := &Session{driver: d, tab: tab}
		err := s.Reset(inner, route)
		if err == nil {
			err = do(inner, s)
		}
		validity = vitrine.Validity{Valid: true}
		if err != nil {
			validity, err = s.classify(ctx, err)
			if validity.Reason == vitrine.InvalidCrashed && !crashed {
				crashed = true // whatever killed the renderer: it gets a second chance
				return browser.ErrPageCrashed
			}
		}
		return err
	})
	if errors.Is(err, browser.ErrKillsBrowser) {
		return vitrine.Validity{Reason: vitrine.InvalidCrashed, Why: "the page ends browsers, or keeps them from answering"}, nil
	}
	return validity, err
}
