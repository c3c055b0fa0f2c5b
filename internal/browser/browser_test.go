package browser

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"go.uber.org/goleak"

	"vitrine"
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
		if page, browser := p.Alive(ctx); page || !browser {
			t.Errorf("a hanging page answers: %t, its browser does: %t", page, browser)
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
		proc, err := launch(t.Context(), Settings{}.withDefaults())
		if err != nil {
			t.Fatal(err)
		}
		defer proc.kill()
		p, err := openPage(t.Context(), proc, vitrine.Desktop)
		if err != nil {
			t.Fatal(err)
		}
		proc.conn.deadline = 3 * time.Second
		proc.conn.allow = func(limit time.Duration) sandbox.Allowance {
			return sandbox.NewAllowance(limit, func() sandbox.Ration { return sandbox.Ration{Starved: test.starved()} })
		}
		if err := p.Eval(t.Context(), slow, nil); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", name, err, test.want)
		}
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

func TestDeadBrowserIsReplacedAndItsPageRunAgain(t *testing.T) {
	sup := supervisor(t, Settings{})
	runs := 0
	err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
		runs++
		if runs == 1 {
			_ = syscall.Kill(-p.proc.sealed.Pid, syscall.SIGKILL)
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
	wantCount(t, sup, map[string]int{}, map[string]int{EndDied: 1, EndAlone: 1})
}

// wantCount holds what a supervisor counts against what is not 0.
func wantCount(t *testing.T, sup *Supervisor, living, ended map[string]int) {
	t.Helper()
	gotLiving, gotEnded := sup.Count()
	for _, all := range []map[string]int{gotLiving, gotEnded} {
		maps.DeleteFunc(all, func(_ string, n int) bool { return n == 0 })
	}
	if !maps.Equal(gotLiving, living) || !maps.Equal(gotEnded, ended) {
		t.Errorf("living %v, ended %v, want %v and %v", gotLiving, gotEnded, living, ended)
	}
}

func TestBrowsersAreCounted(t *testing.T) {
	sup := supervisor(t, Settings{RecyclePages: 1})
	living, ended := sup.Count()
	if len(living) != 3 || len(ended) != 4 {
		t.Errorf("%v and %v lack a state or a reason: a series that comes and goes cannot be watched", living, ended)
	}
	wantCount(t, sup, map[string]int{}, map[string]int{})
	nothing := func(context.Context, *Page) error { return nil }
	err := show(t, sup, `<!doctype html>`, func(context.Context, *Page) error {
		wantCount(t, sup, map[string]int{StateServing: 1}, map[string]int{})
		if err := show(t, sup, `<!doctype html>`, nothing); err != nil { // one page more than it is to serve
			return err
		}
		sup.starts.Wait()
		wantCount(t, sup, map[string]int{StateServing: 1, StateLeaving: 1}, map[string]int{})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantCount(t, sup, map[string]int{StateServing: 1}, map[string]int{EndRecycled: 1})
}

// A renderer may be killed from outside, and a page be late by what runs beside it: it
// gets a second chance, on a browser of its own, and nobody else's browser is replaced.
func TestASecondChanceIsAlone(t *testing.T) {
	for _, failure := range []error{ErrPageCrashed, fmt.Errorf("%w: %w", ErrContended, ErrDeadline)} {
		sup := supervisor(t, Settings{})
		var shares []bool
		pids := map[int]bool{}
		err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
			pids[p.proc.sealed.Pid] = true
			if shares = append(shares, p.Shared); p.Shared {
				return failure
			}
			return p.Eval(ctx, `1`, nil)
		})
		if err != nil || len(pids) != 2 || !slices.Equal(shares, []bool{true, false}) {
			t.Errorf("%v: got %v on %d browsers, shared %t, want success on the second, which is not", failure, err, len(pids), shares)
		}
		err = show(t, sup, `<!doctype html>`, func(_ context.Context, p *Page) error {
			if !pids[p.proc.sealed.Pid] {
				t.Errorf("%v: the first browser was replaced", failure)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A page that never has company does not share.
func TestOnePageAtATimeIsAlone(t *testing.T) {
	err := show(t, supervisor(t, Settings{Pages: 1}), `<!doctype html>`, func(_ context.Context, p *Page) error {
		if p.Shared {
			t.Error("it is said to share its browser")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A page whose first browser died and which then crashes a renderer, alone, is to blame.
func TestAPageThatFailsTwiceInDifferentWaysIsToBlame(t *testing.T) {
	sup := supervisor(t, Settings{})
	runs := 0
	err := show(t, sup, `<!doctype html>`, func(context.Context, *Page) error {
		runs++
		if runs == 1 {
			return ErrClosed
		}
		return ErrPageCrashed
	})
	if !errors.Is(err, ErrKillsBrowser) || runs != 2 {
		t.Errorf("got %v after %d runs, want ErrKillsBrowser after 2", err, runs)
	}
}

// Without its zygote a browser answers, but shows no page any more.
func TestABrowserThatLostAPartIsNotAlive(t *testing.T) {
	sup := supervisor(t, Settings{CommandDeadline: 4 * time.Second})
	runs := 0
	err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
		if runs++; runs == 2 {
			return p.Eval(ctx, `1`, nil)
		}
		below(p.proc.sealed.Pid, func(child int) {
			if command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", child)); strings.Contains(string(command), "--type=zygote") {
				_ = syscall.Kill(child, syscall.SIGKILL)
			}
		})
		if _, browser := p.Alive(ctx); browser {
			t.Error("the browser is called alive")
		}
		return ErrDeadline
	})
	if err != nil || runs != 2 {
		t.Errorf("got %v after %d runs, want success after 2", err, runs)
	}
}

// Browsers give way to fresh ones while pages go on, and all are gone at the end.
func TestRecyclingAndConcurrency(t *testing.T) {
	sup := supervisor(t, Settings{Pages: 3, Browsers: 2, RecyclePages: 4})
	pids := map[int]bool{}
	var mu sync.Mutex
	used := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(pids)
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for n := 0; n < 300 && used() < 5; n++ {
				err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
					mu.Lock()
					pids[p.proc.sealed.Pid] = true
					mu.Unlock()
					return p.Eval(ctx, `1`, nil)
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if len(pids) < 5 {
		t.Errorf("900 pages at 4 a browser used %d browsers", len(pids))
	}
	sup.Close()
	for pid := range pids {
		if err := syscall.Kill(pid, 0); err == nil {
			t.Errorf("browser %d is still there after Close", pid)
		}
	}
}

// Two pages share a browser that one of them kills: the other is run again and
// knows nothing of it, however often its neighbour does so.
func TestNeighboursOfAKillerAreUnharmed(t *testing.T) {
	sup := supervisor(t, Settings{Pages: 4})
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
				if i == 0 {
					_ = syscall.Kill(-p.proc.sealed.Pid, syscall.SIGKILL)
				}
				for range 40 {
					if err := p.Eval(ctx, `new Promise(done => setTimeout(done, 5))`, nil); err != nil {
						return err
					}
				}
				return nil
			})
			if i == 0 && !errors.Is(err, ErrKillsBrowser) || i > 0 && err != nil {
				t.Errorf("page %d: %v", i, err)
			}
		})
	}
	wg.Wait()
}

// A browser that does not answer any more costs each of its pages one retry.
func TestSilentBrowserIsReplaced(t *testing.T) {
	sup := supervisor(t, Settings{CommandDeadline: 4 * time.Second})
	var stopped sync.Once
	var wg sync.WaitGroup
	var both sync.WaitGroup
	both.Add(2)
	for i := range 2 {
		wg.Go(func() {
			runs := 0
			err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
				if runs++; runs == 1 {
					both.Done()
					both.Wait()
					stopped.Do(func() { stopBelow(p.proc.sealed.Pid) })
				}
				return p.Eval(ctx, `1`, nil)
			})
			if err != nil || runs > 2 {
				t.Errorf("page %d: %v after %d runs", i, err, runs)
			}
		})
	}
	wg.Wait()
	wantCount(t, sup, map[string]int{}, map[string]int{EndSilent: 1, EndAlone: 2})
}

// stopBelow stops every process below one.
func stopBelow(pid int) { below(pid, func(child int) { _ = syscall.Kill(child, syscall.SIGSTOP) }) }

// below does something to every process below one, the deepest first.
func below(pid int, do func(child int)) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		pids, _ := os.ReadFile(list)
		for _, field := range strings.Fields(string(pids)) {
			child, _ := strconv.Atoi(field)
			below(child, do)
			do(child)
		}
	}
}

// A browser past its memory is replaced when a page of it closes.
func TestRecyclingByMemory(t *testing.T) {
	sup := supervisor(t, Settings{RecycleBytes: 1 << 20})
	pids := map[int]bool{}
	for n := 0; n < 200 && len(pids) < 3; n++ {
		err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
			pids[p.proc.sealed.Pid] = true
			return p.Eval(ctx, `new Promise(done => setTimeout(done, 20))`, nil)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(pids) < 3 {
		t.Errorf("%d browsers served 200 pages", len(pids))
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
		if _, browser := p.Alive(ctx); !browser {
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
