package fast

import (
	"context"
	"errors"
	"strings"
	"testing"

	"vitrine"
)

func TestWhatFails(t *testing.T) {
	t.Parallel()
	b, set := store(t)
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"a missing name of a package":     {map[string]string{"src/main.tsx": `import { Star } from 'icons'; console.log(Star)`}, `"Star" is not exported by "icons"`},
		"a missing name of a file":        {map[string]string{"src/main.tsx": `import { a } from './a'; console.log(a)`, "src/a.ts": `export const b = 1`}, `"a" is not exported by "src/a.ts"`},
		"a type that is exported onwards": {map[string]string{"src/main.tsx": `import { v } from './a'; console.log(v)`, "src/a.ts": `export { T, v } from './b'`, "src/b.ts": `export type T = 1; export const v = 2`}, `"T" is not exported by "src/b.ts"`},
		"a missing file":                  {map[string]string{"src/main.tsx": `import './gone'`}, `failed to resolve import "./gone" from "src/main.tsx"`},
		"a missing package":               {map[string]string{"src/main.tsx": `import 'left-pad'`}, `failed to resolve import "left-pad"`},
		"a syntax error":                  {map[string]string{"src/main.tsx": "const x = ;\n"}, "src/main.tsx:1:10: "},
		"JSX in a .js file":               {map[string]string{"src/main.tsx": `import './x.js'`, "src/x.js": `export default <p/>`}, "src/x.js:1:"},
		"no page":                         {map[string]string{"index.html": ""}, ""},
		"files of this machine":           {map[string]string{"src/main.tsx": `import x from '../../../../../../../../etc/passwd?raw'; console.log(x)`}, "failed to resolve"},
		"a path of this machine":          {map[string]string{"src/main.tsx": `import x from '/etc/passwd?raw'; console.log(x)`}, "failed to resolve"},
	} {
		t.Run(name, func(t *testing.T) {
			site, err := built(t.Context(), b, project1(test.files), set, false)
			if err != nil {
				t.Fatal(err)
			}
			if test.want == "" {
				if site.Failure != nil {
					t.Errorf("an empty page fails: %s", site.Failure.Message)
				}
				return
			}
			if site.Failure == nil || site.Failure.Code != vitrine.FailureBuild || !strings.Contains(site.Failure.Message, test.want) {
				t.Errorf("got %+v, want %q", site.Failure, test.want)
			}
		})
	}
}

func TestWhatIsLeftToTheExactBuilder(t *testing.T) {
	t.Parallel()
	b, set := store(t)
	script := func(text string) map[string]string {
		return map[string]string{"package.json": `{"scripts":{"build":"` + text + `"},"dependencies":{"react":"^18.0.0","icons":"^1.0.0"},"devDependencies":{"vite":"^5.0.0","tailwindcss":"^3.4.0"}}`}
	}
	config := func(text string) map[string]string { return map[string]string{"vite.config.ts": text} }
	tailwind := func(text string) map[string]string {
		return map[string]string{"postcss.config.js": "export default { plugins: { tailwindcss: {} } }", "tailwind.config.js": text}
	}
	main := func(text string) map[string]string { return map[string]string{"src/main.tsx": text} }
	for name, test := range map[string]struct {
		files map[string]string
		want  Code
	}{
		"a type check":                 {script("tsc -b && vite build"), CannotScript},
		"another plugin":               {config("import { VitePWA } from 'vite-plugin-pwa'\nexport default { plugins: [VitePWA({})] }"), CannotPlugin},
		"an own plugin":                {config("export default { plugins: [{ name: 'x' }] }"), CannotPlugin},
		"options of React's":           {config("import react from '@vitejs/plugin-react'\nexport default { plugins: [react({ babel: {} })] }"), CannotPlugin},
		"an unknown key":               {config("export default { root: 'app' }"), CannotConfig},
		"a package in the project":     {map[string]string{"package.json": `{"name":"t","dependencies":{"t":"file:"},"devDependencies":{"vite":"^5.0.0"}}`, "src/main.tsx": "import 't/src/x'"}, CannotImport},
		"public files are all":         {config("export default { publicDir: '.' }"), CannotConfig},
		"a config that reads":          {config("import fs from 'fs'\nexport default { base: fs.readFileSync('x') }"), CannotConfig},
		"a config without end":         {config("for (;;) {}"), CannotConfig},
		"a config that exits":          {config("process.exit(0); export default {}"), CannotConfig},
		"a promise":                    {config("export default async () => ({})"), CannotConfig},
		"another PostCSS plugin":       {map[string]string{"postcss.config.js": "module.exports = { plugins: [require('cssnano')] }"}, CannotPostCSS},
		"PostCSS in package.json":      {map[string]string{"package.json": `{"devDependencies": {"vite": "*"}, "postcss": {"plugins": {}}}`}, CannotPostCSS},
		"browsers in package.json":     {map[string]string{"package.json": `{"devDependencies": {"vite": "*"}, "browserslist": ["ie 11"]}`}, CannotPostCSS},
		"a Tailwind plugin":            {tailwind("import plugin from 'tailwindcss/plugin'\nexport default { plugins: [plugin(() => {})] }"), CannotTailwind},
		"a theme that is code":         {tailwind("export default { theme: { extend: { width: (x) => x } } }"), CannotTailwind},
		"a Tailwind without end":       {tailwind("while (true) {}\nexport default {}"), CannotTailwind},
		"a prototype":                  {tailwind(`export default JSON.parse('{"theme":{"__proto__":{"polluted":1}}}')`), CannotTailwind},
		"a constructor":                {tailwind(`export default { theme: { constructor: { prototype: { polluted: 1 } } } }`), CannotTailwind},
		"deep recursion":               {tailwind("const f = () => f(); f(); export default {}"), CannotTailwind},
		"a huge config":                {tailwind("export default { x: 'a'.repeat(3000000) }"), CannotTailwind},
		"packages as content":          {tailwind("export default { content: ['./node_modules/x/**/*.js'] }"), CannotTailwind},
		"Tailwind 4":                   {map[string]string{"src/main.tsx": "import './a.css'", "src/a.css": `@import "tailwindcss";`}, CannotTailwind},
		"sass":                         {map[string]string{"src/main.tsx": "import './a.scss'", "src/a.scss": ``}, CannotImport},
		"a worker":                     {map[string]string{"src/main.tsx": "import W from './w?worker'; new W()", "src/w.ts": ""}, CannotImport},
		"a glob":                       {main("console.log(import.meta.glob('./*.ts'))"), CannotImport},
		"require":                      {main("const x = require('react'); console.log(x)"), CannotImport},
		"a package for servers":        {main("import 'server'"), CannotPackage},
		"a package that looks out":     {main("import 'nosy'"), CannotPackage},
		"a package that is a link":     {main("import 'linked'"), CannotPackage},
		"a deep source":                {main("const x = " + strings.Repeat("!", 1<<20) + "1"), CannotSize},
		"a deep stylesheet":            {map[string]string{"src/main.tsx": "import './a.css'", "src/a.css": strings.Repeat("a{", 1<<20)}, CannotSize},
		"a deep configuration":         {config("export default " + strings.Repeat("[", 1<<20)), CannotConfig},
		"a configuration at the limit": {config("export default " + strings.Repeat("[", 31<<10) + strings.Repeat("]", 31<<10)), CannotConfig},
		"an import map":                {map[string]string{"index.html": `<script type="importmap">{}</script>`}, CannotHTML},
		"a variable of another":        {map[string]string{".env": "VITE_A=$HOME"}, CannotEnv},
	} {
		t.Run(name, func(t *testing.T) {
			a := project1(test.files)
			site, err := built(t.Context(), b, a, set, false)
			var got *Cannot
			if !errors.As(err, &got) {
				t.Fatalf("got %+v, %v; want a reason", site, err)
			}
			if got.Reasons[0].Code != test.want {
				t.Errorf("got %v, want %s", got, test.want)
			}
			if strings.Contains(got.Error(), "\n") {
				t.Errorf("the reason has several lines: %q", got.Error())
			}
		})
	}
}

func TestLenientOnlyTheBrokenModuleFails(t *testing.T) {
	t.Parallel()
	b, set := store(t)
	for name, late := range map[string]string{
		"a missing package":            `import 'left-pad'; export default 'late-module'`,
		"a syntax error":               `export default ;`,
		"a missing name":               `import { Star } from 'icons'; export default Star`,
		"a stylesheet that is wrong":   `import './bad.css'; export default 'late-module'`,
		"a missing name of an own one": `import { gone } from './other'; export default gone`,
	} {
		t.Run(name, func(t *testing.T) {
			a := project1(map[string]string{"src/main.tsx": `console.log('alive'); import('./late')`, "src/late.ts": late, "src/bad.css": "@import './gone.css';", "src/other.ts": "export const there = 1"})
			strict, err := built(t.Context(), b, a, set, false)
			if err != nil || strict.Failure == nil {
				t.Fatalf("a strict build does not fail: %v", err)
			}
			site, err := built(t.Context(), b, a, set, true)
			if err != nil {
				t.Fatal(err)
			}
			got := everything(t, site)
			if !strings.Contains(got, "alive") || !strings.Contains(got, "throw new Error") && !strings.Contains(got, "throw Error") {
				t.Errorf("got %.800s", got)
			}
			if site.Steps[0].Log == "" {
				t.Error("the log does not say what is broken")
			}
		})
	}
}

// A style sheet that the page needs from the start is no module that could fail alone.
func TestALenientSiteFailsByASheetOfThePageItself(t *testing.T) {
	t.Parallel()
	b, set := store(t)
	for name, files := range map[string]map[string]string{
		"of index.html": {"index.html": `<!doctype html><link rel="stylesheet" href="/src/bad.css"><script type="module" src="/src/main.tsx"></script>`},
		"of the entry":  {"src/main.tsx": `import './bad.css'; console.log('alive')`},
	} {
		files["src/bad.css"] = "@import './gone.css';"
		site, err := built(t.Context(), b, project1(files), set, true)
		if err != nil || site.Failure == nil || !strings.Contains(site.Failure.Message, "gone.css") {
			t.Errorf("%s: got %+v, %v", name, site, err)
		}
	}
}

func TestAnEndedContextEndsABuild(t *testing.T) {
	t.Parallel()
	b, set := store(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := built(ctx, b, project1(nil), set, false); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
