package auto

import (
	"testing"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/npm/npmtest"
)

// relations are packages with dependencies of their own, for a registry.
var relations = npmtest.Packages{
	"vite": {"5.4.14": {}},
	"view": {
		"1.0.0": {Manifest: map[string]any{"dependencies": map[string]string{"timer": "^1.0.0"}}, Files: map[string]string{"index.js": "module.exports = 'view 1.0.0, timer ' + require('timer')"}},
		"1.1.0": {Manifest: map[string]any{"dependencies": map[string]string{"timer": "^1.0.0"}}, Files: map[string]string{"index.js": "module.exports = 'view 1.1.0, timer ' + require('timer')"}},
	},
	"timer": {"1.0.0": {}},
	"evil":  {"7.0.0": {Files: map[string]string{"index.js": "module.exports = 'stolen'"}}},
}

// shows is a project with a package.json, whose page says what its packages are.
func shows(manifest string) *vitrine.Artifact {
	return &vitrine.Artifact{Kind: vitrine.KindProject, Files: []vitrine.File{
		{Path: "package.json", Content: manifest},
		{Path: "index.html", Content: `<!doctype html><html><head><title>t</title></head><body><script type="module" src="/main.js"></script></body></html>`},
		{Path: "main.js", Content: "import view from 'view'; document.title = view"},
	}}
}

// A project gets the dependencies that it would get alone, whatever a project with
// the same direct ones installed before it.
func TestNoProjectGivesAnotherItsDependencies(t *testing.T) {
	npmtest.Lend(t, relations)
	const (
		tail   = `,"devDependencies":{"vite":"5.4.14"},"scripts":{"build":"vite build"}}`
		victim = `{"dependencies":{"view":"^1.0.0"}` + tail
	)
	alone := mustBuild(t, builder(t, nil), shows(victim), build.Options{}).Site
	for name, manifest := range map[string]string{
		"overrides":       `{"dependencies":{"view":"^1.0.0"},"overrides":{"timer":"npm:evil@7.0.0"}` + tail,
		"a narrow range":  `{"dependencies":{"view":"1.0.0"}` + tail,
		"an alias inside": `{"dependencies":{"view":"^1.0.0","timer":"npm:evil@7.0.0"}` + tail,
	} {
		b := builder(t, nil)
		before, after := mustBuild(t, b, shows(manifest), build.Options{}).Site, mustBuild(t, b, shows(victim), build.Options{}).Site
		if alone.Failure != nil || before.Failure != nil || after.Failure != nil {
			t.Fatalf("%s: a build failed: %+v, %+v, %+v", name, alone.Failure, before.Failure, after.Failure)
		}
		if after.Hash != alone.Hash || before.Hash == alone.Hash {
			t.Errorf("%s: the site is %.8s alone and %.8s after its neighbour, which is %.8s", name, alone.Hash, after.Hash, before.Hash)
		}
	}
}
