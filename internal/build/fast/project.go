package fast

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/evanw/esbuild/pkg/api"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/project"
)

// work is one build of one project.
type work struct {
	*Builder
	ctx      context.Context // of the build under way: esbuild's callbacks have none
	source   *project.Project
	files    map[string]string // of the project, and scripts that stand in its page
	set      build.Set
	lenient  bool
	config   *config
	defines  map[string]string
	banner   string
	compiler compiler
	styling  *styling
	page     *page

	library  *library
	lazy     map[string]bool   // stylesheets that only a dynamic import reaches
	thrown   map[string]string // lenient: module → what it throws
	mu       sync.Mutex
	wanted   map[string]bool   // import paths of packages
	asked    map[string]bool   // those that were looked up, found or not
	assets   map[string][]byte // below assets/
	sheets   map[string]later  // by module
	grown    atomic.Int64      // see grow
	tailwind chan struct{}     // has room for the stylesheets that are made at once
	needing  atomic.Int64      // stylesheets that need Tailwind
	underway sync.WaitGroup    // stylesheets that are being made
}

func keys[K comparable, V any](m map[K]V) iter.Seq[K] { return maps.Keys(m) }

// open reads everything about a project that is not bundled.
func (b *Builder) open(ctx context.Context, source *project.Project, set build.Set, lenient bool) (*work, error) {
	if err := checkScript(source.Package); err != nil {
		return nil, err
	}
	p := &work{
		Builder: b, ctx: ctx, source: source, files: maps.Clone(source.Files), set: set, lenient: lenient, lazy: map[string]bool{}, thrown: map[string]string{},
		wanted: map[string]bool{}, asked: map[string]bool{}, assets: map[string][]byte{}, sheets: map[string]later{}, tailwind: make(chan struct{}, maxAtOnce),
	}
	if err := p.checkSize(); err != nil {
		return nil, err
	}
	if source.Env.Refusal != "" {
		return nil, cannot(CannotEnv, "%s", source.Env.Refusal)
	}
	var err error
	if p.config, err = readConfig(source.Config); err != nil {
		return nil, err
	}
	p.defines, p.banner = defines(p.config, source.Env.Values)
	if err := p.checkValues(); err != nil {
		return nil, err
	}
	p.compiler = compilerOf(source.Compiler, p.config)
	if p.styling, err = b.readStyling(ctx, source, set); err != nil {
		return nil, err
	}
	return p, nil
}

// public finds the file that stands below the root of the site as it is.
func (p *work) public(address string) (file string, ok bool) {
	if p.source.Config.Public == "" {
		return "", false
	}
	file = path.Join(p.source.Config.Public, address)
	_, ok = p.files[file]
	return file, ok
}

// published is where a file of the project stands in the site as it is.
func (p *work) published(file string) (address string, ok bool) {
	if p.source.Config.Public == "" {
		return "", false
	}
	return strings.CutPrefix(file, p.source.Config.Public+"/")
}

// compiler is what matters of tsconfig.
type compiler struct {
	raw     string
	classic bool
}

func compilerOf(c project.Compiler, config *config) compiler {
	raw, _ := json.Marshal(map[string]any{"compilerOptions": c.Options}) // valid: each is a literal
	return compiler{string(raw), !config.react && c.JSX != "react-jsx"}
}

// build bundles the project and writes the site.
func (p *work) build(ctx context.Context, site *vitrine.Site) error {
	source, ok := p.files["index.html"]
	if !ok {
		return breaks("index.html", "could not resolve the entry module index.html")
	}
	var err error
	if p.page, err = p.readPage(source); err != nil {
		return err
	}
	for name, css := range p.files {
		if p.styling.tailwind && strings.HasSuffix(name, ".css") && directives.MatchString(css) && !strings.HasSuffix(name, ".module.css") {
			p.sheet(name)
		}
	}
	made, err := p.bundle(ctx)
	if err != nil {
		return err
	}
	return p.write(made, site)
}

// bundle bundles until every import path of a package is in the library and every
// stylesheet is known to be lazy or not.
func (p *work) bundle(ctx context.Context) (*bundled, error) {
	var err error
	first := p.declared(p.source.Package, p.set)
	if p.library, err = p.Builder.library(ctx, p.set, first); isCannot(err) {
		first, p.library, err = nil, &library{}, nil // one of them may be for servers, and of no use here
	}
	if err != nil {
		return nil, err
	}
	for range 3 + len(p.files) {
		made, err := p.once(ctx)
		if err != nil {
			return nil, err
		}
		missing := slices.DeleteFunc(slices.Collect(keys(p.wanted)), func(name string) bool { _, ok := p.library.Modules[name]; return ok })
		if len(missing) > 0 {
			if p.library, err = p.Builder.library(ctx, p.set, append(slices.Collect(keys(p.wanted)), first...)); err != nil {
				return nil, err
			}
			continue
		}
		again, err := p.answerErrors(made.Errors)
		if err != nil {
			return nil, err
		}
		if again {
			continue
		}
		b, err := read(made)
		if err != nil {
			return nil, err
		}
		if p.markLazy(b) {
			continue
		}
		return b, nil
	}
	return nil, errors.New("bundling came to no end")
}

func isCannot(err error) bool {
	var c *Cannot
	return errors.As(err, &c)
}

func (p *work) once(ctx context.Context) (api.BuildResult, error) {
	drop := api.Drop(0)
	if slices.Contains(p.config.drop, "console") {
		drop |= api.DropConsole
	}
	if slices.Contains(p.config.drop, "debugger") {
		drop |= api.DropDebugger
	}
	return run(ctx, p.settings.Timeout, api.BuildOptions{
		EntryPointsAdvanced: []api.EntryPoint{{InputPath: entry, OutputPath: "index"}}, EntryNames: "[name]-[hash]", ChunkNames: "[name]-[hash]",
		Bundle: true, Splitting: true, Metafile: true, Outdir: "/assets", Format: api.FormatESModule, Platform: api.PlatformBrowser, Target: api.ESNext,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone, Drop: drop,
		Define: p.defines, Banner: map[string]string{"js": p.banner}, Plugins: []api.Plugin{p.plugin()}, LogLevel: api.LogLevelSilent, TsconfigRaw: "{}", AbsWorkingDir: "/",
	})
}

// bundled is what esbuild made of a project's scripts.
type bundled struct {
	files []api.OutputFile
	entry string // file name of the entry
	meta  metafile
}

func read(made api.BuildResult) (*bundled, error) {
	b := &bundled{files: made.OutputFiles}
	if err := json.Unmarshal([]byte(made.Metafile), &b.meta); err != nil {
		return nil, fmt.Errorf("read what esbuild made: %w", err)
	}
	for name, out := range b.meta.Outputs {
		if out.EntryPoint == entrySpace+":"+entry {
			b.entry = path.Base(name)
		}
	}
	return b, nil
}

// static lists the stylesheets that load with the page, in the order in which
// their importers run.
func (b *bundled) static() []string {
	seen := map[string]bool{}
	var sheets []string
	var visit func(string)
	visit = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		for _, i := range b.meta.Inputs[name].Imports {
			if i.Kind == importStatement && !i.External {
				visit(i.Path)
			}
		}
		if css, ok := strings.CutPrefix(name, sheetSpace+":"); ok {
			sheets = append(sheets, css)
		}
	}
	visit(entrySpace + ":" + entry)
	return sheets
}

// needed lists the scripts that the entry cannot run without: chunks of the project, and
// files of the library.
func (b *bundled) needed(l *library) (chunks, libraries []string) {
	own, theirs := map[string]bool{}, map[string]bool{}
	var visitLibrary func(string)
	visitLibrary = func(file string) {
		if theirs[file] {
			return
		}
		theirs[file] = true
		for _, next := range l.Imports[file] {
			visitLibrary(next)
		}
	}
	var visit func(string)
	visit = func(output string) {
		if own[output] {
			return
		}
		own[output] = true
		for _, i := range b.meta.Outputs[output].Imports {
			file, packaged := strings.CutPrefix(i.Path, "./packages/")
			switch {
			case i.Kind != importStatement:
			case !i.External:
				visit(i.Path)
			case packaged && slices.Contains(l.Files, file): // and not another host's
				visitLibrary(file)
			}
		}
	}
	for name := range b.meta.Outputs {
		if path.Base(name) == b.entry {
			visit(name)
			delete(own, name)
		}
	}
	for name := range own {
		chunks = append(chunks, path.Base(name))
	}
	slices.Sort(chunks)
	return chunks, slices.Sorted(keys(theirs))
}

// markLazy finds the stylesheets that only a dynamic import reaches: their module
// must bring them. It reports whether one is new.
func (p *work) markLazy(b *bundled) bool {
	static := b.static()
	changed := false
	for name := range b.meta.Inputs {
		css, ok := strings.CutPrefix(name, sheetSpace+":")
		if ok && !slices.Contains(static, css) && !p.lazy[css] {
			p.lazy[css], changed = true, true
		}
	}
	return changed
}

var noMatch = regexp.MustCompile(`^No matching export in "([^"]+)" for import "([^"]+)"`)

// answerErrors turns the first error of a bundle into ours. A lenient build
// replaces the modules with errors instead and goes on.
func (p *work) answerErrors(errs []api.Message) (again bool, err error) {
	for _, e := range errs {
		if detail, ok := e.Detail.(error); ok {
			var fault *vitrine.Fault
			if isCannot(detail) || errors.As(detail, &fault) || p.ctx.Err() != nil {
				return false, detail
			}
		}
	}
	for _, e := range errs {
		mistake := mistakeOf(e)
		if !p.lenient || mistake.file == "" || p.throws(mistake.file) != "" {
			return false, mistake
		}
		p.throw(mistake.file, mistake.message)
		again = true
	}
	return again, nil
}

// mistakeOf says what is wrong in the words of a build of ours.
func mistakeOf(e api.Message) *broken {
	var mistake *broken
	if detail, ok := e.Detail.(error); ok && errors.As(detail, &mistake) {
		return mistake
	}
	text, file, at := e.Text, "", ""
	if l := e.Location; l != nil {
		file = strings.TrimPrefix(l.File, appSpace+":")
		at = fmt.Sprintf("%s:%d:%d: ", file, l.Line, l.Column)
	}
	if m := noMatch.FindStringSubmatch(text); m != nil {
		_, from, _ := strings.Cut(m[1], ":")
		// The place is one in the file as it was made into JavaScript.
		text, at = fmt.Sprintf("%q is not exported by %q", m[2], from), file+": "
	}
	return &broken{message: at + text, log: at + text, file: file}
}
