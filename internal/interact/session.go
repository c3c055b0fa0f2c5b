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
	// Exact holds what an action changed against the same page after the same page time
	// without the action, wherever something moves by itself. It costs another run of
	// the actions so far.
	Exact bool
	// Sparing takes no frames, except where the page draws pictures of its own (canvas,
	// video, frames): what an action changed is read from the document alone.
	Sparing bool
	// Frugal takes the picture after an action only where the document does not tell what
	// it did.
	Frugal bool

	driver    *Driver
	tab       *browser.Page
	page      *page.Page // of the route that the session was reset to last
	recorder  *recorder
	scene     *Scene      // looked at last: what marks stand for
	performed []performed // since the session was reset
	pictures  []*picture
}

// performed is an action that was carried out, with the page time that passed right before
// it and with it.
type performed struct {
	action     vitrine.Action
	before, ms int
}

const (
	settleMS      = 1000             // page time of a new document before it is looked at
	actionMS      = 1000             // page time in which an action shows what it does
	timerMS       = 4000             // the same where nothing showed and a timer of the action runs
	stepMS        = 100              // page time between two looks at whether anything stirs
	hoverMS       = 300              // page time for what happens on hovering
	actionTimeout = 10 * time.Second // allowance of a single action: what hangs longer hangs
)

// Reset brings the session to the fresh state of a route: a new document, empty storage,
// page time at its start, nothing under the pointer.
func (s *Session) Reset(ctx context.Context, route string) error {
	if err := s.open(ctx, route); err != nil {
		return fmt.Errorf("reset the session to %s: %w", route, err)
	}
	s.performed = nil
	return nil
}

func (s *Session) open(ctx context.Context, route string) error {
	ctx, cancel := s.tab.Allow(3 * actionTimeout).Context(ctx)
	defer cancel()
	s.scene = nil
	again, err := s.wipe(ctx, route)
	if err != nil {
		return err
	}
	if again {
		err = s.page.Reopen(ctx, route)
	} else {
		err = s.fresh(ctx, route)
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

// fresh opens a route on a page that is new, or is made so.
func (s *Session) fresh(ctx context.Context, route string) error {
	if s.page != nil {
		if err := s.point(ctx, away); err != nil {
			return err
		}
		if err := s.tab.Reset(ctx, page.Origin); err != nil {
			return err
		}
	}
	d := s.driver
	s.page = page.New(s.tab, route, page.Settings{
		Site: d.Site, Viewport: d.Viewport, Mirror: d.Mirror, Scripts: []string{recorderScript}, StaysOnSite: true,
	})
	s.recorder = &recorder{}
	if err := s.recorder.listen(ctx, s.tab); err != nil {
		return err
	}
	return s.page.Open(ctx)
}

// wipe takes away what the page has stored, where that is all that is to be done before
// the next document: twice as fast as a page that is made new. It says whether it was.
func (s *Session) wipe(ctx context.Context, route string) (bool, error) {
	if s.page == nil || strings.Contains(route, "#") || s.page.Network.Open() > 0 || s.recorder.flooded {
		return false, nil
	}
	if err := s.point(ctx, away); err != nil {
		return false, err
	}
	if err := s.recorder.sync(ctx, s.page); err != nil {
		return false, nil // the page is in no state for it
	}
	clean := false
	if err := s.tab.Eval(ctx, fmt.Sprintf("location.origin === %q && __vitrineRecorder.leave()", page.Origin), &clean); err != nil || !clean {
		return false, nil
	}
	s.recorder.reset()
	_, err := cdp.Call(ctx, s.tab, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: page.Origin, StorageTypes: "all"})
	return err == nil, err
}

// Records reports whether frames are written to a folder.
func (s *Session) Records() bool { return s.driver.Dir != "" }

// Browser is the product and version behind the session.
func (s *Session) Browser() string { return s.tab.BrowserVersion() }

// pass lets page time pass.
func (s *Session) pass(ctx context.Context, ms int) error {
	_, err := s.page.Advance(ctx, ms)
	return err
}

// settle lets page time pass until nothing stirs, at most limit. It says how much
// passed, whether the picture may have changed, and whether the page became quiet: for
// good, as far as a whole second goes.
func (s *Session) settle(ctx context.Context, limit int) (ms int, stirred bool, err error) {
	ms, stirred, _, err = s.quiet(ctx, limit)
	return ms, stirred, err
}

func (s *Session) quiet(ctx context.Context, limit int) (ms int, stirred, quiet bool, err error) {
	for ms < limit {
		step := min(stepMS, limit-ms)
		changed, err := s.page.Advance(ctx, step)
		if err != nil {
			return ms, true, false, err
		}
		ms += step
		stirred = stirred || changed
		if err := s.recorder.sync(ctx, s.page); err != nil {
			return ms, true, false, err
		}
		stirs, err := s.stirs(ctx, max(limit-ms, actionMS))
		if err != nil {
			return ms, true, false, err
		}
		if !stirs && s.page.Network.Open() == 0 {
			return ms, stirred, true, nil
		}
	}
	return ms, stirred, false, nil
}

// stirs says whether anything would change by itself within ms of page time.
func (s *Session) stirs(ctx context.Context, ms int) (stirs bool, err error) {
	err = s.page.Clock(ctx, fmt.Sprintf("stirs(%d)", ms), &stirs)
	return stirs, err
}

// blame tells what the page did wrong from what is ours.
func (s *Session) classify(ctx context.Context, err error) (vitrine.Validity, error) {
	if s.page == nil {
		return vitrine.Validity{}, err
	}
	return s.page.Classify(ctx, "interact", err)
}
