package vitrine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"vitrine"
)

func made() vitrine.Provenance {
	return vitrine.Provenance{
		Vitrine: "1", Build: "abc", Browser: "Chromium 1", Fonts: "f", Fixtures: "x", Recipes: []string{"quality@1"},
		Tools: map[string]string{"capture": "11"}, Files: map[string]string{"prompt": "p"}, Settings: map[string]string{"builder": `"auto"`},
	}
}

func TestEveryPartOfAProvenanceCountsButTheBuild(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*vitrine.Provenance){
		"vitrine":  func(p *vitrine.Provenance) { p.Vitrine = "2" },
		"browser":  func(p *vitrine.Provenance) { p.Browser = "Chromium 2" },
		"fonts":    func(p *vitrine.Provenance) { p.Fonts = "" },
		"fixtures": func(p *vitrine.Provenance) { p.Fixtures = "y" },
		"recipe":   func(p *vitrine.Provenance) { p.Recipes = append(p.Recipes, "relook@1") },
		"capture":  func(p *vitrine.Provenance) { p.Tools = map[string]string{"capture": "12"} },
		"prompt":   func(p *vitrine.Provenance) { p.Files = nil },
		"builder":  func(p *vitrine.Provenance) { p.Settings["builder"] = `"fast"` },
	} {
		now := made()
		change(&now)
		if made().Fingerprint() == now.Fingerprint() {
			t.Errorf("%s: the fingerprint stays", name)
		}
		if d := made().Differences(now); len(d) != 1 || !strings.HasPrefix(d[0], name+" (") {
			t.Errorf("%s: differences %q", name, d)
		}
	}
	now := made()
	now.Build = "def"
	if made().Fingerprint() != now.Fingerprint() || made().Differences(now) != nil {
		t.Error("another build of the same version is another provenance")
	}
}

func TestAProvenanceIsTheSameReadBack(t *testing.T) {
	t.Parallel()
	b, err := json.MarshalIndent(made(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	var back vitrine.Provenance
	if err := json.Unmarshal(b, &back); err != nil || back.Fingerprint() != made().Fingerprint() {
		t.Errorf("%v: %q", err, made().Differences(back))
	}
}
