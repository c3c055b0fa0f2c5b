// Package static makes sites of artifacts that need no build: pages and
// drawings. Nothing is written to disk.
package static

import (
	"context"
	"fmt"
	"path"
	"strings"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/project"
)

// Name of this builder in a Site.
const Name = "static"

// A Builder serves pages and drawings.
type Builder struct{}

// Build serves the files of a as they are. See [build.Builder].
func (Builder) Build(ctx context.Context, a *vitrine.Artifact, _ build.Options) (build.Result, error) {
	if err := ctx.Err(); err != nil {
		return build.Result{}, err
	}
	return build.Result{Site: Site(a)}, nil
}

// Site serves the files of a page or a drawing as they are.
func Site(a *vitrine.Artifact) *vitrine.Site {
	site := &vitrine.Site{Kind: a.Kind, Builder: Name, Base: "/", Routes: []string{"/"}, Files: map[string][]byte{}}
	size := 0
	for _, f := range a.Files {
		size += len(f.Content)
		site.Files[f.Path] = []byte(f.Content)
		if path.Ext(f.Path) == ".html" && f.Path != "index.html" && len(site.Routes) < project.MaxRoutes {
			site.Routes = append(site.Routes, "/"+f.Path)
		}
	}
	if size > build.DefaultMaxBytes {
		return &vitrine.Site{Kind: a.Kind, Builder: Name, Base: "/", Routes: []string{"/"}, Failure: &vitrine.BuildFailure{
			Code: vitrine.FailureTooLarge, Message: fmt.Sprintf("the files are %d MB, more than %d MB", size>>20, build.DefaultMaxBytes>>20),
		}}
	}
	if a.Kind == vitrine.KindSVG {
		site.Files["index.html"] = host(a)
	}
	site.Hash = build.Hash(site.Files)
	return site
}

// host shows a drawing in the middle of an empty page; one that names no size
// fills the window, as it does when a browser opens it by itself.
func host(a *vitrine.Artifact) []byte {
	var drawing string
	for _, f := range a.Files {
		if strings.HasSuffix(f.Path, ".svg") {
			drawing = f.Content
		}
	}
	return []byte(`<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Drawing</title>` +
		`<style>body{margin:0}main{min-height:100vh;display:grid;place-items:center}main>svg{max-width:100%;max-height:100vh}main>svg:not([width]):not([height]){width:100%;height:100vh}</style></head><body><main>` +
		drawing + `</main></body></html>`)
}
