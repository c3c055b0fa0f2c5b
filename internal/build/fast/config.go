package fast

import (
	"context"
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/literal"
	"vitrine/internal/project"
)

// config is what matters of a Vite configuration.
type config struct {
	base    string
	aliases []alias
	define  map[string]string // JavaScript expression by name
	react   bool
	drop    []string // console, debugger
}

// maxNames are more aliases and constants than any project has.
const maxNames = 200

// An alias replaces the first part of an import.
type alias struct{ find, replace string }

// viteConfig is the shape of a configuration as data.
type viteConfig struct {
	Base    string                     `json:"base"`
	Plugins []json.RawMessage          `json:"plugins"`
	Define  map[string]json.RawMessage `json:"define"`
	Resolve map[string]json.RawMessage `json:"resolve"`
	Build   map[string]json.RawMessage `json:"build"`
	Esbuild map[string]json.RawMessage `json:"esbuild"`
	CSS     map[string]json.RawMessage `json:"css"`
}

// ignored are the keys that change nothing that is seen of a production build.
var (
	ignored      = []string{"server", "preview", "test", "optimizeDeps", "clearScreen", "logLevel", "cacheDir", "ssr", "worker"}
	understood   = []string{"base", "plugins", "define", "resolve", "build", "esbuild", "css"}
	ignoredBuild = []string{
		"outDir", "emptyOutDir", "sourcemap", "minify", "target", "cssTarget", "chunkSizeWarningLimit", "reportCompressedSize", "assetsDir", "cssCodeSplit",
		"cssMinify", "terserOptions", "modulePreload", "polyfillModulePreload", "assetsInlineLimit", "commonjsOptions", "manifest", "write", "watch", "copyPublicDir",
	}
)

// viteEvaluation is what vite.config may see in a production build, and what it is asked.
func viteEvaluation(name, source string, env map[string]string) evaluation {
	return evaluation{
		name: name, source: source, env: env, loose: append(slices.Clone(ignored), "build.rollupOptions", "build.terserOptions"),
		arguments: map[string]any{"command": "build", "mode": "production", "isSsrBuild": false, "isPreview": false},
	}
}

// readConfig reads vite.config as data.
func (b *Builder) readConfig(ctx context.Context, a *vitrine.Artifact, env map[string]string) (*config, error) {
	c := &config{base: "/", define: map[string]string{}}
	name, source, ok := anyFile(a, "vite.config.js", "vite.config.mjs", "vite.config.ts", "vite.config.cjs", "vite.config.mts", "vite.config.cts")
	if !ok {
		return c, nil
	}
	raw, err := b.data(ctx, viteEvaluation(name, source, env))
	if err != nil {
		return nil, refused(CannotConfig, name, err)
	}
	var keys map[string]json.RawMessage
	var v viteConfig
	if json.Unmarshal(raw, &keys) != nil || json.Unmarshal(raw, &v) != nil {
		return nil, cannot(CannotConfig, "%s is of an unexpected shape", name)
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if !slices.Contains(ignored, k) && !slices.Contains(understood, k) {
			return nil, cannot(CannotConfig, "%s: the key %q", name, k)
		}
	}
	return c, c.take(name, v)
}

func (c *config) take(name string, v viteConfig) error {
	for _, step := range []func(viteConfig) error{c.takePlugins, c.takeResolve, c.takeBuild, c.takeRest} {
		if err := step(v); err != nil {
			return cannot(err.(*Cannot).Reasons[0].Code, "%s: %s", name, err.(*Cannot).Reasons[0].Message)
		}
	}
	return nil
}

// reactPlugins render with the automatic runtime and otherwise change nothing in
// a production build, as long as they get no options.
var reactPlugins = []string{"@vitejs/plugin-react", "@vitejs/plugin-react-swc"}

func (c *config) takePlugins(v viteConfig) error {
	for _, raw := range v.Plugins {
		if text := string(raw); text == "null" || text == "false" {
			continue
		}
		var nested []json.RawMessage
		if json.Unmarshal(raw, &nested) == nil {
			if err := c.takePlugins(viteConfig{Plugins: nested}); err != nil {
				return err
			}
			continue
		}
		plugin, arguments, ok := marked(raw)
		switch {
		case !ok:
			return cannot(CannotPlugin, "a plugin that is written in the configuration")
		case !slices.Contains(reactPlugins, plugin):
			return cannot(CannotPlugin, "the plugin %s", plugin)
		case len(arguments) > 0 && string(arguments[0]) != "{}":
			return cannot(CannotPlugin, "options of the plugin %s", plugin)
		}
		c.react = true
	}
	return nil
}

// marked reads {"$call": [name, arguments…]}.
func marked(raw json.RawMessage) (name string, arguments []json.RawMessage, ok bool) {
	var call map[string][]json.RawMessage
	if json.Unmarshal(raw, &call) != nil || len(call[callMark]) == 0 {
		return "", nil, false
	}
	ok = json.Unmarshal(call[callMark][0], &name) == nil
	return strings.TrimSuffix(name, ".default"), call[callMark][1:], ok
}

func (c *config) takeResolve(v viteConfig) error {
	for k, raw := range v.Resolve {
		switch k {
		case "dedupe", "preserveSymlinks":
			continue
		case "alias":
		default:
			return cannot(CannotConfig, "the key resolve.%s", k)
		}
		var byName map[string]string
		var list []struct{ Find, Replacement string }
		switch {
		case json.Unmarshal(raw, &byName) == nil:
			for find, replace := range byName {
				c.aliases = append(c.aliases, alias{find, replace})
			}
			// Vite asks in the order of the file, which data does not keep; the
			// longest first is the only order in which every alias has a use.
			slices.SortFunc(c.aliases, func(a, b alias) int {
				if d := len(b.find) - len(a.find); d != 0 {
					return d
				}
				return strings.Compare(a.find, b.find)
			})
		case json.Unmarshal(raw, &list) == nil:
			for _, l := range list {
				c.aliases = append(c.aliases, alias{l.Find, l.Replacement})
			}
		default:
			return cannot(CannotConfig, "an alias that is no text")
		}
	}
	if len(c.aliases) > maxNames {
		return cannot(CannotConfig, "more than %d aliases", maxNames)
	}
	for i, al := range c.aliases {
		if rest, ok := strings.CutPrefix(al.replace, literal.Root); ok {
			c.aliases[i].replace = "/" + strings.TrimPrefix(rest, "/")
		}
		if al.find == "" {
			return cannot(CannotConfig, "an alias for nothing")
		}
	}
	return nil
}

func (c *config) takeBuild(v viteConfig) error {
	for k, raw := range v.Build {
		switch {
		case slices.Contains(ignoredBuild, k):
			if (k == "assetsDir" || k == "assetsInlineLimit") && c.base == "" {
				return cannot(CannotConfig, "the key build.%s", k)
			}
		case k == "rollupOptions":
			var options map[string]json.RawMessage
			_ = json.Unmarshal(raw, &options)
			for name := range options {
				if name != "output" && name != "onwarn" {
					return cannot(CannotConfig, "the key build.rollupOptions.%s", name)
				}
			}
			var output map[string]json.RawMessage
			_ = json.Unmarshal(options["output"], &output)
			for name := range output {
				if !slices.Contains([]string{"manualChunks", "assetFileNames", "chunkFileNames", "entryFileNames", "sourcemap", "compact"}, name) {
					return cannot(CannotConfig, "the key build.rollupOptions.output.%s", name)
				}
			}
		default:
			return cannot(CannotConfig, "the key build.%s", k)
		}
	}
	return nil
}

func (c *config) takeRest(v viteConfig) error {
	for k, raw := range v.Esbuild {
		switch k {
		case "drop":
			_ = json.Unmarshal(raw, &c.drop)
		case "logOverride", "target", "legalComments":
		case "jsx":
			if string(raw) != `"automatic"` {
				return cannot(CannotConfig, "the key esbuild.jsx")
			}
		default:
			return cannot(CannotConfig, "the key esbuild.%s", k)
		}
	}
	for k := range v.CSS {
		if k != "devSourcemap" {
			return cannot(CannotConfig, "the key css.%s", k)
		}
	}
	if len(v.Define) > maxNames {
		return cannot(CannotConfig, "more than %d names in define", maxNames)
	}
	for k, raw := range v.Define {
		if strings.Contains(string(raw), `"`+callMark+`"`) {
			return cannot(CannotConfig, "define.%s comes from a package", k)
		}
		var text string
		if json.Unmarshal(raw, &text) == nil {
			c.define[k] = text // an expression
		} else {
			c.define[k] = string(raw)
		}
	}
	if v.Base != "" {
		if !strings.HasPrefix(v.Base, "/") && v.Base != "./" {
			return cannot(CannotConfig, "the base %q", build.Bounded(v.Base, 100))
		}
		c.base = v.Base
		if !strings.HasSuffix(c.base, "/") {
			c.base += "/"
		}
	}
	return nil
}

// anyFile returns the first of some files that a project has.
func anyFile(a *vitrine.Artifact, names ...string) (name, content string, ok bool) {
	for _, n := range names {
		if c, ok := a.File(n); ok {
			return n, c, true
		}
	}
	return "", "", false
}

// plainScript are the build scripts that are a production build and no more.
var plainScript = regexp.MustCompile(`^(?:npx )?vite build(?: --mode[= ]production)?$`)

// checkScript refuses projects whose build does more than Vite does: a type check
// that fails must fail the build.
func checkScript(m *project.Package) error {
	script := strings.TrimSpace(m.Scripts["build"])
	if script == "" {
		script = "vite build"
	}
	if !plainScript.MatchString(script) {
		return cannot(CannotScript, "the build script is %q", build.Bounded(script, 120))
	}
	for _, hook := range []string{"prebuild", "postbuild"} {
		if m.Scripts[hook] != "" {
			return cannot(CannotScript, "there is a %s script", hook)
		}
	}
	if _, ok := m.Uses["vite"]; !ok {
		return cannot(CannotDependencies, "vite is not among the dependencies")
	}
	return nil
}

var envLine = regexp.MustCompile(`^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=\s*(.*?)\s*$`)

// readEnv reads the .env files that a production build reads, the strongest last.
func readEnv(a *vitrine.Artifact) (map[string]string, error) {
	env := map[string]string{}
	for _, name := range []string{".env", ".env.local", ".env.production", ".env.production.local"} {
		content, _ := a.File(name)
		for line := range strings.Lines(content) {
			m := envLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
			if m == nil {
				continue
			}
			value := m[2]
			if len(value) > 1 && strings.ContainsRune("\"'`", rune(value[0])) {
				end := strings.IndexByte(value[1:], value[0])
				if end < 0 {
					return nil, cannot(CannotEnv, "%s: a value of several lines", name)
				}
				value = value[1 : 1+end]
			} else if i := strings.Index(value, "#"); i >= 0 {
				value = strings.TrimSpace(value[:i])
			}
			if strings.ContainsAny(value, "$\\") {
				return nil, cannot(CannotEnv, "%s: %s refers to something", name, m[1])
			}
			env[m[1]] = value
		}
	}
	return env, nil
}

// defines are the names that a production build replaces by constants. The whole
// environment is a constant of its own, that the banner gives to every script.
func defines(c *config, env map[string]string) (names map[string]string, banner string) {
	meta := map[string]any{"MODE": "production", "BASE_URL": c.base, "PROD": true, "DEV": false, "SSR": false}
	for k, v := range env {
		if strings.HasPrefix(k, "VITE_") {
			meta[k] = v
		}
	}
	all, _ := json.Marshal(meta) // texts and flags marshal
	d := map[string]string{
		"process.env.NODE_ENV": `"production"`, "global.process.env.NODE_ENV": `"production"`, "globalThis.process.env.NODE_ENV": `"production"`,
		"process.env": envName, "global.process.env": envName, "globalThis.process.env": envName,
		"import.meta.env": envName + "meta", "import.meta.hot": "undefined",
	}
	for k, v := range meta {
		text, _ := json.Marshal(v)
		d["import.meta.env."+k] = string(text)
	}
	maps.Copy(d, c.define)
	return d, "const " + envName + "={}," + envName + "meta=" + string(all) + ";"
}

// publicURL is where a file of the site is reached.
func (c *config) publicURL(name string) string {
	if c.base == "./" {
		return "./" + name
	}
	return path.Join("/", c.base, name)
}
