package interact

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/page"
)

// A Session is a site on an open page, operated by real input events. It is not safe for
// concurrent use.
type Session struct {
	// Exact compares the page after an action with the same page after the same page time
	// without the action, where something on it moves by itself. This costs a replay of
	// the actions so far.
	Exact bool
	// Sparing takes frames only of pages that draw their own pictures (canvas, video,
	// frames); on others, what an action changed is read from the document alone.
	Sparing bool
	// IgnoreEndless does not wait for animations that never end.
	IgnoreEndless bool
	// Frugal takes a frame after an action only if the document does not show what the
	// action did.
	Frugal bool
	// Brisk waits for an action no longer than for its first effect: on a page that never
	// rests, page time would pass that a player has for the next move.
	Brisk bool

	driver    *Driver
	tab       *browser.Page
	page      *page.Page // of the route of the last Reset
	recorder  *recorder
	pointer   point       // where it is
	scene     *Scene      // the last one observed, which marks refer to
	fresh     bool        // nothing was done and no page time has passed since the last Reset
	performed []performed // since the last Reset
	pictures  []*picture
}

// performed is an action that was carried out, with the page time, in milliseconds, that
// passed right before it and during it.
type performed struct {
	action     vitrine.Action
	before, ms int
}

const (
	settleMS      = 1000             // page time of a new document before it is observed
	actionMS      = 1000             // page time in which the effect of an action shows
	timerMS       = 4000             // the same if no effect showed and a timer set by the action is pending
	stepMS        = 100              // page time of the first look at an effect
	hoverMS       = 300              // page time for the effect of hovering
	actionTimeout = 10 * time.Second // allowance for a single action; a page that takes longer hangs
)

// Reset brings the session to the fresh state of a route: a new document, empty storage,
// page time at its start, nothing under the pointer. A session that is in it stays as it is.
func (s *Session) Reset(ctx context.Context, route string) error {
	if s.fresh && s.page.Route == route {
		return nil
	}
	if err := s.open(ctx, route); err != nil {
		return fmt.Errorf("reset the session to %s: %w", route, err)
	}
	s.performed, s.fresh = nil, true
	return nil
}

func (s *Session) open(ctx context.Context, route string) error {
	ctx, cancel := s.tab.Allow(3 * actionTimeout).Context(ctx)
	defer cancel()
	s.scene, s.fresh = nil, false
	cleared, err := s.clearStorage(ctx, route)
	if err != nil {
		return err
	}
	if cleared {
		err = s.page.Reopen(ctx, route)
	} else {
		err = s.openFresh(ctx, route)
	}
	if err != nil {
		return err
	}
	if _, _, err := s.settle(ctx, settleMS); err != nil {
		return err
	}
	_, err = cdp.Call(ctx, s.tab, cdppage.ResetNavigationHistory, cdp.Empty{})
	return err
}

// openFresh opens a route in a tab that is new or was reset as a whole.
func (s *Session) openFresh(ctx context.Context, route string) error {
	if s.page == nil {
		s.pointer = away
	} else {
		if err := s.point(ctx, away); err != nil {
			return err
		}
		if err := s.tab.Reset(ctx, page.Origin); err != nil {
			return err
		}
	}
	d := s.driver
	s.page = page.New(s.tab, route, page.Settings{
		Site: d.Site, Viewport: d.Viewport, Mirror: d.Mirror, Scripts: []string{recorderScript}, StaysOnSite: true, DaysBack: d.DaysBack,
	})
	s.recorder = &recorder{}
	if err := s.recorder.listen(ctx, s.tab); err != nil {
		return err
	}
	return s.page.Open(ctx)
}

// clearStorage clears what the page has stored, so that the next document can be opened in
// it: twice as fast as resetting the tab. It returns false for a page that needs that.
func (s *Session) clearStorage(ctx context.Context, route string) (bool, error) {
	if s.page == nil || strings.Contains(route, "#") || s.page.Network.Open() > 0 || s.recorder.flooded {
		return false, nil
	}
	if err := s.point(ctx, away); err != nil {
		return false, err
	}
	if err := s.recorder.sync(ctx, s.page, "true", nil); err != nil {
		return false, nil // the page does not answer
	}
	clean := false
	if err := s.tab.Eval(ctx, fmt.Sprintf("location.origin === %q && __vitrineRecorder.leave()", page.Origin), &clean); err != nil || !clean {
		return false, nil
	}
	s.recorder.reset()
	if err := s.tab.EndTasks(ctx); err != nil {
		return false, err
	}
	_, err := cdp.Call(ctx, s.tab, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: page.Origin, StorageTypes: "all"})
	return err == nil, err
}

// Records reports whether frames are written to a folder.
func (s *Session) Records() bool { return s.driver.Dir != "" }

// Browser is the product and version of the session's browser.
func (s *Session) Browser() string { return s.tab.BrowserVersion() }

// pass advances page time.
func (s *Session) pass(ctx context.Context, ms int) error {
	s.fresh = false
	_, err := s.page.Advance(ctx, ms)
	return err
}

// settle advances page time until no change is pending, at most by limit. It returns the
// page time that passed and whether the picture may have changed.
func (s *Session) settle(ctx context.Context, limit int) (ms int, stirred bool, err error) {
	ms, stirred, _, err = s.quiet(ctx, limit)
	return ms, stirred, err
}

// quiet is settle that also reports whether the page became quiet: no request is open, and
// nothing will change by itself within the next second of page time.
func (s *Session) quiet(ctx context.Context, limit int) (ms int, stirred, quiet bool, err error) {
	var seen struct {
		Next  int  `json:"next"`
		Stale bool `json:"stale"`
	}
	s.fresh = false
	for pointed := false; ms < limit; {
		step := min(s.page.Stride(seen.Next), limit-ms)
		ms += step
		ahead := max(limit-ms, actionMS)
		asked := func() string {
			return s.recorder.asks() + "{next: " + s.next(ahead+1) + ", stale: " + s.stale() + "}"
		}
		changed, err := s.page.Step(ctx, step, asked, &seen)
		stirred = stirred || changed
		if err == nil {
			err = s.recorder.arrive(ctx)
		}
		hover := err == nil && seen.Stale && !pointed
		if hover {
			seen.Next = 0 // which was before the page heard of it
			pointed, err = true, s.point(ctx, s.pointer)
		}
		if err != nil {
			return ms, true, false, err
		}
		if seen.Next > ahead && !hover && s.page.Network.Open() == 0 {
			return ms, stirred, true, nil
		}
	}
	return ms, stirred, false, nil
}

// changePending reports whether anything would change by itself within ms of page time: of what
// the session reads.
func (s *Session) changePending(ctx context.Context, ms int) (pending bool, err error) {
	next := 0
	err = s.page.Ask(ctx, s.next(ms+1), &next)
	return next <= ms, err
}

// next is [page.Next] of what the session reads.
func (s *Session) next(limit int) string { return page.Next(limit, s.IgnoreEndless) }

// classify returns the validity of a page that caused err, or else a fault of this stage.
func (s *Session) classify(ctx context.Context, err error) (vitrine.Validity, error) {
	if s.page == nil {
		return vitrine.Validity{}, err
	}
	return s.page.Classify(ctx, "interact", err)
}

// Missing are the addresses, since the document was opened, of files that the page wanted of
// its own site and that are not there.
func (s *Session) Missing() (all []string) {
	if s.page == nil {
		return nil
	}
	requests, _ := s.page.Network.Since(0)
	for _, r := range requests {
		if r.Result == "missing" {
			all = append(all, r.URL)
		}
	}
	return all
}
