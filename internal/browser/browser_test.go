package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"go.uber.org/goleak"

	"vitrine"
	"vitrine/internal/polltest"
	"vitrine/internal/sandbox"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// supervisor is closed when the test ends. With -short there is no browser.
func supervisor(t *testing.T, s Settings) *Supervisor {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the browser")
	}
	sup := New(s)
	t.Cleanup(sup.Close)
	return sup
}

func site(html string) func(Request) Response {
	return func(r Request) Response {
		if r.URL != "http://localhost/" {
			return Response{}
		}
		return Response{Status: 200, ContentType: "text/html; charset=utf-8", Body: []byte(html)}
	}
}

// show opens html and runs task on it.
func show(t *testing.T, sup *Supervisor, html string, task func(context.Context, *Page) error) error {
	t.Helper()
	return sup.Run(t.Context(), vitrine.Desktop, func(ctx context.Context, p *Page) error {
		if _, err := p.Serve(ctx, site(html)); err != nil {
			return err
		}
		if err := p.Navigate(ctx, "http://localhost/"); err != nil {
			return err
		}
		if err := p.Eval(ctx, loaded, nil); err != nil {
			return err
		}
		return task(ctx, p)
	})
}

// loaded resolves when the document has loaded.
const loaded = `document.readyState === 'complete' || new Promise(done => addEventListener('load', () => done(true)))`

func TestPageIsServedFromMemoryAndSeesNothingElse(t *testing.T) {
	sup := supervisor(t, Settings{})
	var got struct {
		Title, Zone, Lang, Fetched string
		Width                      int
	}
	err := show(t, sup, `<!doctype html><title>Hello</title>`, func(ctx context.Context, p *Page) error {
		return p.Eval(ctx, `(async () => ({
			Title: document.title, Width: innerWidth, Lang: navigator.language,
			Zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
			Fetched: await fetch('http://169.254.169.254/latest/').then(r => 'answered', e => 'refused'),
		}))()`, &got)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got.Title != "Hello" || got.Width != 1280 || got.Zone != "UTC" || got.Lang != "en-US" || got.Fetched != "refused" {
		t.Errorf("got %+v", got)
	}
}

// What the browser may keep it does not ask for on each document of a page, but on each
// page.
func TestWhatMayBeKeptIsHandedOverOnce(t *testing.T) {
	sup := supervisor(t, Settings{})
	for range 2 {
		var kept, other atomic.Int64
		serve := func(r Request) Response {
			switch r.URL {
			case "http://localhost/kept.js":
				kept.Add(1)
				return Response{Status: 200, ContentType: "text/javascript", Body: []byte("window.has = 'kept'"), Keep: true}
			case "http://localhost/other.js":
				other.Add(1)
				return Response{Status: 200, ContentType: "text/javascript", Body: []byte("window.has += ' and other'")}
			}
			return Response{Status: 200, ContentType: "text/html", Body: []byte(`<!doctype html><script type="module" src="/kept.js"></script><script type="module" src="/other.js"></script>`)}
		}
		const documents = 5
		err := sup.Run(t.Context(), vitrine.Desktop, func(ctx context.Context, p *Page) error {
			for i := range documents {
				if _, err := p.Serve(ctx, serve); err != nil {
					return err
				}
				var has string
				if err := errors.Join(p.Navigate(ctx, fmt.Sprint("http://localhost/", i)), p.Eval(ctx, loaded, nil), p.Eval(ctx, "has", &has)); err != nil {
					return err
				}
				if has != "kept and other" {
					t.Errorf("document %d has %q", i, has)
				}
				if err := p.Reset(ctx, "http://localhost"); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if k, o := kept.Load(), other.Load(); k == 0 || k >= documents || o != documents {
			t.Errorf("%d documents asked %d times for what may be kept and %d times for what may not", documents, k, o)
		}
	}
}

func TestContextsShareNothing(t *testing.T) {
	sup := supervisor(t, Settings{})
	for range 2 {
		var before string
		err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
			return p.Eval(ctx, `(() => { const was = localStorage.x ?? 'empty'; localStorage.x = 'left behind'; return was })()`, &before)
		})
		if err != nil || before != "empty" {
			t.Fatalf("got %q, %v", before, err)
		}
	}
}

// Each document has one isolated world, which its scripts cannot change.
func TestIsolatedWorldCannotBeForged(t *testing.T) {
	sup := supervisor(t, Settings{})
	html := `<!doctype html><p>one</p><script>document.querySelectorAll = () => []; JSON.stringify = () => '"forged"'; globalThis.calls = 7</script>`
	err := show(t, sup, html, func(ctx context.Context, p *Page) error {
		for _, to := range []string{"http://localhost/", "about:blank", "http://localhost/"} {
			if err := errors.Join(p.Navigate(ctx, to), p.Eval(ctx, loaded, nil)); err != nil {
				return err
			}
			for n := range 3 {
				var got [2]int
				if err := p.EvalIsolated(ctx, `[document.querySelectorAll('p').length, globalThis.calls = (globalThis.calls || 0) + 1]`, &got); err != nil {
					return err
				}
				if want := [2]int{strings.Count(to, "localhost"), n + 1}; got != want {
					t.Errorf("%s: got %v, want %v", to, got, want)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestScreenshotGoesBeyondTheWindow(t *testing.T) {
	sup := supervisor(t, Settings{})
	err := show(t, sup, `<!doctype html><body style="margin:0;height:3000px;background:linear-gradient(red,blue)">`, func(ctx context.Context, p *Page) error {
		png, err := p.Screenshot(ctx, 1280, 3000, true)
		if err == nil && !strings.HasPrefix(string(png), "\x89PNG") {
			t.Error("not a PNG")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestHangingPageCostsOnlyItself(t *testing.T) {
	sup := supervisor(t, Settings{CommandDeadline: 2 * time.Second})
	err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
		err := p.Eval(ctx, `for(;;);`, nil)
		if !errors.Is(err, ErrDeadline) {
			t.Errorf("got %v, want ErrDeadline", err)
		}
		if life := p.Alive(ctx); life != (Life{Browser: true, Hangs: true}) {
			t.Errorf("of a page that hangs: %+v", life)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error { return p.Eval(ctx, `1`, nil) }); err != nil {
		t.Errorf("the next page: %v", err)
	}
}

// The time in which a browser had no processor is not held against its pages.
// starvedPage is a page of a browser of its own that answers within the deadline, on a
// machine where others had the processors for as long as starved says.
func starvedPage(t *testing.T, deadline time.Duration, starved func() time.Duration) *Page {
	t.Helper()
	proc, err := launch(t.Context(), Settings{}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proc.kill)
	p, err := openPage(t.Context(), proc, vitrine.Desktop)
	if err != nil {
		t.Fatal(err)
	}
	proc.conn.deadline = deadline
	proc.conn.allow = func(limit time.Duration) sandbox.Allowance {
		return sandbox.NewAllowance(limit, func() sandbox.Ration { return sandbox.Ration{Starved: starved()} })
	}
	return p
}

func TestABusyMachineIsNotHeldAgainstAPage(t *testing.T) {
	const slow = `const t = performance.now(); while (performance.now() - t < 4500);`
	start := time.Now()
	for name, test := range map[string]struct {
		starved func() time.Duration
		want    error
	}{
		"at rest": {func() time.Duration { return 0 }, ErrDeadline},
		"busy":    {func() time.Duration { return time.Since(start) }, nil},
	} {
		p := starvedPage(t, 3*time.Second, test.starved)
		if err := p.Eval(t.Context(), slow, nil); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", name, err, test.want)
		}
	}
}

// How long a page may be silent is a matter of the processor time that it had itself.
func TestASlowMachineHangsNoPage(t *testing.T) {
	start := time.Now()
	for name, test := range map[string]struct {
		script string
		busy   time.Duration // of a second, in which others have the processors
		want   Life
	}{
		"slow, at rest":  {`const t = performance.now(); while (performance.now() - t < 60000);`, 0, Life{Browser: true, Hangs: true}},
		"slow, busy":     {`const t = performance.now(); while (performance.now() - t < 5000);`, time.Second, Life{Browser: true, Page: true}},
		"for ever, busy": {`for (;;);`, time.Second, Life{Browser: true, Hangs: true}},
	} {
		t.Run(name, func(t *testing.T) {
			p := starvedPage(t, 20*time.Second, func() time.Duration {
				return time.Duration(float64(time.Since(start)) * test.busy.Seconds())
			})
			before, err := p.CPUTime(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			go func() { _ = p.Eval(ctx, test.script, nil) }()
			polltest.Until(t, "the script is under way", func() bool {
				now, err := p.CPUTime(t.Context())
				return err == nil && now-before > 50*time.Millisecond
			})
			if life := p.Alive(t.Context()); life != test.want {
				t.Errorf("got %+v, want %+v", life, test.want)
			}
		})
	}
}

func TestCrashOfARendererIsSeen(t *testing.T) {
	sup := supervisor(t, Settings{})
	err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel() // the command is never answered
		go func() { _ = do(ctx, p, page.Crash, cdp.Empty{}) }()
		select {
		case <-p.Crashed():
			return nil
		case <-time.After(30 * time.Second):
			return errors.New("no crash was reported")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A page that takes more memory than a process may have loses its renderer, and
// nothing else happens.
func TestMemoryHogCrashesAlone(t *testing.T) {
	sup := supervisor(t, Settings{Limits: sandbox.Limits{ProcessBytes: 300 << 20}})
	err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
		go func() {
			_ = p.Eval(ctx, `window.hog = []; (async () => { for (;;) { hog.push(new Uint8Array(20 << 20).fill(1)); await new Promise(done => setTimeout(done)) } })()`, nil)
		}()
		<-p.Crashed()
		if !p.Alive(ctx).Browser {
			t.Error("the browser died with its page")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestMissingBrowserSaysTheFix(t *testing.T) {
	sup := supervisor(t, Settings{Path: "/no/such/chromium"})
	_, err := sup.Version(t.Context())
	f := vitrine.AsFault("x", err)
	if f.Code != vitrine.FaultNoBrowser || !strings.Contains(f.Fix, "chromium-headless-shell") {
		t.Errorf("got %+v", f)
	}
	bad := t.TempDir() + "/chromium"
	if err := os.WriteFile(bad, []byte("#!/bin/sh\necho 'no display' >&2; exit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = supervisor(t, Settings{Path: bad}).Version(t.Context())
	if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultNoBrowser || !strings.Contains(f.Message, "no display") {
		t.Errorf("got %+v", f)
	}
}
