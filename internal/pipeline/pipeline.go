package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/semaphore"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/build/exact"
	"vitrine/internal/capture"
	"vitrine/internal/reward"
	"vitrine/internal/sandbox"
	"vitrine/internal/store"
)

// Settings of a pipeline.
type Settings struct {
	Recipe  *reward.Recipe
	Capture vitrine.CaptureSettings
	Tasks   map[string]vitrine.Task // by id; nil if no task file was given
	Browser string                  // path of Chromium; empty finds one
	Sandbox sandbox.Sandbox
	// Concurrency is how many samples are in work at once; 0 chooses by cores and
	// memory.
	Concurrency int
	// CacheDir keeps the package store and what was built and captured.
	CacheDir string
	// NoCache builds and captures everything anew. Installed packages are still
	// shared.
	NoCache bool
}

// A Pipeline scores outputs. It is safe for concurrent use; Close ends its
// browser.
type Pipeline struct {
	settings Settings
	browser  *browser.Supervisor
	capturer *capture.Capturer
	cache    store.Cache
	builds   *semaphore.Weighted // builds are heavy: fewer at once than captures
	projects func() (*exact.Project, error)
	fonts    func() string
}

// New makes a pipeline. Nothing is started before the first output needs it.
func New(s Settings) *Pipeline {
	if s.Concurrency == 0 {
		s.Concurrency = defaultConcurrency()
	}
	s.Capture = capture.WithDefaults(s.Capture)
	sup := browser.New(browser.Settings{Path: s.Browser, Sandbox: s.Sandbox, Pages: min(s.Concurrency, 2*runtime.NumCPU())})
	p := &Pipeline{
		settings: s, browser: sup, capturer: &capture.Capturer{Browser: sup},
		builds: semaphore.NewWeighted(int64(max(1, min(s.Concurrency, runtime.NumCPU()/2)))),
		fonts:  sync.OnceValue(fontsHash),
	}
	if !s.NoCache {
		p.cache = store.Cache{Dir: filepath.Join(s.CacheDir, "cache")}
	}
	p.projects = sync.OnceValues(func() (*exact.Project, error) {
		return exact.New(context.Background(), exact.Settings{Store: filepath.Join(s.CacheDir, "packages"), Sandbox: s.Sandbox})
	})
	return p
}

// Concurrency is how many samples the pipeline works on at once.
func (p *Pipeline) Concurrency() int { return p.settings.Concurrency }

// Close ends the browser.
func (p *Pipeline) Close() { p.browser.Close() }

// BrowserVersion starts the browser and returns its product and version, or the
// fault that keeps it from starting.
func (p *Pipeline) BrowserVersion(ctx context.Context) (string, error) { return p.browser.Version(ctx) }

// defaultConcurrency is twice the cores, and at most one sample for each
// gigabyte of memory: a page takes a tenth of that, a build most of it.
func defaultConcurrency() int {
	n := 2 * runtime.NumCPU()
	if gb := memoryGB(); gb > 0 {
		n = min(n, gb)
	}
	return max(1, n)
}

// memoryGB is the memory of the machine, 0 if it is not known.
func memoryGB() int {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "MemTotal:"); ok {
			kb, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
			return kb >> 20
		}
	}
	return 0
}

// fontsHash identifies the fonts of the machine, which frames depend on.
func fontsHash() string {
	out, err := exec.Command("fc-list", ":", "file", "fontversion").Output()
	if err != nil {
		return "unknown"
	}
	lines := strings.Split(string(out), "\n")
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:8])
}
