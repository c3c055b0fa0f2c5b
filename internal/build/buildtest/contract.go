// Package buildtest holds what every builder promises, as a test that each one passes.
package buildtest

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

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/build"
)

// Inputs are artifacts for the builder that is tested.
type Inputs struct {
	Good   *vitrine.Artifact // has the title Good
	Broken *vitrine.Artifact
	// Hostile try to bring the content of a file of this machine into their sites, or to
	// write another one.
	Hostile func(secret, target string) []*vitrine.Artifact
}

// secret is the content of a file that no site may have.
const secret = "do-not-show-this-8d1f"

// Contract tests a builder.
func Contract(t *testing.T, b build.Builder, in Inputs) {
	t.Helper()
	t.Run("good", func(t *testing.T) { good(t, b, in.Good) })
	t.Run("broken", func(t *testing.T) { broken(t, b, in.Broken) })
	t.Run("cancelled", func(t *testing.T) { cancelled(t, b, in.Good) })
	t.Run("hostile", func(t *testing.T) { hostile(t, b, in.Hostile) })
}

// good is built twice to the same site.
func good(t *testing.T, b build.Builder, a *vitrine.Artifact) {
	before := *a
	before.Files = slices.Clone(a.Files)
	first := mustBuild(t, b, a)
	if first.Failure != nil {
		t.Fatalf("it does not build: %+v", first.Failure)
	}
	if first.Kind != a.Kind || first.Builder == "" || first.Hash == "" || first.Base == "" || !slices.Contains(first.Routes, "/") {
		t.Errorf("the site lacks something: %+v", first)
	}
	files := contents(t, first)
	if _, ok := files["index.html"]; !ok || !strings.Contains(strings.Join(slices.Collect(maps.Values(files)), " "), "Good") {
		t.Errorf("the site has the files %v", slices.Sorted(maps.Keys(files)))
	}
	second := mustBuild(t, b, a)
	if diff := cmp.Diff(files, contents(t, second)); second.Hash != first.Hash || diff != "" {
		t.Errorf("a second build is of another site, %s and not %s: %s", second.Hash, first.Hash, diff)
	}
	if diff := cmp.Diff(&before, a); diff != "" {
		t.Errorf("the artifact was changed: %s", diff)
	}
}

// broken is data: a failure with its kind and its cause.
func broken(t *testing.T, b build.Builder, a *vitrine.Artifact) {
	site := mustBuild(t, b, a)
	if f := site.Failure; f == nil || f.Code == "" || f.Message == "" {
		t.Errorf("the failure is %+v", f)
	}
	if len(site.Files) > 0 || site.Root != "" || site.Hash != "" {
		t.Errorf("a site that failed has files: %+v", site)
	}
}

func cancelled(t *testing.T, b build.Builder, a *vitrine.Artifact) {
	ctx, end := context.WithCancel(t.Context())
	end()
	if r, err := b.Build(ctx, a, build.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %+v, %v", r, err)
	}
}

// hostile may build or not.
func hostile(t *testing.T, b build.Builder, inputs func(secret, target string) []*vitrine.Artifact) {
	dir := t.TempDir()
	file, target := filepath.Join(dir, "secret.txt"), filepath.Join(dir, "escaped.txt")
	if err := os.WriteFile(file, []byte(secret), 0o644); err != nil {
		t.Fatal(err)
	}
	for i, a := range inputs(file, target) {
		for name, content := range contents(t, mustBuild(t, b, a)) {
			if strings.Contains(content, secret) {
				t.Errorf("%d: %s shows a file of this machine", i, name)
			}
		}
		if _, err := os.Lstat(target); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%d: it wrote outside of its folder: %v", i, err)
		}
	}
}

func mustBuild(t *testing.T, b build.Builder, a *vitrine.Artifact) *vitrine.Site {
	t.Helper()
	r, err := b.Build(t.Context(), a, build.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Site
}

// contents are the files of a site by name, wherever they lie.
func contents(t *testing.T, site *vitrine.Site) map[string]string {
	t.Helper()
	files := map[string]string{}
	for name, content := range site.Files {
		files[name] = string(content)
	}
	if site.Root == "" {
		return files
	}
	err := filepath.WalkDir(site.Root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(name) // through a link as well: a site has none that lead out
		rel, _ := filepath.Rel(site.Root, name)
		files[filepath.ToSlash(rel)] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
