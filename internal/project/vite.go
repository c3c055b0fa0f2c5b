package project

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/literal"
)

// An Evaluator finds out what configuration files come to.
type Evaluator interface {
	// Evaluate returns the default export of a file as [literal.Read] does, of any file that
	// is data however it is written. The error is a [literal.NotData] or ours.
	Evaluate(ctx context.Context, f literal.File) (json.RawMessage, error)
}

// A Config is what the configuration of Vite comes to in a production build. Folders are
// relative to the project. A value that only a build can tell is empty.
type Config struct {
	Name    string                     // of the file, empty if there is none
	Refusal string                     // why the file is no data: then only the build can tell
	Keys    map[string]json.RawMessage // every key of it
	Base    string                     // "/", "/app/", "./" or an address
	Written string                     // the base in the file, where the build script may change it
	Root    string                     // folder of index.html, may be outside of the project
	Public  string                     // folder of what is served as it is, "" if there is none
	Out     string                     // folder of the site, may be outside of the project
	Aliases []Alias                    // in the order in which they are tried
	// AliasRefusal says why the aliases are not known.
	AliasRefusal string
}

// An Alias replaces the first part of an import. A folder of the project begins with "/".
type Alias struct{ Find, Replace string }

// Path is the path below which the site stands, as far as the configuration says it: "/app"
// where its base is "/app/".
func (c Config) Path() string {
	if base := cmp.Or(c.Base, c.Written); strings.HasPrefix(base, "/") && !address.MatchString(base) {
		return path.Clean(base)
	}
	return "/"
}

// viteFiles are the names that Vite looks for, in its order.
var viteFiles = []string{"vite.config.js", "vite.config.mjs", "vite.config.ts", "vite.config.cjs", "vite.config.mts", "vite.config.cts"}

// ignoredKeys change nothing that is read here; functions below them are left out instead of
// refused.
var ignoredKeys = []string{
	"server", "preview", "test", "optimizeDeps", "clearScreen", "logLevel", "cacheDir", "ssr", "worker", "plugins", "css", "esbuild", "experimental",
	"json", "html", "assetsInclude", "customLogger", "builder", "environments", "build.rollupOptions", "build.terserOptions", "build.lib",
}

func defaults() Config { return Config{Base: "/", Root: ".", Public: "public", Out: "dist"} }

// ViteFile is a configuration file of Vite with what it may see in a production build.
func ViteFile(name, source string, env map[string]string) literal.File {
	return literal.File{
		Name: name, Source: source, Env: env, Loose: ignoredKeys,
		Arguments: map[string]any{"command": "build", "mode": "production", "isSsrBuild": false, "isPreview": false},
	}
}

// Configure reads the configuration of Vite. An error is the evaluator's.
func (p *Project) Configure(ctx context.Context, e Evaluator) error {
	if name, source, ok := p.First(viteFiles...); ok {
		data, err := e.Evaluate(ctx, ViteFile(name, source, p.Env.Values))
		if why := literal.NotData(""); err != nil && !errors.As(err, &why) {
			return err
		}
		p.Config = p.readConfig(name, data, err)
	}
	if !p.plainBuild() {
		p.Config.Base, p.Config.Out, p.Config.Written = "", "", p.Config.Base
	}
	return nil
}

// PlainAliases are the aliases of a configuration that is JavaScript and data, by the files of
// its project. They are not known where it must be evaluated.
func PlainAliases(files map[string]string) (all []Alias, known bool) {
	p := &Project{Files: files, Env: readEnv(files)}
	name, source, ok := p.First(viteFiles...)
	if !ok {
		return nil, false
	}
	data, err := literal.Read(ViteFile(name, source, p.Env.Values))
	c := p.readConfig(name, data, err)
	return c.Aliases, c.Refusal == "" && c.AliasRefusal == ""
}

// readConfig reads what a configuration came to.
func (p *Project) readConfig(name string, data json.RawMessage, err error) Config {
	c := defaults()
	c.Name = name
	switch {
	case err != nil:
		c.Refusal = err.Error()
	case json.Unmarshal(data, &c.Keys) != nil || c.Keys == nil:
		c.Refusal = "it is of an unexpected shape"
	default:
		c.Refusal = p.Env.Refusal
	}
	if c.Refusal != "" {
		return Config{Name: name, Refusal: c.Refusal}
	}
	c.readKeys()
	return c
}

// plainCommand is a command of a build script that leaves it to the configuration of Vite
// where the site is written and stands: a build without arguments, a type check, a copy.
var plainCommand = regexp.MustCompile(`^(?:npx )?(?:vite build(?: --mode[= ]production)?|(?:vue-)?tsc(?: (?:-b|--build|--noEmit|--no-emit|(?:-p|--project) [\w./-]+))*|cp [\w./ -]+)$`)

// plainBuild reports whether the configuration of Vite, or its defaults, alone say where the
// site is written and stands.
func (p *Project) plainBuild() bool {
	for command := range strings.SplitSeq(p.Package.Scripts["build"], "&&") {
		if command = strings.TrimSpace(command); command != "" && !plainCommand.MatchString(command) {
			return false
		}
	}
	return true
}

// readKeys reads the values of the file's keys.
func (c *Config) readKeys() {
	if base, ok := stringOf(c.Keys["base"]); ok {
		c.Base = normalBase(base)
	}
	if root, ok := stringOf(c.Keys["root"]); ok {
		c.Root = resolveFolder(".", root)
	}
	c.Public = resolveFolder(c.Root, "public")
	if folder, ok := stringOf(c.Keys["publicDir"]); ok && folder != "" {
		c.Public = resolveFolder(c.Root, folder)
	} else if ok || string(c.Keys["publicDir"]) == "false" {
		c.Public = ""
	}
	var build, resolve map[string]json.RawMessage
	_ = json.Unmarshal(c.Keys["build"], &build) // anything else is refused by Vite, too
	_ = json.Unmarshal(c.Keys["resolve"], &resolve)
	c.Out = resolveFolder(c.Root, "dist")
	if folder, ok := stringOf(build["outDir"]); ok {
		c.Out = resolveFolder(c.Root, folder)
	}
	c.Aliases, c.AliasRefusal = readAliases(resolve["alias"])
}

// stringOf is the string that a value is; ok is false where it is another value, or missing.
func stringOf(raw json.RawMessage) (s string, ok bool) {
	var v any
	_ = json.Unmarshal(raw, &v) // what is missing is no text
	s, ok = v.(string)
	return s, ok
}

// resolveFolder is a folder as Vite resolves it: relative to another, or absolute.
func resolveFolder(folder, name string) string {
	if rest, ok := strings.CutPrefix(path.Clean(name), literal.Root); ok && (rest == "" || rest[0] == '/') {
		return path.Clean("./" + rest)
	}
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(folder, name)
}

var address = regexp.MustCompile(`^(?:[a-z]+:)?//`)

// normalBase returns a base as Vite normalizes it, or "" where only Vite can tell what it
// becomes.
func normalBase(base string) string {
	switch {
	case base == "" || base == "./":
		return "./"
	case base[0] == '.':
		return "/"
	case base[0] != '/' && !address.MatchString(base):
		return ""
	}
	return strings.TrimSuffix(base, "/") + "/"
}

// maxAliases are more than any project has.
const maxAliases = 200

// readAliases reads resolve.alias, in either form that Vite knows.
func readAliases(raw json.RawMessage) (all []Alias, refusal string) {
	var byName map[string]string
	var list []struct{ Find, Replacement string }
	switch {
	case raw == nil:
	case json.Unmarshal(raw, &byName) == nil:
		for find, replace := range byName {
			all = append(all, Alias{find, replace})
		}
		// Vite asks in the order of the file, which data does not keep; the
		// longest first is the only order in which every alias has a use.
		slices.SortFunc(all, func(a, b Alias) int {
			if d := len(b.Find) - len(a.Find); d != 0 {
				return d
			}
			return strings.Compare(a.Find, b.Find)
		})
	case json.Unmarshal(raw, &list) == nil:
		for _, l := range list {
			all = append(all, Alias{l.Find, l.Replacement})
		}
	default:
		return nil, "an alias that is no text"
	}
	if len(all) > maxAliases {
		return nil, "too many aliases"
	}
	for i, a := range all {
		if a.Find == "" {
			return nil, "an alias for nothing"
		}
		if rest, ok := strings.CutPrefix(a.Replace, literal.Root); ok {
			all[i].Replace = "/" + strings.TrimPrefix(rest, "/")
		}
	}
	return all, ""
}
