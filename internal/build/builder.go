package build

import (
	"context"

	"vitrine"
	"vitrine/internal/cache"
)

// A Builder turns an artifact into a site. It does not change the artifact, gives the same
// site for the same files, and keeps what they name inside of its own folders. Safe for
// concurrent use.
type Builder interface {
	// Build makes the site. An artifact that does not build is a Site with a Failure;
	// errors are ours and carry a *vitrine.Fault, or are that of ctx.
	Build(ctx context.Context, a *vitrine.Artifact, o Options) (Result, error)
}

// Options of one build.
type Options struct {
	// Lenient builds a project as a development server does: a module that cannot be
	// made throws where it is imported, and the rest lives on.
	Lenient bool
	// Files are what the task gives to a plot, such as data.csv.
	Files []vitrine.File
}

// A Result is a site, or its failure, and what it is a function of.
type Result struct {
	Site   *vitrine.Site
	Key    cache.Key // empty where nothing is kept for a later build
	Cached bool      // built before, or for another caller at the same time
}

// A Choice says what builds projects.
type Choice string

// What projects can be built by.
const (
	Auto  Choice = "auto"  // fast where it can, else exact
	Fast  Choice = "fast"  // in this process; what it cannot build is a fault
	Exact Choice = "exact" // npm and the project's own build script
)

// Choices are all of them, the default first.
var Choices = []Choice{Auto, Fast, Exact}
