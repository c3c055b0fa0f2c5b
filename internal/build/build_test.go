package build

import (
	"testing"

	"vitrine"
)

func project(files ...string) *vitrine.Artifact {
	a := &vitrine.Artifact{}
	for i := 0; i < len(files); i += 2 {
		a.Files = append(a.Files, vitrine.File{Path: files[i], Content: files[i+1]})
	}
	return a
}

func TestBase(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]string{
		"export default defineConfig({ plugins: [] })":         "/",
		"export default defineConfig({\n  base: '/shop/',\n})": "/shop",
		"export default defineConfig({ base: './' })":          "/",
		"// base: '/old/'\nexport default {}":                  "/",
	} {
		if got := Base(project("vite.config.ts", config)); got != want {
			t.Errorf("%s: got %q, want %q", config, got, want)
		}
	}
	if got := Base(project("src/x.ts", "base: '/no'")); got != "/" {
		t.Errorf("got %q", got)
	}
}
