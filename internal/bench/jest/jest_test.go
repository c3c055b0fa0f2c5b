package jest

import "testing"

// The line of the word counts, and no other.
func TestRead(t *testing.T) {
	t.Parallel()
	if s, said := Read("x\nOTHER {\"passed\":2,\"total\":2}\nWORD {\"passed\":1,\"total\":2,\"message\":\"no\"}\n", "WORD"); !said || s != (Summary{1, 2, "no"}) {
		t.Errorf("%+v, %v", s, said)
	}
	for _, log := range []string{"", "WORD {", "OTHER {\"passed\":2,\"total\":2}\n"} {
		if s, said := Read(log, "WORD"); said || s.Total != 0 {
			t.Errorf("%q: %+v, %v", log, s, said)
		}
	}
}
