package auto

import (
	"os"
	"path/filepath"
	"testing"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/cache"
	"vitrine/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// builder makes one with a store and results of its own, unless change says otherwise.
func builder(t testing.TB, change func(*Settings)) *Builder {
	t.Helper()
	dir := t.TempDir()
	s := Settings{Store: filepath.Join(dir, "packages"), Results: cache.Results{Dir: filepath.Join(dir, "results")}, AtOnce: 2}
	if change != nil {
		change(&s)
	}
	b := New(s)
	t.Cleanup(b.Close)
	return b
}

func mustBuild(t testing.TB, b build.Builder, a *vitrine.Artifact, o build.Options) build.Result {
	t.Helper()
	r, err := b.Build(t.Context(), a, o)
	must(t, err)
	return r
}

// artifact makes one of paths and contents in turns.
func artifact(kind vitrine.Kind, pairs ...string) *vitrine.Artifact {
	a := &vitrine.Artifact{Kind: kind}
	for i := 0; i < len(pairs); i += 2 {
		a.Files = append(a.Files, vitrine.File{Path: pairs[i], Content: pairs[i+1]})
	}
	return a
}
