package npm_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"vitrine/internal/npm"
)

// sum is a hash as lock files write it.
var sum = "sha512-" + strings.Repeat("A", 86) + "=="

// pnpm is a lock file of a workspace: app, and the library it is linked with.
var pnpm = strings.ReplaceAll(`lockfileVersion: '6.0'
importers:
  ../app:
    dependencies:
      a: {specifier: ^1.0.0, version: 1.0.0}
      lib: {specifier: 'workspace:*', version: 'link:../lib'}
      other: {specifier: 'npm:b@2', version: /b@2.0.0}
    devDependencies:
      b: {specifier: ^2.0.0, version: 2.0.0}
      '@s/tool': {specifier: ^3.0.0, version: 3.1.0(b@2.0.0)}
  ../lib:
    dependencies:
      c: {specifier: ^1.0.0, version: 1.0.0}
  ../torn:
    dependencies:
      a: {specifier: ^1.0.0, version: 1.0.0}
      gone: {specifier: ^1.0.0, version: 1.0.0}
packages:
  /a@1.0.0:
    resolution: {integrity: SUM}
    dependencies: {b: 1.0.0, c: 1.0.0}
  /b@1.0.0:
    resolution: {integrity: SUM}
    dependencies: {a: 1.0.0}
  /b@2.0.0:
    resolution: {integrity: SUM}
  /c@1.0.0:
    resolution: {integrity: SUM}
    optionalDependencies: {elsewhere: 1.0.0, here: 1.0.0}
  /elsewhere@1.0.0:
    resolution: {integrity: SUM}
    os: [darwin]
    optional: true
  /here@1.0.0:
    resolution: {integrity: SUM}
    os: [linux]
    cpu: [x64]
    optional: true
  /@s/tool@3.1.0(b@2.0.0):
    resolution: {integrity: SUM}
    dependencies: {b: 2.0.0}
`, "SUM", sum)

var linux = npm.Platform{OS: "linux", CPU: "x64", Libc: "glibc", Node: "v20.20.2"}

func TestWorkspaceIsLaidOutAsNodeFindsIt(t *testing.T) {
	t.Parallel()
	w, err := npm.ReadWorkspace([]byte(pnpm))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := w.Tree("../app", linux)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range tree.Packages {
		got = append(got, fmt.Sprintf("%s %s@%s", strings.ReplaceAll(p.Path, "node_modules/", ">"), p.Name, p.Version))
		if p.Integrity != sum {
			t.Errorf("%s has the hash %q", p.Path, p.Integrity)
		}
	}
	want := ">@s/tool @s/tool@3.1.0, >a a@1.0.0, >a/>b b@1.0.0, >b b@2.0.0, >c c@1.0.0, >here here@1.0.0, >other b@2.0.0"
	if all := strings.Join(got, ", "); all != want {
		t.Errorf("got  %s\nwant %s", all, want)
	}
}

func TestWorkspacesThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"a: [": "no YAML", "lockfileVersion: '9.0'": "version"} {
		if _, err := npm.ReadWorkspace([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	w, err := npm.ReadWorkspace([]byte(pnpm))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Tree("../nobody", linux); err == nil {
		t.Error("a folder that is not in the lock file has a tree")
	}
	if _, err := w.Tree("../torn", linux); !errors.Is(err, npm.ErrNotOfRegistry) {
		t.Errorf("a package that the lock file lacks: %v", err)
	}
}

// Whatever a lock file says, there is a tree of valid paths or an error.
func FuzzWorkspace(f *testing.F) {
	f.Add(pnpm)
	f.Add("lockfileVersion: '6.0'\nimporters: {../app: {dependencies: {a: {version: /../b@1}}}}\npackages: {/../b@1: {}}")
	f.Add("lockfileVersion: '6.0'\nimporters: {../app: {dependencies: {a: {version: 'link:../app'}}}}")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := npm.ReadWorkspace([]byte(text))
		if err != nil {
			return
		}
		for importer := range w.Importers {
			tree, err := w.Tree(importer, linux)
			if err != nil {
				continue
			}
			for _, p := range tree.Packages {
				if !strings.HasPrefix(p.Path, "node_modules/") || strings.Contains(p.Path, "..") && strings.Contains(p.Path, "/../") {
					t.Errorf("a package lies in %q", p.Path)
				}
			}
		}
	})
}
