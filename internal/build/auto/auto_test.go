package auto

import (
	"encoding/json"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/npm/npmtest"
)

const page = `<!DOCTYPE html><html lang="en"><head><title>Good</title></head><body><h1>Tea shop</h1></body></html>`

// scripted is a project whose build script is no Vite.
func scripted(script string) *vitrine.Artifact {
	manifest, _ := json.Marshal(map[string]any{"scripts": map[string]string{"build": script}})
	return artifact(vitrine.KindProject, "package.json", string(manifest), "index.html", page)
}

const copies = "mkdir -p dist && cp index.html dist/"

// vite is all that a bundled project needs of a registry.
var vite = npmtest.Packages{"vite": {"5.4.14": {Files: map[string]string{
	"index.js": "const fs = require('fs'); exports.build = async ({ plugins: [{ name }] }) => { fs.mkdirSync('dist'); fs.writeFileSync('dist/index.html', name) }\n",
}}}}

// bundled is a project that Vite builds.
func bundled(main string, more ...string) *vitrine.Artifact {
	return artifact(vitrine.KindProject, append([]string{
		"package.json", `{"scripts":{"build":"vite build"},"devDependencies":{"vite":"5.4.14"}}`,
		"index.html", strings.Replace(page, "</body>", `<script type="module" src="/main.ts"></script></body>`, 1),
		"main.ts", main,
	}, more...)...)
}

func TestAutoTakesTheFastBuilderWhereItCan(t *testing.T) {
	npmtest.Lend(t, vite)
	a, b := bundled("const tea: string = 'oolong'; console.log(tea)"), builder(t, nil)
	site := mustBuild(t, b, a, build.Options{}).Site
	if site.Builder != "fast" || site.Failure != nil || len(site.Steps) != 2 || site.Steps[0].Cached {
		t.Errorf("got %+v", site)
	}
	again := mustBuild(t, b, a, build.Options{})
	if !again.Cached || again.Site.Hash != site.Hash {
		t.Errorf("the same project is built twice: %+v", again)
	}
}

func TestAutoSaysWhyItTookTheExactBuilder(t *testing.T) {
	t.Parallel()
	site := mustBuild(t, builder(t, nil), scripted(copies), build.Options{}).Site
	if site.Builder != "exact" || site.Failure != nil || site.Steps[0].Name != "fast" || !strings.Contains(site.Steps[0].Log, "build_script") {
		b, _ := json.Marshal(site)
		t.Errorf("got %s", b)
	}
}

func TestTheFastBuilderAloneIsAFaultWhereItCannot(t *testing.T) {
	t.Parallel()
	b := builder(t, func(s *Settings) { s.Projects = build.Fast })
	_, err := b.Build(t.Context(), scripted(copies), build.Options{})
	if f := vitrine.AsFault("build", err); f.Code != vitrine.FaultBuilderCannot || !strings.Contains(f.Fix, "--builder auto") {
		t.Errorf("got %v", err)
	}
}

func TestALenientBuildIsAnother(t *testing.T) {
	npmtest.Lend(t, vite)
	a, b := bundled("console.log('alive'); import('./gone')"), builder(t, nil)
	strict := mustBuild(t, b, a, build.Options{})
	if strict.Site.Failure == nil || strict.Site.Failure.Code != vitrine.FailureBuild {
		t.Errorf("a strict build: got %+v", strict.Site)
	}
	lenient := mustBuild(t, b, a, build.Options{Lenient: true})
	if lenient.Site.Failure != nil || lenient.Cached || lenient.Key.Hash() == strict.Key.Hash() {
		t.Errorf("a lenient build: got %+v", lenient.Site)
	}
}

// What the fast builder cannot take is left to the project's own Vite, which here is ours:
// strictly first.
func TestALenientBuildOfTheExactBuilder(t *testing.T) {
	npmtest.Lend(t, vite)
	a := bundled("import.meta.glob('./*.ts')")
	a.Files[0].Content = strings.Replace(a.Files[0].Content, "vite build", "exit 1", 1)
	for _, choice := range []build.Choice{build.Auto, build.Exact} {
		b := builder(t, func(s *Settings) { s.Projects = choice })
		if strict := mustBuild(t, b, a, build.Options{}).Site; strict.Failure == nil || strict.Failure.Code != vitrine.FailureBuild {
			t.Errorf("%s, strict: got %+v", choice, strict)
		}
		site := mustBuild(t, b, a, build.Options{Lenient: true}).Site
		if last := site.Steps[len(site.Steps)-1]; site.Failure != nil || site.Builder != "exact" || last.Name != "build leniently" {
			t.Errorf("%s, lenient: got %+v", choice, site)
		}
	}
}

func TestAKindWithoutABuilderIsAFault(t *testing.T) {
	t.Parallel()
	_, err := builder(t, nil).Build(t.Context(), artifact("game", "game.lua", "play()"), build.Options{})
	if f := vitrine.AsFault("build", err); f.Code != vitrine.FaultUnsupportedKind {
		t.Errorf("got %v", err)
	}
}
