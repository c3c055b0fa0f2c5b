package browser

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"go.uber.org/goleak"

	"vitrine"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func supervisor(t *testing.T, s Settings) *Supervisor {
	t.Helper()
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

func TestIsolatedWorldCannotBeForged(t *testing.T) {
	sup := supervisor(t, Settings{})
	html := `<!doctype html><p>one</p><script>document.querySelectorAll = () => []; JSON.stringify = () => '"forged"'</script>`
	err := show(t, sup, html, func(ctx context.Context, p *Page) error {
		var n int
		if err := p.EvalIsolated(ctx, `document.querySelectorAll('p').length`, &n); err != nil {
			return err
		}
		if n != 1 {
			t.Errorf("got %d paragraphs, want 1", n)
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
		if !p.Alive(ctx) {
			t.Error("the browser does not answer beside a hanging page")
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

func TestCrashOfARendererIsSeen(t *testing.T) {
	sup := supervisor(t, Settings{CommandDeadline: 3 * time.Second})
	err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
		go func() { _ = do(ctx, p, page.Crash, cdp.Empty{}) }()
		select {
		case <-p.Crashed():
			return nil
		case <-time.After(3 * time.Second):
			return errors.New("no crash was reported")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestDeadBrowserIsReplacedAndItsPageRunAgain(t *testing.T) {
	sup := supervisor(t, Settings{})
	runs := 0
	err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
		runs++
		if runs == 1 {
			_ = syscall.Kill(-p.proc.cmd.Process.Pid, syscall.SIGKILL)
		}
		for {
			if err := p.Eval(ctx, `1`, nil); err != nil || runs == 2 {
				return err
			}
		}
	})
	if err != nil || runs != 2 {
		t.Errorf("got %v after %d runs, want success after 2", err, runs)
	}
}

func TestRecyclingAndConcurrency(t *testing.T) {
	sup := supervisor(t, Settings{Pages: 3, RecyclePages: 4})
	pids := map[int]bool{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 12 {
		wg.Go(func() {
			err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
				mu.Lock()
				pids[p.proc.cmd.Process.Pid] = true
				mu.Unlock()
				return p.Eval(ctx, `1`, nil)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(pids) != 3 {
		t.Errorf("12 pages at 4 a browser used %d browsers, want 3", len(pids))
	}
	sup.Close()
	for pid := range pids {
		if err := syscall.Kill(pid, 0); err == nil {
			t.Errorf("browser %d is still there after Close", pid)
		}
	}
}

func TestMissingBrowserSaysTheFix(t *testing.T) {
	sup := supervisor(t, Settings{Path: "/no/such/chromium"})
	_, err := sup.Version(t.Context())
	f := vitrine.AsFault("x", err)
	if f.Code != vitrine.FaultNoBrowser || !strings.Contains(f.Fix, "chromium-headless-shell") || f.Code.Facts().Exit != vitrine.ExitEnvironment {
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
