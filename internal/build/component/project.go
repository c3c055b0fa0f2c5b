package component

import (
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// versions pins packages whose newest major does not go with the host's React 18
// and Tailwind 3. Any other package is taken at its newest version.
var versions = map[string]string{
	"react": "^18.3.1", "react-dom": "^18.3.1", "react-router-dom": "^6.26.0", "recharts": "^2.12.0", "antd": "^5.20.0",
	"lucide-react": "^0.344.0", "framer-motion": "^11.0.0", "three": "^0.160.0", "@react-three/fiber": "^8.17.0", "@react-three/drei": "^9.114.0",
	"date-fns": "^3.6.0", "tailwind-merge": "^2.5.0", "zustand": "^4.5.0", "next": "^14.2.0",
}

// project makes a project of a component that needs packages the host does not
// have: the same page on the starter's stack, with the packages it imports.
func project(a *vitrine.Artifact, missing []string) *vitrine.Artifact {
	dependencies := map[string]string{"react": versions["react"], "react-dom": versions["react-dom"]}
	for _, name := range missing {
		dependencies[name] = "latest"
		if v, ok := versions[name]; ok {
			dependencies[name] = v
		}
	}
	// A map of strings always marshals; keys come out sorted.
	manifest, _ := json.Marshal(map[string]any{
		"name": "component", "private": true, "version": "0.0.0", "type": "module",
		"scripts":      map[string]string{"build": "vite build"},
		"dependencies": dependencies,
		"devDependencies": map[string]string{
			"@vitejs/plugin-react": "^4.3.1", "autoprefixer": "^10.4.18", "postcss": "^8.4.35", "tailwindcss": "^3.4.1", "vite": "^5.4.2",
		},
	})
	p := &vitrine.Artifact{Kind: vitrine.KindComponent, Title: a.Title, Files: []vitrine.File{
		{Path: "package.json", Content: string(manifest)},
		{Path: "index.html", Content: projectPage},
		{Path: "postcss.config.js", Content: "export default { plugins: { tailwindcss: {}, autoprefixer: {} } }\n"},
		{Path: "tailwind.config.js", Content: "export default { content: ['./src/**/*.{js,ts,jsx,tsx}'], theme: { extend: {} }, plugins: [] }\n"},
		{Path: "vite.config.ts", Content: viteConfig},
		{Path: "src/index.css", Content: "@tailwind base;\n@tailwind components;\n@tailwind utilities;\n"},
		{Path: "src/main.tsx", Content: strings.Replace(projectMount, "%s", strings.TrimSuffix(entry(a), path.Ext(entry(a))), 1)},
	}}
	for _, f := range a.Files {
		p.Files = append(p.Files, vitrine.File{Path: "src/" + f.Path, Content: f.Content})
	}
	slices.SortFunc(p.Files, func(a, b vitrine.File) int { return strings.Compare(a.Path, b.Path) })
	return p
}

var importPath = regexp.MustCompile(`(?:\bfrom|\bimport)\s*\(?\s*["']([^"'\n]+)["']`)

// imports are the packages that a component names and the host does not have, found
// without parsing it.
func imports(a *vitrine.Artifact) []string {
	unknown := map[string]bool{}
	for _, f := range a.Files {
		for _, m := range importPath.FindAllStringSubmatch(f.Content, -1) {
			name := m[1]
			if _, ok := hosted[name]; !ok && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "@/") {
				unknown[packageName(name)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(unknown))
}

const projectPage = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="UTF-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Component</title></head>
<body><div id="root"></div><script type="module" src="/src/main.tsx"></script></body>
</html>
`

const viteConfig = `import { defineConfig } from 'vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
export default defineConfig({ plugins: [react()], resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } } })
`

const projectMount = `import { createRoot } from 'react-dom/client'
import Page from './%s'
import './index.css'
createRoot(document.getElementById('root')!).render(<Page />)
`
