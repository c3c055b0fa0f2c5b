package pipeline

import (
	"cmp"
	"context"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/build"
	"vitrine/internal/build/auto"
	"vitrine/internal/cache"
	"vitrine/internal/capture"
	"vitrine/internal/fixtures"
	"vitrine/internal/interact"
	"vitrine/internal/judge/calibrate"
	"vitrine/internal/memory"
	"vitrine/internal/reward"
	"vitrine/internal/sandbox"
	"vitrine/internal/singleflight"
)

// Settings of a pipeline. Those that can change a reward are part of its Provenance.
type Settings struct {
	Recipe  *reward.Recipe
	Profile vitrine.Profile // by which models judge and exercise; empty: that of the recipe
	Capture vitrine.CaptureSettings
	Tasks   map[string]vitrine.Task // by id; nil if no task file was given
	Browser string                  // path of Chromium; empty finds one
	Sandbox sandbox.Sandbox
	// Concurrency is how many samples are in work at once; 0 chooses by cores and
	// memory.
	Concurrency int
	// Builder says what builds projects; empty means build.Auto.
	Builder build.Choice
	// PackagesUntil is the date as of which version ranges are resolved, YYYY-MM-DD;
	// empty means npm.Until.
	PackagesUntil string
	// CacheDir keeps the package store and what was built and captured.
	CacheDir string
	// NoCache builds and captures everything again. Installed packages are still
	// shared.
	NoCache bool
	// Fixtures answer what pages ask other hosts for; nil blocks all of it.
	Fixtures *fixtures.Mirror
	Limits   Limits
	// Calibration is the measured judge's roll-up; nil is the one that is set by hand.
	Calibration *calibrate.Calibration
	// Vision names the models that judge in addition to the measured judge; nil asks none.
	Vision *Vision
	// Models are what names of models stand for, provider/model, for the provenance.
	Models map[string]string
	// Interact says how sites are exercised; nil: not at all.
	Interact *interact.Settings
	// InteractAuto exercises sites only where the recipe reads what comes of it.
	InteractAuto bool
}

// Limits bound what one output may use. Where they are zero, the defaults of
// browser.Settings, exact.Settings and plot.Settings hold.
type Limits struct {
	Browser sandbox.Limits // one browser with all of its pages
	Install sandbox.Limits // the installation of one set of packages
	Build   sandbox.Limits // one build script
	Plot    sandbox.Limits // one program that draws
	Command time.Duration  // one DevTools command
}

// A Pipeline scores outputs. It is safe for concurrent use; Close ends its
// browser.
type Pipeline struct {
	settings Settings
	*shared
}

// shared is what the pipelines of several recipes have in common, the work under way
// included: what one of them builds or captures, the others wait for.
type shared struct {
	asked    Settings                  // as they were given, whatever the first recipe needs of them
	made     func() vitrine.Provenance // without what must be started
	browser  *browser.Supervisor
	capturer *capture.Capturer
	cache    cache.Results
	builder  *auto.Builder
	looking  singleflight.Group[sight]
}

// New makes a pipeline. Nothing is started before the first output needs it.
func New(s Settings) *Pipeline {
	if s.Concurrency == 0 {
		s.Concurrency = defaultConcurrency()
	}
	s.Builder = cmp.Or(s.Builder, build.Auto)
	s.Capture = capture.WithDefaults(s.Capture)
	sup := browser.New(browser.Settings{
		Path: s.Browser, Sandbox: s.Sandbox, Pages: min(s.Concurrency, 2*runtime.NumCPU()),
		Limits: s.Limits.Browser, CommandDeadline: s.Limits.Command,
	})
	p := judging(s)
	p.browser, p.capturer = sup, &capture.Capturer{Browser: sup}
	if s.Fixtures != nil {
		p.capturer.Mirror = s.Fixtures
	}
	if !s.NoCache {
		p.cache = cache.Results{Dir: filepath.Join(s.CacheDir, cache.ResultsDir)}
	}
	p.builder = auto.New(auto.Settings{
		Projects: s.Builder, Store: filepath.Join(s.CacheDir, cache.PackagesDir), Sandbox: s.Sandbox,
		Install: s.Limits.Install, Build: s.Limits.Build, Plot: s.Limits.Plot, Until: s.PackagesUntil,
		Results: p.cache, AtOnce: min(s.Concurrency, runtime.NumCPU()/2),
	})
	p.settings.adapt()
	return p
}

// judging is a pipeline that judges evidence, without a browser or a cache.
func judging(s Settings) *Pipeline {
	return &Pipeline{s, &shared{asked: s, made: sync.OnceValue(s.provenance)}}
}

// Concurrency is how many samples the pipeline works on at once.
func (p *Pipeline) Concurrency() int { return p.settings.Concurrency }

// Profile is that by which models judge and exercise.
func (p *Pipeline) Profile() vitrine.Profile { return p.settings.Profile }

// Close ends the browser and what builds projects.
func (p *Pipeline) Close() {
	p.builder.Close()
	p.browser.Close()
}

// BrowserVersion starts the browser and returns its product and version, or the
// fault that keeps it from starting.
func (p *Pipeline) BrowserVersion(ctx context.Context) (string, error) { return p.browser.Version(ctx) }

// Browsers counts the browsers: those that live by state, and those that have ended by
// reason. See [browser.Supervisor.Count].
func (p *Pipeline) Browsers() (living, ended map[string]int) { return p.browser.Count() }

// defaultConcurrency is twice the cores, and at most one sample for each
// gigabyte of memory: a page takes a tenth of that, a build most of it.
func defaultConcurrency() int {
	return int(max(1, min(int64(2*runtime.NumCPU()), memory.Limit()>>30)))
}
