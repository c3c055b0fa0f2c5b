// Package component mounts one TSX or JSX page, as models write it for a
// Next-style host, in a minimal host of our own: React 18 and Tailwind utility
// classes from memory, bundled in process. A component that imports other
// packages is turned into a project, for the builder of projects.
package component

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/evanw/esbuild/pkg/api"

	"vitrine"
	"vitrine/internal/build"
)

// Name of this builder in a Site.
const Name = "component"

// A Builder makes sites of components.
type Builder struct {
	// Projects builds the components that only a project's own tools can build.
	Projects build.Builder
}

// Build bundles a component, or has a project built that shows it. See [build.Builder].
func (b Builder) Build(ctx context.Context, a *vitrine.Artifact, o build.Options) (build.Result, error) {
	if err := ctx.Err(); err != nil {
		return build.Result{}, err
	}
	site, missing := bundle(a)
	if site != nil {
		return build.Result{Site: site}, nil
	}
	r, err := b.Projects.Build(ctx, project(a, missing), o)
	if err == nil {
		r.Site.Kind = vitrine.KindComponent
	}
	return r, err
}

//go:embed third_party/react.js
var react []byte

//go:embed third_party/tailwind.js
var tailwind []byte

// hosted are the modules that the host itself provides.
var hosted = map[string]string{
	"react":             "module.exports = globalThis.__host['react']",
	"react-dom":         "module.exports = globalThis.__host['react-dom']",
	"react-dom/client":  "module.exports = globalThis.__host['react-dom/client']",
	"react/jsx-runtime": "module.exports = globalThis.__host['react/jsx-runtime']",
	"next/link":         "import {createElement} from 'react'; export default ({href, prefetch, replace, scroll, ...rest}) => createElement('a', {href: typeof href === 'string' ? href : '#', ...rest})",
	"next/image": "import {createElement} from 'react'; export default ({src, fill, priority, quality, placeholder, blurDataURL, loader, unoptimized, ...rest}) =>" +
		" createElement('img', {src: typeof src === 'string' ? src : src && src.src, ...rest})",
	"next/head":       "export default () => null",
	"next/navigation": "export const useRouter = () => ({push() {}, replace() {}, back() {}, refresh() {}, prefetch() {}}); export const usePathname = () => '/'; export const useSearchParams = () => new URLSearchParams(); export const useParams = () => ({})",
	"next/router":     "export const useRouter = () => ({push() {}, replace() {}, back() {}, pathname: '/', query: {}, asPath: '/'})",
}

const hostPage = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Component</title>
<script src="/host/tailwind.js"></script>
</head>
<body>
<div id="root"></div>
<script src="/host/react.js"></script>
<script src="/host/component.js"></script>
</body>
</html>
`

const mount = `import {createElement} from 'react';
import {createRoot} from 'react-dom/client';
import Page from './%s';
createRoot(document.getElementById('root')).render(createElement(Page));`

// What is bundled in this process is bounded: nothing ends a bundler that runs out of
// memory but the end of the process.
const (
	maxFiles = 500
	maxBytes = 4 << 20 // of all files together
)

// tooLarge says why a component is more than one is.
func tooLarge(a *vitrine.Artifact) *vitrine.BuildFailure {
	total := 0
	for _, f := range a.Files {
		total += len(f.Content)
		if len(f.Content) > build.MaxSource {
			return &vitrine.BuildFailure{Code: vitrine.FailureTooLarge, Message: fmt.Sprintf("a component's file may have %d kB", build.MaxSource>>10)}
		}
	}
	if len(a.Files) > maxFiles || total > maxBytes {
		return &vitrine.BuildFailure{Code: vitrine.FailureTooLarge, Message: fmt.Sprintf("a component may have %d files and %d MB", maxFiles, maxBytes>>20)}
	}
	return nil
}

// bundle makes the site of a component. There is none of one that only a project's own
// tools can build: it imports packages that the host does not have, which are returned, has
// enums that a bundler would compute, or is nested too deep. See project.
func bundle(a *vitrine.Artifact) (site *vitrine.Site, missing []string) {
	site = &vitrine.Site{Kind: vitrine.KindComponent, Builder: Name, Base: "/", Routes: []string{"/"}}
	if site.Failure = tooLarge(a); site.Failure != nil {
		return site, nil
	}
	if slices.ContainsFunc(a.Files, func(f vitrine.File) bool { return !build.PlainEnums(f.Content) || build.Nested(f.Content) }) {
		return nil, imports(a)
	}
	unknown := map[string]bool{}
	result := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: fmt.Sprintf(mount, entry(a)), Sourcefile: "mount.js", Loader: api.LoaderJS},
		Bundle: true, Format: api.FormatIIFE, Target: api.ES2022, JSX: api.JSXAutomatic, LogLevel: api.LogLevelSilent,
		Define:           map[string]string{"process.env.NODE_ENV": `"production"`},
		MinifyWhitespace: true, MinifyIdentifiers: true, // what is nested takes the cube of its depth otherwise
		Outfile: "component.js", Plugins: []api.Plugin{fromMemory(a, unknown)},
	})
	if len(unknown) > 0 {
		return nil, slices.Sorted(maps.Keys(unknown))
	}
	if len(result.Errors) > 0 {
		site.Failure = failure(result.Errors)
		return site, nil
	}
	site.Files = map[string][]byte{"index.html": []byte(hostPage), "host/react.js": react, "host/tailwind.js": tailwind}
	for _, f := range result.OutputFiles {
		site.Files["host/"+path.Base(f.Path)] = f.Contents
	}
	site.Hash = build.Hash(site.Files)
	return site, nil
}
