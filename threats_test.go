package vitrine_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vitrine/internal/hostiletest"
)

// docs/threats.md says which test proves the defence against each attack. Its names are
// those of tests and samples that are there, and no hostile sample is left out.
func TestThreatsNameTestsAndSamples(t *testing.T) {
	page, err := os.ReadFile("docs/threats.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	tests := regexp.MustCompile("`([^`\\s]+_test\\.go):(Test\\w+)`").FindAllStringSubmatch(text, -1)
	if len(tests) < 20 {
		t.Errorf("docs/threats.md names %d tests", len(tests))
	}
	for _, m := range tests {
		source, err := os.ReadFile(m[1])
		if err != nil || !strings.Contains(string(source), "func "+m[2]+"(t *testing.T)") {
			t.Errorf("docs/threats.md names %s in %s, which is not there (%v)", m[2], m[1], err)
		}
	}
	for _, folder := range []string{"pages", "builds"} {
		named := names(text, regexp.MustCompile("`"+folder+"/([^`]+)`"))
		files, err := filepath.Glob(filepath.Join("testdata", "hostile", folder, "*"))
		if err != nil {
			t.Fatal(err)
		}
		there := map[string]bool{}
		for _, file := range files {
			there[strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))] = true
		}
		same(t, folder, named, there)
	}
	attacks := map[string]bool{}
	for _, group := range hostiletest.Groups() {
		for _, a := range group.Attacks {
			attacks[a.ID] = true
		}
	}
	same(t, "attacks", names(text, regexp.MustCompile("`attack ([^`]+)`")), attacks)
}

func names(text string, pattern *regexp.Regexp) map[string]bool {
	found := map[string]bool{}
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		found[m[1]] = true
	}
	return found
}

func same(t *testing.T, what string, named, there map[string]bool) {
	t.Helper()
	for name := range named {
		if !there[name] {
			t.Errorf("docs/threats.md names %s of %s, which is not there", name, what)
		}
	}
	for name := range there {
		if !named[name] {
			t.Errorf("docs/threats.md does not name %s of %s", name, what)
		}
	}
}
