package static

import (
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/build/buildtest"
)

func TestContract(t *testing.T) {
	t.Parallel()
	buildtest.Contract(t, Builder{}, buildtest.Inputs{
		Good:   artifact(vitrine.KindPage, "index.html", "<title>Good</title>", "about.html", "about"),
		Broken: artifact(vitrine.KindPage, "index.html", strings.Repeat("a", build.DefaultMaxBytes+1)),
		Hostile: func(secret, target string) []*vitrine.Artifact {
			frame := `<iframe src="file://` + secret + `"></iframe>`
			return []*vitrine.Artifact{artifact(vitrine.KindPage, "index.html", frame, target, "escaped", secret, "")}
		},
	})
}
