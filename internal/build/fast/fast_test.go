package fast

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/leak"
	"vitrine/internal/project"
	"vitrine/internal/sandbox"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

// installed are made-up packages: an ES module, a CommonJS one, and what JSX asks
// for.
var installed = map[string]string{
	"react/package.json":               `{"name":"react","version":"18.3.1","main":"index.js"}`,
	"react/index.js":                   `exports.useState = (v) => [v, () => {}]; exports.version = "react-made-up"`,
	"react/jsx-runtime.js":             `exports.jsx = (type, props) => ({ type, props }); exports.jsxs = exports.jsx; exports.Fragment = "fragment"`,
	"vite/package.json":                `{"name":"vite","version":"5.4.0","main":"index.js"}`,
	"vite/index.js":                    ``,
	"icons/package.json":               `{"name":"icons","version":"1.2.0","module":"index.mjs","sideEffects":false}`,
	"icons/index.mjs":                  `export const Sun = "sun-icon"; export const Moon = "moon-icon"; export default { all: 2 }`,
	"icons/style.css":                  `.icon { background: url(./pin.svg) }`,
	"icons/all.css":                    `@import url("style.css");`,
	"icons/pin.svg":                    `<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1"/></svg>`,
	"nosy/package.json":                `{"name":"nosy","version":"1.0.0","module":"index.mjs"}`,
	"nosy/index.mjs":                   `import secret from "../../../secret.json"; export default secret`,
	"linked/package.json":              `{"name":"linked","version":"1.0.0","module":"index.mjs"}`,
	"server/package.json":              `{"name":"server","version":"1.0.0","main":"index.js"}`,
	"server/index.js":                  `require("fs").readFileSync("x")`,
	"tailwindcss/index.js":             fakeTailwind,
	"tailwindcss-animate/package.json": `{"name":"tailwindcss-animate","version":"1.0.0","main":"index.js"}`,
	"tailwindcss-animate/index.js":     `module.exports = { animated: true }`,
	"@tailwindcss/forms/package.json":  `{"name":"@tailwindcss/forms","version":"0.5.0","main":"index.js"}`,
	"@tailwindcss/forms/index.js":      `module.exports = (o) => ({ formed: o })`,
	"lodash/package.json":              `{"name":"lodash","version":"4.0.0","main":"index.js"}`,
	"lodash/template.js":               `module.exports = (source) => new Function(source)`,
	"tailwindcss/colors.js":            `module.exports = { amber: { 500: "#f59e0b" } }`,
	"postcss/package.json":             `{"name":"postcss","version":"8.0.0","main":"index.js"}`,
	"postcss/index.js":                 `module.exports = (plugins) => ({ process: async (css, o) => ({ css: plugins[0](css, o) }) })`,
	"tailwindcss/package.json":         `{"name":"tailwindcss","version":"3.4.0","main":"index.js"}`,
	"tailwindcss/defaultTheme.js":      `module.exports = { fontFamily: { sans: ["made-up-sans"] }, width: ({ theme }) => theme("spacing") }`,
}

// fakeTailwind obeys the stylesheet, so that tests can make it fail.
const fakeTailwind = `module.exports = (config) => (css) => {
	if (css.includes("crash")) process.exit(3)
	if (css.includes("endless")) for (;;) {}
	if (css.includes("wrong")) { const e = new Error("the class wrong does not exist"); e.name = "CssSyntaxError"; throw e }
	globalThis.jobs = (globalThis.jobs || 0) + 1
	if (css.includes("count")) return ".count{content:'job " + globalThis.jobs + "'}"
	return ".made{content:" + JSON.stringify(JSON.stringify(config)) + "}"
}`

// store makes a package store with one dependency set, that package.json below
// asks for.
func store(t testing.TB) (*Builder, build.Set) {
	t.Helper()
	dir := t.TempDir()
	modules := filepath.Join(dir, "deps", "made-up", "node_modules")
	for name, content := range installed {
		name = filepath.Join(modules, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "secret.json"), []byte(`"secret"`), 0o644), os.Symlink(filepath.Join(dir, "secret.json"), filepath.Join(modules, "linked", "index.mjs"))); err != nil {
		t.Fatal(err)
	}
	b, err := New(Settings{Store: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b, build.Set{Key: "made-up", Modules: modules}
}

// built reads a project and builds it.
func built(ctx context.Context, b *Builder, a *vitrine.Artifact, set build.Set, lenient bool) (*vitrine.Site, error) {
	source, failure := project.Read(a, 100<<20)
	if failure != nil {
		return &vitrine.Site{Failure: failure}, nil
	}
	if err := source.Configure(ctx, b); err != nil {
		return nil, err
	}
	return b.Build(ctx, source, set, lenient)
}

// project1 is a small project with some files added or replaced.
func project1(files map[string]string) *vitrine.Artifact {
	all := map[string]string{
		"package.json":   `{"scripts":{"build":"vite build"},"dependencies":{"react":"^18.0.0","icons":"^1.0.0"},"devDependencies":{"vite":"^5.0.0","tailwindcss":"^3.4.0"}}`,
		"vite.config.ts": "import { defineConfig } from 'vite'\nimport react from '@vitejs/plugin-react'\nexport default defineConfig({ plugins: [react()] })",
		"index.html":     `<!doctype html><html><head><title>t</title></head><body><div id="root"></div><script type="module" src="/src/main.tsx"></script></body></html>`,
		"src/main.tsx":   `import { Sun } from 'icons'; document.title = Sun`,
	}
	for name, content := range files {
		all[name] = content
	}
	a := &vitrine.Artifact{Kind: vitrine.KindProject}
	for _, name := range slices.Sorted(keys(all)) {
		a.Files = append(a.Files, vitrine.File{Path: name, Content: all[name]})
	}
	return a
}

// everything is all text of a built site.
func everything(t testing.TB, site *vitrine.Site) string {
	t.Helper()
	if site.Failure != nil {
		t.Fatalf("does not build: %s", site.Failure.Message)
	}
	var all strings.Builder
	err := filepath.WalkDir(site.Root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		all.WriteString(filepath.Base(name) + "\n" + string(b) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

func TestWhatIsBuilt(t *testing.T) {
	t.Parallel()
	b, set := store(t)
	alias := "import path from 'path'\nexport default { base: '/shop/', resolve: { alias: { '@': path.resolve(__dirname, './src') } }, define: { __EDITION__: JSON.stringify('spring') } }"
	for name, test := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"a package":               {nil, []string{"sun-icon", `<script type="module" crossorigin src="/assets/index-`}},
		"a CommonJS package":      {map[string]string{"src/main.tsx": `import R, { version, missing } from 'react'; console.log(R.version, version, missing)`}, []string{"react-made-up"}},
		"JSX":                     {map[string]string{"src/main.tsx": `console.log(<p className="hello-class">x</p>)`}, []string{"hello-class"}},
		"types that are imported": {map[string]string{"src/main.tsx": `import { T } from './t'; const x: T = 'typed'; console.log(x)`, "src/t.ts": `export type T = string`}, []string{"typed"}},
		"JSON":                    {map[string]string{"src/main.tsx": `import d, { n } from './d.json'; console.log(d, n)`, "src/d.json": `{"n":"from-json"}`}, []string{"from-json"}},
		"raw text":                {map[string]string{"src/main.tsx": `import d from './d.txt?raw'; console.log(d)`, "src/d.txt": `raw-text`}, []string{"raw-text"}},
		"the environment":         {map[string]string{"src/main.tsx": `console.log(import.meta.env.VITE_A, import.meta.env.MODE, import.meta.env.B, process.env.NODE_ENV)`, ".env": "VITE_A=first\nB=hidden", ".env.production": "VITE_A='second'"}, []string{`"second"`, `"production"`}},
		"a variable in the page":  {map[string]string{"index.html": `<head><title>%VITE_A%</title></head><script type="module" src="/src/main.tsx"></script>`, ".env": "VITE_A=named"}, []string{"<title>named</title>"}},
		"alias, base and define":  {map[string]string{"vite.config.ts": alias, "src/main.tsx": `import x from '@/deep/x'; console.log(x, __EDITION__, import.meta.env.BASE_URL)`, "src/deep/x.ts": `export default 'deep-x'`}, []string{"deep-x", `"spring"`, `"/shop/"`, `src="/shop/assets/`}},
		"public files":            {map[string]string{"public/a/robots.txt": "robots-text", "src/main.tsx": `import u from '/a/robots.txt'; console.log(u)`}, []string{"robots-text", `"/a/robots.txt"`}},
		"stylesheets":             {map[string]string{"src/main.tsx": `import './a.css'; import 'icons/style.css'`, "src/a.css": `@import "./b.css"; a { color: red }`, "src/b.css": `.inner-b{color:blue}`}, []string{"inner-b", "a{color:red}", `<link rel="stylesheet" crossorigin`, "data:image/svg+xml"}},
		"CSS modules":             {map[string]string{"src/main.tsx": `import s from './a.module.css'; console.log(s.box)`, "src/a.module.css": `.box{color:teal}`}, []string{"color:teal"}},
		"a dynamic import":        {map[string]string{"src/main.tsx": `import('./late')`, "src/late.ts": `import './late.css'; export default 'late-module'`, "src/late.css": `.late-style{color:red}`}, []string{"late-module", `late-style`, "createElement(\"style\")"}},
		"scripts in the page":     {map[string]string{"index.html": `<script type="module">import x from './src/x.ts'; console.log(x)</script><script>plain()</script>`, "src/x.ts": `export default 'inline-x'`}, []string{"inline-x", "<script>plain()</script>"}},
		"a base by its name":      {map[string]string{"vite.config.ts": "const base = '/app/'; export default { base }"}, []string{`src="/app/assets/`}},
		"a base by the mode":      {map[string]string{"vite.config.ts": "export default ({ mode }) => ({ base: mode === 'production' ? '/x/' : '/' })"}, []string{`src="/x/assets/`}},
		"a public folder":         {map[string]string{"vite.config.ts": "export default { publicDir: 'static' }", "static/a.txt": "a-text", "public/b.txt": "hidden", "src/main.tsx": `import u from '/a.txt'; console.log(u)`}, []string{"a-text", `"/a.txt"`}},
		"no public folder":        {map[string]string{"vite.config.ts": "export default { publicDir: false }", "public/b.txt": "hidden"}, []string{"sun-icon"}},
		"itself among the needed": {map[string]string{"package.json": `{"name":"t","dependencies":{"t":"file:","react":"^18.0.0","icons":"^1.0.0"},"devDependencies":{"vite":"^5.0.0"}}`}, []string{"sun-icon"}},
		"another host":            {map[string]string{"src/main.tsx": `import x from 'https://cdn.example/x.js'; console.log(x)`}, []string{`https://cdn.example/x.js`}},
	} {
		t.Run(name, func(t *testing.T) {
			site, err := built(t.Context(), b, project1(test.files), set, false)
			if err != nil {
				t.Fatal(err)
			}
			got := everything(t, site)
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("the site lacks %q:\n%.1500s", want, got)
				}
			}
			if strings.Contains(got, "hidden") {
				t.Error("a variable that is not the page's is in the site")
			}
		})
	}
}

// A page names every script that it cannot run without, as one of Vite does: the browser
// fetches them at once and keeps them from one route to the next.
func TestScriptsThatAreNeededAreNamed(t *testing.T) {
	t.Parallel()
	b, set := store(t)
	site, err := built(t.Context(), b, project1(map[string]string{
		"vite.config.ts": "export default { base: '/shop/' }",
		"src/main.tsx":   `import { both } from './both'; import x from 'https://cdn.example/react.js'; import('./late'); document.title = both + x`,
		"src/both.ts":    `import { version } from 'react'; export const both = version`,
		"src/late.ts":    `import { both } from './both'; import { Sun } from 'icons'; console.log(both, Sun)`,
	}), set, false)
	if err != nil {
		t.Fatal(err)
	}
	html, err := os.ReadFile(filepath.Join(site.Root, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`<link rel="modulepreload" crossorigin href="/shop/assets/([^"]+)">`).FindAllSubmatch(html, -1)
	var got []string
	for _, n := range named {
		name := string(n[1])
		if _, err := os.Stat(filepath.Join(site.Root, "assets", name)); err != nil {
			t.Error(err)
		}
		got = append(got, regexp.MustCompile(`-[A-Za-z0-9]+\.js$`).ReplaceAllString(name, ""))
	}
	if diff := cmp.Diff([]string{"chunk", "packages/chunk", "packages/react"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, html)
	}
	if len(site.Libraries) != 2 || !strings.HasPrefix(site.Libraries[0], "assets/packages/chunk-") || !strings.HasPrefix(site.Libraries[1], "assets/packages/react-") {
		t.Errorf("the libraries are %v", site.Libraries)
	}
}

func TestTheSameProjectGivesTheSameSite(t *testing.T) {
	t.Parallel()
	b, set := store(t)
	first, err := built(t.Context(), b, project1(nil), set, false)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := store(t)
	second, err := built(t.Context(), again, project1(nil), set, false)
	if err != nil {
		t.Fatal(err)
	}
	if first.Hash != second.Hash {
		t.Error("two stores give two sites")
	}
	if diff := cmp.Diff([]string{"/"}, second.Routes); diff != "" {
		t.Error(diff)
	}
}

func needsSandbox(t *testing.T) {
	t.Helper()
	if err := (sandbox.Sandbox{}).Available(t.Context()); err != nil {
		t.Skipf("needs bubblewrap: %v", err)
	}
}
