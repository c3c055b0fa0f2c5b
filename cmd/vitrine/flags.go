package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/fixtures"
	"vitrine/internal/htmlhint"
	"vitrine/internal/model"
	"vitrine/internal/npm"
	"vitrine/internal/pipeline"
	"vitrine/internal/reward"
	"vitrine/internal/runs"
)

// defaultRecipe gives a fair number to sites of every kind.
const defaultRecipe = "quality"

// looking are the flags of every command that renders.
type looking struct {
	recipe, viewports, times string
	interactFlags
	builder     string
	until       string // packages are those of this date
	concurrency int
	noCache     bool
	maxRoutes   int
	vision      vision
}

func (l *looking) add(c *common, flags *pflag.FlagSet) {
	l.addRendering(flags, defaultRecipe)
	l.vision.add(c, flags)
}

// addRendering adds the flags without those of a model that judges.
func (l *looking) addRendering(flags *pflag.FlagSet, recipe string) {
	flags.StringVar(&l.recipe, "recipe", recipe, "reward recipe: "+strings.Join(reward.Builtin(), ", ")+", or a YAML file")
	flags.StringVar(&l.builder, "builder", string(build.Auto), "who builds projects: auto (fast where it can, else exact), fast (in this process) or exact (npm and the build script)")
	flags.StringVar(&l.until, "packages-until", npm.Until, "YYYY-MM-DD: version ranges of projects are resolved as the package registry stood on this date")
	flags.StringVar(&l.viewports, "viewport", "desktop", "window sizes: desktop (1280x800), mobile (390x844), tablet (768x1024) or WxH, comma-separated")
	flags.StringVar(&l.times, "times", "0,1,2", "seconds of page time after load at which frames are taken, rising")
	flags.IntVar(&l.maxRoutes, "max-routes", 8, "routes looked at per site")
	flags.IntVarP(&l.concurrency, "concurrency", "j", 0, "samples in work at once (default: by cores and memory)")
	flags.BoolVar(&l.noCache, "no-cache", false, "build and capture everything anew")
}

// worker is a pipeline and what it was made with. Close it.
type worker struct {
	*pipeline.Pipeline
	recipe  *reward.Recipe
	capture vitrine.CaptureSettings
	judge   string        // who judges
	method  string        // how sites are exercised
	client  *model.Client // nil: no model is asked
}

func (w *worker) Close() {
	w.Pipeline.Close()
	if w.client != nil {
		w.client.Close()
	}
}

// pipeline checks the flags and makes the pipeline they ask for.
func (l *looking) pipeline(c *common, tasks map[string]vitrine.Task) (*worker, error) {
	recipe, err := loadRecipe(l.recipe)
	if err != nil {
		return nil, err
	}
	by, err := l.method(recipe)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(build.Choices, build.Choice(l.builder)) {
		return nil, usage(fmt.Sprintf("--builder: there is no builder %q", l.builder), "use auto, fast or exact")
	}
	if date, err := time.Parse(time.DateOnly, l.until); err != nil || date.After(time.Now()) {
		return nil, usage(fmt.Sprintf("--packages-until: %q is no date that is past", l.until), "write it as YYYY-MM-DD, or leave it out for "+npm.Until)
	}
	settings, err := l.capture()
	if err != nil {
		return nil, err
	}
	if l.concurrency < 0 {
		return nil, usage("-j: must be 1 or more", "leave it out to choose by cores and memory")
	}
	mirror, err := fixtures.Open(c.mirrorDir())
	if err != nil {
		return nil, err
	}
	profile, err := l.vision.roll()
	if err != nil {
		return nil, err
	}
	look, client, err := l.vision.open(c, recipe, asks(by))
	if err != nil {
		return nil, err
	}
	interaction, auto, err := l.interactFlags.open(by, &l.vision, client)
	if err != nil {
		return nil, err
	}
	p := pipeline.New(pipeline.Settings{
		Recipe: recipe, Capture: settings, Tasks: tasks, Browser: c.browser, Sandbox: c.sandbox(),
		Concurrency: l.concurrency, CacheDir: c.cacheDir, NoCache: l.noCache, Builder: build.Choice(l.builder), PackagesUntil: l.until, Fixtures: mirror, Profile: profile, Vision: look, Models: l.vision.behind(client),
		Interact: interaction, InteractAuto: auto,
	})
	return &worker{p, recipe, settings, l.vision.name(profile), l.interactFlags.name(by, &l.vision), client}, nil
}

// header says what the samples of a run are made with. Without a browser there is no
// run.
func (w *worker) header(ctx context.Context, input string) (runs.Header, error) {
	h := runs.Header{
		Started: time.Now().UTC(), Input: input, Recipe: w.recipe.ID(), Judge: w.judge, Interact: w.method, Capture: w.capture,
	}
	var err error
	if h.RecipeSpec, err = json.Marshal(w.recipe); err != nil {
		return h, err
	}
	h.Provenance, err = w.Provenance(ctx)
	h.Browser = h.Provenance.Browser
	return h, err
}

func loadRecipe(name string) (*reward.Recipe, error) {
	recipe, err := reward.Load(name, os.ReadFile)
	if err != nil {
		return nil, err
	}
	if err := htmlhint.Check(recipe.Hint); err != nil {
		return nil, usage(name+": hint: "+err.Error(), "")
	}
	return recipe, nil
}

func (l *looking) capture() (vitrine.CaptureSettings, error) {
	s := vitrine.CaptureSettings{MaxRoutes: l.maxRoutes}
	if l.maxRoutes < 1 {
		return s, usage("--max-routes: must be 1 or more", "")
	}
	for name := range strings.SplitSeq(l.viewports, ",") {
		v, err := viewport(strings.TrimSpace(name))
		if err != nil {
			return s, err
		}
		if slices.Contains(s.Viewports, v) {
			return s, usage(fmt.Sprintf("--viewport: %s is there twice", v.Name), "name each window size once")
		}
		s.Viewports = append(s.Viewports, v)
	}
	last := -1
	for text := range strings.SplitSeq(l.times, ",") {
		seconds, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		ms := int(math.Round(seconds * 1000))
		if err != nil || ms <= last || seconds > 60 {
			return s, usage(fmt.Sprintf("--times: %q is not a list of rising seconds from 0 to 60", l.times), "such as --times 0,1,2")
		}
		s.TimesMS = append(s.TimesMS, ms)
		last = ms
	}
	return s, nil
}

func viewport(name string) (vitrine.Viewport, error) {
	for _, v := range []vitrine.Viewport{vitrine.Desktop, vitrine.Mobile, vitrine.Tablet} {
		if name == v.Name {
			return v, nil
		}
	}
	w, h, ok := strings.Cut(name, "x")
	width, errW := strconv.Atoi(w)
	height, errH := strconv.Atoi(h)
	if !ok || errW != nil || errH != nil || width < 200 || width > 4000 || height < 200 || height > 4000 {
		return vitrine.Viewport{}, usage(fmt.Sprintf("--viewport: %q is not a window size", name), "use desktop, mobile, tablet or WxH with 200 to 4000 pixels, such as 1440x900")
	}
	return vitrine.Viewport{Name: fmt.Sprintf("%dx%d", width, height), Width: width, Height: height}, nil
}
