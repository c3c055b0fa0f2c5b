package parse

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// coreFiles are the files of the starter that every project must hold (WebGen-R1
// G.1). index.html is asked for apart: the starter has it in the root, where Vite
// wants it, but the paper's list of core files has public/index.html.
var coreFiles = []string{
	packageFile, viteConfig, "tailwind.config.js", "postcss.config.js", "eslint.config.js",
	"tsconfig.json", "tsconfig.app.json", "tsconfig.node.json",
	"src/main.tsx", "src/App.tsx", "src/index.css", "src/vite-env.d.ts",
}

// strictRules adds what the prompt of WebGen-R1 (G.1) asks for.
func (p *codeRules) strictRules() {
	p.coreRule()
	p.importRules()
	p.styleRule()
	used := p.usedPackages()
	p.shadcnRule(used)
	p.chartRule(used)
}

func (p *codeRules) coreRule() {
	var missing []string
	for _, f := range coreFiles {
		if _, ok := p.files[f]; !ok {
			missing = append(missing, f)
		}
	}
	_, root := p.files[indexFile]
	_, public := p.files["public/index.html"]
	if !root && !public {
		missing = append(missing, indexFile)
	}
	p.checkNone(missing, "core_files", "core files of the starter are missing")
}

// importRules follows every import of every script.
func (p *codeRules) importRules() {
	var unresolved, undeclared []string
	for _, f := range p.Files {
		nested := p.nestedPackage(f.Path)
		for _, spec := range p.modules[f.Path].imports {
			switch p.follow(f.Path, spec, nested) {
			case importUnresolved:
				unresolved = append(unresolved, f.Path+" → "+quote(spec))
			case importUndeclared:
				undeclared = append(undeclared, f.Path+" → "+quote(spec))
			}
		}
	}
	p.checkNone(unresolved, "import_unresolved", "imports of files that are not in the manifest")
	p.checkNone(undeclared, "import_undeclared", "imports of packages that package.json does not declare")
}

// styleRule allows one style sheet. Those that libraries bring are imported, not
// written, and so are no files of the manifest.
func (p *codeRules) styleRule() {
	var more []string
	for _, f := range p.Files {
		switch path.Ext(f.Path) {
		case ".css", ".scss", ".sass", ".less", ".styl":
			if f.Path != "src/index.css" {
				more = append(more, f.Path)
			}
		}
	}
	p.checkNone(more, "css_files", "style sheets other than src/index.css")
}

// usedPackages lists, sorted, the packages that are imported or declared.
func (p *codeRules) usedPackages() []string {
	used := map[string]bool{}
	if p.pkg != nil {
		maps.Copy(used, p.pkg.declared)
	}
	for _, m := range p.modules {
		for _, spec := range m.imports {
			used[packageName(spec)] = true
		}
	}
	return slices.Sorted(maps.Keys(used))
}

// shadcnRule finds shadcn/ui by its packages, or by its way of building
// components/ui on class-variance-authority.
func (p *codeRules) shadcnRule(used []string) {
	var found []string
	for _, name := range used {
		switch {
		case name == "shadcn", name == "shadcn-ui", name == "shadcnui", strings.HasPrefix(name, "@shadcn/"),
			name == "class-variance-authority" && p.hasUIFolder():
			found = append(found, name)
		}
	}
	p.checkNone(found, "shadcn", "shadcn/ui is used")
}

// hasUIFolder tells whether the project has, or imports from, components/ui.
func (p *codeRules) hasUIFolder() bool {
	for file, m := range p.modules {
		if strings.Contains(file, "components/ui/") || slices.ContainsFunc(m.imports, func(spec string) bool {
			return strings.Contains(spec, "components/ui/")
		}) {
			return true
		}
	}
	return false
}

// chartPackages are chart libraries other than Recharts. One that ends in a star
// stands for a family.
var chartPackages = []string{
	"chart.js", "react-chartjs-2", "echarts", "echarts-*", "victory", "victory-*", "@nivo/*", "d3", "d3-*",
	"apexcharts", "react-apexcharts", "highcharts", "highcharts-*", "plotly.js", "plotly.js-*", "react-plotly.js",
	"@ant-design/charts", "@ant-design/plots", "@antv/*", "@visx/*", "@mui/x-charts", "@amcharts/*", "chartist",
	"react-google-charts", "lightweight-charts", "c3", "billboard.js", "frappe-charts", "uplot", "vega", "vega-*",
}

func (p *codeRules) chartRule(used []string) {
	var found []string
	for _, name := range used {
		if slices.ContainsFunc(chartPackages, func(pattern string) bool { return matches(pattern, name) }) {
			found = append(found, name)
		}
	}
	p.checkNone(found, "charts", "charts are drawn with something else than Recharts")
}

// matches compares a name with a pattern that may end in a star.
func matches(pattern, name string) bool {
	if prefix, family := strings.CutSuffix(pattern, "*"); family {
		return strings.HasPrefix(name, prefix)
	}
	return pattern == name
}
