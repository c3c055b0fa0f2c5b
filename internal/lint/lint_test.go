package lint_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/build/exact"
	"vitrine/internal/leak"
	"vitrine/internal/lint"
	"vitrine/internal/npm/npmtest"
	"vitrine/internal/runs"
	"vitrine/internal/sandbox"

	"vitrine/internal/evidence"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

// double stands for ESLint: it says with which arguments it runs, in which mode, and then
// does what the file of the project says.
const double = `const fs = require('fs'); const path = require('path');
console.log(process.env.ESLINT_USE_FLAT_CONFIG, path.dirname(path.dirname(process.argv[1])), process.argv.slice(2).join(' '));
new Function('fs', 'require', fs.readFileSync('run.js', 'utf8'))(fs, require);
`

// registry serves doubles of all that ESLint runs with.
func registry() npmtest.Packages {
	all := npmtest.Packages{"eslint": {"9.17.0": {Files: map[string]string{"bin/eslint.js": double}}, "8.0.0": {Files: map[string]string{"bin/eslint.js": double}}}}
	for name, version := range map[string]string{
		"@eslint/js": "9.17.0", "eslint-plugin-react-hooks": "5.1.0", "eslint-plugin-react-refresh": "0.4.16",
		"globals": "15.14.0", "jiti": "2.4.2", "typescript": "5.7.2", "typescript-eslint": "8.18.2",
	} {
		all[name] = map[string]npmtest.Release{version: {}}
	}
	return all
}

func linter(t *testing.T, limits sandbox.Limits) *lint.Linter {
	t.Helper()
	p, err := exact.New(t.Context(), exact.Settings{Store: t.TempDir(), Build: limits})
	if err != nil {
		t.Fatalf("the tests need Node.js, npm and bubblewrap: %v", err)
	}
	return &lint.Linter{Projects: p}
}

// project is one with these files, and a package.json where they have none.
func project(files map[string]string) *vitrine.Artifact {
	a := &vitrine.Artifact{Kind: vitrine.KindProject}
	if files["package.json"] == "" {
		a.Files = append(a.Files, vitrine.File{Path: "package.json", Content: `{}`})
	}
	for name, content := range files {
		a.Files = append(a.Files, vitrine.File{Path: name, Content: content})
	}
	return a
}

func verdict(f vitrine.Finding) string {
	if f.Score == nil {
		return string(f.Status)
	}
	return map[float64]string{0: "fails", 1: "passes"}[*f.Score]
}

// says is code that prints its arguments and ends with an exit code.
func says(text string, code string) string {
	return "console.log(" + text + "); process.exitCode = " + code
}

const oneProblem = "'/build/project/a.ts\\n  3:7  error  x is not used  no-unused-vars\\n\\n✖ 2 problems (1 error, 1 warning)'"

func TestWhatESLintSaysIsTheFinding(t *testing.T) {
	npmtest.Lend(t, registry())
	l := linter(t, sandbox.Limits{Wall: 20 * time.Second, CPU: 2 * time.Second})
	for name, tt := range map[string]struct {
		files map[string]string
		want  string // verdict
		why   string
	}{
		"no error":                {map[string]string{"run.js": ""}, "passes", "no error by the starter's configuration"},
		"errors":                  {map[string]string{"run.js": says(oneProblem, "1")}, "fails", "finds errors by the starter's configuration: 1, such as 3:7 x is not used no-unused-vars"},
		"it breaks":               {map[string]string{"run.js": says("'no such plugin'", "2"), "eslint.config.js": ""}, "fails", "gave no answer by the project's eslint.config.js, exit code 2"},
		"it ends without a count": {map[string]string{"run.js": says("'oh'", "1")}, "failed", "exit code 1"},
		"it never ends":           {map[string]string{"run.js": "for (;;) {}"}, "fails", "processor time"},
		"it has no network":       {map[string]string{"run.js": "require('net').connect(80, '1.1.1.1').on('error', () => { process.exitCode = 2 })"}, "failed", "exit code 2"},
		"our packages":            {map[string]string{"run.js": "require('globals'); " + says("require('typescript-eslint')", "0")}, "passes", ""},
		"no such package":         {map[string]string{"run.js": "", "package.json": `{"dependencies":{"no-such-package":"1.0.0"}}`}, "fails", "dependencies do not resolve"},
		"no package.json":         {map[string]string{"run.js": "", "package.json": `{`}, "fails", "dependencies do not resolve: package.json is not JSON"},
		"ours cannot be written":  {map[string]string{"run.js": "try { fs.writeFileSync('/node_modules/eslint/x', '') } catch { process.exitCode = 2 }"}, "failed", "exit code 2"},
		"flat, by its own ESLint": {map[string]string{"run.js": "process.exitCode = 3", "eslint.config.mjs": "", "package.json": `{"devDependencies":{"eslint":"8.0.0"}}`}, "fails", "the project's eslint.config.mjs, exit code 3: true node_modules/eslint --quiet --no-error-on-unmatched-pattern ."},
		"legacy, by ours":         {map[string]string{"run.js": "process.exitCode = 3", ".eslintrc.json": "{}"}, "fails", "the project's .eslintrc.json, exit code 3: false /node_modules/eslint --quiet --no-error-on-unmatched-pattern --ext .js,.jsx,.ts,.tsx ."},
		"legacy, in package.json": {map[string]string{"run.js": "process.exitCode = 3", "package.json": `{"eslintConfig":{}}`}, "fails", "the project's eslintConfig, exit code 3: false /node_modules/eslint"},
		"starter's, not its own":  {map[string]string{"run.js": "process.exitCode = 3", "package.json": `{"devDependencies":{"eslint":"8.0.0"}}`}, "failed", "the starter's configuration, exit code 3: true /node_modules/eslint --quiet --no-error-on-unmatched-pattern --config /build/eslint.starter.mjs ."},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := l.Lint(t.Context(), project(tt.files))
			if err != nil || f.Check != lint.Check || verdict(f) != tt.want || !strings.Contains(f.Why, tt.why) || len(f.Why) > 410 {
				t.Errorf("%s: %q, %v; want %s, %q", verdict(f), f.Why, err, tt.want, tt.why)
			}
		})
	}
	f, err := l.Lint(t.Context(), &vitrine.Artifact{Kind: vitrine.KindPage})
	if err != nil || f.Status != vitrine.StatusNotApplicable {
		t.Errorf("a page is %+v, %v", f, err)
	}
}

// Without ESLint there is no finding: a project is not blamed for it.
func TestWithoutESLintNothingIsFound(t *testing.T) {
	packages := registry()
	delete(packages, "typescript-eslint")
	npmtest.Lend(t, packages)
	f, err := linter(t, sandbox.Limits{}).Lint(t.Context(), project(map[string]string{"run.js": ""}))
	if err != nil || verdict(f) != "failed" || !strings.Contains(f.Why, "ESLint cannot be installed") {
		t.Errorf("%s: %q, %v", verdict(f), f.Why, err)
	}
}

// A run is linted once: what is known stays, what failed is tried again.
func TestRunsAreLintedOnce(t *testing.T) {
	npmtest.Lend(t, registry())
	dir := t.TempDir()
	r, err := runs.Create(dir, runs.Header{})
	if err != nil {
		t.Fatal(err)
	}
	sites := map[string]*vitrine.Artifact{
		"good": project(map[string]string{"run.js": ""}), "odd": project(map[string]string{"run.js": "process.exitCode = 2"}), "page": {Kind: vitrine.KindPage},
	}
	for _, id := range []string{"good", "odd", "page"} {
		folder, err := r.NewEvidence()
		if err == nil {
			err = evidence.SaveArtifact(folder, sites[id], "")
		}
		if err != nil {
			t.Fatal(err)
		}
		name, err := r.KeepEvidence(folder, id)
		if err != nil || r.Append(vitrine.Sample{ID: id, Kind: sites[id].Kind, Evidence: name}) != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	l := linter(t, sandbox.Limits{})
	for _, want := range []string{"good odd", "odd"} {
		var worked []string
		results, err := lint.Run(t.Context(), l, dir, 1, func(r lint.Result) { worked = append(worked, r.ID) })
		if err != nil || len(results) != 2 || verdict(results[0].Finding) != "passes" || verdict(results[1].Finding) != "failed" || strings.Join(worked, " ") != want {
			t.Errorf("worked on %s: %+v, %v; want %s", worked, results, err, want)
		}
	}
	f, err := evidence.LoadLint(filepath.Join(dir, "evidence", "good"))
	if err != nil || f == nil || verdict(*f) != "passes" {
		t.Errorf("saved is %+v, %v", f, err)
	}
}
