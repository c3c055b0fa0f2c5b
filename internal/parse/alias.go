package parse

import (
	"path"
	"strings"

	"vitrine"
	"vitrine/internal/project"
)

// An alias makes imports that begin with a prefix lead into folders.
type alias struct {
	prefix  string
	folders []string
}

// followAlias follows an import that an alias matches. An import that begins as
// no package can, such as @/x, needs one. A folder that could not be read out of
// the configuration is taken to be src, so that nothing is named wrongly.
func (p *codeRules) followAlias(spec string) (importFate, bool) {
	matched := strings.HasPrefix(spec, "@/") || strings.HasPrefix(spec, "~/")
	for _, a := range p.aliases {
		rest, ok := strings.CutPrefix(spec, a.prefix)
		if !ok || a.prefix != "" && rest != "" && rest[0] != '/' {
			continue
		}
		for _, folder := range a.folders {
			if p.fate(path.Join(folder, rest)) == importOK {
				return importOK, true
			}
		}
		matched = matched || a.prefix != ""
	}
	return importUnresolved, matched
}

// readAliases collects the aliases that tsconfig and the configuration of Vite
// declare. A configuration that must be evaluated, or is cut off, is read by its tokens.
func readAliases(files []vitrine.File, contents map[string]string) []alias {
	var all []alias
	values, known := project.PlainAliases(contents)
	for _, v := range values {
		all = append(all, alias{aliasPrefix(v.Find), []string{aliasFolder(v.Replace)}})
	}
	for _, f := range files {
		switch {
		case strings.Contains(f.Path, "/"):
		case strings.HasPrefix(f.Path, "tsconfig") || f.Path == "jsconfig.json":
			all = append(all, pathAliases(f.Content)...)
		case strings.HasPrefix(f.Path, "vite.config.") && !known:
			all = append(all, viteAliases(f.Content)...)
		}
	}
	for i := range all {
		all[i].folders = append(all[i].folders, "src")
	}
	return all
}

// pathAliases reads the paths of a tsconfig, each folder of which is below the
// base URL, and each string of which is a folder of its own.
func pathAliases(config string) []alias {
	base := stringOf(config, "baseUrl")
	all := scanAliases(config, "paths")
	for i := range all {
		for k, folder := range all[i].folders {
			all[i].folders[k] = path.Join(base, folder)
		}
	}
	return all
}

// viteAliases reads the aliases of a Vite configuration. All strings of one are
// the parts of its folder, as path.resolve takes them.
func viteAliases(config string) []alias {
	all := scanAliases(config, "alias")
	for i := range all {
		all[i].folders = []string{path.Join(all[i].folders...)}
	}
	return all
}

// stringOf returns the string that a key of a configuration has.
func stringOf(config, key string) string {
	s := newScript(config)
	var before, last scriptToken
	for t := s.next(); t.kind != scriptEnd; t = s.next() {
		if before.text == key && last.is(":") && t.kind == scriptText {
			return t.text
		}
		before, last = last, t
	}
	return ""
}

// scanAliases reads the value of a key, "paths" of a tsconfig or "alias" of a
// Vite configuration. In it a name before a colon is a prefix, and the strings up
// to the next one belong to it, which covers
//
//	"@/*": ["./src/*"]
//	'@': path.resolve(__dirname, './src')
//	{ find: '@', replacement: '/src' }
func scanAliases(config, key string) []alias {
	s := newScript(config)
	var last scriptToken
	for t := s.next(); !(t.is(":") && last.text == key); t = s.next() {
		if t.kind == scriptEnd {
			return nil
		}
		last = t
	}
	var r aliasReader
	for t := s.next(); r.take(t); t = s.next() {
	}
	return r.found
}

// An aliasReader takes the tokens of the value one by one.
type aliasReader struct {
	found []alias
	last  scriptToken
	depth int
	find  bool // the next string is the prefix of a find
}

// take returns whether the value goes on. A string counts when the token behind
// it has told that it is no key.
func (r *aliasReader) take(t scriptToken) bool {
	switch {
	case t.is(":"):
		r.key(r.last.text)
	case r.last.kind == scriptText:
		r.value(r.last.text)
	}
	switch {
	case t.is("{"), t.is("["), t.is("("):
		r.depth++
	case t.is("}"), t.is("]"), t.is(")"):
		r.depth--
	}
	r.last = t
	return r.depth > 0 && t.kind != scriptEnd
}

func (r *aliasReader) key(name string) {
	switch {
	case name == "find":
		r.find = true
	case name != "replacement":
		r.found = append(r.found, alias{prefix: aliasPrefix(name)})
	case r.find: // a regular expression: most of all for @/
		r.value("@")
	}
}

func (r *aliasReader) value(text string) {
	if r.find {
		r.find = false
		r.found = append(r.found, alias{prefix: aliasPrefix(text)})
		return
	}
	if n := len(r.found); n > 0 {
		a := &r.found[n-1]
		a.folders = append(a.folders, aliasFolder(text))
	}
}

// aliasPrefix makes "@/*" and "@/" the same as "@".
func aliasPrefix(key string) string {
	return strings.TrimSuffix(strings.TrimSuffix(key, "*"), "/")
}

// aliasFolder makes "./src/*" and "/src" the same as "src".
func aliasFolder(folder string) string {
	return path.Clean(strings.TrimPrefix(strings.TrimSuffix(folder, "*"), "/"))
}
