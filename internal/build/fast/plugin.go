package fast

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"vitrine/internal/build"
)

// The kinds of module that a bundle is made of.
const (
	entry      = "entry"
	entrySpace = "page"    // the scripts of index.html
	appSpace   = "app"     // a file of the project
	sheetSpace = "sheet"   // a stylesheet, of the project or of a package ("@set/…")
	fileSpace  = "file-of" // a picture or a font, as its address
	packSpace  = "package" // what the library has for an import path
	innerSpace = "inside"  // the default export of a CommonJS package
	throwSpace = "throws"  // a module that cannot be made, in a lenient build
)

// inSet marks files of packages among the names of stylesheets and assets.
const inSet = "@set/"

func (p *work) plugin() api.Plugin {
	return api.Plugin{Name: "project", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: ".*"}, p.resolve)
		for space, load := range map[string]func(api.OnLoadArgs) (api.OnLoadResult, error){
			entrySpace: p.loadEntry, appSpace: p.loadFile, sheetSpace: p.loadSheet, fileSpace: p.loadAsset,
			packSpace: p.loadPackage, innerSpace: p.loadInner, throwSpace: loadThrow,
		} {
			b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: space}, load)
		}
		b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "file"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			return api.OnLoadResult{}, errors.New("a project has no files on this machine")
		})
	}}
}

// resolve finds the module behind an import of the project.
func (p *work) resolve(a api.OnResolveArgs) (api.OnResolveResult, error) {
	switch {
	case a.Kind == api.ResolveEntryPoint:
		return api.OnResolveResult{Path: entry, Namespace: entrySpace}, nil
	case a.Namespace == packSpace || a.Namespace == innerSpace:
		return p.resolveInner(a)
	case a.Kind == api.ResolveJSRequireCall || a.Kind == api.ResolveJSRequireResolve:
		return api.OnResolveResult{}, cannot(CannotImport, "%s calls require(%q)", a.Importer, build.Bounded(a.Path, 100))
	case strings.HasPrefix(a.Path, "data:"):
		return api.OnResolveResult{}, cannot(CannotImport, "%s imports a data address", a.Importer)
	case isRemote(a.Path):
		return api.OnResolveResult{Path: a.Path, External: true}, nil
	}
	importer := a.Importer
	if a.Namespace == entrySpace {
		importer = "index.html"
	}
	r, err := p.find(a.Path, importer)
	var mistake *broken
	if p.lenient && errors.As(err, &mistake) {
		p.throw(importer+" → "+a.Path, mistake.message)
		return api.OnResolveResult{Path: mistake.message, Namespace: throwSpace}, nil
	}
	return r, err
}

func isRemote(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") || strings.HasPrefix(name, "//")
}

// find resolves an import path as Vite does: aliases, then files of the project,
// then packages.
func (p *work) find(name, importer string) (api.OnResolveResult, error) {
	name, query, _ := strings.Cut(name, "?")
	if !slices.Contains([]string{"", "raw", "url", "inline", "react", "used"}, query) || query == "react" {
		return api.OnResolveResult{}, cannot(CannotImport, "the import %q", build.Bounded(name+"?"+query, 100))
	}
	if query != "" {
		query = "?" + query
	}
	name = p.config.unalias(name)
	if !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "/") {
		return p.findPackage(name, query, importer)
	}
	file, ok := p.locate(name, importer)
	if !ok && strings.HasPrefix(name, "/") {
		if file, public := p.public(name); public {
			return api.OnResolveResult{Path: file, Namespace: fileSpace}, nil
		}
	}
	if !ok {
		return api.OnResolveResult{}, breaks(importer, "failed to resolve import %q from %q", name, importer)
	}
	return place(file, query), nil
}

func (c *config) unalias(name string) string {
	for _, al := range c.aliases {
		rest, ok := strings.CutPrefix(name, al.Find)
		if ok && (rest == "" || strings.HasSuffix(al.Find, "/") || strings.HasPrefix(rest, "/")) {
			return al.Replace + rest
		}
	}
	return name
}

// extensions are what an import may leave out, in Vite's order.
var extensions = []string{".mjs", ".js", ".mts", ".ts", ".jsx", ".tsx", ".json"}

// locate finds a file of the project by a path that starts with "." or "/".
func (p *work) locate(name, importer string) (string, bool) {
	full := path.Clean(strings.TrimPrefix(name, "/"))
	if strings.HasPrefix(name, ".") {
		full = path.Join(path.Dir(importer), name)
	}
	if strings.HasPrefix(full, "..") || strings.HasPrefix(full, inSet) {
		return "", false
	}
	candidates := []string{full}
	if bare, ok := strings.CutSuffix(full, ".js"); ok {
		candidates = append(candidates, bare+".ts", bare+".tsx")
	}
	if bare, ok := strings.CutSuffix(full, ".jsx"); ok {
		candidates = append(candidates, bare+".tsx")
	}
	for _, base := range []string{full, path.Join(full, "index")} {
		for _, ext := range extensions {
			candidates = append(candidates, base+ext)
		}
	}
	for _, c := range candidates {
		if _, ok := p.files[c]; ok {
			return c, true
		}
	}
	return "", false
}

// place says which kind of module a file is.
func place(file, query string) api.OnResolveResult {
	switch {
	case query == "?raw":
		return api.OnResolveResult{Path: file, Namespace: appSpace, Suffix: query}
	case query == "?url" || isAsset(file):
		return api.OnResolveResult{Path: file, Namespace: fileSpace}
	case path.Ext(file) == ".css":
		return api.OnResolveResult{Path: file, Namespace: sheetSpace, Suffix: query}
	}
	return api.OnResolveResult{Path: file, Namespace: appSpace}
}

var assetKinds = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".jfif": "image/jpeg", ".gif": "image/gif", ".svg": "image/svg+xml",
	".ico": "image/x-icon", ".webp": "image/webp", ".avif": "image/avif", ".mp4": "video/mp4", ".webm": "video/webm", ".ogg": "audio/ogg", ".mp3": "audio/mpeg",
	".wav": "audio/wav", ".flac": "audio/flac", ".aac": "audio/aac", ".woff": "font/woff", ".woff2": "font/woff2", ".eot": "application/vnd.ms-fontobject",
	".ttf": "font/ttf", ".otf": "font/otf", ".pdf": "application/pdf", ".txt": "text/plain", ".webmanifest": "application/manifest+json",
}

func isAsset(name string) bool { return assetKinds[strings.ToLower(path.Ext(name))] != "" }

// findPackage resolves an import of a package.
func (p *work) findPackage(name, query, importer string) (api.OnResolveResult, error) {
	for local := range p.source.Package.Local {
		if name == local || strings.HasPrefix(name, local+"/") {
			return api.OnResolveResult{}, cannot(CannotImport, "the package %s lies in the project", local)
		}
	}
	if err := p.ask(name); err != nil {
		return api.OnResolveResult{}, err
	}
	file, err := p.lookup(p.set, name)
	var mistake *broken
	if errors.As(err, &mistake) {
		return api.OnResolveResult{}, breaks(importer, "failed to resolve import %q from %q", name, importer)
	}
	if err != nil {
		return api.OnResolveResult{}, err
	}
	rel, ok := strings.CutPrefix(file, p.set.Modules+"/")
	if !ok {
		return api.OnResolveResult{}, cannot(CannotPackage, "%s lies outside of the packages", name)
	}
	switch {
	case query == "" && (isScript(file) || path.Ext(file) == ".json"):
		p.mu.Lock()
		p.wanted[name] = true
		p.mu.Unlock()
		return api.OnResolveResult{Path: name, Namespace: packSpace}, nil
	case query != "?raw" && (path.Ext(file) == ".css" || isAsset(file)):
		return place(inSet+rel, query), nil
	}
	return api.OnResolveResult{}, cannot(CannotImport, "the import %q", build.Bounded(name+query, 100))
}

// resolveInner resolves what the modules that stand for packages import: the
// library's file, beside the page's own scripts.
func (p *work) resolveInner(a api.OnResolveArgs) (api.OnResolveResult, error) {
	if name, ok := strings.CutPrefix(a.Path, "inner:"); ok {
		return api.OnResolveResult{Path: name, Namespace: innerSpace}, nil
	}
	return api.OnResolveResult{Path: a.Path, External: true}, nil
}

func (p *work) loadEntry(api.OnLoadArgs) (api.OnLoadResult, error) {
	source := p.page.entry()
	return api.OnLoadResult{Contents: &source, Loader: api.LoaderJS}, nil
}

// loadPackage stands for a package in the bundle. The names of an ES module are
// listed, so that an import of a name that it lacks is an error, as it is for
// Rollup; of a CommonJS package any name may be asked for.
func (p *work) loadPackage(a api.OnLoadArgs) (api.OnLoadResult, error) {
	m, ok := p.library.Modules[a.Path]
	source := ""
	switch {
	case !ok || m.CommonJ: // or not yet known: another round follows
		source = "module.exports = require(" + quoted("inner:"+a.Path) + ").default"
	default:
		source = "export {" + strings.Join(p.mentioned(a.Path, m.Exports), ",") + "} from " + quoted("./packages/"+m.File)
	}
	return api.OnLoadResult{Contents: &source, Loader: api.LoaderJS}, nil
}

const manyNames = 100

var word = regexp.MustCompile(`[A-Za-z_$][\w$]*`)

// mentioned leaves out names that no file of the project has anywhere. Icon
// packages have thousands, and every one would have to be linked. Where a package
// is imported as a whole any name may be asked for.
func (p *work) mentioned(name string, exports []string) []string {
	if len(exports) < manyNames {
		return exports
	}
	whole := regexp.MustCompile(`(?:\*[^;\n]*from\s*|import\s*\(\s*)["'` + "`" + `]` + regexp.QuoteMeta(name) + `["'` + "`" + `]`)
	words := map[string]bool{"default": true}
	for file, content := range p.files {
		if !slices.Contains(extensions, path.Ext(file)) {
			continue
		}
		if whole.MatchString(content) {
			return exports
		}
		for _, w := range word.FindAllString(content, -1) {
			words[w] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(exports), func(e string) bool { return !words[e] })
}

func (p *work) loadInner(a api.OnLoadArgs) (api.OnLoadResult, error) {
	source := fmt.Sprintf("export {default} from %q", "./packages/"+p.library.Modules[a.Path].File)
	return api.OnLoadResult{Contents: &source, Loader: api.LoaderJS}, nil
}

// loadThrow is a module that fails when it is imported.
func loadThrow(a api.OnLoadArgs) (api.OnLoadResult, error) {
	source := "module.exports = (() => { throw new Error(" + quoted(a.Path) + ") })()"
	return api.OnLoadResult{Contents: &source, Loader: api.LoaderJS}, nil
}

var (
	globImport = regexp.MustCompile(`\bimport\.meta\.glob\b`)
	urlImport  = regexp.MustCompile(`\bnew\s+URL\s*\([^)]*import\.meta\.url`)
)

// loaders are the loaders of the files that loadFile makes into JavaScript, by extension.
var loaders = map[string]api.Loader{
	".tsx": api.LoaderTSX, ".ts": api.LoaderTS, ".mts": api.LoaderTS, ".jsx": api.LoaderJSX, ".js": api.LoaderJS, ".mjs": api.LoaderJS,
}

// loadFile makes a file of the project into JavaScript, one file at a time as
// Vite does, so that an import of a name which is only a type elsewhere fails
// just as it does there.
func (p *work) loadFile(a api.OnLoadArgs) (api.OnLoadResult, error) {
	source := p.page.inline[a.Path]
	if source == "" {
		source = p.files[a.Path]
	}
	if text := p.throws(a.Path); text != "" {
		return loadThrow(api.OnLoadArgs{Path: text})
	}
	if a.Suffix == "?raw" {
		source = "export default " + quoted(source)
		return api.OnLoadResult{Contents: &source, Loader: api.LoaderJS}, nil
	}
	if len(source) > build.MaxSource {
		return api.OnLoadResult{}, cannot(CannotSize, "%s has more than %d kB", a.Path, build.MaxSource>>10)
	}
	if build.Nested(source) {
		return api.OnLoadResult{}, cannot(CannotSize, "%s is nested deeper than %d", a.Path, build.MaxNesting)
	}
	if !build.PlainEnums(source) && strings.Contains(path.Ext(a.Path), "ts") {
		return api.OnLoadResult{}, cannot(CannotSize, "%s has enums with values that are computed", a.Path)
	}
	if path.Ext(a.Path) == ".json" {
		return api.OnLoadResult{Contents: &source, Loader: api.LoaderJSON}, nil
	}
	loader, ok := loaders[path.Ext(a.Path)]
	if !ok {
		return api.OnLoadResult{}, cannot(CannotImport, "a file of kind %q", path.Ext(a.Path))
	}
	options := api.TransformOptions{
		Sourcefile: a.Path, LogLevel: api.LogLevelSilent, TsconfigRaw: p.compiler.raw, JSX: api.JSXAutomatic, Loader: loader,
		// As the bundle is. Blocks inside each other would be indented by more space than there
		// is; to find names for them that are free takes the cube of their depth (1,600: 20 s).
		MinifyWhitespace: true, MinifyIdentifiers: true,
	}
	if p.compiler.classic {
		options.JSX = api.JSXTransform
	}
	made := api.Transform(source, options)
	if len(made.Errors) > 0 {
		e := mistakeOf(made.Errors[0])
		e.file = a.Path
		if p.lenient {
			p.throw(a.Path, e.message)
			return loadThrow(api.OnLoadArgs{Path: e.message})
		}
		return api.OnLoadResult{}, e
	}
	code := string(made.Code)
	switch {
	case globImport.MatchString(code):
		return api.OnLoadResult{}, cannot(CannotImport, "%s uses import.meta.glob", a.Path)
	case urlImport.MatchString(code):
		return api.OnLoadResult{}, cannot(CannotImport, "%s makes addresses with import.meta.url", a.Path)
	}
	return api.OnLoadResult{Contents: &code, Loader: api.LoaderJS}, nil
}
