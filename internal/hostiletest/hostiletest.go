// Package hostiletest has outputs that attack whoever scores them, and honest ones
// that must not notice. It is for tests of everything that scores: the rule is that
// the victims' rewards do not depend on which attacks came before them or run at the
// same time.
package hostiletest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vitrine"
)

// A Sample is one output: a text, or the files of a project or a component.
type Sample struct {
	ID    string
	Kind  vitrine.Kind
	Text  string
	Files map[string]string
	// Online: its packages have to be installed.
	Online bool
}

// Artifact is what is to be built, nil where that is still to be parsed out of the
// text.
func (s Sample) Artifact() *vitrine.Artifact {
	if s.Files == nil {
		return nil
	}
	a := &vitrine.Artifact{Kind: s.Kind}
	for _, name := range slices.Sorted(maps.Keys(s.Files)) {
		a.Files = append(a.Files, vitrine.File{Path: name, Content: s.Files[name]})
	}
	return a
}

// An Attack is a hostile sample with what may become of it.
type Attack struct {
	Sample
	// Results are the allowed ones, space-separated: the outcome with its reason as
	// "build_failed/timeout", or "unjudged/" and the code of the fault. Several are for
	// limits of which one or the other is met first.
	Results string
}

// A Group is attacks on one thing that samples share. They run at the same time,
// with the victims among them and after them.
type Group struct {
	Name    string
	Attacks []Attack
}

// forService are the attacks that are sent to a whole service: one for each way in.
var forService = []string{
	"overrides", "lock-other-tarball", "template-plugin-module", "component-enum-doubles", "component-cycle", "project-enum-doubles",
	"stylesheets-double", "addresses-in-page", "comments-in-page", "values-in-page", "routes-nested", "pattern-vite", "pattern-tailwind",
	"text-huge-vite", "buffer-huge-vite", "json-deep-vite", "text-12gb-vite", "array-full-vite", "json-deep-tailwind", "buffer-huge-postcss",
}

// ForService reports whether the attack is to be sent to a whole service, whose limits
// are those of honest work.
func (a Attack) ForService() bool { return slices.Contains(forService, a.ID) }

// Groups are all attacks, in the order in which they do most harm: dependency sets
// are poisoned before a victim has one of its own.
func Groups() []Group {
	return []Group{
		{"dependencies", dependencies()}, {"plugins", plugins()}, {"bundler", bundler()}, {"settings", settings()},
		{"patterns", patterns()}, {"memory", memory()},
	}
}

// Victims are a page, a component and a project with Tailwind, whose dependencies
// are those of the attacks.
func Victims() []Sample {
	return []Sample{
		{ID: "page", Text: "```html\n" + page + "\n```"}, {ID: "component", Text: "```tsx\n" + component + "\n```"},
		{ID: "project", Kind: vitrine.KindProject, Files: Project(nil), Online: true},
	}
}

// Again is the sample written otherwise, so that no earlier answer is given for it, with
// the same site.
func (s Sample) Again(n int) Sample {
	if s.Files == nil {
		s.Text += fmt.Sprintf("\n\nVersion %d.\n", n)
		return s
	}
	s.Files = maps.Clone(s.Files)
	s.Files["notes.txt"] = fmt.Sprint("Version ", n)
	return s
}

// packages are what the victim and the attacks depend on.
var packages = map[string]map[string]string{
	"dependencies": {"react": "^18.3.1", "react-dom": "^18.3.1", "lodash": "^4.17.21"},
	"devDependencies": {
		"@vitejs/plugin-react": "^4.7.0", "autoprefixer": "^10.4.21", "postcss": "^8.5.6", "tailwindcss": "^3.4.17", "vite": "^5.4.19",
	},
}

// manifest is the victim's package.json with fields of one's own.
func manifest(more map[string]any) string {
	fields := map[string]any{"name": "site", "private": true, "type": "module", "scripts": map[string]string{"build": "vite build"}}
	for name, list := range packages {
		fields[name] = list
	}
	maps.Copy(fields, more)
	b, _ := json.Marshal(fields) // plain maps and texts always marshal
	return string(b)
}

// with is the victim's list of dependencies and more.
func with(kind string, more map[string]string) map[string]string {
	all := maps.Clone(packages[kind])
	maps.Copy(all, more)
	return all
}

// Project is the victim's project with some files in place of its own.
func Project(files map[string]string) map[string]string {
	all := map[string]string{
		"package.json": manifest(nil), "index.html": projectPage, "src/main.jsx": projectMain, "src/app.jsx": projectApp, "src/index.css": projectCSS,
		"vite.config.js":     "import { defineConfig } from 'vite';\nimport react from '@vitejs/plugin-react';\nexport default defineConfig({ plugins: [react()] });\n",
		"tailwind.config.js": "import colors from 'tailwindcss/colors';\nexport default { content: ['./index.html', './src/**/*.jsx'], theme: { extend: { colors: { leaf: colors.emerald[800] } } }, plugins: [] };\n",
		"postcss.config.js":  "export default { plugins: { tailwindcss: {}, autoprefixer: {} } };\n",
	}
	maps.Copy(all, files)
	return all
}

// attack is a project that differs from the victim's in some files.
func attack(id, results string, files map[string]string) Attack {
	return Attack{Sample{ID: id, Kind: vitrine.KindProject, Files: Project(files), Online: true}, results}
}

// configurations are the three files of a project that are code to their tools: %s
// stands for statements.
var configurations = map[string]string{
	"vite.config.js":     "import react from '@vitejs/plugin-react';\n%s\nexport default { plugins: [react()] };\n",
	"tailwind.config.js": "%s\nexport default { content: ['./src/**/*.jsx'], theme: {}, plugins: [] };\n",
	"postcss.config.js":  "%s\nexport default { plugins: { tailwindcss: {}, autoprefixer: {} } };\n",
}

// inEach puts statements into each kind of configuration.
func inEach(id, results, statements string) (all []Attack) {
	for _, file := range []string{"vite.config.js", "tailwind.config.js", "postcss.config.js"} {
		tool, _, _ := strings.Cut(file, ".")
		all = append(all, attack(id+"-"+tool, results, map[string]string{file: strings.Replace(configurations[file], "%s", statements, 1)}))
	}
	return all
}

const (
	page = `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Tea</title>
<style>body{font:18px/1.5 sans-serif;margin:0;color:#222;background:#fdfbf7}main{max-width:44rem;margin:auto;padding:2rem}a{color:#14532d}</style></head>
<body><main><h1>Hill teas</h1><p>Green and black tea from three gardens, picked in spring.</p><p><a id="all" href="#all">See all teas</a></p></main></body></html>`
	component = `export default function Page() {
  return <main className="p-8 max-w-2xl mx-auto"><h1 className="text-4xl font-bold text-green-900">Hill teas</h1>
    <p className="mt-4 text-lg">Green and black tea from three gardens, picked in spring.</p><button className="mt-6 rounded bg-green-900 px-4 py-2 text-white">Order</button></main>
}`
	projectPage = `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Tea</title></head>
<body><div id="root"></div><script type="module" src="/src/main.jsx"></script></body></html>`
	projectMain = "import { createRoot } from 'react-dom/client';\nimport App from './app.jsx';\nimport './index.css';\ncreateRoot(document.getElementById('root')).render(<App />);\n"
	projectApp  = `import { useState } from 'react';
import upperFirst from 'lodash/upperFirst';
export default function App() {
  const [n, more] = useState(1);
  return <main className="mx-auto max-w-2xl p-8"><h1 className="text-4xl font-bold text-leaf">{upperFirst('hill teas')}</h1>
    <p className="mt-4 text-lg">Green and black tea from three gardens, picked in spring.</p>
    <button className="mt-6 rounded bg-leaf px-4 py-2 text-white" onClick={() => more(n + 1)}>Order {n}</button></main>;
}
`
	projectCSS = "@tailwind base;\n@tailwind components;\n@tailwind utilities;\nbody { @apply bg-stone-50 text-stone-900; }\n"
)
