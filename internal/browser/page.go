package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/cdproto/target"

	"vitrine"
	"vitrine/internal/sandbox"
)

// ErrPageCrashed is the cause of a page whose renderer died.
var ErrPageCrashed = errors.New("the renderer of this page crashed")

// A Page is one tab in a browser context of its own: no cookie, storage or cache
// is shared with any other page. It satisfies cdp.Session. It is not safe for
// concurrent use, except where a method says so.
type Page struct {
	session
	proc    *process
	context cdp.BrowserContextID
	frame   cdp.FrameID
	// isolated names the isolated world of the document that the page shows, once it has one.
	isolated atomic.Pointer[string]
	cancels  []func() // subscriptions to end
	scripts  []page.ScriptIdentifier
	crash    sync.Once
	crashed  chan struct{}
	opened   sandbox.Allowance // without a limit

	// Shared says that other pages may be on the same browser.
	Shared bool
}

func openPage(ctx context.Context, proc *process, v vitrine.Viewport) (*Page, error) {
	p := &Page{proc: proc, crashed: make(chan struct{}), opened: proc.conn.allow(0)}
	dispose := true
	bc, err := cdp.Call(ctx, proc.root, target.CreateBrowserContext, target.CreateBrowserContextParams{DisposeOnDetach: &dispose})
	if err != nil {
		return nil, fmt.Errorf("open page: %w", err)
	}
	p.context = bc.BrowserContextID
	err = p.attach(ctx)
	if err == nil {
		err = p.prepare(ctx, v)
	}
	if err != nil {
		p.close()
		return nil, fmt.Errorf("open page: %w", err)
	}
	return p, nil
}

func (p *Page) attach(ctx context.Context) error {
	t, err := cdp.Call(ctx, p.proc.root, target.CreateTarget, target.CreateTargetParams{URL: "about:blank", BrowserContextID: p.context})
	if err != nil {
		return err
	}
	flat := true
	a, err := cdp.Call(ctx, p.proc.root, target.AttachToTarget, target.AttachToTargetParams{TargetID: t.TargetID, Flatten: &flat})
	if err != nil {
		return err
	}
	p.session = session{conn: p.proc.conn, id: string(a.SessionID)}
	p.frame = cdp.FrameID(t.TargetID) // Chromium uses one id for both
	return nil
}

// prepare makes every page alike: size, place, time zone, no downloads, no
// service workers.
func (p *Page) prepare(ctx context.Context, v vitrine.Viewport) error {
	p.watchCrash()
	p.watchIsolated()
	for _, set := range []func() error{
		func() error { return do(ctx, p, inspector.Enable, cdp.Empty{}) },
		func() error { return do(ctx, p, page.Enable, page.EnableParams{}) },
		func() error { return do(ctx, p, runtime.Enable, cdp.Empty{}) },
		func() error { return do(ctx, p, performance.Enable, performance.EnableParams{}) },
		func() error { return do(ctx, p, network.Enable, network.EnableParams{}) },
		func() error {
			return do(ctx, p, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true})
		},
		func() error {
			return do(ctx, p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
				Width: int64(v.Width), Height: int64(v.Height), DeviceScaleFactor: 1, Mobile: v.Width < 600,
			})
		},
		func() error {
			return do(ctx, p, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "UTC"})
		},
		func() error {
			return do(ctx, p, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: "en-US"})
		},
		func() error {
			return do(ctx, p, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		},
		func() error {
			return do(ctx, p, page.SetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: true})
		},
		func() error {
			return do(ctx, p.proc.root, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
				Behavior: browser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: p.context,
			})
		},
	} {
		if err := set(); err != nil { // a browser that is silent is asked no further
			return err
		}
	}
	return nil
}

func (p *Page) watchCrash() {
	p.On("Inspector.targetCrashed", func(jsonv2.Value) { p.crash.Do(func() { close(p.crashed) }) })
}

// do runs a command for its effect.
func do[P, R any](ctx context.Context, s cdp.Session, c cdp.Command[P, R], params P) error {
	_, err := cdp.Call(ctx, s, c, params)
	return err
}

// close disposes of the page and its context, even if its renderer hangs.
func (p *Page) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = do(ctx, p.proc.root, target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: p.context})
	p.unsubscribe()
}

func (p *Page) unsubscribe() {
	for _, cancel := range p.cancels {
		cancel()
	}
	p.cancels = nil
}

// Crashed is closed when the page's renderer dies.
func (p *Page) Crashed() <-chan struct{} { return p.crashed }

// shows reports whether the browser shows a blank page.
func (p *process) shows(ctx context.Context) bool {
	page, err := openPage(ctx, p, vitrine.Desktop)
	if err != nil {
		return false
	}
	defer page.close()
	_, err = page.Screenshot(ctx, vitrine.Desktop.Width, vitrine.Desktop.Height, false)
	return err == nil
}

// Starved reports that the browser has had next to no processor since the page was opened.
func (p *Page) Starved() bool { return p.opened.Starved() }

// Crowded reports that others have kept the browser waiting since the page was opened, see
// [sandbox.Allowance.Crowded].
func (p *Page) Crowded() bool { return p.opened.Crowded() }

// Allow begins an allowance of the page's browser.
func (p *Page) Allow(limit time.Duration) sandbox.Allowance { return p.proc.conn.allow(limit) }

// BrowserVersion is the product and version of the browser behind the page.
func (p *Page) BrowserVersion() string { return p.proc.Version }

// On calls handle with every event of the method, in order, on one goroutine,
// until the page is closed.
func (p *Page) On(method string, handle func(jsonv2.Value)) {
	events, cancel := p.Subscribe(method)
	p.cancels = append(p.cancels, cancel)
	go func() {
		for e := range events {
			handle(e)
		}
	}()
}

// Init runs a script in every document of the page before any of its own.
func (p *Page) Init(ctx context.Context, source string) error {
	res, err := cdp.Call(ctx, p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: source})
	p.scripts = append(p.scripts, res.Identifier)
	return err
}

// Reset makes the page as if it were new, for another document of the same site:
// nothing is subscribed to, served or run at its start, and nothing is stored for
// the origin, such as "http://localhost". The process stays, with what it compiled and
// what it may keep.
func (p *Page) Reset(ctx context.Context, origin string) error {
	p.unsubscribe()
	p.watchCrash()
	p.watchIsolated()
	var errs []error
	for _, id := range p.scripts {
		errs = append(errs, do(ctx, p, page.RemoveScriptToEvaluateOnNewDocument, page.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: id}))
	}
	p.scripts = nil
	return errors.Join(append(errs,
		do(ctx, p, runtime.Enable, cdp.Empty{}), // a flood of messages may have turned it off
		do(ctx, p, fetch.Disable, cdp.Empty{}),
		p.EndTasks(ctx),
		p.EvalIsolated(ctx, "window.name = ''; try { sessionStorage.clear() } catch {}", nil),
		p.Navigate(ctx, "about:blank"),
		do(ctx, p, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: origin, StorageTypes: "all"}),
	)...)
}

// EndTasks breaks every chain of tasks that scripts of the document go on with, such as two
// ports that answer each other: what they still write would keep the next document waiting.
func (p *Page) EndTasks(ctx context.Context) error {
	run := func(run bool) error {
		return do(ctx, p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !run})
	}
	return errors.Join(run(false), p.EvalIsolated(ctx, "0", nil), run(true))
}

// Navigate asks for a URL. It returns as soon as the document is committed; the
// text of a failed load is the error.
func (p *Page) Navigate(ctx context.Context, url string) error {
	res, err := cdp.Call(ctx, p, page.Navigate, page.NavigateParams{URL: url})
	if err != nil {
		return err
	}
	if res.ErrorText != "" {
		return fmt.Errorf("%w: %s", ErrNavigation, res.ErrorText)
	}
	return nil
}

// ErrNavigation is returned when a document could not be loaded.
var ErrNavigation = errors.New("the document could not be loaded")

// An EvalError is an exception thrown by an evaluated expression.
type EvalError struct{ Text string }

func (e *EvalError) Error() string { return "script: " + e.Text }

// Eval runs an expression in the page's own world, waits for its promise and
// decodes its JSON value into out, which may be nil.
func (p *Page) Eval(ctx context.Context, expression string, out any) error {
	return p.eval(ctx, runtime.EvaluateParams{Expression: expression}, out)
}

// EvalIsolated runs an expression in a world that sees the page's document but
// none of its scripts, so that a page cannot forge what is read from it.
func (p *Page) EvalIsolated(ctx context.Context, expression string, out any) error {
	return p.EvalIsolatedIn(ctx, p.frame, expression, out)
}

func (p *Page) eval(ctx context.Context, what runtime.EvaluateParams, out any) error {
	yes := true
	what.ReturnByValue, what.AwaitPromise, what.Silent = &yes, &yes, &yes
	res, err := cdp.Call(ctx, p, runtime.Evaluate, what)
	if err != nil {
		return err
	}
	if what.ContextID == 0 && what.UniqueContextID == "" {
		return ownValue(res.Result, res.ExceptionDetails, out)
	}
	return value(res.Result, res.ExceptionDetails, out)
}

// ownValue is value in the page's own world, where an answer of another shape is the
// page's doing, as an exception is: it replaced what scripts stand on.
func ownValue(result *runtime.RemoteObject, thrown *runtime.ExceptionDetails, out any) error {
	err := value(result, thrown, out)
	if err != nil && thrown == nil {
		return &EvalError{err.Error()}
	}
	return err
}

// value decodes what a script gave into out, which may be nil.
func value(result *runtime.RemoteObject, thrown *runtime.ExceptionDetails, out any) error {
	if thrown != nil {
		return &EvalError{ExceptionText(thrown)}
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(result.Value, out); err != nil {
		return fmt.Errorf("result of a script: %w", err)
	}
	return nil
}

// ExceptionText is the message of a thrown value, with its stack where it has
// one.
func ExceptionText(d *runtime.ExceptionDetails) string {
	if d.Exception == nil {
		return d.Text
	}
	if d.Exception.Description != "" {
		return d.Exception.Description
	}
	return d.Text + " " + string(d.Exception.Value)
}

// CPUTime is what the main thread of the page has used so far.
func (p *Page) CPUTime(ctx context.Context) (time.Duration, error) {
	res, err := cdp.Call(ctx, p, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		return 0, err
	}
	for _, m := range res.Metrics {
		if m.Name == "ThreadTime" {
			return time.Duration(m.Value * float64(time.Second)), nil
		}
	}
	return 0, errors.New("the browser does not tell the CPU time of a page")
}
