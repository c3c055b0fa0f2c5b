package webbench

import (
	"context"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/build/exact"
	"vitrine/internal/project"
)

// installing are the projects whose packages the model chooses: as published, its package.json
// is installed before each step, and its script of that name built.
var installing = []string{"parcel", "vite", "webpack"}

// installOwn shows the packages that the model's package.json asks for. What cannot be had of
// them, or not in time, is the model's failure: it chose them.
func (w *sealed) installOwn(ctx context.Context, files map[string]string, t *exact.Tool) (tested, error) {
	a := &vitrine.Artifact{Kind: vitrine.KindProject}
	for name, content := range files {
		a.Files = append(a.Files, vitrine.File{Path: name, Content: content})
	}
	own, failure := project.Read(a, limits.DiskBytes)
	if failure != nil {
		return tested{Script: "init", Message: failure.Message}, nil
	}
	if len(own.Package.Local) > 0 {
		return tested{Script: "init", Message: "package.json has dependencies in its own folder, which are not linked here"}, nil
	}
	var set build.Set
	r, err := w.packages.Resolve(ctx, own.Package)
	if err == nil {
		set, _, failure, err = w.packages.Install(ctx, own.Package, r)
	}
	if err != nil {
		if vitrine.AsFault("build", err).Code == vitrine.FaultInstallTimeout {
			return tested{Script: "init", Message: err.Error(), Limit: vitrine.FailureTimeout}, nil
		}
		return tested{}, err
	}
	if failure != nil {
		return tested{Script: "init", Message: failure.Message}, nil
	}
	t.Packages = map[string]build.Set{output + "/node_modules": set}
	return tested{}, nil
}
