package agent

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/interact"
)

// leaf is a case of a dimension; a negative score is that of one that was not judged.
func leaf(dimension string, score float64) vitrine.Case {
	c := vitrine.Case{Category: dimension}
	if score >= 0 {
		c.Score = &score
	}
	return c
}

func TestTheSumIsOfPassRates(t *testing.T) {
	t.Parallel()
	in, st, dy := "intention", "static", "dynamic"
	for name, c := range map[string]struct {
		cases []vitrine.Case
		want  string
	}{
		"all dimensions":       {[]vitrine.Case{leaf(in, 1), leaf(st, 1), leaf(st, 0), leaf(st, 1), leaf(st, 1), leaf(dy, 0), leaf(dy, 1)}, "2.25"},
		"one dimension":        {[]vitrine.Case{leaf(dy, 1), leaf(dy, 0)}, "0.5"},
		"some unjudged":        {[]vitrine.Case{leaf(in, 1), leaf(st, 1), leaf(dy, -1), leaf(dy, 0)}, "2"},
		"a dimension unjudged": {[]vitrine.Case{leaf(in, 1), leaf(st, 1), leaf(dy, -1)}, "nil"},
		"nothing judged":       {[]vitrine.Case{leaf(in, -1)}, "nil"},
		"no leaves":            {nil, "nil"},
	} {
		if got := value(Sum(c.cases)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// twelve static leaves and one that is dynamic.
func many() []Leaf {
	leaves := []Leaf{greet}
	for i := range 12 {
		leaves = append(leaves, Leaf{ID: fmt.Sprintf("static.%d", i+1), Dimension: "static", Description: fmt.Sprintf("Part %d", i+1)})
	}
	return leaves
}

func TestAsPublishedStaticLeavesAreOneListAndRatesAddUp(t *testing.T) {
	t.Parallel()
	for profile, want := range map[vitrine.Profile]struct {
		lists  []int
		score  float64
		wanted int
	}{
		vitrine.ProfilePublished: {[]int{12}, 0.25 + 1, 2}, // three of twelve, and the greeting
		vitrine.ProfileVitrine:   {[]int{10, 2}, 3 * (4./12 + 1) / 2, 3},
	} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			a := lines(gui("finished(content='found: 1, 2, 12')"), gui("finished(content='met: it does')"))
			if profile == vitrine.ProfileVitrine {
				a = lines(gui("finished(content='found: 1, 2, 10')"), gui("finished(content='found: 2')"), gui("finished(content='met: it does')"))
			}
			who := agent(t, a, Settings{})
			who.Leaves = many()
			got, err := who.Exercise(t.Context(), atDesk(t), interact.Subject{Instruction: "A desk.", N: 3, Profile: profile})
			if err != nil || got.Score == nil || math.Abs(*got.Score-want.score) > 1e-12 || got.Wanted != want.wanted {
				t.Fatalf("score %s of %d, %v; want %g of %d", value(got.Score), got.Wanted, err, want.score, want.wanted)
			}
			var lists []int
			for _, q := range a.asked {
				if n := strings.Count(q.Text, ". Part "); n > 0 {
					lists = append(lists, n)
				}
			}
			if diff := cmp.Diff(want.lists, lists); diff != "" {
				t.Errorf("lists of static leaves: %s", diff)
			}
		})
	}
}

// As published the static leaves are one list, and each other leaf is a task.
func TestOneListAndATaskForEachOtherLeaf(t *testing.T) {
	t.Parallel()
	leaves := append(many(), Leaf{ID: "dynamic.2.1", Dimension: "dynamic", Complex: true}, Leaf{ID: "intention.1", Dimension: "intention"}, Leaf{ID: "intention.2", Dimension: "intention"})
	var sizes []int
	for _, batch := range batches(leaves, len(leaves)) {
		sizes = append(sizes, len(batch))
	}
	if diff := cmp.Diff([]int{12, 1, 1, 1, 1}, sizes); diff != "" {
		t.Error(diff)
	}
}

// Leaves fail on a site that does not open, static ones too, and count.
func TestEveryLeafFailsWhereTheSiteDoesNotOpen(t *testing.T) {
	t.Parallel()
	var cases []vitrine.Case
	for _, batch := range batches(many(), 99) {
		cases = append(cases, (&run{}).leaves(batch, ending{reason: vitrine.EndPage, why: "it is blank"}, time.Now())...)
	}
	for _, c := range cases {
		if c.Verdict != vitrine.VerdictFail || value(c.Score) != "0" {
			t.Errorf("%s: %s, %s", c.ID, c.Verdict, value(c.Score))
		}
	}
	if got := value(Sum(cases)); got != "0" || len(cases) != 13 {
		t.Errorf("the sum of %d leaves is %s", len(cases), got)
	}
}
