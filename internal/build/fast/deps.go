package fast

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"vitrine/internal/build"
)

// A library is a dependency set made into ES modules once, for every project that
// imports from it: each import path is a file, and what they share lies in chunks.
type library struct {
	Dir string `json:"-"`
	// Modules by import path.
	Modules map[string]module `json:"modules"`
	Files   []string          `json:"files"`
	// Imports are the files of the library that a file of it cannot run without.
	Imports map[string][]string `json:"imports"`
	key     string
}

// A module is one import path of a library.
type module struct {
	File    string   `json:"file"`
	CommonJ bool     `json:"commonjs,omitempty"` // has a default export and no other
	Exports []string `json:"exports,omitempty"`
}

const (
	libraryTime = 2 * time.Minute
	maxModule   = 8 << 20 // bytes of script that a page may have to load for one import
	libraryFile = "library.json"
)

// library returns the library of these import paths, and makes it if nobody did
// before.
func (b *Builder) library(ctx context.Context, set build.Set, imports []string) (*library, error) {
	imports = slices.Compact(slices.Sorted(slices.Values(imports)))
	sum := sha256.Sum256([]byte(Version + "\x00" + strings.Join(imports, "\x00")))
	key := set.Key + "/" + hex.EncodeToString(sum[:12])
	dir := filepath.Join(b.settings.Store, "libraries", filepath.FromSlash(key))
	if refusal, ok := b.refused.get(key); ok {
		return nil, refusal
	}
	if l, ok := b.libraries.get(key); ok {
		if _, err := os.Stat(dir); err == nil { // the store may have been pruned
			return l, nil
		}
	}
	made, err, _ := b.making.Do(key, func() (any, error) {
		l, ok := readLibrary(dir)
		if !ok {
			var err error
			// It is for everybody who waits: one caller's end must not end it.
			if l, err = b.makeLibrary(context.WithoutCancel(ctx), set, imports, dir); err != nil {
				return nil, err
			}
		}
		l.key = key
		b.libraries.put(key, l)
		return l, nil
	})
	var refusal *Cannot
	if errors.As(err, &refusal) && refusal.Reasons[0].Code == CannotPackage {
		b.refused.put(key, refusal) // sets never change
	}
	if err != nil {
		return nil, err
	}
	return made.(*library), nil
}

func readLibrary(dir string) (*library, bool) {
	l := &library{Dir: dir}
	b, err := os.ReadFile(filepath.Join(dir, libraryFile))
	return l, err == nil && json.Unmarshal(b, l) == nil
}

func (b *Builder) makeLibrary(ctx context.Context, set build.Set, imports []string, dir string) (*library, error) {
	var entries []api.EntryPoint
	for _, name := range imports {
		file, err := b.lookup(set, name)
		if err != nil {
			return nil, err
		}
		entries = append(entries, api.EntryPoint{InputPath: file, OutputPath: fileName(name)})
	}
	made, err := run(ctx, libraryTime, api.BuildOptions{
		EntryPointsAdvanced: entries, AbsWorkingDir: filepath.Dir(set.Modules), Bundle: true, Splitting: true, Metafile: true, Outdir: "/",
		Format: api.FormatESModule, Platform: api.PlatformBrowser, Conditions: conditions, MainFields: mainFields, Target: api.ESNext,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
		Define: libraryDefines, Banner: map[string]string{"js": "const " + envName + "={};"}, Plugins: []api.Plugin{onlyFrom(set)}, LogLevel: api.LogLevelSilent, TsconfigRaw: "{}",
	})
	if err != nil {
		return nil, err
	}
	if len(made.Errors) > 0 {
		return nil, cannot(CannotPackage, "the packages do not bundle: %s", made.Errors[0].Text)
	}
	l, err := describe(made, imports)
	if err != nil {
		return nil, err
	}
	l.Dir = dir
	return l, l.keep(made.OutputFiles)
}

// envName stands for an environment object. A define that is an object would
// become a module of its own, which every CommonJS package then waits for.
const envName = "__vitrine_env__"

var libraryDefines = map[string]string{
	"process.env.NODE_ENV": `"production"`, "process.env": envName, "global.process.env": envName, "globalThis.process.env": envName,
	"import.meta.env": envName, "import.meta.env.MODE": `"production"`, "import.meta.env.PROD": "true", "import.meta.env.DEV": "false", "import.meta.env.SSR": "false",
	"import.meta.hot": "undefined",
}

var (
	conditions = []string{"module", "production"}
	mainFields = []string{"browser", "module", "jsnext:main", "jsnext", "main"}
)

var unsafeName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// fileName is the name of an import path's file, without an extension.
func fileName(name string) string {
	sum := sha256.Sum256([]byte(name))
	return unsafeName.ReplaceAllString(name, "_") + "-" + hex.EncodeToString(sum[:4])
}

// importStatement is esbuild's kind of an import that a module cannot run without.
const importStatement = "import-statement"

type metafile struct {
	Inputs map[string]struct {
		Format  string `json:"format"`
		Imports []struct {
			Path, Kind string
			External   bool
		} `json:"imports"`
	} `json:"inputs"`
	Outputs map[string]struct {
		EntryPoint string   `json:"entryPoint"`
		Exports    []string `json:"exports"`
		Bytes      int      `json:"bytes"`
		Imports    []struct {
			Path, Kind string
			External   bool
		} `json:"imports"`
	} `json:"outputs"`
}

// describe tells which file of a bundle stands for which import path.
func describe(made api.BuildResult, imports []string) (*library, error) {
	var meta metafile
	if err := json.Unmarshal([]byte(made.Metafile), &meta); err != nil {
		return nil, fmt.Errorf("read what esbuild made: %w", err)
	}
	byBase := map[string]string{}
	for name := range meta.Outputs {
		byBase[path.Base(name)] = name
	}
	l := &library{Modules: map[string]module{}, Imports: map[string][]string{}}
	for _, f := range made.OutputFiles {
		l.Files = append(l.Files, filepath.Base(f.Path))
	}
	for name, out := range meta.Outputs {
		for _, i := range out.Imports {
			if i.Kind == importStatement && !i.External {
				l.Imports[path.Base(name)] = append(l.Imports[path.Base(name)], path.Base(i.Path))
			}
		}
	}
	for _, name := range imports {
		file := fileName(name) + ".js"
		out := meta.Outputs[byBase[file]]
		if out.Bytes > maxModule {
			return nil, cannot(CannotPackage, "%s is too large to be loaded whole", name)
		}
		format := meta.Inputs[out.EntryPoint].Format
		l.Modules[name] = module{File: file, CommonJ: format != "esm", Exports: out.Exports}
	}
	return l, nil
}

// keep writes a library to its place, whole or not at all.
func (l *library) keep(files []api.OutputFile) error {
	parent := filepath.Dir(l.Dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp(parent, ".making-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(work, filepath.Base(f.Path)), f.Contents, 0o644); err != nil {
			return err
		}
	}
	b, err := json.Marshal(l)
	if err != nil {
		return err
	}
	if err := errors.Join(os.WriteFile(filepath.Join(work, libraryFile), b, 0o644), os.Chmod(work, 0o755)); err != nil {
		return err
	}
	return moveInto(work, l.Dir)
}

// moveInto renames a folder to its final place, unless somebody else was first.
func moveInto(from, to string) error {
	err := os.Rename(from, to)
	if entries, there := os.ReadDir(to); err != nil && there == nil && len(entries) > 0 {
		return nil
	}
	return err
}

// run bundles until the end of ctx or of the time given.
func run(ctx context.Context, limit time.Duration, options api.BuildOptions) (api.BuildResult, error) {
	bundler, err := api.Context(options)
	if err != nil {
		return api.BuildResult{}, fmt.Errorf("start esbuild: %w", err)
	}
	defer bundler.Dispose()
	limited, end := context.WithTimeout(ctx, limit)
	defer end()
	stop := context.AfterFunc(limited, bundler.Cancel)
	defer stop()
	made := bundler.Rebuild()
	if ctx.Err() != nil {
		return made, ctx.Err()
	}
	if limited.Err() != nil {
		return made, cannot(CannotTime, "bundling did not end within %s", limit)
	}
	return made, nil
}
