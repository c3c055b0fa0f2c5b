package pipeline

import (
	"encoding/json"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/npm/npmtest"
	"vitrine/internal/reward"
)

// scripted is a project whose build script is no Vite.
func scripted() *vitrine.Artifact {
	return &vitrine.Artifact{Kind: vitrine.KindProject, Files: []vitrine.File{
		{Path: "package.json", Content: `{"scripts":{"build":"mkdir -p dist && cp index.html dist/"}}`},
		{Path: "index.html", Content: goodPage},
	}}
}

// bundled is a project that Vite builds, and a registry with packages made up for it.
func bundled(t *testing.T, main string) *vitrine.Artifact {
	t.Helper()
	lend(t, npmtest.Packages{"vite": {"5.4.14": {}}})
	return &vitrine.Artifact{Kind: vitrine.KindProject, Files: []vitrine.File{
		{Path: "package.json", Content: `{"scripts":{"build":"vite build"},"devDependencies":{"vite":"5.4.14"}}`},
		{Path: "index.html", Content: strings.Replace(goodPage, "</body>", `<script type="module" src="/main.ts"></script></body>`, 1)},
		{Path: "main.ts", Content: main},
	}}
}

// lend lets the installs of a test come from a registry of made-up packages.
func lend(t *testing.T, packages npmtest.Packages) {
	t.Helper()
	registry := npmtest.NewRegistry(packages)
	t.Cleanup(registry.Close)
	t.Setenv("NPM_CONFIG_REGISTRY", registry.URL)
	t.Setenv("NO_PROXY", "127.0.0.1")
}

func TestAutoTakesTheFastBuilderWhereItCan(t *testing.T) {
	a, cache := bundled(t, "const tea: string = 'oolong'; console.log(tea)"), t.TempDir()
	p := pipe(t, func(s *Settings) { s.CacheDir = cache })
	site, err := p.BuildSite(t.Context(), a)
	must(t, err)
	if site.Builder != "fast" || site.Failure != nil || len(site.Steps) != 2 || site.Steps[0].Cached {
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
	a, cache := bundled(t, "console.log('alive'); import('./gone')"), t.TempDir()
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

// A project is worth the same wherever its configuration says that it stands, and however
// it says so.
func TestABaseChangesNoReward(t *testing.T) {
	lend(t, npmtest.Packages{"vite": {"5.4.14": {}}})
	p := pipe(t, func(s *Settings) { s.CacheDir = t.TempDir() })
	score := func(config string) vitrine.Sample {
		file := func(name, content string) string {
			return `<webAction type="file" filePath="` + name + `">` + content + `</webAction>`
		}
		text := `<webArtifact id="tea" title="Tea">` +
			file("package.json", `{"name":"tea","scripts":{"build":"vite build"},"dependencies":{"tea":"file:."},"devDependencies":{"vite":"5.4.14"}}`) +
			file("vite.config.ts", config) + file("main.ts", "document.querySelector('main')!.innerHTML = '<h1>Tea shop</h1><p>Green and black tea from the hills.</p>'") +
			file("index.html", `<!doctype html><html lang="en"><head><title>Tea</title></head><body><main></main><script type="module" src="/main.ts"></script></body></html>`) +
			`<webAction type="shell">npm install</webAction></webArtifact>`
		return mustScore(t, p, vitrine.Output{ID: "tea", Text: text}, t.TempDir()).Sample
	}
	plain := score("export default {}")
	if plain.Outcome != vitrine.OutcomeRendered || plain.Reward == nil {
		t.Fatalf("got %+v", plain)
	}
	for _, config := range []string{
		"const base = '/app/'; export default { base }",
		"export default ({ mode }) => ({ base: mode === 'production' ? '/app/' : '/' })",
		"export default { base: process.env.NODE_ENV === 'production' ? '/app/' : '/' }",
		"export default { base: ['', 'app', ''].map((x) => x).join('/') }",
	} {
		s := score(config)
		if s.Outcome != plain.Outcome || s.Reward == nil || *s.Reward != *plain.Reward {
			t.Errorf("%s: %s, %v, want %v", config, s.Outcome, s.Reward, *plain.Reward)
		}
	}
}
