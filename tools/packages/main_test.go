package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// module is one of a few packages, by the paths of its files.
var module = map[string]string{
	"go.mod":           "module m\n\ngo 1.26\n",
	"root.go":          "package m\n",
	"a/a.go":           "package a\n",
	"a/a_test.go":      "package a\n\nimport \"testing\"\n\nfunc FuzzOne(f *testing.F) {}\n\nfunc FuzzTwo(f *testing.F) {}\n\nconst pages = \"../testdata/pages\"\n",
	"a/deep/notes.txt": "x\n",
	"b/b.go":           "package b\n\nimport _ \"m/a\"\n",
	"c/c.go":           "package c\n",
	"c/c_test.go":      "package c_test\n\nimport _ \"m/b\"\n\nvar started = func() { go func() {}() }\n",
	"lock/lock.go":     "package lock\n\nimport \"sync\"\n\nvar Mu sync.Mutex\n",
	"group/group.go":   "package group\n\nvar wait = func(c chan int) { <-c }\n",
	"start/start.go":   "package start\n\nfunc Start(f func()) { go f() }\n",
	"testdata/pages/x": "x\n",
	"README.md":        "x\n",
}

func write(t *testing.T, root, name, content string) {
	t.Helper()
	file := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func newModule(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	for name, content := range module {
		write(t, root, name, content)
	}
	return root
}

func lists(t *testing.T, root string, want []string, args ...string) {
	t.Helper()
	got, err := list(root, args)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", args, diff)
	}
}

func TestEveryFuzzTestIsListed(t *testing.T) {
	lists(t, newModule(t), []string{"m/a FuzzOne", "m/a FuzzTwo"}, "fuzz")
}

func TestWhatAChangeTouches(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	for name, test := range map[string]struct {
		changed string
		want    []string
	}{
		"nothing":             {"", []string{"m"}},
		"a leaf":              {"c/c.go", []string{"m", "m/c"}},
		"what one imports":    {"a/a.go", []string{"m", "m/a", "m/b"}},
		"what a test imports": {"b/b.go", []string{"m", "m/b", "m/c"}},
		"a file below":        {"a/deep/notes.txt", []string{"m", "m/a", "m/b"}},
		"a new file":          {"c/new.txt", []string{"m", "m/c"}},
		"testdata":            {"testdata/pages/x", []string{"m", "m/a", "m/b"}},
		"no package's":        {"README.md", []string{"m"}},
		"the module":          {"go.mod", []string{"m", "m/a", "m/b", "m/c", "m/group", "m/lock", "m/start"}},
	} {
		t.Run(name, func(t *testing.T) {
			root := newModule(t)
			for _, args := range [][]string{
				{"init", "-q"}, {"add", "."}, {"-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "-m", "x"},
			} {
				if _, err := output(root, "git", args...); err != nil {
					t.Fatal(err)
				}
			}
			if test.changed != "" {
				write(t, root, test.changed, module[test.changed]+"\n")
			}
			lists(t, root, test.want, "changed", "HEAD")
		})
	}
}

func TestArgumentsThatCannotBe(t *testing.T) {
	for _, args := range [][]string{nil, {"all"}, {"fuzz", "more"}} {
		if _, err := list(newModule(t), args); err == nil {
			t.Errorf("%v is taken", args)
		}
	}
}
