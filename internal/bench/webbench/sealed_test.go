package webbench

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/build/exact"
	"vitrine/internal/project"
)

// tinySealed runs the tests of our own project, if the packages of Playwright can be had.
func tinySealed(t *testing.T) *sealed {
	t.Helper()
	if testing.Short() {
		t.Skip("runs Playwright in a browser")
	}
	dir := os.Getenv("VITRINE_CACHE")
	if dir == "" {
		home, err := os.UserCacheDir()
		if err != nil {
			t.Skip(err)
		}
		dir = filepath.Join(home, "vitrine")
	}
	s, err := newSealed(t.Context(), bench.Machine{CacheDir: dir, Data: tiny})
	if err != nil {
		t.Skip("Node.js, a browser and the sandbox are wanted: ", err)
	}
	tree, err := s.workspace.Tree(workspaceOf+"tiny", s.packages.Platform())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, failure, err := s.packages.Install(t.Context(), project.Package{}, exact.Resolution{Tree: tree, Steps: []vitrine.BuildStep{{Name: "install"}}}); err != nil || failure != nil {
		t.Skip("the packages of Playwright are neither in the cache nor to be had: ", err, failure)
	}
	return s
}

// The project's own tests decide, on its own server, after its own build.
func TestTheTestsOfAProjectDecide(t *testing.T) {
	t.Parallel()
	s := tinySealed(t)
	s.factor = 100 // task-2 gives 50 ms to what comes after 300
	w := &walker{data: s.data, test: s.test}
	reference, err := w.filesIn("tiny", "src")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		files map[string]string
		pass  string // the specs that pass
		cause string
	}{
		"the reference":       {reference, "task-1 task-2", "test"},
		"a button that stays": {map[string]string{"index.html": "<h1>Lamp</h1><button>off</button>"}, "task-1", "test"},
		"it does not build":   {map[string]string{"index.html": "<button>off</button>"}, "", "build"},
	} {
		r, err := s.test(t.Context(), "tiny", test.files, "task-2", []string{"task-1", "task-2"})
		if err != nil {
			t.Fatal(name, err)
		}
		pass := ""
		for _, spec := range []string{"task-1", "task-2"} {
			if r.pass([]string{spec}) {
				pass += " " + spec
			}
		}
		if pass != " "+test.pass && pass != test.pass || r.cause() != test.cause {
			t.Errorf("%s: %q pass, cause %s, %s", name, pass, r.cause(), r.why([]string{"task-1", "task-2"}))
		}
	}
}

// Nobody but the project has a say in its tests: they cannot be written.
func TestTestsCannotBeChanged(t *testing.T) {
	t.Parallel()
	s := tinySealed(t)
	p, err := readSuite(os.DirFS(s.data), "tiny")
	if err != nil {
		t.Fatal(err)
	}
	tool, err := s.tool(p, []string{"task-1"}, "task-1", "WORD", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, b := range tool.Binds {
		if shown[b.Inside] = true; b.Write {
			t.Errorf("%s can be written", b.Inside)
		}
	}
	for _, at := range []string{home + "/test", home + "/playwright.config.js", home + "/package.json", home + "/libraries", home + "/scaled.config.mjs", "/build/drive"} {
		if !shown[at] {
			t.Errorf("%s is not ours", at)
		}
	}
}

// What was skipped or interrupted has not passed.
func TestOnlyWhatRanPasses(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip(err)
	}
	const script = `
const Reporter = require(process.argv[1]), r = new Reporter()
const outcomes = JSON.parse(process.argv[2]), suite = { allTests: () => outcomes.map((o) => ({ title: o, location: { file: '/t/task-1.spec.js' }, outcome: () => o, results: [] })) }
r.onBegin({}, suite)
r.onEnd({ status: process.argv[3] })`
	for _, test := range []struct {
		outcomes, status string
		passed           int
		message          bool
	}{
		{`["expected","flaky"]`, "passed", 2, false}, {`["expected","skipped"]`, "passed", 1, false},
		{`["unexpected","skipped"]`, "failed", 0, false}, {`["skipped","skipped"]`, "interrupted", 0, true}, {`["expected","expected"]`, "timedout", 2, true},
	} {
		out, in, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "node", "-e", script, "./drive/reporter.cjs", test.outcomes, test.status)
		cmd.ExtraFiles = []*os.File{in}
		log, err := cmd.CombinedOutput()
		if err = errors.Join(err, in.Close()); err != nil {
			t.Fatalf("%v: %s", err, log)
		}
		var r tested
		if err := errors.Join(json.NewDecoder(out).Decode(&r), out.Close()); err != nil {
			t.Fatal(err)
		}
		got := r.Specs["task-1"]
		if got.Passed != test.passed || got.Total != 2 || (got.Message != "") != (test.passed < 2) || (r.Message != "") != test.message {
			t.Errorf("%s, %s: %+v", test.outcomes, test.status, r)
		}
	}
}
