package browser

import (
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
	// RecyclePages is how many pages one browser serves before a fresh one takes
	// its place; 0 means 500.
	RecyclePages int
	// CommandDeadline bounds every single DevTools command; 0 means 20 s.
	CommandDeadline time.Duration
}

func (s Settings) withDefaults() Settings {
	if s.Pages == 0 {
		s.Pages = 2
	}
	if s.RecyclePages == 0 {
		s.RecyclePages = 500
	}
	if s.CommandDeadline == 0 {
		s.CommandDeadline = 20 * time.Second
	}
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
	"--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
	"--hide-scrollbars", "--mute-audio", "--force-color-profile=srgb", "--font-render-hinting=none",
	"--disable-lcd-text", "--lang=en-US", "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
	"--disable-features=Translate,MediaRouter,OptimizationHints,DialMediaRouteProvider,PaintHolding,HttpsUpgrades",
	// Even outside the sandbox no name resolves and no address is reached.
	"--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=127.0.0.1:9", "--proxy-bypass-list=<-loopback>",
	"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
}

// process is one running Chromium.
type process struct {
	cmd     *exec.Cmd
	conn    *connection
	root    *session
	Version string
	stderr  *sandbox.Tail
	stop    context.CancelFunc
	waited  chan struct{} // closed when the process is reaped
	profile string        // to remove, outside the sandbox only
}

// launch starts Chromium and waits until it answers.
func launch(ctx context.Context, s Settings) (*process, error) {
	path, err := Find(s.Path)
	if err != nil {
		return nil, err
	}
	if err := s.Sandbox.Available(ctx); err != nil {
		return nil, err
	}
	p, err := spawn(path, s)
	if err != nil {
		return nil, noBrowser(err, path, "")
	}
	v, err := cdp.Call(ctx, p.root, browser.GetVersion, cdp.Empty{})
	if err != nil {
		p.kill()
		return nil, noBrowser(err, path, p.stderr.String())
	}
	p.Version = v.Product
	return p, nil
}

func noBrowser(err error, path, stderr string) error {
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
		Args: append([]string{path}, flags...), Dir: "/tmp", Stderr: p.stderr,
		Env:   []string{"PATH=/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8", "TZ=UTC"},
		Files: []*os.File{toBrowserR, fromBrowserW},
	}
	if dir := filepath.Dir(path); !strings.HasPrefix(path, "/usr/") {
		spec.Binds = append(spec.Binds, sandbox.Bind{Host: dir, Inside: dir})
	}
	if s.Sandbox.Unsafe {
		if p.profile, err = os.MkdirTemp("", "vitrine-profile-"); err != nil {
			stop()
			return nil, err
		}
		spec.Args = append(spec.Args, "--user-data-dir="+p.profile, "--no-sandbox", "--disable-dev-shm-usage")
	}
	p.cmd = s.Sandbox.Command(ctx, spec)
	err = p.cmd.Start()
	_ = toBrowserR.Close()
	_ = fromBrowserW.Close()
	if err != nil {
		stop()
		return nil, errors.Join(err, toBrowserW.Close(), fromBrowserR.Close())
	}
	p.conn = newConnection(fromBrowserR, toBrowserW, s.CommandDeadline)
	p.root = &session{conn: p.conn}
	go p.reap(fromBrowserR)
	return p, nil
}

// reap waits for the process and closes what belonged to it.
func (p *process) reap(pipe *os.File) {
	_ = p.cmd.Wait()
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

func (p *process) String() string { return fmt.Sprintf("%s, pid %d", p.Version, p.cmd.Process.Pid) }
