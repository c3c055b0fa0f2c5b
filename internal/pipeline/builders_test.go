package pipeline

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/reward"
)

// scripted is a project whose build script is no Vite.
func scripted() *vitrine.Artifact {
	return &vitrine.Artifact{Kind: vitrine.KindProject, Files: []vitrine.File{
		{Path: "package.json", Content: `{"scripts":{"build":"mkdir -p dist && cp index.html dist/"}}`},
		{Path: "index.html", Content: goodPage},
	}}
}

// bundled is a project that Vite builds, and a store with packages made up for it.
func bundled(t *testing.T, main string) (a *vitrine.Artifact, cache string) {
	t.Helper()
	a = &vitrine.Artifact{Kind: vitrine.KindProject, Files: []vitrine.File{
		{Path: "package.json", Content: `{"scripts":{"build":"vite build"},"devDependencies":{"vite":"5.4.14"}}`},
		{Path: "index.html", Content: strings.Replace(goodPage, "</body>", `<script type="module" src="/main.ts"></script></body>`, 1)},
		{Path: "main.ts", Content: main},
	}}
	m, failure := build.ReadManifest(a, 1<<20)
	if failure != nil {
		t.Fatal(failure.Message)
	}
	cache = t.TempDir()
	dir := filepath.Join(cache, "packages", build.DepsDir, m.Key, "node_modules", "vite")
	must(t, os.MkdirAll(dir, 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"name":"vite","version":"5.4.14"}`), 0o644))
	return a, cache
}

func TestAutoTakesTheFastBuilderWhereItCan(t *testing.T) {
	t.Parallel()
	a, cache := bundled(t, "const tea: string = 'oolong'; console.log(tea)")
	p := pipe(t, func(s *Settings) { s.CacheDir = cache })
	site, err := p.BuildSite(t.Context(), a)
	must(t, err)
	if site.Builder != "fast" || site.Failure != nil || len(site.Steps) != 2 || !site.Steps[0].Cached {
		t.Errorf("got %+v", site)
	}
	again, err := p.build(t.Context(), a)
	must(t, err)
	if !again.cached || again.site.Hash != site.Hash {
		t.Errorf("the same project is built twice: %+v", again)
	}
}

func TestAutoSaysWhyItTookTheExactBuilder(t *testing.T) {
	t.Parallel()
	p := pipe(t, nil)
	site, err := p.BuildSite(t.Context(), scripted())
	must(t, err)
	if site.Builder != "exact" || site.Failure != nil || site.Steps[0].Name != "fast" || !strings.Contains(site.Steps[0].Log, "build_script") {
		b, _ := json.Marshal(site)
		t.Errorf("got %s", b)
	}
}

func TestTheFastBuilderAloneIsAFaultWhereItCannot(t *testing.T) {
	t.Parallel()
	p := pipe(t, func(s *Settings) { s.Builder = BuilderFast })
	_, err := p.BuildSite(t.Context(), scripted())
	if f := vitrine.AsFault("build", err); f.Code != vitrine.FaultBuilderCannot || !strings.Contains(f.Fix, "--builder auto") {
		t.Errorf("got %v", err)
	}
}

func TestALenientRecipeBuildsLeniently(t *testing.T) {
	t.Parallel()
	a, cache := bundled(t, "console.log('alive'); import('./gone')")
	strict := pipe(t, func(s *Settings) { s.CacheDir = cache })
	site, err := strict.BuildSite(t.Context(), a)
	must(t, err)
	if site.Failure == nil || site.Failure.Code != vitrine.FailureBuild {
		t.Errorf("a strict build: got %+v", site)
	}
	lenient := pipe(t, func(s *Settings) {
		s.CacheDir = cache
		loose := *s.Recipe
		loose.Build = reward.BuildLenient
		s.Recipe = &loose
	})
	if site, err = lenient.BuildSite(t.Context(), a); err != nil || site.Failure != nil {
		t.Errorf("a lenient build: got %+v, %v", site, err)
	}
}
