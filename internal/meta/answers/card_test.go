package answers

import (
	"fmt"
	"strings"
	"testing"
)

// What a card says of orders: with people, against them, and of a judge that says the same of
// everything. Of few tasks it says nothing.
func TestACardSaysWhichWayAJudgeOrders(t *testing.T) {
	for name, tt := range map[string]struct {
		items int
		says  func(n int) float64
		want  string
	}{
		"with people":    {12, func(n int) float64 { return float64(n) }, "in people's way more than chance would"},
		"against people": {12, func(n int) float64 { return -float64(n) }, "against people's way"},
		"the same":       {12, func(int) float64 { return 10 }, "It tells nothing apart: its answer is 10 for all 12 items that it answered."},
		"few":            {9, func(n int) float64 { return float64(n) }, "cannot be said of 9 tasks, 10 are the least"},
	} {
		var lines []string
		for n := range tt.items {
			lines = append(lines, fmt.Sprintf(`{"item":{"id":"%d","kind":"rating","truth":%d}}`, n, n), fmt.Sprintf(`{"answer":{"item":"%d","judge":"j","value":%g}}`, n, tt.says(n)))
		}
		said := strings.Join(Cards(read(t, lines...), nil, 1)[0].Questions[0].Sentences, " ")
		if !strings.Contains(said, tt.want) || strings.Contains(said, "nothing apart") != (name == "the same") {
			t.Errorf("%s: the card says %q", name, said)
		}
	}
}

// How far people agree is of the items that two of them labelled, and of no others.
func TestACardSaysOfHowManyItemsPeopleAgree(t *testing.T) {
	s := read(t, `{"item":{"id":"1","kind":"unit"}}`, `{"item":{"id":"2","kind":"unit"}}`,
		`{"label":{"item":"1","rater":"ann","value":true}}`, `{"label":{"item":"1","rater":"bob","value":true}}`,
		`{"label":{"item":"2","rater":"ann","value":false}}`, `{"answer":{"item":"1","judge":"j","value":true}}`)
	said := strings.Join(Cards(s, nil, 1)[0].Questions[0].Sentences, " ")
	if want := "on 100.0 % [0.0, 100.0] of the 1 items that two or more labelled"; !strings.Contains(said, want) {
		t.Errorf("the card says %q", said)
	}
}
