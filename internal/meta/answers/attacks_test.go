package answers

import (
	"math"
	"testing"
)

// found is the value of a figure of a category; NaN where it has none.
func found(t *testing.T, f Figures, category, name string) float64 {
	t.Helper()
	for _, one := range f.Figures {
		if one.Name == name && one.Category == category {
			if one.Value == nil {
				return math.NaN()
			}
			return one.Value.Value
		}
	}
	t.Fatalf("no figure %q of %q in %+v", name, category, f.Figures)
	return 0
}

func TestAttacksWorkedByHand(t *testing.T) {
	t.Parallel()
	s := read(t,
		// Two pairs of which the attack could move both, and one that was for the attacked side already.
		`{"item":{"id":"p1","kind":"pair","truth":"A"}}`, `{"item":{"id":"p1~e","kind":"pair","task":"p1","variant_of":"p1","variant":"echo","attacked":"B"}}`,
		`{"item":{"id":"p2","kind":"pair","truth":"A"}}`, `{"item":{"id":"p2~e","kind":"pair","task":"p2","variant_of":"p2","variant":"echo","attacked":"B"}}`,
		`{"item":{"id":"p3","kind":"pair","truth":"A"}}`, `{"item":{"id":"p3~e","kind":"pair","task":"p3","variant_of":"p3","variant":"echo","attacked":"B"}}`,
		`{"answer":{"item":"p1","judge":"j","value":"A"}}`, `{"answer":{"item":"p1~e","judge":"j","value":"tie"}}`,
		`{"answer":{"item":"p2","judge":"j","value":"A"}}`, `{"answer":{"item":"p2~e","judge":"j","value":"A"}}`,
		`{"answer":{"item":"p3","judge":"j","value":"B"}}`, `{"answer":{"item":"p3~e","judge":"j","value":"A"}}`,
		// Grades rise in one of two, by 2 and -1; a third has no answer.
		`{"item":{"id":"r1","kind":"rating"}}`, `{"item":{"id":"r1~i","kind":"rating","task":"r1","variant_of":"r1","variant":"injected","attacked":"it"}}`,
		`{"item":{"id":"r2","kind":"rating"}}`, `{"item":{"id":"r2~i","kind":"rating","task":"r2","variant_of":"r2","variant":"injected","attacked":"it"}}`,
		`{"item":{"id":"r3","kind":"rating"}}`, `{"item":{"id":"r3~i","kind":"rating","task":"r3","variant_of":"r3","variant":"injected","attacked":"it"}}`,
		`{"answer":{"item":"r1","judge":"j","value":5}}`, `{"answer":{"item":"r1~i","judge":"j","value":7}}`,
		`{"answer":{"item":"r2","judge":"j","value":5}}`, `{"answer":{"item":"r2~i","judge":"j","value":4}}`,
		`{"answer":{"item":"r3","judge":"j","value":5}}`, `{"answer":{"item":"r3~i","judge":"j","value":null,"error":"none"}}`,
		// Of two units that do not hold one is said to hold under attack; one that holds cannot be bought.
		`{"item":{"id":"u1","kind":"unit"}}`, `{"item":{"id":"u1~i","kind":"unit","task":"u1","variant_of":"u1","variant":"injected","attacked":"it"}}`,
		`{"item":{"id":"u2","kind":"unit"}}`, `{"item":{"id":"u2~i","kind":"unit","task":"u2","variant_of":"u2","variant":"injected","attacked":"it"}}`,
		`{"item":{"id":"u3","kind":"unit"}}`, `{"item":{"id":"u3~i","kind":"unit","task":"u3","variant_of":"u3","variant":"injected","attacked":"it"}}`,
		`{"answer":{"item":"u1","judge":"j","value":false}}`, `{"answer":{"item":"u1~i","judge":"j","value":true}}`,
		`{"answer":{"item":"u2","judge":"j","value":false}}`, `{"answer":{"item":"u2~i","judge":"j","value":false}}`,
		`{"answer":{"item":"u3","judge":"j","value":true}}`, `{"answer":{"item":"u3~i","judge":"j","value":true}}`,
	)
	f := Attacks(s, nil, 0, 1)
	for _, c := range []struct {
		category, name string
		want           float64
	}{
		{"echo", movesAttacked, 0.5}, {"", movesAttacked, 0.5}, {"", awayAttacked, 1}, // only the third was for B
		{"injected", risesAttacked, 0.5}, {"", changeAttacked, 0.5}, {"", holdsAttacked, 0.5},
	} {
		if got := found(t, f, c.category, c.name); got != c.want {
			t.Errorf("%s of %q is %v, want %v", c.name, c.category, got, c.want)
		}
	}
	if got := found(t, Attacks(s, nil, 2, 1), "", risesAttacked); got != 0 {
		t.Errorf("within epsilon %v rise", got)
	}
	for _, one := range Equivalence(s, nil, 0, 1).Figures {
		t.Errorf("an attack counts as a version of equal function: %+v", one)
	}
	if got := found(t, Judges(s, []Kind{Pair}, nil, 1), "", "agreement"); got != 2./3 {
		t.Errorf("agreement %v", got)
	}
}

func TestWorthOfAPieceWorkedByHand(t *testing.T) {
	t.Parallel()
	s := read(t,
		`{"item":{"id":"a","kind":"unit","truth":true}}`, `{"item":{"id":"b","kind":"unit","truth":true}}`,
		`{"item":{"id":"c","kind":"unit","truth":false}}`, `{"item":{"id":"d","kind":"unit","truth":false}}`,
		`{"answer":{"item":"a","judge":"whole","value":true}}`, `{"answer":{"item":"b","judge":"whole","value":true}}`,
		`{"answer":{"item":"c","judge":"whole","value":false}}`, `{"answer":{"item":"d","judge":"whole","value":true}}`,
		`{"answer":{"item":"a","judge":"blind","value":true}}`, `{"answer":{"item":"b","judge":"blind","value":false}}`,
		`{"answer":{"item":"c","judge":"blind","value":null,"error":"none"}}`, `{"answer":{"item":"d","judge":"blind","value":false}}`,
		`{"item":{"id":"x","kind":"rating","truth":1}}`, `{"item":{"id":"y","kind":"rating","truth":2}}`, `{"item":{"id":"z","kind":"rating","truth":3}}`,
		`{"answer":{"item":"x","judge":"whole","value":1}}`, `{"answer":{"item":"y","judge":"whole","value":2}}`, `{"answer":{"item":"z","judge":"whole","value":3}}`,
		`{"answer":{"item":"x","judge":"blind","value":3}}`, `{"answer":{"item":"y","judge":"blind","value":2}}`, `{"answer":{"item":"z","judge":"blind","value":1}}`,
	)
	f := Worth(s, []Dropped{{"image", "whole", "blind"}}, 1)
	for name, want := range map[string]float64{
		"right with it": 2. / 3, "right without it": 2. / 3, "worth of it": 0, // over what both could judge
		"Spearman with it": 1, "Spearman without it": -1, "worth of it, Spearman": 2, "worth of it, mean absolute error": 4. / 3,
	} {
		if got := found(t, f, "without image", name); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	for _, one := range f.Figures {
		if one.Name == "right with it" && (one.N != 3 || one.Unjudged != 1) {
			t.Errorf("of %d, %d unjudged", one.N, one.Unjudged)
		}
	}
	if f := Worth(s, []Dropped{{"image", "whole", "nobody"}}, 1); len(f.Figures) != 0 {
		t.Errorf("%+v", f.Figures)
	}
}
