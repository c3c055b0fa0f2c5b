package answers

import (
	"fmt"
	"testing"
)

// paired is a set of pairs of a category and a label, with what a judge says with A first and
// with B first; empty where it was not asked, null where it could not say.
func paired(t *testing.T, rows ...[4]string) *Set {
	t.Helper()
	var lines []string
	for n, r := range rows {
		lines = append(lines, fmt.Sprintf(`{"item":{"id":"%d","kind":"pair","category":%q,"truth":%q}}`, n, r[0], r[1]))
		for k, said := range r[2:] {
			if said == "" {
				continue
			}
			if said != "null" {
				said = `"` + said + `"`
			}
			lines = append(lines, fmt.Sprintf(`{"answer":{"item":"%d","judge":"j","value":%s,"swapped":%v}}`, n, said, k == 1))
		}
	}
	return read(t, lines...)
}

var judgedPairs = [][4]string{
	{"game", "A", "A", "A"},
	{"game", "A", "A", "B"},     // whoever is first
	{"design", "B", "tie", "A"}, // A fares better in second place
	{"design", "tie", "tie", "tie"},
	{"design", "B", "A", "tie"}, // A fares better in first place
	{"", "tie", "null", ""},     // could not be judged
	{"", "B", "B", ""},          // asked once
}

func near(t *testing.T, f Figures, category, name string, want float64) {
	t.Helper()
	if got := found(t, f, category, name); got < want-5e-5 || got > want+5e-5 {
		t.Errorf("%s of %q is %v, want %v", name, category, got, want)
	}
}

// Right are the first, the fourth and the last pair; two labels are ties.
func TestAgreementIsRightOfAll(t *testing.T) {
	t.Parallel()
	f := Judges(paired(t, judgedPairs...), nil, nil, 1)
	for category, want := range map[string][2]float64{"": {3. / 7, 0.4}, "design": {1. / 3, 0}, "game": {0.5, 0.5}} {
		near(t, f, category, "agreement", want[0])
		near(t, f, category, "agreement without ties", want[1])
	}
}

// Of five pairs in both orders A first is right in three, B first in two.
func TestPositionFigures(t *testing.T) {
	t.Parallel()
	f := Swaps(paired(t, judgedPairs...), nil, 1)
	for name, want := range map[string]float64{
		"the same in both orders": 0.4, "prefers the first place": 0.4, "prefers the second place": 0.2,
		"agreement, A first": 0.6, "agreement, B first": 0.4, "distance of both agreements": 0.2,
		"people say tie where the orders differ": 0, "people say tie where the orders agree": 0.5,
	} {
		near(t, f, "", name, want)
	}
	// With the orders exchanged A first is right in two and B first in three; the distance has no sign.
	var exchanged [][4]string
	for _, r := range judgedPairs[:5] {
		exchanged = append(exchanged, [4]string{r[0], r[1], r[3], r[2]})
	}
	f = Swaps(paired(t, exchanged...), nil, 1)
	near(t, f, "", "agreement, A first", 0.4)
	near(t, f, "", "distance of both agreements", 0.2)
}

// Each of the nine pairs of verdicts leans one way; with A and B renamed, which also changes
// the order that is called swapped, it leans the same way.
func TestEveryPairOfVerdictsLeansOneWay(t *testing.T) {
	t.Parallel()
	renamed := map[string]string{"A": "B", "B": "A", "tie": "tie"}
	lean := map[string]string{
		"A B": "prefers the first place", "A tie": "prefers the first place", "tie B": "prefers the first place",
		"B A": "prefers the second place", "B tie": "prefers the second place", "tie A": "prefers the second place",
	}
	for given := range renamed {
		for swapped := range renamed {
			want := lean[given+" "+swapped]
			if given == swapped {
				want = "the same in both orders"
			}
			near(t, Swaps(paired(t, [4]string{"", "A", given, swapped}), nil, 1), "", want, 1)
			near(t, Swaps(paired(t, [4]string{"", "A", renamed[swapped], renamed[given]}), nil, 1), "", want, 1)
		}
	}
}

// The counts are the only ones of 279 feasible and 223 other tasks that round to the two rows
// of WebDevJudge Table 6.
func TestFeasibilityFigures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hits, falseYes, missed, rightNo, unjudged int
		want                                      [4]float64
	}{
		"GPT-4.1 (code)": {251, 97, 28, 126, 0, [4]float64{0.7213, 0.8996, 0.8006, 0.751}},
		"UI-TARS-1.5":    {196, 42, 83, 181, 0, [4]float64{0.8235, 0.7025, 0.7582, 0.751}},
		"some unjudged":  {6, 2, 1, 4, 3, [4]float64{0.75, 0.6, 0.6667, 0.625}},
	} {
		var lines []string
		for _, cell := range []struct {
			n           int
			truth, said string
		}{{c.hits, "true", "true"}, {c.falseYes, "false", "true"}, {c.missed, "true", "false"}, {c.rightNo, "false", "false"}, {c.unjudged, "true", "null"}} {
			for range cell.n {
				lines = append(lines, fmt.Sprintf(`{"item":{"id":"%d","kind":"unit","truth":%s}}`, len(lines), cell.truth),
					fmt.Sprintf(`{"answer":{"item":"%d","judge":"j","value":%s}}`, len(lines), cell.said))
			}
		}
		f := Judges(read(t, lines...), nil, nil, 1)
		for n, figure := range []string{"precision", "recall", "F1", "accuracy"} {
			t.Log(name)
			near(t, f, "", figure, c.want[n])
		}
	}
}
