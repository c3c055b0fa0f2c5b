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
		"with people":    {12, func(n int) float64 { return float64(n) }, "in the raters' way more than chance would"},
		"against people": {12, func(n int) float64 { return -float64(n) }, "against the raters' way"},
		"the same":       {12, func(int) float64 { return 10 }, "It tells nothing apart: its answer is 10 for all 12 items that it answered."},
		"few":            {9, func(n int) float64 { return float64(n) }, "Whether it orders things as the raters do cannot be said: 9 tasks, and 10 are the least."},
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

// Whose word a judge is held against is said first, since a rater need be no person.
func TestACardSaysWhomAJudgeIsHeldAgainst(t *testing.T) {
	const item, answer = `{"item":{"id":"1","kind":"unit"}}`, `{"answer":{"item":"1","judge":"j","value":true}}`
	label := func(rater string) string { return fmt.Sprintf(`{"label":{"item":"1","rater":%q,"value":true}}`, rater) }
	for want, lines := range map[string][]string{
		"It is held against the answers of ann; bob, a language model.": {item, answer, label("bob, a language model"), label("ann")},
		"It is held against the answers of 4 raters.":                   {item, answer, label("a"), label("b"), label("c"), label("d")},
		"It is held against settled answers, of which the data do not say whose they are.": {
			`{"item":{"id":"1","kind":"unit","truth":true}}`, answer},
		"How far it agrees with the raters is not known: too few items have an answer of both, or one side says the same of all.": {item, answer},
	} {
		if said := Cards(read(t, lines...), nil, 1)[0].Questions[0].Sentences; said[0] != want {
			t.Errorf("the card begins with %q, want %q", said[0], want)
		}
	}
}

// Numbers have no exponent, and of too few tasks none stands for the judge's worth.
func TestNumbersOfACardAreReadAsTheyStand(t *testing.T) {
	for v, want := range map[float64]string{1059.7: "1060", 0.0000123: "0.0000123", 22.51: "22.5", 0: "0"} {
		if got := plain(v); got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
	var lines []string
	for _, question := range []string{"looks", "works"} {
		for n := range 3 {
			lines = append(lines, fmt.Sprintf(`{"item":{"id":"%d%s","kind":"rating","question":%q,"truth":%d}}`, n, question, question, n),
				fmt.Sprintf(`{"answer":{"item":"%d%s","judge":"j","value":%d}}`, n, question, n))
		}
	}
	var page strings.Builder
	if err := WriteMarkdown(&page, Cards(read(t, lines...), nil, 1)); err != nil || !strings.Contains(page.String(), "| looks | Spearman | 3 | – | too few tasks |") {
		t.Errorf("%v, the card is\n%s", err, page.String())
	}
}
