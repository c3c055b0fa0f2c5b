package interact

import (
	"context"
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
}

// playTimeout is the allowance of one play, so that nothing hangs for ever: more than the
// longest deadline of an agent.
const playTimeout = 12 * time.Minute

// Play opens the site at route on a page of its own and runs play on it. What the page
// does wrong (it crashes, hangs, does not load) comes back as an invalid Validity,
// whatever play returned; errors are ours. Where the browser or the page's renderer dies under
// it, play is run once more from the start.
func (d *Driver) Play(ctx context.Context, route string, play func(context.Context, *Session) error) (vitrine.Validity, error) {
	var validity vitrine.Validity
	crashed := false
	err := d.Browser.Run(ctx, d.Viewport, func(ctx context.Context, tab *browser.Page) error {
		inner, cancel := tab.Allow(playTimeout).Context(ctx)
		defer cancel()
		inner, end := page.WithCrash(inner, tab)
		defer end()
		s := &Session{driver: d, raw: tab}
		err := s.Reset(inner, route)
		if err == nil {
			err = play(inner, s)
		}
		validity = vitrine.Validity{Valid: true}
		if err != nil {
			validity, err = s.blame(ctx, err)
			if validity.Reason == vitrine.InvalidCrashed && !crashed {
				crashed = true // whatever killed the renderer: it gets a second chance
				return browser.ErrPageCrashed
			}
		}
		return err
	})
	if isKiller(err) {
		return vitrine.Validity{Reason: vitrine.InvalidCrashed, Why: "the page ends browsers, or keeps them from answering"}, nil
	}
	return validity, err
}
