package exact

import (
	"context"
	_ "embed"

	"vitrine"
	"vitrine/internal/project"
)

// lenientScript lets the project's own Vite leave out what a development server would.
//
//go:embed lenient.mjs
var lenientScript string

// lenientCommand builds a project as a development server shows it: its types are not
// checked, and a module that cannot be found or made fails alone. Only Vite can.
func lenientCommand(m project.Package) (command, bool) {
	_, ok := m.Uses["vite"]
	return command{name: "build leniently", args: []string{"node", "--input-type=module", "--eval", lenientScript}, says: "vitrine lenient build"}, ok
}

// buildLeniently builds a project again whose own build failed. Where this fails too, the
// failure is that of its own build.
func (p *Project) buildLeniently(ctx context.Context, source *project.Project, modules string, strict *vitrine.Site) error {
	c, ok := lenientCommand(source.Package)
	if !ok || strict.Failure == nil || strict.Failure.Code != vitrine.FailureBuild {
		return nil
	}
	site := *strict
	site.Failure = nil
	if err := p.build(ctx, source, modules, &site, c); err != nil {
		return err
	}
	if site.Failure != nil {
		strict.Steps = site.Steps
		return nil
	}
	*strict = site
	return nil
}
