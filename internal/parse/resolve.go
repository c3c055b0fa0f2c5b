package parse

import (
	"path"
	"slices"
	"strings"

	"vitrine"
)

// importFate says where an import leads.
type importFate uint8

const (
	importOK importFate = iota
	importUnresolved
	importUndeclared
)

// scriptEndings are the endings of files that are scanned for imports.
var scriptEndings = []string{".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts"}

func isScript(file string) bool { return slices.Contains(scriptEndings, path.Ext(file)) }

// impliedEndings are what an import may leave out: those that Vite tries, and
// declarations, which only TypeScript reads.
var impliedEndings = []string{
	"", ".mjs", ".js", ".mts", ".ts", ".jsx", ".tsx", ".json", ".css", ".svg", ".d.ts",
	"/index.js", "/index.ts", "/index.jsx", "/index.tsx", "/index.mjs", "/index.json", "/index.d.ts",
}

// nodeBuiltins are the modules of Node.js that may be imported without a prefix.
var nodeBuiltins = strings.Fields(`assert async_hooks buffer child_process cluster console crypto dgram dns events fs http
	http2 https module net os path perf_hooks process querystring readline stream string_decoder timers tls tty url util
	v8 vm worker_threads zlib`)

// follow says where one import of a file leads. Nested is the package.json of the
// folder that the file belongs to, if that is not the root's.
func (p *codeRules) follow(file, spec string, nested *packageJSON) importFate {
	if i := strings.IndexAny(spec, "?#"); i > 0 {
		spec = spec[:i] // ?raw, ?url and the like
	}
	switch {
	case spec == "" || len(spec) > vitrine.MaxPath:
		return importUnresolved
	case spec[0] == '#' || strings.Contains(spec, "://") || hasScheme(spec, "data", "virtual"):
		return importOK // not decided by the manifest
	case spec[0] == '.':
		return p.fate(path.Join(path.Dir(file), spec))
	case spec[0] == '/':
		if p.fate(spec[1:]) == importOK {
			return importOK
		}
		return p.fate("public" + spec)
	}
	if fate, ok := p.followAlias(spec); ok {
		return fate
	}
	return p.followPackage(file, spec, nested)
}

// followPackage looks a bare import up in package.json. The modules of Node.js
// are there for what runs in Node.js: the configuration files in the root, and
// programs with a package.json of their own.
func (p *codeRules) followPackage(file, spec string, nested *packageJSON) importFate {
	name := packageName(spec)
	switch {
	case p.pkg == nil: // package_json has failed already
		return importOK
	case p.pkg.declares(name), nested != nil && nested.declares(name):
		return importOK
	case hasScheme(spec, "node"), slices.Contains(nodeBuiltins, name):
		if nested != nil || !strings.Contains(file, "/") {
			return importOK
		}
	}
	return importUndeclared
}

// declares tells whether a package, or at least its types, is a dependency.
func (pkg *packageJSON) declares(name string) bool {
	types := "@types/" + strings.Replace(strings.TrimPrefix(name, "@"), "/", "__", 1)
	return pkg.declared[name] || pkg.declared[types]
}

// nestedPackage returns the package.json of the nearest folder above a file that
// has one, the root left aside.
func (p *codeRules) nestedPackage(file string) *packageJSON {
	if len(p.nested) == 0 {
		return nil
	}
	for folder := path.Dir(file); folder != "."; folder = path.Dir(folder) {
		if pkg := p.nested[folder]; pkg != nil {
			return pkg
		}
	}
	return nil
}

func hasScheme(spec string, schemes ...string) bool {
	scheme, _, ok := strings.Cut(spec, ":")
	return ok && slices.Contains(schemes, scheme)
}

// packageName returns the package of a bare import: "@a/b/c" is of @a/b.
func packageName(spec string) string {
	name, rest, _ := strings.Cut(spec, "/")
	if strings.HasPrefix(name, "@") && rest != "" {
		sub, _, _ := strings.Cut(rest, "/")
		name += "/" + sub
	}
	return name
}

// fate tells whether a path from the root, with an ending or without, is a file
// of the manifest. TypeScript may be imported by the name of what it becomes.
func (p *codeRules) fate(file string) importFate {
	file = path.Clean(file)
	for _, ending := range impliedEndings {
		if _, ok := p.files[file+ending]; ok {
			return importOK
		}
	}
	if stem, ok := strings.CutSuffix(file, ".js"); ok {
		return p.fate(stem)
	}
	return importUnresolved
}
