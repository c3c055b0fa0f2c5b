package capture

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/animation"
	"github.com/chromedp/cdproto/cdp"

	"vitrine"
	"vitrine/internal/browser"
)

//go:embed scripts/clock.js
var clockScript string

// clockName is how the clock is named in stacks: the sourceURL of the script.
const clockName = "vitrine-clock.js"

//go:embed scripts/ready.js
var readyScript string

// A visit is one route at one viewport on one page.
type visit struct {
	site     *vitrine.Site
	settings vitrine.CaptureSettings
	dir      string
	route    string
	viewport vitrine.Viewport
	axe      bool
	mirror   Mirror

	page    *browser.Page
	start   time.Time
	console *consoleLog
	network *networkLog
	linked  []string // paths of the same origin that the page links to
	settled bool

	axeLoaded chan struct{} // closed when axe-core is there, or will not be
	pace      pace
}

func newVisit(p *pass, route string) *visit {
	v := &visit{
		site: &p.evidence.Site, settings: p.evidence.Settings, dir: p.dir, route: route, viewport: p.viewport,
		axe: p.first, mirror: p.Mirror, start: time.Now(),
	}
	v.console = &consoleLog{visit: v}
	v.network = &networkLog{visit: v}
	return v
}

// newView is a view in which nothing was seen yet.
func newView(route string, viewport vitrine.Viewport) vitrine.View {
	return vitrine.View{Route: route, Viewport: viewport, Frames: []vitrine.Frame{}, Elements: []vitrine.Element{}, Links: []vitrine.Link{}}
}

// run makes the visit. What the page does wrong becomes the view's validity.
func (v *visit) run(ctx context.Context, p *browser.Page) (vitrine.View, error) {
	v.page = p
	view := newView(v.route, v.viewport)
	ctx, cancel := withCrash(ctx, p)
	defer cancel()
	err := v.gather(ctx, &view)
	v.console.stop()
	if err == nil {
		return view, nil
	}
	validity, err := v.blame(ctx, err)
	view.Validity = validity
	return view, err
}

// withCrash ends ctx when the page's renderer dies.
func withCrash(ctx context.Context, p *browser.Page) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-p.Crashed():
			cancel(browser.ErrPageCrashed)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// blame tells the page's failures, which are data, from ours.
func (v *visit) blame(ctx context.Context, err error) (vitrine.Validity, error) {
	invalid := func(reason vitrine.InvalidReason, why string) (vitrine.Validity, error) {
		return vitrine.Validity{Reason: reason, Why: why}, nil
	}
	late := errors.Is(err, browser.ErrDeadline) || errors.Is(err, context.DeadlineExceeded)
	switch {
	case errors.Is(err, browser.ErrPageCrashed):
		return invalid(vitrine.InvalidCrashed, "the page crashed its renderer")
	case errors.Is(err, browser.ErrNavigation):
		return invalid(vitrine.InvalidLoadFailed, "the page did not load: "+err.Error())
	case errors.Is(err, errNeverLoads):
		return invalid(vitrine.InvalidTimeout, err.Error())
	case late && v.page.Alive(context.WithoutCancel(ctx)):
		return invalid(vitrine.InvalidTimeout, "the page keeps its main thread busy and does not answer")
	case errors.Is(err, errReplaced) || isGone(err):
		return invalid(vitrine.InvalidLoadFailed, "the page replaces its document again and again, or broke what scripts stand on")
	case late:
		return vitrine.Validity{}, vitrine.NewFault("capture", vitrine.FaultCaptureTimeout, err, "the browser did not answer in time")
	}
	return vitrine.Validity{}, err
}

// gather fills in the view.
func (v *visit) gather(ctx context.Context, view *vitrine.View) error {
	if err := v.open(ctx); err != nil {
		return err
	}
	if _, err := v.advance(ctx, settleMS); err != nil {
		return err
	}
	var scrolled bool
	if err := v.clock(ctx, fmt.Sprintf("sweep(%d)", v.settings.MaxHeight), &scrolled); err != nil {
		return err
	}
	if scrolled {
		if _, err := v.advance(ctx, revealMS); err != nil {
			return err
		}
	}
	view.Settled = v.settled
	view.LoadMS = float64(time.Since(v.start).Microseconds()) / 1000
	shots := &frames{visit: v, view: view}
	defer shots.thumb.Wait() // also where the visit ends early
	if err := shots.take(ctx, v.settings.TimesMS[0]); err != nil {
		return err
	}
	if err := v.read(ctx, view, shots.first); err != nil {
		return err
	}
	for _, ms := range v.settings.TimesMS[1:] {
		if err := shots.take(ctx, ms); err != nil {
			return err
		}
	}
	if !view.Validity.Valid && len(v.settings.TimesMS) > 1 {
		// A page may mount late: what the last frame shows counts.
		if err := v.read(ctx, view, shots.last); err != nil {
			return err
		}
	}
	return shots.finish()
}

// read runs the probes on the page as it stands, with the frame that shows it.
func (v *visit) read(ctx context.Context, view *vitrine.View, shot *shot) error {
	dom, err := v.probeDOM(ctx, view)
	if err != nil {
		return err
	}
	probeColours(view, shot)
	view.Validity = judgeValidity(view, dom, v.console)
	if outside := v.network.blockedScript(); !view.Validity.Valid && outside != "" {
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

var (
	errNeverLoads = errors.New("the page never finished loading")
	errReplaced   = errors.New("the page took away the document while it was looked at")
)

// open navigates and waits for signals that the document is there.
func (v *visit) open(ctx context.Context) error {
	if err := v.console.start(ctx, v.page); err != nil {
		return err
	}
	if err := v.page.Init(ctx, clockScript); err != nil {
		return err
	}
	if err := v.network.start(ctx, v.page); err != nil {
		return err
	}
	if err := v.stillAnimations(ctx); err != nil {
		return err
	}
	if err := v.page.Navigate(ctx, origin+joinBase(v.site.Base, v.route)); err != nil {
		return err
	}
	return v.wait(ctx, 15*time.Second)
}

// stillAnimations keeps real time from moving animations. The compositor would else
// run them by its own clock until the page's clock first sees them, and may go on
// showing what it last made of them.
func (v *visit) stillAnimations(ctx context.Context) error {
	_, err := cdp.Call(ctx, v.page, animation.Enable, cdp.Empty{})
	if err == nil {
		_, err = cdp.Call(ctx, v.page, animation.SetPlaybackRate, animation.SetPlaybackRateParams{PlaybackRate: 0})
	}
	return err
}

// advance lets page time pass in steps, waiting after each for what the page
// asked for meanwhile. It reports whether the picture may have changed.
func (v *visit) advance(ctx context.Context, ms int) (changed bool, err error) {
	const step = 100
	for done := 0; done < ms; done += step {
		before := v.network.traffic.Total()
		v.pace.began = time.Now()
		var stirred bool
		if err := v.clock(ctx, fmt.Sprintf("advance(%d)", min(step, ms-done)), &stirred); err != nil {
			return changed, err
		}
		changed = changed || stirred
		if err := v.keepPace(ctx); err != nil {
			return changed, err
		}
		if v.network.traffic.Total() == before && v.network.traffic.Open() == 0 {
			continue
		}
		changed = true
		if err := v.wait(ctx, 3*time.Second); err != nil {
			return changed, err
		}
	}
	return changed, nil
}

// wait polls the page until it waits for nothing any more: loaded, no image or
// font under way, no request open, twice in a row.
func (v *visit) wait(ctx context.Context, limit time.Duration) error {
	until := time.Now().Add(limit)
	quiet := 0
	for {
		var ready struct {
			Loaded bool `json:"loaded"`
			Images int  `json:"images"`
			Fonts  bool `json:"fonts"`
		}
		err := v.page.EvalIsolated(ctx, readyScript, &ready)
		if err != nil && !isGone(err) {
			return err
		}
		if err == nil && ready.Loaded && ready.Images == 0 && !ready.Fonts && v.network.traffic.Open() == 0 {
			if quiet++; quiet == 2 {
				v.settled = true
				return nil
			}
			continue
		}
		quiet = 0
		if time.Now().After(until) {
			v.settled = false
			if !ready.Loaded {
				return errNeverLoads
			}
			return nil
		}
		pause(ctx, 2*time.Millisecond)
	}
}

// isGone reports that the document was replaced by another while it was asked.
func isGone(err error) bool {
	var protocol *browser.ProtocolError
	return errors.As(err, &protocol)
}

// clock calls a function of the page's clock. A page that goes elsewhere meanwhile
// is waited for and asked once more.
func (v *visit) clock(ctx context.Context, call string, out any) error {
	for again := false; ; again = true {
		err := v.page.Eval(ctx, "__vitrine."+call, out)
		var thrown *browser.EvalError // the page, not the clock, broke what the clock stands on
		if !isGone(err) && !errors.As(err, &thrown) {
			return err
		}
		if again {
			return fmt.Errorf("%w: %w", errReplaced, err)
		}
		if err := v.wait(ctx, 3*time.Second); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// quote writes a value as a JavaScript literal.
func quote(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // only called with plain values of ours
	}
	return string(b)
}
