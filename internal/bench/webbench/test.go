package webbench

import (
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/browser"
	"vitrine/internal/build"
	"vitrine/internal/build/exact"
	"vitrine/internal/cache"
	"vitrine/internal/disk"
	"vitrine/internal/npm"
	"vitrine/internal/project"
	"vitrine/internal/sandbox"
)

//go:embed drive
var drive embed.FS

// limits are those of one run of tests, with its build and its servers. As published it
// may take ten minutes.
var limits = sandbox.Limits{
	Wall: 10 * time.Minute, CPU: 20 * time.Minute, MemoryBytes: 6 << 30, Processes: 2000, FileBytes: 200 << 20, DiskBytes: 1 << 30, DiskFiles: 100_000,
}

// patience is by how much more time tests have than published, since it is not the machine
// that is measured.
const patience = 3

// maxFailures is after how many failed tests the run of one spec ends (--max-failures): a test
// that fails may wait until its timeout.
const maxFailures = 2

// driver is the version of what drives the tests: results of another one are not taken.
const driver = "3"

// workspaceOf is where the lock file has the projects.
const workspaceOf = "../../projects/"

// What the tests of all projects find at the same place, in a network of their own.
const (
	home   = "/build/project"
	output = home + "/src" // the files of the model
	port   = "3211"
)

// walker has steps answered and tested. It is safe for concurrent use.
type walker struct {
	data        string // folder
	asPublished bool
	// test runs specs of a project on files of a model. At is the step that they are of.
	test func(ctx context.Context, project string, files map[string]string, at string, specs []string) (tested, error)
}

// sealed runs specs in the sandbox.
type sealed struct {
	data      string
	packages  *exact.Project
	workspace *npm.Workspace
	browser   string
	factor    int    // of the limits of time of tests
	brought   string // folder of what a person brings
	links     string // folder of links to the libraries, see linkLibraries
	hosts     string // a file that says who localhost is, which the sandbox lacks
}

func newWalker(ctx context.Context, m bench.Machine) (*walker, error) {
	s, err := newSealed(ctx, m)
	if err != nil {
		return nil, err
	}
	return &walker{s.data, m.AsPublished, s.test}, nil
}

func newSealed(ctx context.Context, m bench.Machine) (*sealed, error) {
	data, err := filepath.Abs(m.Data)
	if err != nil {
		return nil, disk.Fault(err)
	}
	w := &sealed{data: data, factor: patience, brought: filepath.Join(m.CacheDir, broughtDir), hosts: filepath.Join(m.CacheDir, "bench", "web-bench.hosts"), links: filepath.Join(m.CacheDir, "bench", "web-bench.links")}
	if m.AsPublished {
		w.factor = 1
	}
	lock, err := os.ReadFile(filepath.Join(data, lockFile))
	if err != nil {
		return nil, faulty(err, "there is no "+lockFile)
	}
	if w.workspace, err = npm.ReadWorkspace(lock); err != nil {
		return nil, faulty(err, lockFile+" cannot be read")
	}
	if w.browser, err = browser.Find(m.Browser); err != nil {
		return nil, err
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(w.hosts), 0o755), os.WriteFile(w.hosts, []byte("127.0.0.1 localhost\n"), 0o644)); err != nil {
		return nil, disk.Fault(err)
	}
	if err := linkLibraries(w.links); err != nil {
		return nil, disk.Fault(err)
	}
	w.packages, err = exact.New(ctx, exact.Settings{
		Store: filepath.Join(m.CacheDir, cache.PackagesDir), Sandbox: m.Sandbox, Build: limits, MaxBytes: limits.FileBytes,
	})
	return w, err
}

// libraries are those of the repository that tests use.
var libraries = []string{"test-util", "shop-test-util"}

// linkLibraries makes a folder that stands three above the specs, where some look for the
// libraries: links, so that Node.js finds the same Playwright from there.
func linkLibraries(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range libraries {
		if err := os.Symlink(home+"/"+librariesDir+"/"+name, filepath.Join(dir, name)); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	return nil
}

// A tested says what came of specs. Passed is of all tests of a spec.
type tested struct {
	Script  string          `json:"script,omitempty"`  // that failed before any test ran: init or build
	Message string          `json:"message,omitempty"` // why no test, or not all, could run
	Specs   map[string]spec `json:"specs,omitempty"`
	// Limit is set where a limit was used up.
	Limit vitrine.FailureCode `json:"limit,omitempty"`
}

type spec struct {
	Passed  int    `json:"passed"`
	Total   int    `json:"total"`
	Message string `json:"message,omitempty"` // of the first test that failed
}

func (s spec) pass() bool { return s.Total > 0 && s.Passed == s.Total }

// pass reports whether all of the specs passed.
func (t tested) pass(specs []string) bool {
	return t.Message == "" && !slices.ContainsFunc(specs, func(s string) bool { return !t.Specs[s].pass() })
}

// why is what a person, and the model that may try again, is told of specs that failed.
func (t tested) why(specs []string) string {
	var lines []string
	if t.Message != "" {
		lines = append(lines, strings.TrimSpace(t.Script+" "+t.Message))
	}
	for _, name := range specs {
		switch s := t.Specs[name]; {
		case s.Message != "":
			lines = append(lines, name+": "+s.Message)
		case s.Total == 0 && t.Message == "":
			lines = append(lines, name+": no test was run")
		}
	}
	return build.Bounded(strings.Join(lines, "\n"), 6000)
}

// cause is the same in a word: of what kind the failure is.
func (t tested) cause() string {
	switch {
	case t.Limit != "":
		return "limit"
	case t.Script != "":
		return t.Script
	case strings.Contains(t.Message, "config.webServer"):
		return "server"
	}
	return "test"
}

// test runs specs as a walker asks for it. The fault is ours: what the files of the model
// do wrong is said in what it returns.
func (w *sealed) test(ctx context.Context, name string, files map[string]string, at string, specs []string) (tested, error) {
	p, err := readSuite(os.DirFS(w.data), name)
	if err != nil {
		return tested{}, err
	}
	source := &project.Project{Artifact: &vitrine.Artifact{Kind: vitrine.KindProject}, Package: project.Package{Local: map[string]string{}}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		source.Artifact.Files = append(source.Artifact.Files, vitrine.File{Path: "src/" + name, Content: files[name]})
	}
	tree, err := w.workspace.Tree(workspaceOf+p.name, w.packages.Platform())
	if err != nil {
		return tested{}, faulty(err, lockFile+" cannot be used")
	}
	dir, err := os.MkdirTemp("", "vitrine-drive-")
	if err != nil {
		return tested{}, disk.Fault(err)
	}
	defer os.RemoveAll(dir)
	word := rand.Text()
	tool, err := w.tool(p, specs, at, word, dir)
	if err != nil {
		return tested{}, err
	}
	if slices.Contains(installing, p.name) {
		failed, err := w.installOwn(ctx, files, &tool)
		if failed.Script != "" || err != nil {
			return failed, err
		}
	}
	for _, library := range libraries {
		source.Package.Local["@web-bench/"+library] = librariesDir + "/" + library
	}
	step, failure, err := w.packages.Use(ctx, source, exact.Resolution{Tree: tree, Steps: []vitrine.BuildStep{{Name: "install"}}}, tool)
	switch {
	case ctx.Err() != nil:
		return tested{}, ctx.Err()
	case err != nil:
		return tested{}, err
	case failure != nil && failure.Code == vitrine.FailureInstall:
		return tested{}, vitrine.NewFault("build", vitrine.FaultRegistry, nil, "the packages of "+p.name+" cannot be installed: "+failure.Message).WithFix("check the network and npm config get registry")
	case failure != nil:
		return tested{Message: failure.Message, Limit: failure.Code}, nil
	}
	return read(step, word), nil
}

// tool is the command that builds and tests. The project's own files, around those of the
// model, and what drives the tests, which dir holds, are read-only; the folder around them
// is not, see docs/bench/web-bench.md.
func (w *sealed) tool(p suite, specs []string, at, word, dir string) (exact.Tool, error) {
	if err := w.writeDrive(dir, p, specs); err != nil {
		return exact.Tool{}, err
	}
	binds, err := w.binds(p)
	if err != nil {
		return exact.Tool{}, err
	}
	binds = append(binds, sandbox.Bind{Host: dir, Inside: "/build/drive"}, sandbox.Bind{Host: filepath.Join(dir, scaledConfig), Inside: home + "/" + scaledConfig})
	things, env, err := bring(w.brought, p.name, w.packages.Platform().Node)
	return exact.Tool{
		Name: "tests", Args: []string{"node", "/build/drive/drive.cjs"}, Files: map[string]string{"word": word}, Binds: append(binds, things...),
		Env: append(env,
			"CI=", "EVAL=true", "EVAL_PROJECT_ROOT="+output, "EVAL_PROJECT_PORT="+port, "EVAL_TASK="+at, "IS_EVAL_PRODUCTION=true",
			"NPM_CONFIG_OFFLINE=true",
		),
	}, err
}

// scaledConfig is the project's own configuration, with the browser of this machine, %q, in the
// place of Playwright's, and the limit of its server times a factor, %d; scale.cjs does the
// same for those of tests, actions and expectations.
const scaledConfig = "scaled.config.mjs"

const scaledText = `import given from './playwright.config.js'
const base = given.default ?? given
export default { ...base, use: { ...base.use, launchOptions: { ...base.use?.launchOptions, executablePath: %q } },
  webServer: { ...base.webServer, timeout: (base.webServer?.timeout ?? 60_000) * %d } }
`

// writeDrive writes what drives the tests of specs to a folder.
func (w *sealed) writeDrive(dir string, p suite, specs []string) error {
	scripts, filters := []string{}, []string{}
	for _, script := range []string{"init", "build"} {
		if p.Scripts[script] != "" && !slices.Contains(installing, p.name) {
			scripts = append(scripts, script)
		}
	}
	for _, s := range specs {
		filters = append(filters, "test/"+s+".spec")
	}
	failures := 0 // without end
	if len(specs) == 1 && w.factor != 1 {
		failures = maxFailures
	}
	plan, err := json.Marshal(map[string]any{"scripts": scripts, "specs": filters, "factor": w.factor, "failures": failures, "installsOwn": slices.Contains(installing, p.name)})
	if err != nil {
		return err
	}
	if err := os.Chmod(dir, 0o755); err != nil { // who runs in the sandbox may be another user
		return disk.Fault(err)
	}
	files := map[string]string{"plan.json": string(plan), scaledConfig: fmt.Sprintf(scaledText, w.browser, w.factor)}
	for _, name := range []string{"drive.cjs", "preload.cjs", "reporter.cjs", "scale.cjs", "copies.cjs", "outside.cjs"} {
		content, _ := drive.ReadFile("drive/" + name) // embedded: it can be read
		files[name] = string(content)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			return disk.Fault(err)
		}
	}
	return nil
}

// binds show what is the project's own, and the libraries that its tests use.
func (w *sealed) binds(p suite) ([]sandbox.Bind, error) {
	dir := filepath.Join(w.data, projectsDir, p.name)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, faulty(err, "there is no "+dir)
	}
	binds := []sandbox.Bind{
		{Host: filepath.Join(w.data, librariesDir), Inside: home + "/" + librariesDir},
		{Host: w.hosts, Inside: "/etc/hosts"}, {Host: w.links, Inside: "/" + librariesDir},
	}
	for _, e := range entries {
		if !slices.Contains([]string{"src", "src-init", "node_modules"}, e.Name()) {
			binds = append(binds, sandbox.Bind{Host: filepath.Join(dir, e.Name()), Inside: home + "/" + e.Name()})
		}
	}
	if !strings.HasPrefix(w.browser, "/usr/") {
		binds = append(binds, sandbox.Bind{Host: filepath.Dir(w.browser), Inside: filepath.Dir(w.browser)})
	}
	return binds, nil
}

// read finds what the driver printed.
func read(step vitrine.BuildStep, word string) tested {
	for line := range strings.Lines(step.Log) {
		_, text, found := strings.Cut(line, word+" ")
		var t tested
		if found && json.Unmarshal([]byte(text), &t) == nil {
			return t
		}
	}
	return tested{Message: fmt.Sprintf("the tests ended without a result, exit code %d: %s", step.ExitCode, build.Bounded(strings.TrimSpace(step.Log), 1000))}
}
