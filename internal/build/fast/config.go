package fast

import (
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/build"
	"vitrine/internal/project"
)

// config is what matters of a Vite configuration.
type config struct {
	base    string
	aliases []project.Alias
	define  map[string]string // JavaScript expression by name
	react   bool
	drop    []string // console, debugger
}

// maxNames are more constants than any project has.
const maxNames = 200

// viteConfig is the shape of a configuration as data.
type viteConfig struct {
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
	understood   = []string{"base", "root", "publicDir", "plugins", "define", "resolve", "build", "esbuild", "css"}
	ignoredBuild = []string{
		"outDir", "emptyOutDir", "sourcemap", "minify", "target", "cssTarget", "chunkSizeWarningLimit", "reportCompressedSize", "assetsDir", "cssCodeSplit",
		"cssMinify", "terserOptions", "modulePreload", "polyfillModulePreload", "assetsInlineLimit", "commonjsOptions", "manifest", "write", "watch", "copyPublicDir",
	}
)

// readConfig takes what this builder needs of a configuration, and refuses what it cannot do.
func readConfig(p project.Config) (*config, error) {
	c := &config{base: p.Base, aliases: p.Aliases, define: map[string]string{}}
	if p.Name == "" {
		return c, nil
	}
	var v viteConfig
	raw, err := json.Marshal(p.Keys)
	switch {
	case p.Refusal != "":
		return nil, cannot(CannotConfig, "%s: %s", p.Name, p.Refusal)
	case err != nil || json.Unmarshal(raw, &v) != nil:
		return nil, cannot(CannotConfig, "%s is of an unexpected shape", p.Name)
	case p.AliasRefusal != "":
		return nil, cannot(CannotConfig, "%s: %s", p.Name, p.AliasRefusal)
	case p.Root != "." || p.Public == ".":
		return nil, cannot(CannotConfig, "%s: the root %q with public files in %q", p.Name, build.Bounded(p.Root, 100), build.Bounded(p.Public, 100))
	case !strings.HasPrefix(p.Base, "/") && p.Base != "./":
		return nil, cannot(CannotConfig, "%s: the base %q", p.Name, build.Bounded(p.Base, 100))
	}
	for _, k := range slices.Sorted(maps.Keys(p.Keys)) {
		if !slices.Contains(ignored, k) && !slices.Contains(understood, k) {
			return nil, cannot(CannotConfig, "%s: the key %q", p.Name, k)
		}
	}
	return c, c.take(p.Name, v)
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
	for k := range v.Resolve {
		if !slices.Contains([]string{"alias", "dedupe", "preserveSymlinks"}, k) {
			return cannot(CannotConfig, "the key resolve.%s", k)
		}
	}
	return nil
}

func (c *config) takeBuild(v viteConfig) error {
	for k, raw := range v.Build {
		switch {
		case slices.Contains(ignoredBuild, k):
			continue
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
	return nil
}

// plainScript are the build scripts that are a production build and no more.
var plainScript = regexp.MustCompile(`^(?:npx )?vite build(?: --mode[= ]production)?$`)

// checkScript refuses projects whose build does more than Vite does: a type check
// that fails must fail the build.
func checkScript(m project.Package) error {
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
