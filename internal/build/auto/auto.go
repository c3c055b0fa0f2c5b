// Package auto is the builder of every kind of artifact. It chooses by the kind, and for
// projects by what was asked for and by what the fast builder can; equal projects are built
// once.
package auto

import (
	"context"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/build/component"
	"vitrine/internal/build/plot"
	"vitrine/internal/build/static"
	"vitrine/internal/cache"
	"vitrine/internal/sandbox"
)

// Settings of the builders.
type Settings struct {
	// Projects says what builds them; empty means build.Auto.
	Projects build.Choice
	// Store keeps packages, dependency sets and built sites.
	Store   string
	Sandbox sandbox.Sandbox
	// Install and Build bound each command; see exact.Settings.
	Install, Build sandbox.Limits
	// Plot bounds each program that draws; see plot.Settings.
	Plot sandbox.Limits
	// Until is the date as of which packages are resolved; empty means npm.Until.
	Until string
	// Results keep the sites of projects; without a folder each is built every time.
	Results cache.Results
	// AtOnce is how many resolutions, installs and build scripts run at once; 0 means 1.
	AtOnce int
}

// A Builder builds artifacts of every kind. Close ends its processes.
type Builder struct {
	projects *projects
	plots    *plot.Builder
	byKind   map[vitrine.Kind]build.Builder
}

// New makes a builder. Nothing is looked for or started before a project needs it.
func New(s Settings) *Builder {
	p := newProjects(s)
	plots := plot.New(plot.Settings{Store: s.Store, Sandbox: s.Sandbox, Limits: s.Plot, Results: s.Results})
	return &Builder{projects: p, plots: plots, byKind: map[vitrine.Kind]build.Builder{
		vitrine.KindPage: static.Builder{}, vitrine.KindSVG: static.Builder{},
		vitrine.KindComponent: component.Builder{Projects: p}, vitrine.KindProject: p, vitrine.KindPlot: plots,
	}}
}

// Build builds by the kind of the artifact; one without a builder is a fault. See
// [build.Builder].
func (b *Builder) Build(ctx context.Context, a *vitrine.Artifact, o build.Options) (build.Result, error) {
	builder, ok := b.byKind[a.Kind]
	if !ok {
		message := "this version cannot show outputs of kind " + string(a.Kind)
		return build.Result{}, vitrine.NewFault("build", vitrine.FaultUnsupportedKind, nil, message)
	}
	return builder.Build(ctx, a, o)
}

// Versions are those of what builds projects, with those of Node.js and npm. Where these
// are missing there is a fault.
func (b *Builder) Versions() (string, error) {
	e, err := b.projects.open()
	if err != nil {
		return "", err
	}
	return e.versions(), nil
}

// PlotVersions are those of Python and of what plots may use. Where one is missing there
// is a fault.
func (b *Builder) PlotVersions() (string, error) { return b.plots.Versions() }

// Close ends the processes that wait for a project.
func (b *Builder) Close() { b.projects.close() }
