package fast

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"vitrine/internal/build"
	"vitrine/internal/project"
)

// onlyFrom serves files of the set and nothing else of this machine.
func onlyFrom(set build.Set) api.Plugin {
	return api.Plugin{Name: "set", Setup: func(b api.PluginBuild) {
		b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "file"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			content, err := readInside(set, a.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			loader := api.LoaderJS
			switch path.Ext(a.Path) {
			case ".js", ".mjs", ".cjs":
			case ".json":
				loader = api.LoaderJSON
			default:
				return api.OnLoadResult{}, cannot(CannotPackage, "a package imports a file of kind %s", path.Ext(a.Path))
			}
			return api.OnLoadResult{Contents: &content, Loader: loader, ResolveDir: filepath.Dir(a.Path)}, nil
		})
	}}
}

// readInside reads a file of a set. What links lead out of it is not there.
func readInside(set build.Set, name string) (string, error) {
	root, errRoot := filepath.EvalSymlinks(set.Modules)
	real, err := filepath.EvalSymlinks(name)
	if errors.Join(errRoot, err) != nil || !strings.HasPrefix(real, root+string(filepath.Separator)) {
		return "", cannot(CannotPackage, "a package imports a file outside of the packages")
	}
	b, err := os.ReadFile(real)
	return string(b), err
}

// found is where an import path leads in a set.
type found struct {
	file string
	err  error
}

// lookup finds the file that an import path stands for in a set, or a *broken.
func (b *Builder) lookup(set build.Set, name string) (string, error) {
	key := set.Key + "\x00" + name
	if f, ok := b.lookups.get(key); ok {
		return f.file, f.err
	}
	var f found
	find := api.Plugin{Name: "find", Setup: func(pb api.PluginBuild) {
		pb.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			if a.PluginData == "asking" || a.Kind == api.ResolveEntryPoint {
				return api.OnResolveResult{}, nil
			}
			r := pb.Resolve(name, api.ResolveOptions{ResolveDir: filepath.Dir(set.Modules), Kind: api.ResolveJSImportStatement, PluginData: "asking"})
			switch {
			case len(r.Errors) > 0:
				f.err = breaks("", "failed to resolve import %q", name)
			case r.External || r.Namespace != "file":
				f.err = cannot(CannotImport, "the import %q", build.Bounded(name, 100))
			default:
				f.file = r.Path
			}
			return api.OnResolveResult{Path: name, External: true}, nil
		})
	}}
	api.Build(api.BuildOptions{
		Stdin: &api.StdinOptions{Contents: "import " + quoted(name), ResolveDir: filepath.Dir(set.Modules)}, Bundle: true, LogLevel: api.LogLevelSilent,
		Plugins: []api.Plugin{find}, Conditions: conditions, MainFields: mainFields, Platform: api.PlatformBrowser, TsconfigRaw: "{}",
	})
	if f.file == "" && f.err == nil {
		f.err = breaks("", "failed to resolve import %q", name)
	}
	b.lookups.put(key, f)
	return f.file, f.err
}

// setVersion is the version of a package in a set, empty if it is not there.
func setVersion(set build.Set, name string) string {
	b, err := os.ReadFile(filepath.Join(set.Modules, filepath.FromSlash(name), "package.json"))
	var p struct{ Version string }
	if err != nil || json.Unmarshal(b, &p) != nil {
		return ""
	}
	return p.Version
}

// declared are the import paths that a project of these dependencies is likely to
// have: a library of them serves most of its siblings.
func (b *Builder) declared(m project.Package, set build.Set) []string {
	var fields struct{ Dependencies map[string]string }
	_ = json.Unmarshal(m.Install, &fields) // it was made by us
	names := slices.Collect(maps.Keys(fields.Dependencies))
	if fields.Dependencies["react"] != "" {
		names = append(names, "react/jsx-runtime")
	}
	if fields.Dependencies["react-dom"] != "" {
		names = append(names, "react-dom/client")
	}
	return slices.DeleteFunc(names, func(name string) bool {
		file, err := b.lookup(set, name)
		return err != nil || !isScript(file)
	})
}

func isScript(name string) bool {
	return slices.Contains([]string{".js", ".mjs", ".cjs"}, path.Ext(name))
}
