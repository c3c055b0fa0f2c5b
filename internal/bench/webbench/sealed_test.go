package webbench

import (
	"os"
	"path/filepath"
	"testing"

	"vitrine/internal/bench"
	"vitrine/internal/build/exact"
	"vitrine/internal/cache"
)

// tinySealed runs the tests of our own project, if the packages of Playwright are there.
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
	if _, err := os.Stat(filepath.Join(dir, cache.PackagesDir)); err != nil {
		t.Skip("there are no packages in the cache: vitrine bench run web-bench brings them in")
	}
	s, err := newSealed(t.Context(), bench.Machine{CacheDir: dir, Data: tiny})
	if err != nil {
		t.Skip("Node.js, a browser and the sandbox are wanted: ", err)
	}
	tree, err := s.workspace.Tree(workspaceOf+"tiny", s.packages.Platform())
	if err != nil {
		t.Fatal(err)
	}
	if _, there := s.packages.Installed(exact.Resolution{Tree: tree}); !there {
		t.Skip("the packages of Playwright are not in the cache: vitrine bench run web-bench --data internal/bench/webbench/" + tiny + " --oracle brings them in")
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
	binds, err := s.binds(p)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, b := range binds {
		if shown[b.Inside] = true; b.Write {
			t.Errorf("%s can be written", b.Inside)
		}
	}
	for _, at := range []string{"test", "playwright.config.js", "package.json", "libraries"} {
		if !shown[home+"/"+at] {
			t.Errorf("%s is not the project's own", at)
		}
	}
}
