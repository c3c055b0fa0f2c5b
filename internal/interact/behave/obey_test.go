package behave

import (
	"math"
	"testing"
)

// A limit that nobody enters is not obeyed, whatever it is.
func TestLimitsBeyondIntegersAreNotObeyed(t *testing.T) {
	f := filling{entries: []entry{{isNum: true, amount: 7, value: "7"}}}
	if (&prover{}).obey(t.Context(), &f, []string{"Please enter at least 9999999999999999999999."}) || f.entries[0].value != "7" {
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
