package capture

import (
	"context"
	"fmt"
	"time"

	"vitrine"
	"vitrine/internal/page"
)

// A visit is one route at one viewport on one page.
type visit struct {
	page     *page.Page
	settings vitrine.CaptureSettings
	dir      string
	axe      bool
	linked   []string // paths of the same origin that the page links to

	documents []page.Document // of the page and its frames; empty for a single document without shadow trees

	axeLoaded chan struct{} // closed when loading axe-core has succeeded or failed
}

// newView is a view without frames or elements.
func newView(route string, viewport vitrine.Viewport) vitrine.View {
	return vitrine.View{Route: route, Viewport: viewport, Frames: []vitrine.Frame{}, Elements: []vitrine.Element{}, Links: []vitrine.Link{}}
}

// run opens the page and gathers the view. A failure that the page caused becomes the
// view's validity.
func (v *visit) run(ctx context.Context) (vitrine.View, error) {
	view := newView(v.page.Route, v.page.Settings.Viewport)
	ctx, cancel := page.WithCrash(ctx, v.page.Tab)
	defer cancel()
	err := v.gather(ctx, &view)
	v.page.Console.Stop()
	if err == nil {
		return view, nil
	}
	validity, err := v.page.Classify(ctx, "capture", err)
	view.Validity = validity
	return view, err
}

// gather fills in the view.
func (v *visit) gather(ctx context.Context, view *vitrine.View) error {
	if err := v.page.Open(ctx); err != nil {
		return err
	}
	if _, err := v.page.Advance(ctx, settleMS); err != nil {
		return err
	}
	var scrolled bool
	if err := v.page.Clock(ctx, fmt.Sprintf("sweep(%d)", v.settings.MaxHeight), &scrolled); err != nil {
		return err
	}
	if scrolled {
		if _, err := v.page.Advance(ctx, revealMS); err != nil {
			return err
		}
	}
	if err := v.settleTrees(ctx); err != nil {
		return err
	}
	view.Settled = v.page.Settled
	view.LoadMS = float64(time.Since(v.page.Start).Microseconds()) / 1000
	shots := &frames{visit: v, view: view}
	defer shots.thumb.Wait() // also where the visit ends early
	if err := shots.take(ctx, v.settings.TimesMS[0]); err != nil {
		return err
	}
	if err := v.read(ctx, view, shots.first); err != nil {
		return err
	}
	if !view.Validity.Valid {
		view.Frames[0].Invalid = new(view.Validity)
	}
	for _, ms := range v.settings.TimesMS[1:] {
		if err := shots.take(ctx, ms); err != nil {
			return err
		}
	}
	if !view.Validity.Valid && len(v.settings.TimesMS) > 1 {
		// A page may render its content late: probe it again with the last frame.
		if err := v.reveal(ctx); err != nil {
			return err
		}
		if err := v.read(ctx, view, shots.last); err != nil {
			return err
		}
	}
	return shots.finish()
}

// read runs the probes on the current state of the page, of which shot is the frame.
func (v *visit) read(ctx context.Context, view *vitrine.View, shot *shot) error {
	dom, err := v.probeDOM(ctx, view)
	if err != nil {
		return err
	}
	probeColors(view, shot)
	if err := v.probeContent(ctx, view, shot); err != nil {
		return err
	}
	view.Validity = judgeValidity(view, dom, v.page.Console)
	if outside := v.page.Network.BlockedScript(); !view.Validity.Valid && outside != "" {
		view.Validity.Why += " (it asks for scripts from outside, which are not fetched, such as " + outside + ")"
	}
	if v.axe && view.Validity.Valid {
		if err := v.probeAxe(ctx, view); err != nil {
			return err
		}
		return v.probeAccessibility(ctx, view)
	}
	return nil
}
