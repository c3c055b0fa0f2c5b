package lint

import (
	"slices"

	"vitrine/internal/npm"
	"vitrine/internal/project"
)

// startersName is what findings call the configuration for projects that have none.
const startersName = "the starter's configuration"

// A configuration says how ESLint is called for a project.
type configuration struct {
	name string // in words
	args []string
	env  []string
}

// The files that a project can bring: as ESLint 9 wants them, and as it did before.
var (
	flat   = []string{"eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts", "eslint.config.mts", "eslint.config.cts"}
	legacy = []string{".eslintrc.js", ".eslintrc.cjs", ".eslintrc.yaml", ".eslintrc.yml", ".eslintrc.json", ".eslintrc"}
)

// own is the ESLint of a project, ours that of the tools.
const (
	own  = "node_modules/eslint"
	ours = "/node_modules/eslint"
)

// configurationOf chooses the project's own configuration, and its own ESLint where it
// resolves one, else the starter's with ours. Warnings are left out: they decide nothing.
func configurationOf(source *project.Project, tree *npm.Tree) configuration {
	has := func(names []string) string {
		if i := slices.IndexFunc(names, func(name string) bool { _, ok := source.Files[name]; return ok }); i >= 0 {
			return names[i]
		}
		return ""
	}
	program := ours
	if slices.ContainsFunc(tree.Packages, func(p npm.Package) bool { return p.Path == own }) {
		program = own
	}
	call := func(program string, more ...string) []string {
		args := []string{"node", program + "/bin/eslint.js", "--quiet", "--no-error-on-unmatched-pattern"}
		return append(append(args, more...), ".")
	}
	if name := has(flat); name != "" {
		return configuration{name: "the project's " + name, args: call(program), env: []string{"ESLINT_USE_FLAT_CONFIG=true"}}
	}
	name := has(legacy)
	if source.Package.Fields["eslintConfig"] != nil && name == "" {
		name = "eslintConfig"
	}
	if name != "" {
		return configuration{name: "the project's " + name, args: call(program, "--ext", ".js,.jsx,.ts,.tsx"), env: []string{"ESLINT_USE_FLAT_CONFIG=false"}}
	}
	return configuration{name: startersName, args: call(ours, "--config", "/build/"+starterFile), env: []string{"ESLINT_USE_FLAT_CONFIG=true"}}
}
