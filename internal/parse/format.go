package parse

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"vitrine"
)

// packageFile and viteConfig are files of the starter that rules ask for by name.
const (
	packageFile = "package.json"
	viteConfig  = "vite.config.ts"
)

// rulef names a failed rule and says why.
func rulef(rule, format string, args ...any) vitrine.FailedRule {
	return vitrine.FailedRule{Rule: rule, Why: fmt.Sprintf(format, args...)}
}

// scored is 1 if no rule failed.
func scored(failed []vitrine.FailedRule) vitrine.FormatScore {
	if len(failed) > 0 {
		return vitrine.FormatScore{Failed: failed}
	}
	return vitrine.FormatScore{Score: 1}
}

// codeRules judge an artifact.
type codeRules struct {
	*vitrine.Artifact
	files   map[string]string
	pkg     *packageJSON
	nested  map[string]*packageJSON // those of folders below the root, by folder
	modules map[string]module       // of every script, by path
	aliases []alias
	failed  []vitrine.FailedRule
}

// codeScores judges s_code in the published profile (WebGen-R1 §2.3 and the
// checks of its reward) and in the strict one, which adds what the paper's prompt
// (Appendix G.1) asks for. Only a project can score; each rule fails at most once.
func codeScores(a *vitrine.Artifact) (published, strict vitrine.FormatScore) {
	if a.Kind != vitrine.KindProject {
		score := scored([]vitrine.FailedRule{rulef("not_a_project", "the output is no multi-file project")})
		return score, score
	}
	p := newProject(a)
	p.manifestRules()
	p.packageRules()
	p.commandRules()
	p.pageRules()
	published = scored(slices.Clone(p.failed))
	p.strictRules()
	return published, scored(p.failed)
}

func newProject(a *vitrine.Artifact) *codeRules {
	p := &codeRules{
		Artifact: a, files: make(map[string]string, len(a.Files)),
		nested: map[string]*packageJSON{}, modules: map[string]module{},
	}
	for _, f := range a.Files {
		p.files[f.Path] = f.Content
		if isScript(f.Path) {
			p.modules[f.Path] = scanModule(f.Content)
		}
		if folder, name := path.Split(f.Path); name == packageFile && folder != "" {
			p.nested[path.Clean(folder)] = readPackage(f.Content)
		}
	}
	p.pkg = readPackage(p.files[packageFile])
	p.aliases = readAliases(a.Files, p.files)
	return p
}

// check notes a failed rule, unless ok.
func (p *codeRules) check(ok bool, rule, format string, args ...any) {
	if !ok {
		p.failed = append(p.failed, rulef(rule, format, args...))
	}
}

// checkNone fails a rule if it found offenders, and names the first of them.
func (p *codeRules) checkNone(offenders []string, rule, why string) {
	p.check(len(offenders) == 0, rule, "%s: %s", why, some(offenders))
}

// some lists the first few names.
func some(names []string) string {
	const few = 5
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

func (p *codeRules) manifestRules() {
	p.check(p.ID != "", "artifact_id", "the manifest has no id")
	p.check(p.Title != "", "artifact_title", "the manifest has no title")
}

// packageRules looks into package.json. Where it is missing or broken, that is
// the one rule that failed: nothing can be said about what it lacks.
func (p *codeRules) packageRules() {
	if p.pkg == nil {
		_, there := p.files[packageFile]
		p.check(there, "package_json", "%s is missing", packageFile)
		p.check(!there, "package_json", "%s is not a JSON object", packageFile)
		return
	}
	for _, k := range []struct{ rule, key string }{
		{"package_name", "name"}, {"package_version", "version"}, {"package_scripts", "scripts"},
		{"package_dependencies", "dependencies"}, {"package_dev_dependencies", "devDependencies"},
	} {
		p.check(p.pkg.keys[k.key] != nil, k.rule, "package.json has no %s", k.key)
	}
	for _, d := range []struct{ rule, name string }{
		{"dep_react", "react"}, {"dep_react_dom", "react-dom"}, {"dep_vite", "vite"},
	} {
		p.check(p.pkg.required[d.name], d.rule, "package.json does not depend on %s", d.name)
	}
	for _, s := range []struct{ rule, name string }{
		{"script_dev", "dev"}, {"script_build", "build"}, {"script_preview", "preview"},
	} {
		p.check(p.pkg.scripts[s.name] != nil, s.rule, "package.json has no script %s", s.name)
	}
}

func (p *codeRules) commandRules() {
	_, there := p.files[viteConfig]
	p.check(there, "vite_config", "%s is missing", viteConfig)
	installs := slices.ContainsFunc(p.Shell, func(c string) bool { return runs(c, "npm", "install") })
	p.check(installs, "shell_install", "no shell action runs npm install")
	starts := runs(p.Start, "npm", "run", "dev") || runs(p.Start, "npm", "run", "start")
	p.check(starts, "start_command", "the start action does not run npm run dev or npm run start")
}

// runs tells whether a command line holds these words in a row.
func runs(command string, words ...string) bool {
	have := strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()", r) })
	for i := range have {
		if i+len(words) <= len(have) && slices.Equal(have[i:i+len(words)], words) {
			return true
		}
	}
	return false
}

// pageRules asks for the React pages and components themselves.
func (p *codeRules) pageRules() {
	pages := 0
	var without []string
	for _, f := range p.Files {
		if !isPage(f.Path) {
			continue
		}
		pages++
		if !p.modules[f.Path].defaultExport {
			without = append(without, f.Path)
		}
	}
	p.check(pages > 0, "tsx_present", "there is no .tsx file in src/pages/ or src/components/")
	p.checkNone(without, "default_export", "files without a default export")
}

func isPage(path string) bool {
	return strings.HasSuffix(path, ".tsx") &&
		(strings.HasPrefix(path, "src/pages/") || strings.HasPrefix(path, "src/components/"))
}

// A packageJSON is what the rules need of a package.json.
type packageJSON struct {
	keys     map[string]json.RawMessage
	scripts  map[string]json.RawMessage
	required map[string]bool // dependencies and devDependencies
	declared map[string]bool // these, and the peer and optional ones
}

// readPackage returns nil for what is not a JSON object.
func readPackage(text string) *packageJSON {
	pkg := &packageJSON{declared: map[string]bool{}, required: map[string]bool{}}
	if json.Unmarshal([]byte(text), &pkg.keys) != nil || pkg.keys == nil {
		return nil
	}
	pkg.scripts = object(pkg.keys["scripts"])
	for _, key := range []string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"} {
		for name := range object(pkg.keys[key]) {
			pkg.declared[name] = true
			if key == "dependencies" || key == "devDependencies" {
				pkg.required[name] = true
			}
		}
	}
	return pkg
}

// object returns the members of a JSON object; anything else has none.
func object(raw json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}
