package behave

import "testing"

func TestClauseOf(t *testing.T) {
	for phrase, want := range map[string]string{"toggle": " pricing with a monthly/yearly toggle ", "FAQ accordion": " and a FAQ accordion", "search": "search"} {
		if got := clauseOf("A hero, pricing with a monthly/yearly toggle (20% off) and a FAQ accordion.", phrase); got != want {
			t.Errorf("%q: %q, want %q", phrase, got, want)
		}
	}
}
