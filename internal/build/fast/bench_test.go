package fast

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/build/exact"
	"vitrine/internal/literal/typescript"
	"vitrine/internal/project"
)

// BenchmarkWarmBuild builds the dashboard again and again, each time with another
// edit to a page, as the outputs of a model differ. It needs the fixture's packages
// in the package store ("make parity" brings them there).
func BenchmarkWarmBuild(b *testing.B) {
	store := os.Getenv("VITRINE_CACHE")
	if store == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			b.Skip(err)
		}
		store = filepath.Join(cache, "vitrine")
	}
	store = filepath.Join(store, "packages")
	a := dashboard(b)
	source, failure := project.Read(a, 1<<20)
	if failure != nil {
		b.Fatal(failure.Message)
	}
	installer, err := exact.New(b.Context(), exact.Settings{Store: store})
	if err != nil {
		b.Fatal(err)
	}
	r, _ := installer.Resolved(source.Package)
	set, ok := installer.Installed(r)
	if !ok {
		b.Skip("the packages of testdata/projects are not installed: run make parity")
	}
	builder, err := New(Settings{Store: store})
	if err != nil {
		b.Fatal(err)
	}
	defer builder.Close()
	page := slices.IndexFunc(a.Files, func(f vitrine.File) bool { return f.Path == "src/pages/Settings.tsx" })
	original := a.Files[page].Content
	var times []float64
	once := func(i int) {
		a.Files[page].Content = original + fmt.Sprintf("\nconsole.debug('edit %d', 'pt-[%dpx]')\n", i, i)
		start := time.Now()
		site, err := built(b.Context(), builder, a, set, false)
		if err != nil || site.Failure != nil {
			b.Fatal(err, site)
		}
		times = append(times, float64(time.Since(start).Microseconds())/1000)
	}
	for i := range 5 {
		once(i)
	}
	times = nil
	for i := 5; b.Loop(); i++ {
		once(i)
	}
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2], "p50-ms")
	b.ReportMetric(times[len(times)*95/100], "p95-ms")
}

// BenchmarkEvaluation has configurations evaluated that are code, one after another: what a
// build takes longer that needs it. BenchmarkReading reads those that are data.
func BenchmarkEvaluation(b *testing.B) {
	builder, _ := store(b)
	e := asked("vite.config.js", "export default { base: ['', 'shop', ''].map((x) => x).join('/') }")
	var times []float64
	for b.Loop() {
		start := time.Now()
		if _, err := builder.Evaluate(b.Context(), e); err != nil {
			b.Fatal(err)
		}
		times = append(times, float64(time.Since(start).Microseconds())/1000)
		builder.configs.tasks.Wait()
		// A build goes on for longer than the next process takes to be ready.
		if err := exec.Command("node", "-e", "require('vm')").Run(); err != nil {
			b.Fatal(err)
		}
	}
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2], "p50-ms")
	b.ReportMetric(times[len(times)*95/100], "p95-ms")
}

func BenchmarkReading(b *testing.B) {
	files := configs(b)
	e := asked("tailwind.config.ts", files["lovable/tailwind.config.ts"])
	for b.Loop() {
		if _, err := typescript.Read(e); err != nil {
			b.Fatal(err)
		}
	}
}

func dashboard(t testing.TB) *vitrine.Artifact {
	t.Helper()
	root := filepath.Join("..", "..", "..", "testdata", "projects", "dashboard")
	a := &vitrine.Artifact{Kind: vitrine.KindProject}
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		rel, _ := filepath.Rel(root, name)
		a.Files = append(a.Files, vitrine.File{Path: filepath.ToSlash(rel), Content: string(content)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}
