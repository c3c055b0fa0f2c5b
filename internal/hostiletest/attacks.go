package hostiletest

import (
	"encoding/json"
	"fmt"
	"strings"

	"vitrine"
)

const (
	// built are the outcomes of a project that asks for odd packages: they are its own.
	built = "rendered invalid_render/blank invalid_render/threw_before_paint build_failed/install_failed build_failed/build_failed"
	// decided are those of a configuration that the project's own tools judge, under
	// their limits.
	decided = "rendered build_failed/build_failed build_failed/memory build_failed/timeout"
)

// instead is a package that is put in place of React's scheduler.
const instead = "npm:is-number@7.0.0"

// dependencies are projects with the victim's direct dependencies and another tree
// below them.
func dependencies() []Attack {
	scheduler := map[string]string{"scheduler": instead}
	lock := func(fields map[string]any) string {
		fields["version"] = "0.23.2"
		b, _ := json.Marshal(map[string]any{"lockfileVersion": 3, "packages": map[string]any{
			"":                       map[string]any{"dependencies": packages["dependencies"], "devDependencies": packages["devDependencies"]},
			"node_modules/scheduler": fields,
		}})
		return string(b)
	}
	const tarball = "https://registry.npmjs.org/is-number/-/is-number-7.0.0.tgz"
	all := []Attack{
		attack("overrides", built, map[string]string{"package.json": manifest(map[string]any{"overrides": scheduler})}),
		attack("overrides-below", built, map[string]string{"package.json": manifest(map[string]any{"overrides": map[string]any{"react-dom": scheduler}})}),
		attack("alias-above", built, map[string]string{"package.json": manifest(map[string]any{"dependencies": with("dependencies", scheduler)})}),
		attack("alias-optional", built, map[string]string{"package.json": manifest(map[string]any{"optionalDependencies": scheduler})}),
		attack("lock-other-tarball", built, map[string]string{"package.json": manifest(nil), "package-lock.json": lock(map[string]any{"resolved": tarball})}),
		attack("lock-other-integrity", built, map[string]string{"package.json": manifest(nil), "package-lock.json": lock(map[string]any{
			"resolved":  "https://registry.npmjs.org/scheduler/-/scheduler-0.23.2.tgz",
			"integrity": "sha512-41Cifkg6e8TylSpdtTpeLVMqvSBEVzTttHvERD741+pnZ8ANv0004MRL43QKPDlK9cGvNp6NZWZUBlbGXYxxng==",
		})}),
		attack("peer-conflict", built, map[string]string{"package.json": manifest(map[string]any{
			"dependencies": with("dependencies", map[string]string{"@testing-library/react-hooks": "8.0.1"}),
		})}),
		// What npm is not shown changes nothing.
		attack("not-for-npm", "rendered", map[string]string{
			"package.json": manifest(map[string]any{"packageManager": "pnpm@9.0.0", "resolutions": scheduler, "workspaces": []string{"../*"}, "bundleDependencies": true}),
			".npmrc":       "registry=http://127.0.0.1:9/\nignore-scripts=false\nscript-shell=/project/evil.sh\n",
		}),
	}
	return all
}

// Patches for the process that works on stylesheets: of a module, and of what every
// program has.
const (
	patchModule = "<% const cache = process.mainModule.constructor._cache; for (const k of Object.keys(cache)) if (/postcss.lib.(lazy-)?result/.test(k)) " +
		"Object.defineProperty(cache[k].exports.prototype, 'css', { get() { return 'html{display:none}' }, set() {} }) %>"
	patchGlobal = "<% const s = JSON.stringify; JSON.stringify = (v, ...more) => s(v && typeof v.css === 'string' ? { css: 'html{display:none}' } : v && v.modules ? { modules: { 'tailwindcss/colors': { emerald: { 800: '#fff' } } } } : v, ...more) %>"
	patchNative = "<% Object.prototype.display = 'none'; Array.prototype.push = () => 0 %>"
)

// plugins are configurations that have code run where stylesheets are made.
func plugins() (all []Attack) {
	const results = decided + " invalid_render/blank"
	for _, patch := range [][2]string{{"module", patchModule}, {"global", patchGlobal}, {"prototypes", patchNative}} {
		name := patch[0]
		quoted, _ := json.Marshal(patch[1])
		head := "import t from 'lodash/template';\n"
		call := "t(" + string(quoted) + ")"
		all = append(all,
			attack("template-plugin-"+name, results, map[string]string{"tailwind.config.js": head + "export default { content: ['./src/**/*.jsx'], plugins: [" + call + "] };"}),
			attack("template-preset-"+name, results, map[string]string{"tailwind.config.js": head + "export default { content: ['./src/**/*.jsx'], presets: [{ plugins: [" + call + "] }] };"}),
			attack("template-postcss-"+name, results, map[string]string{"postcss.config.js": head + "export default { plugins: [" + call + ", 'tailwindcss'] };"}),
		)
	}
	forged := `export default { content: ['./src/**/*.jsx'], plugins: [{ $call: ['lodash/template', 'x'] }], theme: { extend: { colors: { $call: ['child_process.execSync', 'id'] } } } };`
	return append(all,
		attack("forged-mark", results, map[string]string{"tailwind.config.js": forged}),
		attack("endless-safelist", results, map[string]string{"tailwind.config.js": "export default { content: ['./src/**/*.jsx'], safelist: [{ pattern: /^(?=[a-z])([a-z-]+)+_$/ }] };"}),
	)
}

// patterns are configurations whose regular expression never ends.
func patterns() []Attack {
	return inEach("pattern", "build_failed/timeout", "/^(?=a)(a+)+$/.test('a'.repeat(60) + 'b');")
}

// memory are configurations that take all memory, each in each kind.
func memory() (all []Attack) {
	for _, killer := range [][2]string{
		{"text-huge", "'a'.repeat(2 ** 50);"}, {"buffer-huge", "new ArrayBuffer(2 ** 46);"}, {"json-deep", "JSON.parse('['.repeat(8e6) + ']'.repeat(8e6));"},
		{"text-12gb", "globalThis.kept = 'a'.repeat(12e9);"}, {"array-full", "globalThis.kept = new Array(2e8).fill(1);"},
	} {
		all = append(all, inEach(killer[0], decided, killer[1])...)
	}
	return all
}

// bundler are sources that take the bundler's memory or never end in it.
func bundler() []Attack {
	const typed = decided + " build_failed/too_large invalid_render/blank invalid_render/threw_before_paint"
	page := func(files map[string]string) Attack {
		return Attack{Sample{ID: "", Kind: vitrine.KindComponent, Files: files}, typed}
	}
	named := func(id string, a Attack) Attack { a.ID = id; return a }
	all := []Attack{
		named("component-enum-doubles", page(map[string]string{"page.tsx": doublingEnum(40) + "export default () => <p>{E.A40}</p>"})),
		named("component-enum-inlined", page(map[string]string{
			"page.tsx": "enum E { A = '" + strings.Repeat("a", 40_000) + "' }\nexport default () => <p>{[" + strings.Repeat("E.A,", 20_000) + "]}</p>",
		})),
		named("component-cycle", page(cycle(20_000, "page.tsx", "export default () => <p>Round</p>;"))),
		attack("project-enum-doubles", typed, map[string]string{"src/kinds.ts": doublingEnum(40) + "export default E;", "src/app.jsx": "import E from './kinds.ts'; export default () => <p>{E.A40}</p>;"}),
		attack("project-cycle", typed, cycle(100_000, "src/app.jsx", "export default () => <p>Round</p>;")),
		attack("config-enum-doubles", typed, map[string]string{"vite.config.js": "export default {}", "vite.config.ts": doublingEnum(40) + "export default { define: { X: E.A40.length } };"}),
		attack("stylesheets-double", typed, doublingSheets()),
		attack("stylesheets-many", typed, manySheets()),
		attack("addresses-in-page", typed, map[string]string{
			"index.html": projectPage + strings.Repeat(`<img src="/a.svg">`, 60_000), "a.svg": "<svg xmlns='http://www.w3.org/2000/svg'><!--" + strings.Repeat("a", 4000) + "--></svg>",
		}),
		attack("comments-in-page", typed, map[string]string{"index.html": projectPage + strings.Repeat("<!--<a>", 400_000)}),
		attack("values-in-page", typed, map[string]string{
			".env": "VITE_A=" + strings.Repeat("a", 1<<20), "index.html": projectPage + strings.Repeat("%VITE_A%", 20_000),
		}),
		attack("values-in-script", typed, map[string]string{
			".env": "VITE_A=" + strings.Repeat("a", 1<<20), "src/app.jsx": "export default () => <p>{[" + strings.Repeat("import.meta.env.VITE_A,", 4000) + "].length}</p>;",
		}),
		attack("routes-nested", typed, map[string]string{"src/routes.jsx": strings.Repeat(`<Route path="deeper">`, 100_000)}),
		attack("packages-unknown", typed, map[string]string{"src/app.jsx": imports(5000) + "export default () => <p>Alone</p>;"}),
	}
	return all
}

// doublingEnum has texts of 2, 4, 8 … times the first.
func doublingEnum(n int) string {
	var b strings.Builder
	b.WriteString("enum E { A0 = 'aaaaaaaa'")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, ", A%d = `${A%d}${A%d}`", i, i-1, i-1)
	}
	return b.String() + " }\n"
}

// cycle are n modules that import each other in a circle, the first and the last by
// the name given.
func cycle(n int, first, content string) map[string]string {
	dir := ""
	if i := strings.LastIndex(first, "/"); i >= 0 {
		dir = first[:i+1]
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(first, dir), ".")
	files := map[string]string{first: "import './m1';\n" + content}
	for i := 1; i < n; i++ {
		next := fmt.Sprint("m", i+1)
		if i == n-1 {
			next = name
		}
		files[fmt.Sprint(dir, "m", i, ".jsx")] = "import './" + next + "'; export const x = " + fmt.Sprint(i) + ";"
	}
	return files
}

// doublingSheets import each other twice, twenty deep.
func doublingSheets() map[string]string {
	files := map[string]string{"src/index.css": `@import "./s1.css"; @import "./s1.css";` + projectCSS}
	for i := 1; i < 20; i++ {
		files[fmt.Sprintf("src/s%d.css", i)] = strings.Repeat(fmt.Sprintf("@import \"./s%d.css\";", i+1), 4)
	}
	files["src/s20.css"] = "." + strings.Repeat("a", 1000) + "{color:red}"
	return files
}

// manySheets are stylesheets that each need Tailwind.
func manySheets() map[string]string {
	files, main := map[string]string{}, ""
	for i := range 400 {
		main += fmt.Sprintf("import './s%d.css';\n", i)
		files[fmt.Sprintf("src/s%d.css", i)] = fmt.Sprintf(".s%d { @apply p-%d; }", i, i%8)
	}
	files["src/main.jsx"] = main + projectMain
	return files
}

func imports(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "import 'no-such-package-%d';\n", i)
	}
	return b.String()
}

// settings are files that tools read settings from and that point out of the project.
func settings() []Attack {
	const typed = "rendered invalid_render/threw_before_paint build_failed/build_failed build_failed/too_large"
	return []Attack{
		attack("tsconfig-outside", typed, map[string]string{"tsconfig.json": `{"extends":"/etc/passwd","compilerOptions":{"baseUrl":"/","paths":{"*":["/etc/*"]}}}`}),
		attack("tsconfig-above", typed, map[string]string{"tsconfig.json": `{"extends":"../../../../../../etc/npmrc"}`, "src/app.tsx": "export {}"}),
		attack("browserslist-outside", typed, map[string]string{"package.json": manifest(map[string]any{"browserslist": []string{"extends ../../../../etc/passwd"}})}),
		attack("browserslist-file", typed, map[string]string{".browserslistrc": "extends browserslist-config-../../etc/passwd"}),
		attack("postcss-outside", typed, map[string]string{"postcss.config.js": "export default { plugins: { '/etc/passwd': {}, '../../../../deps/x': {} } };"}),
		attack("postcss-in-package", typed, map[string]string{"package.json": manifest(map[string]any{"postcss": map[string]any{"plugins": map[string]any{"/etc/passwd": map[string]any{}}}})}),
		attack("base-outside", typed+" invalid_render/blank invalid_render/load_failed", map[string]string{"index.html": strings.Replace(projectPage, "<head>", `<head><base href="http://127.0.0.1:9/">`, 1)}),
		attack("out-dir-outside", typed, map[string]string{"vite.config.js": "export default { build: { outDir: '../../../../sites/x', emptyOutDir: true } };"}),
		attack("public-dir-outside", typed, map[string]string{"vite.config.js": "export default { publicDir: '/etc', root: '.' };"}),
		attack("alias-outside", typed, map[string]string{"vite.config.js": "export default { resolve: { alias: { '@': '/etc' } } };", "src/app.jsx": "import x from '@/passwd?raw'; export default () => <p>{x}</p>;"}),
		attack("sheet-outside", typed, map[string]string{"src/index.css": "@import '/etc/passwd'; @import '../../../../../etc/passwd';" + projectCSS}),
	}
}
