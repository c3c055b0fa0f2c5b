package project

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/literal/literaltest"
)

func mustRead(t testing.TB, files ...string) *Project {
	t.Helper()
	p, failure := Read(artifact(files...), 1<<20)
	if failure != nil {
		t.Fatal(failure.Message)
	}
	return p
}

// configured is the configuration of a project with a file of Vite and others.
func configured(t testing.TB, config string, more ...string) Config {
	t.Helper()
	p := mustRead(t, append([]string{"package.json", "{}", "vite.config.ts", config}, more...)...)
	if err := p.Configure(t.Context(), literaltest.Evaluator{}); err != nil {
		t.Fatal(err)
	}
	return p.Config
}

func TestBase(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]string{
		"export default defineConfig({ plugins: [] })":                                          "/",
		"export default { base: '/shop/' }":                                                     "/shop",
		"export default { base: '/shop' }":                                                      "/shop",
		"export default { base: './' }":                                                         "/",
		"export default { base: '' }":                                                           "/",
		"// base: '/old/'\nexport default {}":                                                   "/",
		"const base = '/app/'; export default {base}":                                           "/app",
		"export default ({ mode }) => ({ base: mode === 'production' ? '/x/' : '/' })":          "/x",
		"export default { base: process.env.NODE_ENV === 'production' ? '/x/' : '/' }":          "/x",
		"export default { base: process.env.BASE_PATH || '/y/' }":                               "/y",
		"export default { base: 'https://cdn.example/app/' }":                                   "/",
		"export default { base: '//cdn.example/app/' }":                                         "/",
		"export default { server: { base: '/no/' } }":                                           "/",
		"export default { base: '/x/', plugins: [{ name: 'own', transform(c) { return c } }] }": "/x",
	} {
		if !strings.Contains(config, "import") {
			config = "import { defineConfig } from 'vite'\n" + config
		}
		if got := configured(t, config).Path(); got != want {
			t.Errorf("%s: got %q, want %q", config, got, want)
		}
	}
	env := "import { defineConfig, loadEnv } from 'vite'\nexport default defineConfig(({ mode }) => ({ base: loadEnv(mode, process.cwd()).VITE_BASE }))"
	if got := configured(t, env, ".env", "VITE_BASE=/dev/", ".env.production", "VITE_BASE=/live/").Path(); got != "/live" {
		t.Errorf("from the environment: got %q", got)
	}
}

func TestFolders(t *testing.T) {
	t.Parallel()
	for config, want := range map[string][3]string{ // root, public, out
		"export default {}":                  {".", "public", "dist"},
		"export default { root: 'src' }":     {"src", "src/public", "src/dist"},
		"export default { root: './' }":      {".", "public", "dist"},
		"export default { root: __dirname }": {".", "public", "dist"},
		"export default { root: 'client', publicDir: '../static', build: { outDir: '../dist' } }":                                              {"client", "static", "dist"},
		"export default { publicDir: false }":                                                                                                  {".", "", "dist"},
		"import path from 'path'\nexport default { root: path.resolve(__dirname, 'app'), build: { outDir: path.resolve(__dirname, 'site') } }": {"app", "app/public", "site"},
		"export default { build: { outDir: '../server/public' } }":                                                                             {".", "public", "../server/public"},
		"export default { build: { outDir: '/tmp/x' } }":                                                                                       {".", "public", "/tmp/x"},
	} {
		c := configured(t, config)
		if diff := cmp.Diff(want, [3]string{c.Root, c.Public, c.Out}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", config, diff)
		}
	}
}

func TestWhatOnlyABuildCanTell(t *testing.T) {
	t.Parallel()
	if c := configured(t, "import fs from 'fs'\nexport default { base: fs.readFileSync('x') }"); c.Refusal == "" || c.Base != "" || c.Out != "" {
		t.Errorf("a configuration that is no data: %+v", c)
	}
	if c := configured(t, "export default {}", ".env", "A=$HOME"); c.Refusal == "" || c.Base != "" {
		t.Errorf("an environment that is not known: %+v", c)
	}
	for script, known := range map[string]bool{
		"vite build": true, "tsc -b && vite build": true, "vite build --mode production && cp a b": true,
		"vite build --base=/x/": false, "tsc && vite build client --outDir ../y": false,
	} {
		p := mustRead(t, "package.json", `{"scripts":{"build":"`+script+`"}}`)
		if err := p.Configure(t.Context(), literaltest.Evaluator{}); err != nil || (p.Config.Base == "/") != known {
			t.Errorf("%s: %+v, %v", script, p.Config, err)
		}
	}
}

func TestAliases(t *testing.T) {
	t.Parallel()
	for config, want := range map[string][]Alias{
		"import path from 'path'\nconst src = path.resolve(__dirname, 'src')\nexport default { resolve: { alias: { '@': src, '@ui': src + '/ui' } } }": {
			{"@ui", "/src/ui"}, {"@", "/src"},
		},
		"export default { resolve: { alias: [{ find: '~', replacement: '/lib' }, { find: '@', replacement: '/src' }] } }": {{"~", "/lib"}, {"@", "/src"}},
		"export default { resolve: { alias: [{ find: /^@/, replacement: '/src' }] } }":                                    nil,
	} {
		c := configured(t, config)
		if diff := cmp.Diff(want, c.Aliases); diff != "" || (want == nil) != (c.AliasRefusal != "") {
			t.Errorf("%s: %q (-want +got):\n%s", config, c.AliasRefusal, diff)
		}
	}
}

func TestDependenciesInTheProject(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files   []string
		local   map[string]string
		install string // dependencies that are left to be installed
	}{
		"itself by folder":  {[]string{"package.json", `{"name":"shop","dependencies":{"shop":"file:","a":"1"}}`}, map[string]string{"shop": "."}, `{"a":"1"}`},
		"itself by version": {[]string{"package.json", `{"name":"shop","version":"1.2.0","dependencies":{"shop":"^1.2.0"}}`}, map[string]string{"shop": "."}, `{}`},
		"of the same name":  {[]string{"package.json", `{"name":"shop","version":"0.0.0","dependencies":{"shop":"^1.2.0"}}`}, map[string]string{}, `{"shop":"^1.2.0"}`},
		"a folder, with what it needs": {[]string{
			"package.json", `{"dependencies":{"ui":"file:./packages/ui","b":"2"}}`, "packages/ui/package.json", `{"dependencies":{"b":"9","c":"3","icons":"link:../icons","x":"git+ssh://y"}}`, "packages/icons/package.json", `{}`,
		}, map[string]string{"ui": "packages/ui", "icons": "packages/icons"}, `{"b":"2","c":"3"}`},
		"a workspace": {[]string{
			"package.json", `{"dependencies":{"@own/ui":"workspace:*"}}`, "packages/ui/package.json", `{"name":"@own/ui"}`, "packages/ui/deeper/package.json", `{"name":"@own/ui"}`,
		}, map[string]string{"@own/ui": "packages/ui"}, `{}`},
	} {
		p := mustRead(t, test.files...)
		if diff := cmp.Diff(test.local, p.Package.Local); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		var fields struct{ Dependencies json.RawMessage }
		if err := json.Unmarshal(p.Package.Install, &fields); err != nil || string(fields.Dependencies) != test.install {
			t.Errorf("%s: %s is installed, want %s", name, fields.Dependencies, test.install)
		}
	}
}

func TestDependenciesElsewhereAreRefused(t *testing.T) {
	t.Parallel()
	for _, dependencies := range []string{
		`{"a":"file:../a"}`, `{"a":"file:/etc"}`, `{"a":"link:../../a"}`, `{"a":"file:packages/none"}`, `{"a":"workspace:*"}`, `{"a":"file:x/../../a"}`,
		`{"../a":"file:."}`, `{".bin":"file:."}`, `{"@x/../a":"file:."}`, `{"a":"git+https://x/y.git"}`, `{"a":"npm:file:x"}`,
	} {
		a := artifact("package.json", `{"name":"a","dependencies":`+dependencies+`}`, "../a/package.json", `{"name":"a"}`)
		if dependencies == `{"a":"workspace:*"}` {
			a = artifact("package.json", `{"dependencies":`+dependencies+`}`, "../a/package.json", `{"name":"a"}`, "node_modules/a/package.json", `{"name":"a"}`)
		}
		if _, failure := Read(a, 1<<20); failure == nil || failure.Code != vitrine.FailureInstall || !strings.Contains(failure.Message, "registry only") {
			t.Errorf("%s: got %+v", dependencies, failure)
		}
	}
}

// What a build script does besides is not known from the configuration.
func TestOnlyPlainBuildsAreKnown(t *testing.T) {
	t.Parallel()
	for script, known := range map[string]bool{
		"vite build": true, "tsc && vite build": true, "npx vite build --mode production": true, "vue-tsc --noEmit && vite build": true, "tsc -b && vite build": true,
		"BASE_PATH=/app/ vite build": false, "cross-env BASE_PATH=/app/ vite build": false, "npm run build:web": false, "vite --base /app/ build": false,
		"vite build --base=/app/": false, "vite build; mv dist www": false, "tsc && node build.js": false,
	} {
		p := mustRead(t, "package.json", `{"scripts":{"build":"`+script+`"}}`)
		if err := p.Configure(t.Context(), literaltest.Evaluator{}); err != nil {
			t.Fatal(err)
		}
		if got := p.Config.Base != "" && p.Config.Out != ""; got != known {
			t.Errorf("%s: base %q and folder %q, known: %v", script, p.Config.Base, p.Config.Out, known)
		}
	}
}

// Of names and links there is a bound.
func TestLocalDependenciesAreBounded(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range maxLocal + 1 {
		fmt.Fprintf(&many, `"p%d":"file:.",`, i)
	}
	for name, source := range map[string]string{
		"too many":            `{"dependencies":{` + strings.TrimSuffix(many.String(), ",") + `}}`,
		"a name with NUL":     `{"dependencies":{"a\u0000b":"file:."}}`,
		"a name with a space": `{"dependencies":{"a b":"file:."}}`,
	} {
		if _, failure := Read(artifact("package.json", source), 1<<20); failure == nil || failure.Code != vitrine.FailureInstall {
			t.Errorf("%s: %+v", name, failure)
		}
	}
	// A long name is read once, however many ask whether it is theirs.
	for i := range 10_000 {
		fmt.Fprintf(&many, `"q%d":"1.0.0",`, i)
	}
	mustRead(t, "package.json", `{"name":"`+strings.Repeat("x", 400_000)+`","dependencies":{`+strings.TrimSuffix(many.String()[strings.Index(many.String(), `"q0"`):], ",")+`}}`)
}

func FuzzRead(f *testing.F) {
	f.Add(`{"name":"a","dependencies":{"a":"file:.","b":"workspace:*"}}`, `{"name":"b","dependencies":{"a":"link:.."}}`)
	f.Fuzz(func(t *testing.T, manifest, member string) {
		p, failure := Read(artifact("package.json", manifest, "b/package.json", member), 1<<20)
		if failure != nil {
			return
		}
		for name, folder := range p.Package.Local {
			if !packageName(name) || !inside(folder) {
				t.Errorf("%q lies in %q", name, folder)
			}
		}
		if !json.Valid(p.Package.Install) {
			t.Errorf("installs %s", p.Package.Install)
		}
	})
}
