package page

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/animation"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/sandbox"
)

//go:embed scripts/clock.js
var clockScript string

// clockName is how the clock is named in stacks: the sourceURL of the script.
const clockName = "vitrine-clock.js"

// UnclobberScript is a JavaScript function for the isolated world. It returns a view of an
// element that is safe from DOM clobbering: its members are the browser's, whatever a form
// calls its fields.
//
//go:embed scripts/own.js
var UnclobberScript string

//go:embed scripts/ready.js
var readyScript string

// Settings are what a page is opened with.
type Settings struct {
	Site     *vitrine.Site
	Viewport vitrine.Viewport
	// Mirror answers requests to other hosts; nil blocks all of them.
	Mirror Mirror
	// Scripts run in every document after the clock and before any script of the page.
	Scripts []string
	// StaysOnSite cancels navigations to other hosts; without it they show an error page.
	StaysOnSite bool
	// DaysBack is how many days before 1 January 2026 the clock begins.
	DaysBack int
}

// clock is the script of virtual time, from the day on which it begins.
func (s *Settings) clock() string {
	return strings.Replace(clockScript, "DAYS_BACK = 0", fmt.Sprintf("DAYS_BACK = %d", s.DaysBack), 1)
}

// A Page is one route of a site, opened in a tab under virtual time. It is not safe for
// concurrent use.
type Page struct {
	Tab      *browser.Page
	Settings Settings
	Route    string
	Start    time.Time // wall time; messages and requests are dated relative to it
	Console  *Console
	Network  *Network
	Settled  bool // the page had become quiet when it was last waited for

	throttle  throttle
	frames    frames
	acting    sandbox.Allowance // without a limit, since the page was opened or began its last action
	documents atomic.Int64      // shown since the page was opened or the last BeginAction
}

// maxDocuments bounds the documents that one load may go through: more than any chain of
// redirects needs.
const maxDocuments = 5

// New makes the page of a route in a tab, which [Page.Open] opens.
func New(tab *browser.Page, route string, s Settings) *Page {
	start := time.Now()
	return &Page{
		Tab: tab, Settings: s, Route: route, Start: start, acting: tab.Allow(0),
		Console: &Console{viewport: s.Viewport.Name, route: route, since: start},
		Network: &Network{settings: s, route: route, since: start},
	}
}

// WithCrash ends ctx when the page's renderer dies.
func WithCrash(ctx context.Context, tab *browser.Page) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-tab.Crashed():
			cancel(browser.ErrPageCrashed)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

var (
	errNeverLoads = errors.New("the page never finished loading")
	errReplaced   = errors.New("the page took away the document while it was looked at")
)

// Classify decides what caused err. If it was the page, Classify returns the page's
// validity and no error; otherwise a fault of the given stage, or err itself. For a page
// that was late on a shared browser but answers now it returns browser.ErrContended:
// only a page that is late alone is invalid.
func (p *Page) Classify(ctx context.Context, stage string, err error) (vitrine.Validity, error) {
	invalid := func(reason vitrine.InvalidReason, why string) (vitrine.Validity, error) {
		return vitrine.Validity{Reason: reason, Why: why}, nil
	}
	var thrown *browser.EvalError
	neverLoads, unreachable := errors.Is(err, errNeverLoads), errors.Is(err, browser.ErrNavigation)
	switch {
	case errors.Is(err, browser.ErrPageCrashed):
		return invalid(vitrine.InvalidCrashed, "the page crashed its renderer")
	case (neverLoads || unreachable) && p.Tab.Shared:
		return vitrine.Validity{}, fmt.Errorf("%w: %w", browser.ErrContended, err)
	case neverLoads && (p.Tab.Starved() || p.crowded()): // the processes that load it had no CPU time, though the page answers
		return vitrine.Validity{}, sandbox.StarvedFault(stage)
	case neverLoads:
		return invalid(vitrine.InvalidTimeout, err.Error())
	case unreachable:
		return invalid(vitrine.InvalidLoadFailed, "the page did not load: "+err.Error())
	case errors.Is(err, errReplaced) || isProtocolError(err) || errors.As(err, &thrown):
		return invalid(vitrine.InvalidLoadFailed, "the page replaces its document again and again, or broke what scripts stand on")
	case errors.Is(err, browser.ErrDeadline) || errors.Is(err, context.DeadlineExceeded):
		return p.classifyTimeout(context.WithoutCancel(ctx), stage, err)
	}
	return vitrine.Validity{}, err
}

// classifyTimeout finds out what was late: the page, another page on its browser, the
// browser or the machine.
func (p *Page) classifyTimeout(ctx context.Context, stage string, err error) (vitrine.Validity, error) {
	starved := p.Tab.Starved()
	if starved && !p.Tab.Shared {
		return vitrine.Validity{}, sandbox.StarvedFault(stage)
	}
	life := p.Tab.Alive(ctx)
	switch {
	case !life.Browser:
		return vitrine.Validity{}, vitrine.NewFault(stage, vitrine.FaultCaptureTimeout, err, "the browser did not answer in time")
	case p.documents.Load() > maxDocuments: // Wait was not called after the last of them
		return vitrine.Validity{Reason: vitrine.InvalidLoadFailed, Why: "the page replaces its document again and again"}, nil
	case (!life.Hangs || starved) && p.Tab.Shared:
		return vitrine.Validity{}, fmt.Errorf("%w: %w", browser.ErrContended, err)
	case !life.Hangs && p.crowded(): // it is slow, but so was the machine
		return vitrine.Validity{}, sandbox.StarvedFault(stage)
	}
	return vitrine.Validity{Reason: vitrine.InvalidTimeout, Why: "the page keeps its main thread busy and does not answer"}, nil
}

// crowded reports that the machine was busy with other work: during the last action, which may
// have been late by itself, or since the page was opened, where all actions together were.
func (p *Page) crowded() bool { return p.acting.Crowded() || p.Tab.Crowded() }

// Open navigates and waits until the document has loaded. Page time is 0 then.
func (p *Page) Open(ctx context.Context) error {
	p.Console.start(ctx, p.Tab)
	p.countDocuments()
	p.frames = frames{count: p.Tab.CountFrames(), known: map[string]runtime.RemoteObjectID{}}
	for _, script := range append([]string{p.Settings.clock()}, p.Settings.Scripts...) {
		if err := p.Tab.Init(ctx, script); err != nil {
			return err
		}
	}
	if err := p.Network.start(ctx, p.Tab); err != nil {
		return err
	}
	if err := p.pauseAnimations(ctx); err != nil {
		return err
	}
	return p.load(ctx)
}

func (p *Page) load(ctx context.Context) error {
	if err := p.Tab.Navigate(ctx, Origin+JoinBase(p.Settings.Site.Base, p.Route)); err != nil {
		return err
	}
	return p.Wait(ctx, 15*time.Second)
}

// Reopen opens a route on a page that is open, with the settings of Open: in a new document,
// with empty records of messages and requests. The caller clears the storage. Reopen must
// not be used for a route with a fragment, which may not load a new document.
func (p *Page) Reopen(ctx context.Context, route string) error {
	p.Route, p.Start, p.throttle = route, time.Now(), throttle{}
	p.BeginAction()
	p.Console.renew(route, p.Start)
	p.Network.renew(route, p.Start)
	return p.load(ctx)
}

// BeginAction restarts the count of documents, of which an action may open others, and what
// is known of how busy the machine is.
func (p *Page) BeginAction() {
	p.documents.Store(0)
	p.acting = p.Tab.Allow(0)
}

// countDocuments counts the documents of the page, without those of its frames.
func (p *Page) countDocuments() {
	p.Tab.On(page.FrameNavigated.Method, func(raw jsonv2.Value) {
		var e page.EventFrameNavigated
		if jsonv2.Unmarshal(raw, &e) == nil && e.Frame != nil && e.Frame.ParentID == "" {
			p.documents.Add(1)
		}
	})
}

// pauseAnimations keeps real time from moving animations. Otherwise the compositor would
// run them by its own clock until the page clock first finds them, and might keep showing
// its last state of them.
func (p *Page) pauseAnimations(ctx context.Context) error {
	_, err := cdp.Call(ctx, p.Tab, animation.Enable, cdp.Empty{})
	if err == nil {
		_, err = cdp.Call(ctx, p.Tab, animation.SetPlaybackRate, animation.SetPlaybackRateParams{PlaybackRate: 0})
	}
	return err
}

// Wait polls the page until it is quiet twice in a row: loaded, with no image, font or
// request pending. The limit is an allowance (see [browser.Page.Allow]).
func (p *Page) Wait(ctx context.Context, limit time.Duration) error {
	allowed := p.Tab.Allow(limit)
	quiet := 0
	for {
		if p.documents.Load() > maxDocuments {
			return errReplaced
		}
		ready, err := p.ready(ctx)
		if err != nil && !isProtocolError(err) {
			return err
		}
		if err == nil && ready.quiet() && p.Network.traffic.Open() == 0 {
			if quiet++; quiet == 2 {
				p.Settled = true
				return nil
			}
			continue
		}
		quiet = 0
		if allowed.Left() <= 0 {
			p.Settled = false
			if !ready.Loaded {
				return errNeverLoads
			}
			return nil
		}
		pause(ctx, 2*time.Millisecond)
	}
}

// isProtocolError reports whether err is an error of the DevTools protocol: the document was
// replaced during the call.
func isProtocolError(err error) bool {
	var protocol *browser.ProtocolError
	return errors.As(err, &protocol)
}

// Clock calls a function of the page clock.
func (p *Page) Clock(ctx context.Context, call string, out any) error {
	return p.Ask(ctx, "__vitrine."+call, out)
}

// Ask evaluates an expression in the world of the page's scripts. If the page navigates
// meanwhile, Ask waits for the new document and tries again, at most maxDocuments times.
func (p *Page) Ask(ctx context.Context, expression string, out any) error {
	return p.ask(ctx, func() error { return p.Tab.Eval(ctx, expression, out) })
}

// AskIsolated is Ask in an isolated world, which the page's scripts cannot change.
func (p *Page) AskIsolated(ctx context.Context, expression string, out any) error {
	return p.ask(ctx, func() error { return p.Tab.EvalIsolated(ctx, expression, out) })
}

func (p *Page) ask(ctx context.Context, eval func() error) error {
	var thrown *browser.EvalError // the page overrode a built-in API that the clock needs
	for try, broken := 1, false; ; try++ {
		err := eval()
		threw := errors.As(err, &thrown)
		if !isProtocolError(err) && !threw {
			return err
		}
		if threw && broken || try == maxDocuments {
			return fmt.Errorf("%w: %w", errReplaced, err)
		}
		broken = broken || threw
		if err := p.Wait(ctx, 3*time.Second); err != nil {
			return err
		}
	}
}

// Literal is a value that JSON can hold, as a JavaScript literal.
func Literal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
