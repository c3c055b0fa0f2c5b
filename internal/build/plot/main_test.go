package plot

import (
	"os"
	"strings"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/cache"
	"vitrine/internal/leak"
	"vitrine/internal/sandbox"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// builder draws with limits that a test waits for, and skips it on a machine without what
// plots need.
func builder(t testing.TB) *Builder {
	t.Helper()
	if testing.Short() {
		t.Skip("runs Python")
	}
	dir := t.TempDir()
	b := New(Settings{Store: dir, Results: cache.Results{Dir: dir + "/results"}, Limits: sandbox.Limits{CPU: 6 * time.Second, MemoryBytes: 1 << 30}})
	if _, err := b.Versions(); err != nil {
		t.Skip(vitrine.AsFault("build", err).Message)
	}
	return b
}

func artifact(lines ...string) *vitrine.Artifact {
	return &vitrine.Artifact{Kind: vitrine.KindPlot, Title: "Good", Files: []vitrine.File{{Path: "plot.py", Content: strings.Join(lines, "\n")}}}
}

func mustBuild(t testing.TB, b *Builder, a *vitrine.Artifact, files ...vitrine.File) build.Result {
	t.Helper()
	r, err := b.Build(t.Context(), a, build.Options{Files: files})
	must(t, err)
	return r
}
