package behave

import (
	"math"
	"testing"

	"vitrine"
)

// Worked by hand: shares by weight, the cap of the central behaviour, and at most half of
// the weight left out as unclear.
func TestFunction(t *testing.T) {
	t.Parallel()
	c := func(v vitrine.CaseVerdict, weight float64, central bool) vitrine.Case {
		one, zero := 1.0, 0.0
		k := vitrine.Case{Verdict: v, Rank: weight, Central: central}
		switch v {
		case vitrine.VerdictWorks:
			k.Score = &one
		case vitrine.VerdictFail, vitrine.VerdictAbsent:
			k.Score = &zero
		}
		return k
	}
	const works, fail, absent, unclear = vitrine.VerdictWorks, vitrine.VerdictFail, vitrine.VerdictAbsent, vitrine.VerdictUnclear
	for name, w := range map[string]struct {
		cases []vitrine.Case
		want  float64
	}{
		"nothing was asked for":               {nil, 1},
		"all work":                            {[]vitrine.Case{c(works, 1, false), c(works, 2, true)}, 1},
		"by weight":                           {[]vitrine.Case{c(works, 1, false), c(fail, 3, false)}, 0.25},
		"absent is as bad as broken":          {[]vitrine.Case{c(works, 1, false), c(absent, 3, false)}, 0.25},
		"unclear is left out":                 {[]vitrine.Case{c(works, 1, false), c(fail, 1, false), c(unclear, 1, false)}, 0.5},
		"but half of the weight counts":       {[]vitrine.Case{c(works, 1, false), c(unclear, 3, false)}, 0.5},
		"nothing could be told":               {[]vitrine.Case{c(unclear, 1, false), c(unclear, 3, false)}, 0},
		"the central one fails":               {[]vitrine.Case{c(works, 9, false), c(fail, 1, true)}, centralFails},
		"the central one is absent":           {[]vitrine.Case{c(works, 9, false), c(absent, 1, true)}, centralAbsent},
		"a cap does not raise":                {[]vitrine.Case{c(works, 1, false), c(fail, 9, true)}, 0.1},
		"an unclear central one caps nothing": {[]vitrine.Case{c(works, 3, false), c(unclear, 1, true)}, 1},
	} {
		if got := Function(&vitrine.Trace{Cases: w.cases}); math.Abs(got-w.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, w.want)
		}
	}
}

// What is typed in is the same with the same seed, and another for another seed, page,
// requirement or try.
func TestTokensFollowFromTheSeed(t *testing.T) {
	t.Parallel()
	draw := func(seed, about string) string {
		k := &tokens{seed: []byte(seed), about: about}
		return k.word() + k.word()
	}
	if a, b := draw("s", "page/create/0"), draw("s", "page/create/0"); a != b || len(a) != 14 {
		t.Errorf("%q and %q", a, b)
	}
	for _, other := range [][2]string{{"t", "page/create/0"}, {"s", "page2/create/0"}, {"s", "page/edit/0"}, {"s", "page/create/1"}} {
		if draw(other[0], other[1]) == draw("s", "page/create/0") {
			t.Errorf("%v gives the same words", other)
		}
	}
}
