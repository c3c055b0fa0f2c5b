package build

import (
	"os"
	"path/filepath"
	"testing"
)

// put makes a dependency set of packages with their versions.
func put(t *testing.T, store, key string, versions ...string) {
	t.Helper()
	for i := 0; i < len(versions); i += 2 {
		dir := filepath.Join(store, DepsDir, key, "node_modules", versions[i])
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"name":"`+versions[i]+`","version":"`+versions[i+1]+`"}`), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFindASet(t *testing.T) {
	t.Parallel()
	manifest := func(files ...string) *Manifest {
		m, failure := ReadManifest(project(files...), 1<<20)
		if failure != nil {
			t.Fatal(failure.Message)
		}
		return m
	}
	store := t.TempDir()
	own := manifest("package.json", `{"dependencies":{"react":"^18.0.0"}}`)
	put(t, store, "b-wide", "react", "18.3.1", "@scope/icons", "1.4.0", "vite", "5.4.0")
	put(t, store, "c-old", "react", "17.0.2")
	put(t, store, own.Key, "react", "18.2.0")
	// A package under another's name is not that package.
	put(t, store, "a-alias", "vite", "5.4.0", "react", "18.3.1", "@scope/icons", "1.4.0")
	other := filepath.Join(store, DepsDir, "a-alias", "node_modules", "vite", "package.json")
	if err := os.WriteFile(other, []byte(`{"name":"evil","version":"5.4.0"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	sets := &Sets{Store: store}
	for name, test := range map[string]struct {
		manifest *Manifest
		want     string
		exact    bool
	}{
		"its own":               {own, own.Key, true},
		"one that fits":         {manifest("package.json", `{"dependencies":{"react":"^18.3.0","@scope/icons":"1.x"},"devDependencies":{"vite":"~5.4.0"}}`), "b-wide", false},
		"an old version":        {manifest("package.json", `{"dependencies":{"react":"17.0.2"}}`), "c-old", false},
		"a version nobody has":  {manifest("package.json", `{"dependencies":{"react":"^19.0.0"}}`), "", false},
		"a package nobody has":  {manifest("package.json", `{"dependencies":{"react":"^18.0.0","left-pad":"1.0.0"}}`), "", false},
		"a tag moves":           {manifest("package.json", `{"dependencies":{"react":"latest"}}`), "", false},
		"a lock file says more": {manifest("package.json", `{"dependencies":{"react":"^18.3.0"}}`, "package-lock.json", "{}"), "", false},
		"overrides say more":    {manifest("package.json", `{"dependencies":{"react":"^18.3.0"},"overrides":{"x":"1"}}`), "", false},
		"a name that is a path": {manifest("package.json", `{"dependencies":{"../../deps/b-wide/node_modules/react":"^18.3.0"}}`), "", false},
	} {
		got, ok := sets.Find(test.manifest)
		if got.Key != test.want || got.Exact != test.exact || ok != (test.want != "") {
			t.Errorf("%s: got %q exact %v, want %q exact %v", name, got.Key, got.Exact, test.want, test.exact)
		}
	}
}
