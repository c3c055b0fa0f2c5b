package npm

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/leak"
	"vitrine/internal/npm/npmtest"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

var made = npmtest.Packages{
	"tool": {"1.0.0": {
		Manifest: map[string]any{"bin": map[string]string{"tool": "./cli.js", "../../climbs": "cli.js", "gone": "gone.js", "out": "../../../../etc/passwd"}},
		Files: map[string]string{
			"cli.js": "#!/usr/bin/env node\r\nrun()\r\n", ".gitignore": "x", "node_modules/inner/index.js": "bundled", "node_modules/inner/package.json": `{"name":"inner","bin":"index.js"}`,
			"node_modules/other/index.js": "replaced by the tree's own",
		},
		Links: map[string]string{"leads-out": "/etc/passwd"},
	}},
	"other": {"1.0.0": {}, "2.0.0": {}},
}

// warehouse is a store in front of a registry, and a tree in it.
func warehouse(t *testing.T) (*Store, *npmtest.Registry, *Tree) {
	t.Helper()
	registry := npmtest.NewRegistry(made)
	t.Cleanup(registry.Close)
	tree := &Tree{Packages: []Package{
		at("node_modules/other", "other", "2.0.0"), at("node_modules/tool", "tool", "1.0.0"),
		{Path: "node_modules/tool/node_modules/inner", Name: "inner", Version: "1.0.0", Bundled: true}, at("node_modules/tool/node_modules/other", "other", "1.0.0"),
	}}
	tree.seal()
	dir := t.TempDir()
	t.Cleanup(func() { removeAll(dir) })
	return open(t, dir, registry), registry, tree
}

// open opens a store as another process would.
func open(t *testing.T, dir string, registry *npmtest.Registry) *Store {
	t.Helper()
	r, err := NewRegistry(`{"registry":"` + registry.URL + `"}`)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, workDir), 0o755); err != nil {
		t.Fatal(err)
	}
	return &Store{Dir: dir, Registry: r}
}

func at(path, name, version string) Package {
	return Package{Path: path, Name: name, Version: version, Integrity: npmtest.Integrity(made[name][version].Tarball(name, version)), Resolved: "https://elsewhere/" + name + "/-/" + version + ".tgz"}
}

func assemble(t *testing.T, s *Store, tree *Tree) string {
	t.Helper()
	modules, err := s.Assemble(t.Context(), tree)
	if err != nil {
		t.Fatal(err)
	}
	return modules
}

// holds are the files of a folder: their content, or where they lead.
func holds(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		if d.Type()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(name)
			all[rel] = "→ " + to
			return err
		}
		b, err := os.ReadFile(name)
		all[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestAssemble(t *testing.T) {
	t.Parallel()
	s, registry, tree := warehouse(t)
	modules := assemble(t, s, tree)
	got := holds(t, modules)
	maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasSuffix(name, "package.json") })
	want := map[string]string{
		"other/index.js": "module.exports = '2.0.0'\n", "tool/index.js": "module.exports = '1.0.0'\n", "tool/.npmignore": "x",
		"tool/cli.js": "#!/usr/bin/env node\nrun()\r\n", "tool/node_modules/inner/index.js": "bundled", "tool/node_modules/other/index.js": "module.exports = '1.0.0'\n",
		".bin/tool": "→ ../tool/cli.js", ".bin/climbs": "→ ../tool/cli.js", "tool/node_modules/.bin/inner": "→ ../inner/index.js",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the set (-want +got):\n%s", diff)
	}
	for name, mode := range map[string]fs.FileMode{"tool/cli.js": 0o555, "tool": fs.ModeDir | 0o555, ".vite": fs.ModeDir | 0o755} {
		if info, err := os.Stat(filepath.Join(modules, name)); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	registry.Close() // whatever is there needs no network
	if again := assemble(t, open(t, s.Dir, registry), tree); again != modules {
		t.Errorf("the set is elsewhere: %s", again)
	}
	removeAll(filepath.Dir(modules))
	assemble(t, open(t, s.Dir, registry), tree)
}

func TestWhatCannotBeFetched(t *testing.T) {
	t.Parallel()
	s, _, tree := warehouse(t)
	wrong := tree.Packages[0]
	wrong.Integrity = tree.Packages[1].Integrity
	for what, test := range map[string]struct {
		pkg  Package
		want func(error) bool
	}{
		"another content":    {wrong, func(err error) bool { var w *WrongHashError; return errors.As(err, &w) }},
		"a version too many": {Package{Path: "node_modules/other", Name: "other", Version: "9.0.0", Integrity: npmtest.Integrity(nil)}, OfPackage},
		"refused":            {Package{Path: "node_modules/forbidden", Name: "forbidden", Version: "9.0.0", Integrity: npmtest.Integrity(nil)}, func(err error) bool { return errors.Is(err, ErrUnanswered) }},
		"no hash":            {Package{Path: "node_modules/other", Name: "other", Version: "1.0.0", Integrity: "sha512-../../x"}, OfPackage},
	} {
		one := &Tree{Packages: []Package{test.pkg}}
		one.seal()
		if _, err := s.Assemble(t.Context(), one); !test.want(err) {
			t.Errorf("%s: got %v", what, err)
		}
		if _, ok := s.Set(one); ok {
			t.Errorf("%s: there is a set", what)
		}
	}
	small := open(t, s.Dir, spare(t))
	small.MaxFiles = 3
	if _, err := small.Assemble(t.Context(), tree); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too many files: got %v", err)
	}
}

// spare is another registry.
func spare(t *testing.T) *npmtest.Registry {
	t.Helper()
	r := npmtest.NewRegistry(made)
	t.Cleanup(r.Close)
	return r
}

func TestWeakHashesAreCompleted(t *testing.T) {
	t.Parallel()
	s, _, tree := warehouse(t)
	want := tree.Hash
	for i := range tree.Packages {
		tree.Packages[i].Integrity = ""
	}
	tree.seal()
	if err := s.Pin(t.Context(), tree); err != nil || tree.Hash != want {
		t.Errorf("got %s, %v", tree.Hash, err)
	}
	lie := &Tree{Packages: []Package{{Path: "node_modules/other", Name: "other", Version: "1.0.0", Resolved: "https://x/other/-/1.0.0.tgz", Claim: "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA="}}}
	var wrong *WrongHashError
	if err := s.Pin(t.Context(), lie); !errors.As(err, &wrong) {
		t.Errorf("a wrong weak hash: got %v", err)
	}
}

// A lock file that names a package's true hash and a place where it is not fails its
// own project only, whoever works at the same time.
func TestAPlaceThatDoesNotAnswerIsItsOwn(t *testing.T) {
	t.Parallel()
	s, registry, tree := warehouse(t)
	hostile := &Tree{Packages: slices.Clone(tree.Packages)}
	hostile.Packages[0].Resolved = "https://x/endless/-/1.0.0.tgz"
	hostile.seal()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := s.Assemble(ctx, hostile)
		done <- err
	}()
	<-registry.Waiting
	assemble(t, s, tree)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if hostile.Hash != tree.Hash || hostile.Origin() == tree.Origin() {
		t.Error("the trees are not what they should be")
	}
}

func TestOneCallersEndIsItsOwn(t *testing.T) {
	t.Parallel()
	s, _, tree := warehouse(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Assemble(ctx, tree); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	assemble(t, s, tree)
}

func TestUntilIsADateThatIsPast(t *testing.T) {
	t.Parallel()
	if date, err := time.Parse(time.DateOnly, Until); err != nil || date.After(time.Now()) {
		t.Errorf("%s, %v", Until, err)
	}
}
