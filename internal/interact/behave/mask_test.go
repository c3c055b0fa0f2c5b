package behave

import "testing"

// What was entered is no result, in whatever way numbers are written.
func TestEchoesAreMasked(t *testing.T) {
	entered := func(value string) filling { return filling{entries: []entry{{value: value}}} }
	for _, c := range []struct{ text, value, want string }{
		{"12.5 kg", "12.5", "… kg"},
		{"12,5 kg", "12.5", "… kg"},
		{"1,250 g", "1250", "… g"},
		{"1,250 m", "1.25", "1,250 m"},
		{"13 kg", "12.5", "13 kg"},
	} {
		if got := mask(c.text, entered(c.value)); got != c.want {
			t.Errorf("%q of %q: got %q, want %q", c.value, c.text, got, c.want)
		}
	}
}
