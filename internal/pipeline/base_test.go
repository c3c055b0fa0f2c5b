package pipeline

import (
	"testing"

	"vitrine"
	"vitrine/internal/npm/npmtest"
)

// A project is worth the same wherever its configuration says that it stands, and however
// it says so.
func TestABaseChangesNoReward(t *testing.T) {
	npmtest.Lend(t, npmtest.Packages{"vite": {"5.4.14": {}}})
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
