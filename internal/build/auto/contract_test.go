package auto

import (
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/build/buildtest"
	"vitrine/internal/cache"
	"vitrine/internal/npm/npmtest"
)

// fresh is a builder that keeps no results: it builds every time.
func fresh(t *testing.T, choice build.Choice) *Builder {
	return builder(t, func(s *Settings) { s.Projects, s.Results = choice, cache.Results{} })
}

// stealingScript is a project whose build script reaches for other files.
func stealingScript(secret, target string) *vitrine.Artifact {
	return scripted("mkdir dist; cp index.html " + secret + " dist; ln -s " + secret + " dist/link; cp index.html " + target + "; true")
}

// stealingModules are projects whose modules and paths do.
func stealingModules(secret, target string) []*vitrine.Artifact {
	up := strings.Repeat("../", 40)
	return []*vitrine.Artifact{
		bundled("import text from '" + up + secret[1:] + "?raw'; document.title = text"),
		bundled("import text from '/@fs" + secret + "?raw'; document.title = text"),
		bundled("console.log('tea')", up+target[1:], "escaped", "public/"+up+target[1:], "escaped"),
	}
}

func TestContractOfExact(t *testing.T) {
	t.Parallel()
	buildtest.Contract(t, fresh(t, build.Exact), buildtest.Inputs{
		Good: scripted(copies), Broken: scripted("node no-such-script.js"),
		Hostile: func(secret, target string) []*vitrine.Artifact {
			climbing := scripted(copies)
			climbing.Files = append(climbing.Files, vitrine.File{Path: strings.Repeat("../", 40) + target[1:], Content: "escaped"})
			return []*vitrine.Artifact{stealingScript(secret, target), climbing}
		},
	})
}

func TestContractOfFast(t *testing.T) {
	npmtest.Lend(t, vite)
	buildtest.Contract(t, fresh(t, build.Fast), buildtest.Inputs{
		Good: bundled("console.log('tea')"), Broken: bundled("import './gone'"), Hostile: stealingModules,
	})
}

func TestContractOfAuto(t *testing.T) {
	npmtest.Lend(t, vite)
	buildtest.Contract(t, fresh(t, build.Auto), buildtest.Inputs{
		Good: bundled("console.log('tea')"), Broken: scripted("node no-such-script.js"),
		Hostile: func(secret, target string) []*vitrine.Artifact {
			return append(stealingModules(secret, target), stealingScript(secret, target))
		},
	})
}

// A kind with a builder of its own is built as by that one.
func TestContractOfAutoByKind(t *testing.T) {
	t.Parallel()
	b := fresh(t, build.Auto)
	buildtest.Contract(t, b, buildtest.Inputs{
		Good:   artifact(vitrine.KindPage, "index.html", page),
		Broken: artifact(vitrine.KindPage, "index.html", strings.Repeat("a", build.DefaultMaxBytes+1)),
		Hostile: func(secret, target string) []*vitrine.Artifact {
			return []*vitrine.Artifact{artifact(vitrine.KindPage, "index.html", page, target, "escaped", secret, "")}
		},
	})
}
