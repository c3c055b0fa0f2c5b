package exact

import (
	"context"

	"vitrine"
	"vitrine/internal/build"
)

// Install makes sure that the dependency set of a manifest is in the store, for
// whoever builds with it. A set that cannot be installed is the project's failure.
func (p *Project) Install(ctx context.Context, m *build.Manifest) (build.Set, []vitrine.BuildStep, *vitrine.BuildFailure, error) {
	modules, steps, failure, err := p.install(ctx, m)
	return build.Set{Key: m.Key, Modules: modules, Exact: true}, steps, failure, err
}
