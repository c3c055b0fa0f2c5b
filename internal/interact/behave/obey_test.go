package behave

import (
	"fmt"
	"math"
	"testing"

	"vitrine"
)

// A limit that does not fit into an integer is ignored.
func TestLimitsBeyondIntegersAreNotObeyed(t *testing.T) {
	f := filling{entries: []entry{{isNum: true, amount: 7, value: "7"}}}
	if (&prover{}).obey(t.Context(), nil, &f, []string{"Please enter at least 9999999999999999999999."}) || f.entries[0].value != "7" {
		t.Errorf("entered %q", f.entries[0].value)
	}
}

// Limits that a refusal names are read, those of letters are not.
func TestBoundsOfRefusalsAreRead(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		said      string
		low, high float64
		ok        bool
	}{
		{"Bring between 200 and 2,000 chips.", 200, 2000, true},
		{"The amount must be at least $25.", 25, inf, true},
		{"You can book up to 8 guests", -inf, 8, true},
		{"Only 6 places are left for this session.", -inf, 6, true},
		{"This exceeds the total budget of $1,200.", -inf, 1200, true},
		{"That would exceed your limit ($300.50)", -inf, 300.5, true},
		{"Not saved: the sum exceeds your limit ($300.50)", -inf, 300.5, true},
		{"Not enough places: there are 4 left", -inf, 4, true},
		{"You cannot take 12: you have 5 remaining", -inf, 5, true},
		{"Too many guests for a capacity of 20", -inf, 20, true},
		{"Get ready must be 0 to 60 seconds.", 0, 60, true},
		{"12 places left", -inf, inf, false},
		{"Enter a name of at least 3 characters.", -inf, inf, false},
		{"Please fill in the form.", -inf, inf, false},
		{"Please enter at least 9999999999999999999999.", 1e22, inf, true},
	} {
		low, high, ok := boundsSaid([]string{c.said})
		if low != c.low || high != c.high || ok != c.ok {
			t.Errorf("%q: %g to %g, %t", c.said, low, high, ok)
		}
	}
}

// Of words where a refusal wants a number, or shows an example, the first stay.
func TestWordsGiveWayToNumbersAndExamples(t *testing.T) {
	text := vitrine.Control{Tag: "input", Type: "text"}
	f := filling{entries: []entry{{control: text, token: "Bakote"}, {control: text, token: "Fimola"}, {control: vitrine.Control{Tag: "textarea"}, token: "Ropasi"}}}
	for said, want := range map[string]string{
		"Enter a whole number above zero.":                "[1] ",
		"Price must be numeric":                           "[1] ",
		"Use the form 22:00-07:00.":                       "[1] 22:00-07:00",
		"Please enter a code such as AB-1234.":            "[1] AB-1234",
		"Enter a valid phone number.":                     "[] ",
		"Please use a name such as Anna.":                 "[] ",
		"Enter a name of at least 3 characters":           "[] ",
		"12 numbers so far":                               "[] ",
		"Last name must not be a number.":                 "[] ",
		"Please enter your house number":                  "[] ",
		"Use at least one number":                         "[] ",
		"Only 3 numbers left to call":                     "[] ",
		"Names can only be letters, not numbers":          "[] ",
		"Please enter a valid email, e.g. a1@example.com": "[] ",
		"It looks like 2FA is required":                   "[] ",
	} {
		if got := fmt.Sprint(f.wordsRefused(nil, []string{said}), " ", exampleSaid([]string{said})); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
