package component

import (
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"vitrine"
)

// entry is the file that holds the component.
func entry(a *vitrine.Artifact) string {
	for _, f := range a.Files {
		if f.Path == "page.tsx" {
			return f.Path
		}
	}
	return a.Files[0].Path
}

// fromMemory resolves imports to the host's modules and the artifact's files,
// and notes every package that is neither. Nothing on disk can be reached.
func fromMemory(a *vitrine.Artifact, unknown map[string]bool) api.Plugin {
	return api.Plugin{Name: "memory", Setup: func(b api.PluginBuild) {
		var mu sync.Mutex // esbuild resolves several imports at once
		b.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			name := args.Path
			if _, ok := hosted[name]; ok {
				return api.OnResolveResult{Path: name, Namespace: "host"}, nil
			}
			if strings.HasPrefix(name, ".") {
				return resolveFile(a, path.Join(path.Dir(args.Importer), name))
			}
			if rest, ok := strings.CutPrefix(name, "@/"); ok {
				return resolveFile(a, rest)
			}
			mu.Lock()
			defer mu.Unlock()
			unknown[packageName(name)] = true
			return api.OnResolveResult{Path: name, External: true}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "host"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			source := hosted[args.Path]
			return api.OnLoadResult{Contents: &source, Loader: api.LoaderJS}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "artifact"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			content, _ := a.File(args.Path)
			return api.OnLoadResult{Contents: &content, Loader: loaderOf(args.Path)}, nil
		})
	}}
}

func resolveFile(a *vitrine.Artifact, name string) (api.OnResolveResult, error) {
	for _, ext := range []string{"", ".tsx", ".ts", ".jsx", ".js", "/index.tsx", "/index.ts"} {
		if _, ok := a.File(name + ext); ok {
			return api.OnResolveResult{Path: name + ext, Namespace: "artifact"}, nil
		}
	}
	return api.OnResolveResult{}, fmt.Errorf("there is no file %q in the answer", name)
}

func loaderOf(name string) api.Loader {
	switch path.Ext(name) {
	case ".css":
		return api.LoaderCSS
	case ".json":
		return api.LoaderJSON
	case ".svg":
		return api.LoaderDataURL
	}
	return api.LoaderTSX
}

// packageName is the package behind an import: "a/b" is "a", "@a/b/c" is "@a/b".
func packageName(name string) string {
	parts := strings.SplitN(name, "/", 3)
	if strings.HasPrefix(name, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

func failure(errors []api.Message) *vitrine.BuildFailure {
	var lines []string
	for _, e := range errors {
		line := e.Text
		if e.Location != nil {
			line = fmt.Sprintf("%s:%d: %s\n  %s", strings.TrimPrefix(e.Location.File, "artifact:"), e.Location.Line, e.Text, e.Location.LineText)
		}
		lines = append(lines, line)
	}
	first, _, _ := strings.Cut(lines[0], "\n")
	return &vitrine.BuildFailure{Code: vitrine.FailureBuild, Message: first, Log: strings.Join(lines, "\n")}
}
