// Package setup turns what a person names, such as a recipe, models, windows and files,
// into the settings of a pipeline, and opens it.
package setup

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/cache"
	"vitrine/internal/fixtures"
	"vitrine/internal/model"
	"vitrine/internal/npm"
	"vitrine/internal/pipeline"
	"vitrine/internal/reward"
	"vitrine/internal/runs"
	"vitrine/internal/sandbox"
)

// Machine says where on this machine things are.
type Machine struct {
	Browser  string // path of Chromium; empty: the first found
	Sandbox  sandbox.Sandbox
	CacheDir string
	Getenv   func(string) string
}

// Looking says how sites are built, seen, exercised and judged. Fields are values of the
// flags of their names.
type Looking struct {
	Recipe, Viewports, Times string
	Builder                  string
	Until                    string // packages are those of this date
	Concurrency              int    // 0: by cores and memory
	NoCache                  bool
	MaxRoutes                int
	Judging                  Judging
	Interacting              Interacting
}

// A Pipeline knows what it was made with. Close it.
type Pipeline struct {
	*pipeline.Pipeline
	Recipe  *reward.Recipe
	capture vitrine.CaptureSettings
	judge   string        // who judges
	method  string        // how sites are exercised
	Client  *model.Client // nil: no model is asked
}

// Close ends the pipeline, and the client where a model is asked.
func (p *Pipeline) Close() {
	p.Pipeline.Close()
	if p.Client != nil {
		p.Client.Close()
	}
}

// Open checks what was named and makes the pipeline that it asks for.
func (l *Looking) Open(here Machine, tasks map[string]vitrine.Task) (*Pipeline, error) {
	recipe, err := LoadRecipe(l.Recipe)
	if err != nil {
		return nil, err
	}
	by, err := l.Interacting.method(recipe)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(build.Choices, build.Choice(l.Builder)) {
		return nil, usage(fmt.Sprintf("--builder: there is no builder %q", l.Builder), "use auto, fast or exact")
	}
	if date, err := time.Parse(time.DateOnly, l.Until); err != nil || date.After(time.Now()) {
		return nil, usage(fmt.Sprintf("--packages-until: %q is no date that is past", l.Until), "write it as YYYY-MM-DD, or leave it out for "+npm.Until)
	}
	settings, err := l.capture()
	if err != nil {
		return nil, err
	}
	if l.Concurrency < 0 {
		return nil, usage("-j: must be 1 or more", "leave it out to choose by cores and memory")
	}
	mirror, err := fixtures.Open(filepath.Join(here.CacheDir, cache.FixturesDir))
	if err != nil {
		return nil, err
	}
	calibration, err := l.Judging.OpenCalibration()
	if err != nil {
		return nil, err
	}
	look, client, err := l.Judging.Open(here, recipe, Asks(by))
	if err != nil {
		return nil, err
	}
	if client, err = l.Interacting.reader(here, by, &l.Judging, client); err != nil {
		return nil, err
	}
	interaction, auto, err := l.Interacting.open(here, by, &l.Judging, client)
	if err != nil {
		return nil, err
	}
	p := pipeline.New(pipeline.Settings{
		Recipe: recipe, Profile: l.Judging.Profile, Capture: settings, Tasks: tasks, Browser: here.Browser, Sandbox: here.Sandbox,
		Concurrency: l.Concurrency, CacheDir: here.CacheDir, NoCache: l.NoCache, Builder: build.Choice(l.Builder), PackagesUntil: l.Until, Fixtures: mirror, Calibration: calibration, Vision: look, Models: l.Judging.behind(client),
		Interact: interaction, InteractAuto: auto,
	})
	return &Pipeline{p, recipe, settings, l.Judging.name(calibration), l.Interacting.name(by, &l.Judging), client}, nil
}

// Header says what the samples of a run are made with. Without a browser there is no
// run.
func (p *Pipeline) Header(ctx context.Context, input string) (runs.Header, error) {
	h := runs.Header{
		Started: time.Now().UTC(), Input: input, Recipe: p.Recipe.ID(), Profile: p.Profile(), Judge: p.judge, Interact: p.method, Capture: p.capture,
	}
	var err error
	if h.RecipeSpec, err = json.Marshal(p.Recipe); err != nil {
		return h, err
	}
	h.Provenance, err = p.Provenance(ctx)
	h.Browser = h.Provenance.Browser
	return h, err
}

func usage(message, fix string) *vitrine.Fault {
	return vitrine.NewFault("command", vitrine.FaultUsage, nil, message).WithFix(fix)
}
