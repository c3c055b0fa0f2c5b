package parse

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

func TestScanModule(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, src string
		imports   string // separated by spaces
		exports   bool   // by default
	}{
		{"static", "import a from 'a'\nimport { b, c as d } from \"b\"\nimport * as e from 'e'\nimport 'f'", "a b e f", false},
		{"over lines", "import {\n  a,\n  type B,\n} from 'a'", "a", false},
		{"on one line", "import a from'a';import b from'b'", "a b", false},
		{"each once", "import 'a'\nimport 'a'", "a", false},
		{"types", "import type { A } from 'a'\nexport type { B } from 'b'", "a b", false},
		{"attributes", "import a from './a.json' with { type: 'json' }", "./a.json", false},
		{"names in quotes", "import { 'a b' as c } from 'a'\nexport { c as 'd e' } from 'b'", "a b", false},
		{"import equals", "import a = require('a')", "a", false},
		{"dynamic", "lazy(() => import('a')); await import(/* why */ \"b\")", "a b", false},
		{"template is no literal", "import(`./${a}`)", "", false},
		{"meta", "import.meta.glob('./a')", "", false},
		{"method", "loader.import('a'); loader.require('b')", "", false},
		{"from elsewhere", "const from = 'a'\nArray.from('b')\nfrom 'c'", "", false},
		{"from in JSX", "<p>news from \"a\"</p>", "", false},
		{"from after a body", "export function f() {}\nconst x = { from: 'a' }\nexport class A { from 'b' }", "", false},
		{"comments", "// import 'a'\n/* import 'b'\n*/ import 'c' // import 'd'", "c", false},
		{"comment unclosed", "const glob = /* import 'a'\nimport 'b'", "b", false},
		{"string with comment", "const u = 'https://x/*'\nimport 'a'\nconst v = '*/'", "a", false},
		{"quote alone", "<p>it's</p>\nimport 'a'", "a", false},
		{"quote escaped", `const a = 'it\'s'; import 'a'`, "a", false},
		{"template", "const a = `\nimport 'a'\n${b + `\nimport 'b'\n${c}`}\nimport 'c'`\nimport 'd'", "d", false},
		{"template with braces", "const a = `${{ b: { c: 1 } }.b}`\nimport 'a'", "a", false},
		{"code in template", "const a = `${await import('a')}`", "a", false},
		{"template escaped", "const a = `\\`\nimport 'a'\n`\nimport 'b'", "b", false},
		{"back-tick alone", "<p>one ` more</p>\nimport 'a'\nexport default 1", "a", true},
		{"regular expression", "s.replace(/['\"`/]/g, '')\nreturn /`/.test(s)\nimport 'a'", "a", false},
		{"class in regular expression", "x = /[/`]/\nimport 'a'", "a", false},
		{"division", "const a = b / 2 // `\nimport 'a'", "a", false},
		{"slash without end", "const a = (/ 2\nimport 'a'", "a", false},
		{"escape at the end", "import 'a'\n\\", "a", false},
		{"default", "export default function A() {}", "", true},
		{"default after semicolon", "const a = 1;export default a", "", true},
		{"default on the line of a comment's end", "/*\n*/ export default 1", "", true},
		{"as default", "export { a as default, b }", "", true},
		{"default of another", "export { default } from './a'", "./a", true},
		{"default of another among others", "export { b, default, c } from './a'", "./a", true},
		{"default renamed", "export { default as a } from './a'", "./a", false},
		{"namespace as default", "export * as default from './a'", "./a", true},
		{"default imported", "import { default as a } from './a'", "./a", false},
		{"default in a type", "export interface A { default: string }\nexport enum B { default, c }", "", false},
		{"default in a switch", "export const a = () => { switch (b) { default: } }", "", false},
		{"default in text", "const a = 'export default'; <p>we export default things</p>", "", false},
		{"property", "module.export default", "", false},
		{"nothing", "", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := scanModule(test.src)
			if diff := cmp.Diff(strings.Fields(test.imports), append([]string{}, got.imports...)); diff != "" {
				t.Errorf("imports (-want +got):\n%s", diff)
			}
			if got.defaultExport != test.exports {
				t.Errorf("default export: got %t, want %t", got.defaultExport, test.exports)
			}
		})
	}
}

func TestScanAliases(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, config string
		scan         func(string) []alias
		want         []alias
	}{
		{"paths", `{"compilerOptions": {"paths": {"@/*": ["./src/*", "lib/*"], "~": ["src"]}, "types": ["a"]}}`, pathAliases,
			[]alias{{"@", []string{"src", "lib"}}, {"~", []string{"src"}}}},
		{"base URL", `{"baseUrl": "./app", "paths": {"@/*": ["*"]}}`, pathAliases, []alias{{"@", []string{"app"}}}},
		{"catch-all", `{"paths": {"*": ["./src/*"]}}`, pathAliases, []alias{{"", []string{"src"}}}},
		{"no paths", `{"include": ["src"]}`, pathAliases, nil},
		{"paths cut off", `{"paths": {"@/*": ["src/*"`, pathAliases, []alias{{"@", []string{"src"}}}},
		{"object", `alias: { '@': path.resolve(__dirname, './src'), lib: fileURLToPath(new URL('./src/lib', import.meta.url)) }, port: 1`, viteAliases,
			[]alias{{"@", []string{"src"}}, {"lib", []string{"src/lib"}}}},
		{"parts", `alias: { '@': path.join(__dirname, 'src', 'app') }`, viteAliases, []alias{{"@", []string{"src/app"}}}},
		{"list", `alias: [{ find: '@', replacement: '/src' }, { find: '~', replacement: '/lib' }], x: 'y'`, viteAliases,
			[]alias{{"@", []string{"src"}}, {"~", []string{"lib"}}}},
		{"regular expression", `alias: [{ find: /^@\//, replacement: '/src/' }]`, viteAliases, []alias{{"@", []string{"src"}}}},
		{"variable", `alias: aliases, server: { port: 1, host: 'x' }`, viteAliases, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, test.scan(test.config), cmp.AllowUnexported(alias{})); diff != "" {
				t.Errorf("aliases (-want +got):\n%s", diff)
			}
		})
	}
}

// Aliases are those that the configuration comes to, in whichever file they stand.
func TestAliasesOfEitherFile(t *testing.T) {
	t.Parallel()
	vite := "import { defineConfig } from 'vite'\nimport path from 'path'\n"
	for name, files := range map[string][]string{
		"a constant":     {"vite.config.ts", vite + "const app = path.resolve(__dirname, 'app')\nexport default defineConfig({ resolve: { alias: { '#ui': app, ui: app } } })"},
		"an object":      {"vite.config.ts", vite + "const alias = { ui: path.resolve(__dirname, './app') }\nexport default defineConfig({ resolve: { alias } })"},
		"a function":     {"vite.config.js", vite + "export default defineConfig(({ mode }) => ({ resolve: { alias: { ui: mode === 'production' ? '/app' : '/dev' } } }))"},
		"import.meta":    {"vite.config.mjs", "import { fileURLToPath, URL } from 'node:url'\nexport default { resolve: { alias: { ui: fileURLToPath(new URL('./app', import.meta.url)) } } }"},
		"with types":     {"vite.config.ts", vite + "export default defineConfig({ resolve: { alias: { ui: path.resolve(__dirname, 'app') as string } } })"},
		"of TypeScript":  {"tsconfig.json", `{"compilerOptions":{"baseUrl":".","paths":{"ui/*":["app/*"]}}}`},
		"TypeScript too": {"vite.config.ts", vite + "export default defineConfig({})", "tsconfig.app.json", `{"compilerOptions":{"paths":{"ui/*":["./app/*"]}}}`},
	} {
		a := &vitrine.Artifact{Kind: vitrine.KindProject, Files: []vitrine.File{
			{Path: "package.json", Content: `{"devDependencies":{"vite":"*"}}`}, {Path: "app/button.tsx"},
			{Path: "src/main.tsx", Content: "import b from 'ui/button'\nexport default b"},
		}}
		for i := 0; i < len(files); i += 2 {
			a.Files = append(a.Files, vitrine.File{Path: files[i], Content: files[i+1]})
		}
		_, strict := codeScores(a)
		for _, f := range strict.Failed {
			if strings.HasPrefix(f.Rule, "import_") {
				t.Errorf("%s: %s: %s", name, f.Rule, f.Why)
			}
		}
	}
}
