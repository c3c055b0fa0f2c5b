package exact

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/leak"
	"vitrine/internal/literal/literaltest"
	"vitrine/internal/npm/npmtest"
	"vitrine/internal/project"
	"vitrine/internal/sandbox"
)

// What all tests of this package share.
var (
	local        *npmtest.Registry
	realRegistry string // that this machine installs from
	storeDir     string
)

func TestMain(m *testing.M) { os.Exit(leak.Run(suite{m})) }

type suite struct{ *testing.M }

// Run runs the tests with a registry and a package store, and looks for what the
// builds left in its work folder.
func (s suite) Run() int {
	out, _ := exec.Command("npm", "config", "get", "registry").Output()
	realRegistry = strings.TrimSpace(string(out))
	local = npmtest.NewRegistry(packages)
	defer local.Close()
	dir, err := os.MkdirTemp("", "store-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	storeDir = dir
	for name, value := range map[string]string{"NPM_CONFIG_REGISTRY": local.URL, "NO_PROXY": "127.0.0.1", canary: "secret", "HOME": dir} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	code := s.M.Run()
	left, _ := filepath.Glob(filepath.Join(storeDir, "work", "*"))
	if len(left) > 0 {
		fmt.Fprintln(os.Stderr, "builds left behind:", left)
		return max(code, 1)
	}
	return code
}

// shared is the builder of most tests.
var shared = sync.OnceValues(func() (*Project, error) {
	return New(context.Background(), Settings{Store: storeDir, Build: sandbox.Limits{Wall: time.Minute}})
})

// builder is a builder on the shared store, with other settings.
func builder(t testing.TB, change func(*Settings)) *Project {
	t.Helper()
	p, err := shared()
	if err != nil {
		t.Fatalf("the tests need Node.js, npm and bubblewrap: %v", err)
	}
	if change == nil {
		return p
	}
	settings, node := p.settings, p.node
	change(&settings)
	own, err := open(settings, node)
	if err != nil {
		t.Fatal(err)
	}
	return own
}

// artifact makes one: a package.json with build.js as its build script,
// and the files given.
func artifact(files map[string]string) *vitrine.Artifact {
	all := map[string]string{"package.json": `{"scripts":{"build":"node build.js"}}`}
	for name, content := range files {
		all[name] = content
	}
	a := &vitrine.Artifact{Kind: vitrine.KindProject}
	for name, content := range all {
		a.Files = append(a.Files, vitrine.File{Path: name, Content: content})
	}
	slices.SortFunc(a.Files, func(a, b vitrine.File) int { return strings.Compare(a.Path, b.Path) })
	return a
}

// page is a build script that writes the value of an expression as the page.
func page(expression string) string {
	return "const fs = require('fs'); fs.mkdirSync('dist'); fs.writeFileSync('dist/index.html', String(" + expression + "))\n"
}

// depends is a package.json with these dependencies.
func depends(pairs ...string) string {
	deps := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		deps[pairs[i]] = pairs[i+1]
	}
	b, _ := json.Marshal(map[string]any{"scripts": map[string]string{"build": "node build.js"}, "dependencies": deps})
	return string(b)
}

// built reads a project, resolves its dependencies and builds it.
func built(ctx context.Context, p *Project, a *vitrine.Artifact) (*vitrine.Site, error) {
	return builtAs(ctx, p, a, false)
}

func builtAs(ctx context.Context, p *Project, a *vitrine.Artifact, lenient bool) (*vitrine.Site, error) {
	source, failure := project.Read(a, p.settings.MaxBytes)
	if failure != nil {
		return Failed(a, failure, nil), nil
	}
	r, err := p.Resolve(ctx, source.Package)
	if err == nil {
		err = source.Configure(ctx, literaltest.Evaluator{})
	}
	if err != nil {
		return nil, err
	}
	return p.Build(ctx, source, r, lenient)
}

func mustBuild(t testing.TB, p *Project, a *vitrine.Artifact) *vitrine.Site {
	t.Helper()
	site, err := built(t.Context(), p, a)
	if err != nil {
		t.Fatalf("build: %v", err)
	}
	return site
}

// served are the files of a built site.
func served(t testing.TB, site *vitrine.Site) map[string]string {
	t.Helper()
	if site.Failure != nil {
		t.Fatalf("the build failed: %s: %s\n%s", site.Failure.Code, site.Failure.Message, site.Failure.Log)
	}
	files := map[string]string{}
	err := filepath.WalkDir(site.Root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		rel, _ := filepath.Rel(site.Root, name)
		files[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func wantFailure(t testing.TB, site *vitrine.Site, code vitrine.FailureCode, inMessage string) {
	t.Helper()
	if site.Failure == nil || site.Failure.Code != code || !strings.Contains(site.Failure.Message, inMessage) {
		t.Fatalf("got %+v, want %s with %q", site.Failure, code, inMessage)
	}
	if strings.ContainsAny(site.Failure.Message, "\n\x1b") || site.Root != "" || site.Hash != "" {
		t.Errorf("the failure is not one line without a site: %+v", site)
	}
}

// steps are the names of the commands that ran, with their exit codes.
func steps(site *vitrine.Site) []string {
	var out []string
	for _, s := range site.Steps {
		out = append(out, fmt.Sprintf("%s %d", s.Name, s.ExitCode))
	}
	return out
}

func TestBuilds(t *testing.T) {
	t.Parallel()
	a := artifact(map[string]string{
		"build.js":       page("'<!doctype html>' + fs.readFileSync('src/a b/ü.txt')") + "console.log('made it')",
		"src/a b/ü.txt":  "text",
		"src/App.tsx":    `<Routes><Route path="/" /><Route path="/about" /></Routes>`,
		"vite.config.ts": "export default { base: '/shop/' }",
	})
	site := mustBuild(t, builder(t, nil), a)
	if diff := cmp.Diff(map[string]string{"index.html": "<!doctype html>text"}, served(t, site)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if site.Kind != vitrine.KindProject || site.Builder != "exact" || site.Base != "/shop" || !slices.Equal(site.Routes, []string{"/", "/about"}) || len(site.Hash) != 64 {
		t.Errorf("got %+v", site)
	}
	if diff := cmp.Diff([]string{"install 0", "build 0"}, steps(site)); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	log := site.Steps[len(site.Steps)-1]
	if !strings.Contains(log.Log, "made it") || log.Command != "npm run build" || log.DurationMS <= 0 {
		t.Errorf("the log of the build is %+v", log)
	}
	if again := mustBuild(t, builder(t, nil), a); again.Hash != site.Hash || again.Root != site.Root {
		t.Error("the same project built twice is two sites")
	}
	if root, ok := builder(t, nil).Root(site.Hash); !ok || root != site.Root {
		t.Errorf("the built site is not found again: %s, %v", root, ok)
	}
	if _, ok := builder(t, nil).Root(strings.Repeat("0", 64)); ok {
		t.Error("a site is found that nobody built")
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files   map[string]string
		code    vitrine.FailureCode
		message string
		log     string
		steps   []string
	}{
		"script throws": {
			map[string]string{"build.js": "console.log('step one'); throw new TypeError('the roof is missing')"},
			vitrine.FailureBuild, "the roof is missing", "step one", []string{"install 0", "build 1"},
		},
		"import that is not there": {
			map[string]string{"build.js": "require('./parts/header')"},
			vitrine.FailureBuild, "Cannot find module './parts/header'", "build.js", []string{"install 0", "build 1"},
		},
		"red letters": {
			map[string]string{"build.js": `console.error("\x1b[31m\x1b[1merror\x1b[22m the \x1b]8;;http://x\x07door\x1b]8;;\x07 is red\x1b[0m"); process.exit(3)`},
			vitrine.FailureBuild, "error the door is red", "error the door is red", []string{"install 0", "build 3"},
		},
		"silent failure": {
			map[string]string{"build.js": "process.exit(9)"},
			vitrine.FailureBuild, "the build script failed", "", []string{"install 0", "build 9"},
		},
		"killed": {
			map[string]string{"build.js": "process.kill(process.pid, 'SIGKILL')"},
			vitrine.FailureBuild, "", "", []string{"install 0", "build 137"},
		},
		"builds nothing": {
			map[string]string{"build.js": "console.log('nothing to do')"},
			vitrine.FailureBuild, "no folder with an index.html", "", []string{"install 0", "build 0"},
		},
		"no build script": {
			map[string]string{"package.json": `{"scripts":{"dev":"vite"}}`},
			vitrine.FailureBuild, "no build script", "", []string{"install 0", "build 0"},
		},
		"scripts of another shape": {
			map[string]string{"package.json": `{"scripts":["build"]}`},
			vitrine.FailureBuild, "no build script", "", []string{"install 0", "build 0"},
		},
		"package.json is not JSON": {
			map[string]string{"package.json": `{"scripts": {`},
			vitrine.FailureInstall, "package.json is not JSON", "", nil,
		},
		"package.json is a list": {
			map[string]string{"package.json": `[]`},
			vitrine.FailureInstall, "package.json is not JSON", "", nil,
		},
		"unknown package": {
			map[string]string{"package.json": depends("no-such-package", "^1.0.0"), "build.js": page("1")},
			vitrine.FailureInstall, "no-such-package", "404", []string{"install 1", "install --force 1", "install --legacy-peer-deps 1"},
		},
		"unknown version": {
			map[string]string{"package.json": depends("tiny", "^9.0.0"), "build.js": page("1")},
			vitrine.FailureInstall, "tiny@^9.0.0", "ETARGET", []string{"install 1", "install --force 1", "install --legacy-peer-deps 1"},
		},
		"version that is none": {
			map[string]string{"package.json": `{"dependencies":{"tiny":{"version":1}}}`, "build.js": page("1")},
			vitrine.FailureInstall, "", "", []string{"install 1", "install --force 1", "install --legacy-peer-deps 1"},
		},
		"a file where a folder should be": {
			map[string]string{"src": "x", "src/App.tsx": "y"},
			vitrine.FailureBuild, `"src/App.tsx" cannot be written`, "", []string{"install 0"},
		},
		"a name that is too long": {
			map[string]string{strings.Repeat("x", 300) + ".ts": "x"},
			vitrine.FailureBuild, "cannot be written", "", []string{"install 0"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := mustBuild(t, builder(t, nil), artifact(test.files))
			wantFailure(t, site, test.code, test.message)
			if !strings.Contains(site.Failure.Log, test.log) || strings.Contains(site.Failure.Log, "\x1b") || strings.Contains(site.Failure.Log, "debug-0.log") {
				t.Errorf("the log is %q, want one with %q", site.Failure.Log, test.log)
			}
			if diff := cmp.Diff(test.steps, steps(site)); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNoPackageJSON(t *testing.T) {
	t.Parallel()
	site := mustBuild(t, builder(t, nil), &vitrine.Artifact{Files: []vitrine.File{{Path: "index.html", Content: "x"}}})
	wantFailure(t, site, vitrine.FailureInstall, "there is no package.json")
}

func TestOutputFolders(t *testing.T) {
	t.Parallel()
	into := func(dir string) string {
		return "const fs = require('fs'); fs.mkdirSync('" + dir + "', {recursive: true}); fs.writeFileSync('" + dir + "/index.html', '" + dir + "')"
	}
	for name, test := range map[string]struct{ config, dir, want string }{
		"named by the configuration":  {"export default { build: { outDir: 'public/site' } }", "public/site", "public/site"},
		"build":                       {"", "build", "build"},
		"out":                         {"", "out", "out"},
		"named, but elsewhere":        {"export default { build: { outDir: 'public/site' } }", "dist", "dist"},
		"beside the project":          {"export default { build: { outDir: '../server/public' } }", "../server/public", "../server/public"},
		"outside of the work folder":  {"export default { build: { outDir: '../../sites' } }", "dist", "dist"},
		"an absolute one, made there": {"export default { build: { outDir: '/tmp/x' } }", "dist", "dist"},
	} {
		site := mustBuild(t, builder(t, nil), artifact(map[string]string{"vite.config.ts": test.config, "build.js": into(test.dir)}))
		if got := served(t, site)["index.html"]; got != test.want {
			t.Errorf("%s: served %q, want %q", name, got, test.want)
		}
	}
}

func TestViteWithoutABuildScript(t *testing.T) {
	t.Parallel()
	site := mustBuild(t, builder(t, nil), artifact(map[string]string{"package.json": `{"devDependencies":{"vite":"^5.0.0"}}`}))
	if got := served(t, site)["index.html"]; got != "vite build" {
		t.Errorf("served %q", got)
	}
}
