package grpo_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"vitrine/internal/grpo"
)

// page is a site of some length about a thing.
func page(about string, colours ...string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "<!doctype html><html><head><title>%s</title></head><body>", about)
	for i, colour := range colours {
		for _, part := range []string{"header", "list", "price", "footer", "form", "quote"} {
			fmt.Fprintf(&out, "<section class=%q><h2>%s %s %d</h2><p style=\"color:%s\">The %s of %s in %s, number %d of many.</p></section>\n", part, about, part, i, colour, part, about, colour, i*7)
		}
	}
	return out.String() + "</body></html>"
}

var colours = []string{"red", "teal", "navy", "olive", "plum", "gold", "grey", "coral"}

func TestNearDuplicates(t *testing.T) {
	base := page("tea", colours...)
	for _, same := range []string{
		base, strings.ToUpper(base), strings.ReplaceAll(base, "\n", "\n\n   "),
		strings.Replace(base, "number 7 of many", "number 8 of many", 1),
		strings.ReplaceAll(base, "color:plum", "color:purple"),
	} {
		if !grpo.Print(base).Near(grpo.Print(same)) {
			t.Errorf("no near duplicates: %.60q", same)
		}
	}
	for _, other := range []string{"", "tea", page("boats", colours...), page("tea", "blue", "pink", "lime", "black")} {
		if grpo.Print(base).Near(grpo.Print(other)) {
			t.Errorf("near duplicates: %.60q", other)
		}
	}
}

func TestSummary(t *testing.T) {
	member := func(reward *float64, text string) grpo.Member {
		return grpo.Member{Reward: reward, Print: grpo.Print(text)}
	}
	groups := []grpo.Group{
		grpo.Describe([]grpo.Member{member(new(0.0), "a b c"), member(new(1.0), "d e f"), member(nil, "a b c")}),
		grpo.Describe([]grpo.Member{member(new(2.0), "g h i"), member(new(2.0), "j k l")}),
		grpo.Describe([]grpo.Member{member(new(5.0), "m n o")}),
		grpo.Describe(nil),
	}
	got, err := json.Marshal(grpo.Summarise(groups))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"groups":4,"outputs":6,"unjudged":1,"compared":2,"flat_share":0.5,"reward_mean":2,"spread_mean":0.25,"copy_share":0.16666666666666666}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if s := grpo.Summarise(nil); s.FlatShare != nil || s.RewardMean != nil || s.CopyShare != nil {
		t.Errorf("shares of nothing: %+v", s)
	}
}

func BenchmarkPrint(b *testing.B) {
	text := strings.Repeat(page("tea", colours...), 4)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		grpo.Print(text)
	}
}
