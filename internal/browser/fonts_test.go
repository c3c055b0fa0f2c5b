package browser

import (
	"context"
	"math"
	"testing"
)

// TestOnlyPinnedFontsAreSeen measures a text in fonts that this machine may have
// besides: each must be as wide as the pinned font that stands in for it.
func TestOnlyPinnedFontsAreSeen(t *testing.T) {
	fonts := InstalledFonts()
	if len(fonts.Missing) > 0 {
		t.Fatalf("this machine lacks %v: run make setup", fonts.Missing)
	}
	if len(fonts.Files) < 12+1+2 || len(fonts.Hash) != 16 {
		t.Errorf("got %d files with hash %q", len(fonts.Files), fonts.Hash)
	}
	sup := supervisor(t, Settings{})
	err := show(t, sup, `<!doctype html><canvas id="c"></canvas>`, func(ctx context.Context, p *Page) error {
		var width map[string]float64
		err := p.Eval(ctx, `(() => {
			const g = c.getContext('2d'), width = {};
			for (const [font, text] of [['"Liberation Sans"', 'Wide'], ['Arial', 'Wide'], ['sans-serif', 'Wide'], ['system-ui', 'Wide'], ['"DejaVu Sans", sans-serif', 'Wide'],
				['"Noto Sans", sans-serif', 'Wide'], ['"Liberation Serif"', 'Wide'], ['serif', 'Wide'], ['"Liberation Mono"', 'Wide'], ['monospace', 'Wide'],
				['sans-serif', '茶'], ['serif', '茶'], ['sans-serif', '🍵'], ['"Noto Color Emoji"', '🍵']]) {
				g.font = '40px ' + font;
				width[font + ' ' + text] = g.measureText(text).width;
			}
			return width;
		})()`, &width)
		for of, like := range map[string]string{
			"Arial Wide": `"Liberation Sans" Wide`, "sans-serif Wide": `"Liberation Sans" Wide`, "system-ui Wide": `"Liberation Sans" Wide`,
			`"DejaVu Sans", sans-serif Wide`: `"Liberation Sans" Wide`, `"Noto Sans", sans-serif Wide`: `"Liberation Sans" Wide`,
			"serif Wide": `"Liberation Serif" Wide`, "monospace Wide": `"Liberation Mono" Wide`, "sans-serif 🍵": `"Noto Color Emoji" 🍵`,
		} {
			if math.Abs(width[of]-width[like]) > 0.2 || width[of] == 0 {
				t.Errorf("%s is %v wide, %s is %v", of, width[of], like, width[like])
			}
		}
		if math.Abs(width["sans-serif 茶"]-40) > 0.2 || math.Abs(width["serif 茶"]-40) > 0.2 {
			t.Errorf("Chinese is %v and %v wide, want 40", width["sans-serif 茶"], width["serif 茶"])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
