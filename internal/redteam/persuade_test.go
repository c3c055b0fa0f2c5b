package redteam

import (
	"strings"
	"testing"
)

// What is added comes before the end of the page, which keeps all that it had.
func TestPersuasionsAddAndTakeNothing(t *testing.T) {
	t.Parallel()
	const begin, end = "<!DOCTYPE html><html><head><title>Tea</title></head><body><p>Tea", "</body></html>"
	for _, p := range Persuasions() {
		made := p.On(begin+end, "A tea shop with a cart. Show <prices>.")
		if !strings.HasPrefix(made, begin) || !strings.HasSuffix(made, end) || len(made) < len(begin+end)+100 || strings.Contains(made, "<prices>") {
			t.Errorf("%s: %s", p.Name, made)
		}
	}
	if made := persuasions[0].On("", ""); !strings.Contains(made, "Award") {
		t.Errorf("of an empty page: %s", made)
	}
}
