package exact

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

func lenientProject(modules string) *vitrine.Artifact {
	return artifact(map[string]string{
		"package.json": `{"scripts":{"build":"echo error TS2304: Cannot find name && exit 2"},"devDependencies":{"vite":"^5.0.0"}}`,
		"modules.txt":  modules, "good.js": "good()", "typo.js": "bad(", "typo.css": "bad {", "index.html": "bad page",
	})
}

func leniently(t *testing.T, a *vitrine.Artifact) *vitrine.Site {
	t.Helper()
	site, err := builtAs(t.Context(), builder(t, nil), a, true)
	if err != nil {
		t.Fatal(err)
	}
	return site
}

func TestALenientBuildLeavesOutOnlyWhatIsBroken(t *testing.T) {
	t.Parallel()
	site := leniently(t, lenientProject("main.js good.js\nmain.js gone.js\nmain.js typo.js\nindex.html typo.css\nindex.html gone.png\nindex.html good.js"))
	want := `good.js: good()
gone.js: throw new Error("Failed to resolve import \"gone.js\" from \"main.js\". Does the file exist?")
typo.js: throw new Error("Transform failed with 1 error: typo.js: bad(")
typo.css:` + " " + `
gone.png:` + " " + `
good.js: good()`
	if diff := cmp.Diff(want, served(t, site)["index.html"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"install 0", "build 2", "build leniently 0"}, steps(site)); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	last := site.Steps[len(site.Steps)-1]
	if last.Command != "vitrine lenient build" || strings.Count(last.Log, "replaced: ") != 4 || !strings.Contains(last.Log, "replaced: Transform failed with 1 error: typo.css: bad {") {
		t.Errorf("the step is %+v", last)
	}
}

// Where nothing can be left out, what is told is what the project's own build says.
func TestALenientBuildThatFailsTellsOfTheStrictOne(t *testing.T) {
	t.Parallel()
	for name, a := range map[string]*vitrine.Artifact{
		"the page itself": lenientProject("main.js index.html"), "no Vite": artifact(map[string]string{
			"package.json": `{"scripts":{"build":"echo error TS2304: Cannot find name && exit 2"}}`, "index.html": "page",
		}),
	} {
		site := leniently(t, a)
		if site.Failure == nil || site.Failure.Code != vitrine.FailureBuild || !strings.Contains(site.Failure.Message, "TS2304") {
			t.Errorf("%s: %+v, %v", name, site.Failure, steps(site))
		}
	}
}
