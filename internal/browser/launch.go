package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"

	"vitrine"
	"vitrine/internal/sandbox"
)

// Settings say which Chromium to run and how.
type Settings struct {
	// Path of the program. Empty finds chromium-headless-shell, then any
	// Chromium or Chrome.
	Path    string
	Sandbox sandbox.Sandbox
	// Pages is how many pages may be open at once; 0 means 2.
	Pages int
	// Browsers is how many browsers share the pages; 0 means 1.
	Browsers int
	// RecyclePages is how many pages one browser serves before a fresh one takes
	// its place; 0 means 500.
	RecyclePages int
	// RecycleBytes is the memory that makes a browser give way to a fresh one when
	// a page of it has closed; 0 means 1.5 GB.
	RecycleBytes int64
	// Limits of one browser with all of its pages. Where they are zero: 6 GB of
	// memory, 2 GB for each of its processes, of which a page has one or more, and
	// 2000 processes and threads.
	Limits sandbox.Limits
	// CommandDeadline is the [sandbox.Allowance] of every single DevTools command; 0 means 20 s.
	CommandDeadline time.Duration
}

func (s Settings) withDefaults() Settings {
	s.Pages = cmp.Or(s.Pages, 2)
	s.Browsers = min(cmp.Or(s.Browsers, 1), s.Pages)
	s.RecyclePages = cmp.Or(s.RecyclePages, 500)
	s.RecycleBytes = cmp.Or(s.RecycleBytes, 3<<29)
	s.Limits = s.Limits.Or(sandbox.Limits{MemoryBytes: 6 << 30, ProcessBytes: 2 << 30, Processes: 2000})
	s.CommandDeadline = cmp.Or(s.CommandDeadline, 20*time.Second)
	return s
}

// candidates are the names Chromium goes by, best first: the headless shell
// starts in a third of the time and makes isolated contexts without a window.
var candidates = []string{"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// Find returns the path of the Chromium to use.
func Find(path string) (string, error) {
	names := candidates
	if path != "" {
		names = []string{path}
	}
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", vitrine.NewFault("capture", vitrine.FaultNoBrowser, nil, "no Chromium found (looked for "+strings.Join(names, ", ")+")").
		WithFix("apt-get install chromium-headless-shell, or name one with --browser PATH or VITRINE_BROWSER")
}

// flags make Chromium quiet, deterministic and offline.
var flags = []string{
	"--remote-debugging-pipe", "--headless", "--user-data-dir=/tmp/vitrine-profile",
	"--no-first-run", "--no-default-browser-check", "--disable-background-networking",
	"--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions",
	"--disable-domain-reliability", "--disable-breakpad", "--disable-client-side-phishing-detection",
	"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
	"--disable-renderer-backgrounding", "--disable-ipc-flooding-protection", "--disable-hang-monitor",
	// Without positions in the bytecode, the first error that a large script makes has V8
	// parse that script again: 20 ms of every page, by axe-core alone. Pages live for a
	// second: what is called some hundred times in it is not worth Maglev's work. Loops
	// that run long are still replaced while they run.
	"--js-flags=--no-enable-lazy-source-positions,--invocation-count-for-maglev=4000",
	// A picture drawn in parts differs by a pixel here and there from one drawn at once.
	"--disable-partial-raster",
	"--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
	"--disable-smooth-scrolling", "--hide-scrollbars", "--mute-audio", "--force-color-profile=srgb", "--font-render-hinting=none",
	"--disable-lcd-text", "--lang=en-US", "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4,imageAnimationPolicy=2",
	// Scripts come from memory, whole: to compile them on another thread while they arrive
	// costs a sixth of all processor time of a project, and hides from V8 what it has
	// compiled for an earlier route.
	"--disable-features=Translate,MediaRouter,OptimizationHints,DialMediaRouteProvider,PaintHolding,HttpsUpgrades,ScriptStreaming," +
		// All documents of a page are the artifact's: they share its process, where one session
		// of the protocol reaches them. The headless shell does that by itself.
		"IsolateSandboxedIframes,IsolateOrigins,site-per-process",
	"--disable-site-isolation-trials",
	// Even outside the sandbox no name resolves and no address is reached.
	"--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=127.0.0.1:9", "--proxy-bypass-list=<-loopback>",
	"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
}

// startTime is the allowance of a browser for its first answer: to start takes longer than
// any command.
const startTime = 20 * time.Second

// process is one running Chromium.
type process struct {
	sealed  *sandbox.Process
	conn    *connection
	root    *session
	Version string
	stderr  *sandbox.Tail
	stop    context.CancelFunc
	waited  chan struct{} // closed when the process is reaped
	ended   error         // what ended it, once waited is closed
	profile string        // to remove, outside the sandbox only
}

// launch starts Chromium and waits until it answers.
func launch(ctx context.Context, s Settings) (*process, error) {
	path, err := Find(s.Path)
	if err != nil {
		return nil, err
	}
	p, err := spawn(path, s)
	if err != nil {
		return nil, noBrowser(ctx, s, err, path, "")
	}
	v, err := cdp.Call(ctx, p.root, browser.GetVersion, cdp.Empty{})
	p.conn.deadline = s.CommandDeadline // the connection is not shared yet
	if err != nil {
		p.kill()
		return nil, noBrowser(ctx, s, err, path, p.stderr.String())
	}
	p.Version = v.Product
	return p, nil
}

// noBrowser finds out why a browser did not start: for want of a sandbox, or for
// reasons of its own.
func noBrowser(ctx context.Context, s Settings, err error, path, stderr string) error {
	if missing := s.Sandbox.Available(ctx); missing != nil {
		return missing
	}
	message := path + " does not start"
	if line := lastLine(stderr); line != "" {
		message += ": " + line
	}
	return vitrine.NewFault("capture", vitrine.FaultNoBrowser, err, message).
		WithFix("run vitrine doctor; apt-get install chromium-headless-shell")
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

func spawn(path string, s Settings) (*process, error) {
	toBrowserR, toBrowserW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	fromBrowserR, fromBrowserW, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, toBrowserR.Close(), toBrowserW.Close())
	}
	// The process outlives the call that started it: Close ends it.
	ctx, stop := context.WithCancel(context.Background())
	p := &process{stderr: &sandbox.Tail{Keep: 4096}, stop: stop, waited: make(chan struct{})}
	spec := sandbox.Spec{
		Args: append([]string{path}, flags...), Dir: "/tmp", Stderr: p.stderr, Limits: s.Limits,
		Env:   []string{"PATH=/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8", "TZ=UTC"},
		Files: []*os.File{toBrowserR, fromBrowserW},
	}
	if dir := filepath.Dir(path); !strings.HasPrefix(path, "/usr/") {
		spec.Binds = append(spec.Binds, sandbox.Bind{Host: dir, Inside: dir})
	}
	if s.Sandbox.Unsafe {
		p.profile, err = os.MkdirTemp("", "vitrine-profile-")
		spec.Args = append(spec.Args, "--user-data-dir="+p.profile, "--no-sandbox", "--disable-dev-shm-usage")
	}
	var fonts *os.File
	if err == nil && InstalledFonts().Pinned() {
		fonts, err = p.pinFonts(&spec)
	}
	if err == nil {
		p.sealed, err = s.Sandbox.Start(ctx, spec)
	}
	_ = toBrowserR.Close()
	_ = fromBrowserW.Close()
	_ = fonts.Close()
	if err != nil {
		stop()
		return nil, errors.Join(err, toBrowserW.Close(), fromBrowserR.Close(), os.RemoveAll(p.profile))
	}
	p.conn = newConnection(fromBrowserR, toBrowserW, max(s.CommandDeadline, startTime), p.sealed.Allow)
	p.root = &session{conn: p.conn}
	go p.reap(fromBrowserR)
	return p, nil
}

// pinFonts shows the browser our font configuration in place of the machine's. In the sandbox
// it is a file in memory, to be closed once the browser runs: nothing is left if we are killed.
func (p *process) pinFonts(spec *sandbox.Spec) (data *os.File, err error) {
	inside := "/etc/vitrine/fonts.conf"
	if p.profile != "" {
		inside = filepath.Join(p.profile, "fonts.conf")
	}
	spec.Env = append(spec.Env, "FONTCONFIG_FILE="+inside)
	if p.profile != "" {
		return nil, os.WriteFile(inside, fontConfig, 0o600)
	}
	if data, err = memoryFile("fonts.conf"); err != nil {
		return nil, err
	}
	spec.Binds = append(spec.Binds, sandbox.Bind{Data: data, Inside: inside})
	_, err = data.WriteAt(fontConfig, 0)
	return data, err
}

// reap waits for the process and closes what belonged to it.
func (p *process) reap(pipe *os.File) {
	p.ended = p.sealed.Wait()
	_ = pipe.Close()
	if p.profile != "" {
		_ = os.RemoveAll(p.profile)
	}
	close(p.waited)
}

// kill ends the whole process tree and waits until it is gone.
func (p *process) kill() {
	p.stop()
	<-p.waited
	<-p.conn.done
}

// dead reports whether the browser has ended by itself.
func (p *process) dead() bool {
	select {
	case <-p.conn.done:
		return true
	default:
		return false
	}
}

func (p *process) String() string { return fmt.Sprintf("%s, pid %d", p.Version, p.sealed.Pid) }
