package verify

import (
	"fmt"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/interact"
)

func TestCodeThatDecidesACaseIsShownFirst(t *testing.T) {
	filler := strings.Repeat("const colour = 'grey';\n", 300)
	files := []vitrine.File{
		{Path: "src/theme.ts", Content: filler},
		{Path: "src/cart.tsx", Content: strings.Repeat("// nothing\n", 60) + "<button onClick={() => addToBasket(tea)}>Add</button>\n" + strings.Repeat("// nothing\n", 60)},
		{Path: "package-lock.json", Content: "basket basket"},
		{Path: "logo.png", Content: "basket\x00"},
		{Path: "bundle.js", Content: strings.Repeat("basket,tea;", 10_000)},
	}
	text := packCode(files, "Put tea into the basket", 400)
	if !strings.Contains(text, "=== src/cart.tsx from line 61\n") || !strings.Contains(text, "addToBasket(tea)") {
		t.Errorf("the deciding piece is missing:\n%s", text)
	}
	for _, never := range []string{"lock", "logo"} {
		if strings.Contains(text, never) {
			t.Errorf("%s is shown:\n%s", never, text)
		}
	}
	if len(text) > 400*bytesPerToken+100 || !strings.Contains(text, "left out") {
		t.Errorf("%d bytes:\n%s", len(text), text)
	}
	if packCode(nil, "tea", 100) != "" {
		t.Error("no code is something")
	}
}

func TestHugePagesAreShownInPart(t *testing.T) {
	scene := &interact.Scene{URL: "http://localhost/a?b=1", Title: strings.Repeat("t", 5000), Text: strings.Repeat("word ", 5000)}
	for i := range 400 {
		scene.Controls = append(scene.Controls, vitrine.Control{Role: "button", Name: fmt.Sprintf("Button %d%s", i, strings.Repeat("!", 500)), Path: "#b", States: []string{"disabled"}})
	}
	text := describe(scene)
	for _, want := range []string{"address: /a?b=1\n", "and 250 more\n", "disabled, css #b"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %s", want)
		}
	}
	if len(text) > 50_000 {
		t.Errorf("%d bytes", len(text))
	}
}
