package exact

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
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
	"vitrine/internal/literal"
	"vitrine/internal/literal/typescript"
	"vitrine/internal/npm"
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

// reading tells configurations that are data.
type reading struct{}

func (reading) Evaluate(_ context.Context, f literal.File) (json.RawMessage, error) {
	data, err := typescript.Read(f)
	if errors.Is(err, literal.ErrCode) {
		err = literal.NotData(err.Error())
	}
	return data, err
}

// built reads a project, resolves its dependencies and builds it.
func built(ctx context.Context, p *Project, a *vitrine.Artifact) (*vitrine.Site, error) {
	source, failure := project.Read(a, p.settings.MaxBytes)
	if failure != nil {
		return Failed(a, failure, nil), nil
	}
	r, err := p.Resolve(ctx, source.Package)
	if err == nil {
		err = source.Configure(ctx, reading{})
	}
	if err != nil {
		return nil, err
	}
	return p.Build(ctx, source, r)
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

func TestEndlessBuildIsEnded(t *testing.T) {
	t.Parallel()
	p := builder(t, func(s *Settings) { s.Build.Wall = 6 * time.Second })
	site := mustBuild(t, p, artifact(map[string]string{"build.js": "console.log('warming up'); for (;;);"}))
	wantFailure(t, site, vitrine.FailureTimeout, "did not end within 6s")
	if !strings.Contains(site.Failure.Log, "warming up") {
		t.Errorf("the log is %q", site.Failure.Log)
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	small := func(s *Settings) { s.MaxBytes, s.Build.FileBytes, s.Build.DiskBytes = 1<<20, 1<<20, 10<<20 }
	for name, test := range map[string]struct{ script, message string }{
		"site":     {page("1") + "for (let i = 0; i < 5; i++) fs.writeFileSync('dist/' + i, Buffer.alloc(400e3))", "the built site is 1 MB, more than 1 MB"},
		"one file": {page("1") + "fs.writeFileSync('dist/big', Buffer.alloc(2e6))", "a file of more than 1 MB"},
		"endless":  {page("1") + "for (let i = 0;; i++) fs.writeFileSync('part' + i % 2000, Buffer.alloc(100e3))", "the build wrote more than 10 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantFailure(t, mustBuild(t, builder(t, small), artifact(map[string]string{"build.js": test.script})), vitrine.FailureTooLarge, test.message)
		})
	}
	site := mustBuild(t, builder(t, small), artifact(map[string]string{"src/data.ts": strings.Repeat("x", 2<<20)}))
	wantFailure(t, site, vitrine.FailureTooLarge, "the project is 2 MB")
	if len(site.Steps) > 0 {
		t.Errorf("it was installed: %v", steps(site))
	}
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

func TestDependencySetIsInstalledOnceAndShared(t *testing.T) {
	t.Parallel()
	p := builder(t, func(s *Settings) { s.Store = filepath.Join(storeDir, "other") })
	other, err := New(t.Context(), p.settings) // as another process would
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	hashes := make([]string, 6)
	for i := range hashes {
		who := []*Project{p, other}[i%2]
		a := artifact(map[string]string{"package.json": depends("once", "^1.0.0"), "build.js": page(fmt.Sprintf("require('once') + ' in site %d'", i))})
		all.Go(func() {
			site, err := built(t.Context(), who, a)
			if err != nil || site.Failure != nil {
				t.Errorf("site %d: %v, %+v", i, err, site)
				return
			}
			hashes[i] = site.Hash
			if got, want := served(t, site)["index.html"], fmt.Sprintf("1.1.0 in site %d", i); got != want {
				t.Errorf("served %q, want %q", got, want)
			}
		})
	}
	all.Wait()
	site := mustBuild(t, p, artifact(map[string]string{
		"package.json": `{"name":"another","version":"3.0.0","type":"commonjs","scripts":{"build":"node build.js"},"dependencies":{"once":"^1.0.0"}}`,
		"build.js":     page("require('once')"),
	}))
	if !site.Steps[0].Cached || site.Steps[0].Name != "install" || served(t, site)["index.html"] != "1.1.0" {
		t.Errorf("got steps %+v", site.Steps)
	}
	if len(hashes) != len(slices.Compact(slices.Sorted(slices.Values(hashes)))) {
		t.Error("sites that differ share a hash")
	}
	if n := local.Asked("once").Load(); n > 4 { // by each process: what it is, and the package
		t.Errorf("six builds in two processes asked the registry %d times", n)
	}
	sets, _ := filepath.Glob(filepath.Join(p.settings.Store, "deps", "*"))
	work, _ := filepath.Glob(filepath.Join(p.settings.Store, "work", "*"))
	if len(sets) != 1 || len(work) != 0 {
		t.Errorf("the store has sets %v and work %v", sets, work)
	}
}

func TestNothingIsDownloadedTwice(t *testing.T) {
	t.Parallel()
	for i, deps := range []string{depends("single", "1.0.0"), depends("single", "1.0.0", "tiny", "1.0.0"), depends("tiny", "2.0.0", "single", ">=1.0.0 <=1.0.0")} {
		site := mustBuild(t, builder(t, nil), artifact(map[string]string{"package.json": deps, "build.js": page("require('single')")}))
		if got := served(t, site)["index.html"]; got != "1.0.0" || site.Steps[0].Cached {
			t.Errorf("set %d: got %q from %v", i, got, steps(site))
		}
	}
	if n := local.Asked("single").Load(); n != 2 { // what it is, and the package
		t.Errorf("three sets with one package asked the registry for it %d times", n)
	}
}

func TestLockFileIsHonoured(t *testing.T) {
	t.Parallel()
	lock := `{"name":"x","lockfileVersion":3,"requires":true,"packages":{"":{"dependencies":{"tiny":"*"}},
		"node_modules/tiny":{"version":"1.0.0","resolved":"https://registry.npmjs.org/tiny/-/1.0.0.tgz"}}}`
	files := map[string]string{"package.json": depends("tiny", "*"), "build.js": page("require('tiny')")}
	if got := served(t, mustBuild(t, builder(t, nil), artifact(files)))["index.html"]; got != "2.0.0" {
		t.Errorf("without a lock file: got %q", got)
	}
	files["package-lock.json"] = lock
	if got := served(t, mustBuild(t, builder(t, nil), artifact(files)))["index.html"]; got != "1.0.0" {
		t.Errorf("with a lock file: got %q", got)
	}
}

func TestPeerConflictIsForced(t *testing.T) {
	t.Parallel()
	site := mustBuild(t, builder(t, nil), artifact(map[string]string{
		"package.json": depends("tiny", "2.0.0", "wants-old-tiny", "1.0.0"), "build.js": page("require('tiny')"),
	}))
	if diff := cmp.Diff([]string{"install 1", "install --force 0", "build 0"}, steps(site)); diff != "" || served(t, site)["index.html"] != "2.0.0" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if !strings.Contains(site.Steps[0].Log, "ERESOLVE") {
		t.Errorf("the log of the first attempt is %q", site.Steps[0].Log)
	}
}

func TestInstallFaultsAreOurs(t *testing.T) {
	t.Parallel()
	_, err := built(t.Context(), builder(t, nil), artifact(map[string]string{"package.json": depends("forbidden", "*")}))
	if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultRegistry || !f.Code.Retryable() || f.Fix == "" || f.Stage != "build" {
		t.Errorf("refused: got %v", err)
	}
	slow := builder(t, func(s *Settings) { s.Install.Wall = 5 * time.Second })
	_, err = built(t.Context(), slow, artifact(map[string]string{"package.json": depends("endless", "*")}))
	if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultInstallTimeout {
		t.Errorf("endless: got %v", err)
	}
}

func TestCancelledBuildEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	p := builder(t, func(s *Settings) { s.Store = filepath.Join(storeDir, "cancelled") })
	if _, err := New(ctx, p.settings); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := built(ctx, p, artifact(map[string]string{"build.js": page("1") + "for (;;);"}))
		done <- err
	}()
	waitFor(t, filepath.Join(p.settings.Store, "work", "build-*", projectDir, "dist", "index.html"))
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(p.settings.Store, "work", "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// waitFor waits until a file is there.
func waitFor(t testing.TB, pattern string) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	late := time.After(60 * time.Second)
	for {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return
		}
		select {
		case <-tick.C:
		case <-t.Context().Done():
			t.Fatal("the test ended")
		case <-late:
			t.Fatalf("%s does not come to be", pattern)
		}
	}
}

func TestWithoutTheSandbox(t *testing.T) {
	t.Parallel()
	p := builder(t, func(s *Settings) {
		s.Sandbox = sandbox.Sandbox{Unsafe: true}
		s.Store = t.TempDir() // what it writes belongs to us, not to the users of sandboxes
	})
	if _, err := New(t.Context(), p.settings); err != nil {
		t.Fatal(err)
	}
	site := mustBuild(t, p, artifact(map[string]string{"package.json": depends("tiny", "1.0.0"), "build.js": page("require('tiny')")}))
	if got := served(t, site)["index.html"]; got != "1.0.0" {
		t.Errorf("served %q", got)
	}
}

func TestMissingNodeSaysTheFix(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	empty, onlyNode := t.TempDir(), t.TempDir()
	if err := os.Symlink(node, filepath.Join(onlyNode, "node")); err != nil {
		t.Fatal(err)
	}
	for path, message := range map[string]string{empty: "Node.js is not installed", onlyNode: "npm is not installed"} {
		t.Setenv("PATH", path)
		_, err := New(t.Context(), Settings{Store: t.TempDir()})
		if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultNoNode || f.Message != message || !strings.Contains(f.Fix, "apt-get install nodejs npm") {
			t.Errorf("got %+v", f)
		}
	}
}

func TestStoreThatCannotBeMade(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := New(t.Context(), Settings{Store: filepath.Join(file, "store")})
	if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultUnwritable || !strings.Contains(f.Fix, "--cache-dir") {
		t.Errorf("got %v, fix %q", err, f.Fix)
	}
}

// TestRealRegistry installs one small package from the registry of this machine.
func TestRealRegistry(t *testing.T) {
	t.Parallel()
	client := &http.Client{Timeout: 10 * time.Second}
	defer client.CloseIdleConnections()
	res, err := client.Get(strings.TrimSuffix(realRegistry, "/") + "/is-number")
	if err != nil {
		t.Skipf("the registry %s cannot be reached: %v", realRegistry, err)
	}
	_ = res.Body.Close()
	p := builder(t, func(s *Settings) { s.Store = filepath.Join(storeDir, "real") })
	config, _ := json.Marshal(map[string]string{"registry": realRegistry})
	if p.node.registry, err = npm.NewRegistry(string(config)); err != nil {
		t.Fatal(err)
	}
	if p, err = open(p.settings, p.node); err != nil {
		t.Fatal(err)
	}
	lock := `{"lockfileVersion":3,"packages":{"":{"dependencies":{"is-number":"^7.0.0 || ^6.0.0"}},
		"node_modules/is-number":{"version":"6.0.0","resolved":"https://registry.npmjs.org/is-number/-/is-number-6.0.0.tgz"}}}`
	files := map[string]string{"package.json": depends("is-number", "^7.0.0 || ^6.0.0"), "build.js": page("require('is-number/package.json').version")}
	if got := served(t, mustBuild(t, p, artifact(files)))["index.html"]; got != "7.0.0" {
		t.Errorf("got %q", got)
	}
	files["package-lock.json"] = lock
	if got := served(t, mustBuild(t, p, artifact(files)))["index.html"]; got != "6.0.0" {
		t.Errorf("with a lock file: got %q", got)
	}
}

// What a range means does not depend on the day; what a lock file says is said.
func TestVersionsOfALaterDate(t *testing.T) {
	t.Parallel()
	files := map[string]string{"package.json": depends("tiny", ">=1.0.0"), "build.js": page("require('tiny')")}
	if got := served(t, mustBuild(t, builder(t, nil), artifact(files)))["index.html"]; got != "2.0.0" {
		t.Errorf("a range: got %q", got)
	}
	files["package-lock.json"] = `{"lockfileVersion":3,"packages":{"":{"dependencies":{"tiny":">=1.0.0"}},
		"node_modules/tiny":{"version":"3.0.0","resolved":"https://registry.npmjs.org/tiny/-/3.0.0.tgz","integrity":"` + npmtest.Integrity(packages["tiny"]["3.0.0"].Tarball("tiny", "3.0.0")) + `"}}}`
	if got := served(t, mustBuild(t, builder(t, nil), artifact(files)))["index.html"]; got != "3.0.0" {
		t.Errorf("a lock file: got %q", got)
	}
	wantFailure(t, mustBuild(t, builder(t, nil), artifact(map[string]string{"package.json": depends("tiny", "3.0.0")})), vitrine.FailureInstall, "tiny@3.0.0")
	early := builder(t, func(s *Settings) { s.Until = "2019-01-01" })
	wantFailure(t, mustBuild(t, early, artifact(map[string]string{"package.json": depends("tiny", "*")})), vitrine.FailureInstall, "tiny")
}

// A lock file that lies about a package is the failure of its project, and of no
// other that needs the package.
func TestALockFileThatLies(t *testing.T) {
	t.Parallel()
	own := builder(t, func(s *Settings) { s.Store = filepath.Join(storeDir, "lies") })
	lock := func(resolved, integrity string) string {
		return `{"lockfileVersion":3,"packages":{"":{"dependencies":{"tiny":"1.0.0"}},"node_modules/tiny":{"version":"1.0.0","resolved":"https://registry.npmjs.org/` + resolved + `","integrity":"` + integrity + `"}}}`
	}
	other := npmtest.Integrity(packages["tiny"]["2.0.0"].Tarball("tiny", "2.0.0"))
	files := map[string]string{"package.json": depends("tiny", "1.0.0"), "build.js": page("require('tiny')"), "package-lock.json": lock("tiny/-/1.0.0.tgz", other)}
	wantFailure(t, mustBuild(t, own, artifact(files)), vitrine.FailureInstall, "tiny@1.0.0: the tarball does not have the hash")
	files["package-lock.json"] = lock("tiny/-/2.0.0.tgz", other) // a package under another's name and version
	if got := served(t, mustBuild(t, own, artifact(files)))["index.html"]; got != "2.0.0" {
		t.Errorf("the lock file's own tree: got %q", got)
	}
	delete(files, "package-lock.json")
	if got := served(t, mustBuild(t, own, artifact(files)))["index.html"]; got != "1.0.0" {
		t.Errorf("without the lock file: got %q", got)
	}
}

// Where a registry gives no hash, the one that was first seen holds.
func TestPackagesWithoutAHash(t *testing.T) {
	t.Parallel()
	if got := served(t, mustBuild(t, builder(t, nil), artifact(map[string]string{"package.json": depends("unhashed", "*"), "build.js": page("require('unhashed')")})))["index.html"]; got != "1.0.0" {
		t.Errorf("got %q", got)
	}
}

// Two ways to ask for the same tree share its set.
func TestEqualTreesShareASet(t *testing.T) {
	t.Parallel()
	p := builder(t, func(s *Settings) { s.Store = filepath.Join(storeDir, "equal") })
	for _, manifest := range []string{depends("tiny", "2.0.0"), depends("tiny", "^2.0.0"), `{"scripts":{"build":"node build.js"},"devDependencies":{"tiny":"*"},"engines":{"node":">=1"},"browserslist":["ie 6"]}`} {
		if got := served(t, mustBuild(t, p, artifact(map[string]string{"package.json": manifest, "build.js": page("require('tiny')")})))["index.html"]; got != "2.0.0" {
			t.Errorf("got %q", got)
		}
	}
	if sets, _ := filepath.Glob(filepath.Join(p.settings.Store, npm.SetsDir, "*")); len(sets) != 1 {
		t.Errorf("there are %v", sets)
	}
}

// What was resolved and assembled once needs no network, in any process.
func TestWarmSetsNeedNoNetwork(t *testing.T) {
	t.Parallel()
	p := builder(t, func(s *Settings) { s.Store = filepath.Join(storeDir, "offline") })
	a := artifact(map[string]string{"package.json": depends("tiny", "^1.0.0"), "build.js": page("require('tiny')")})
	before := mustBuild(t, p, a)
	node := p.node
	var err error
	if node.registry, err = npm.NewRegistry(`{"registry":"http://127.0.0.1:9"}`); err != nil {
		t.Fatal(err)
	}
	offline, err := open(p.settings, node)
	if err != nil {
		t.Fatal(err)
	}
	if after := mustBuild(t, offline, a); after.Hash != before.Hash || !after.Steps[0].Cached {
		t.Errorf("got %+v", after)
	}
	_, err = built(t.Context(), offline, artifact(map[string]string{"package.json": depends("single", "^1.0.0")}))
	if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultRegistry {
		t.Errorf("what is not known: got %v", err)
	}
}
