package behave

import "testing"

// A name that is a part of another word is not listed.
func TestNamesAreWholeWords(t *testing.T) {
	for _, c := range []struct {
		text, name string
		want       bool
	}{
		{"lima, peru", "lima", true}, {"liman", "lima", false}, {"limas", "lima", true}, {"eclima, lima", "lima", true}, {"ash", "ash", true}, {"ashen", "ash", false},
		{"苹果汁", "苹果", true}, {"black pepper (2)", "black pepper", true}, {"", "lima", false},
	} {
		if got := whole(c.text, c.name); got != c.want {
			t.Errorf("%q in %q: %t, want %t", c.name, c.text, got, c.want)
		}
	}
}
