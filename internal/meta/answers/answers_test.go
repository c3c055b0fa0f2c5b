package answers

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"vitrine/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

func read(t *testing.T, lines ...string) *Set {
	t.Helper()
	s, err := Read(strings.NewReader(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// find gives one figure, and fails without it.
func find(t *testing.T, f Figures, of, category, name string) Figure {
	t.Helper()
	for _, one := range f.Figures {
		if one.Of == of && one.Category == category && one.Name == name {
			return one
		}
	}
	t.Fatalf("there is no figure %q of %q in %q", name, of, category)
	return Figure{}
}

func value(t *testing.T, f Figures, of, category, name string) float64 {
	t.Helper()
	one := find(t, f, of, category, name)
	if one.Value == nil {
		return math.NaN()
	}
	if one.Value.Low > one.Value.Value+1e-12 || one.Value.High < one.Value.Value-1e-12 {
		t.Errorf("%s of %s: the interval is %+v", name, of, *one.Value)
	}
	return one.Value.Value
}

func want(t *testing.T, f Figures, of, category, name string, want float64) {
	t.Helper()
	if got := value(t, f, of, category, name); math.Abs(got-want) > 1e-9 || math.IsNaN(got) != math.IsNaN(want) {
		t.Errorf("%s of %s in %q is %v, want %v", name, of, category, got, want)
	}
}

// likeWebDevJudge are 654 pairs with as many labels of each kind as WebDevJudge has: 258 A,
// 258 B, 138 ties, in three categories, and four judges: one knows, one says what stands
// first, one says tie, one fails.
func likeWebDevJudge(coin *rand.Rand) string {
	var b strings.Builder
	for n := range 654 {
		truth := "A"
		switch {
		case n >= 516:
			truth = "tie"
		case n >= 258:
			truth = "B"
		}
		fmt.Fprintf(&b, `{"item":{"id":"%d","kind":"pair","category":"c%d","truth":%q}}`+"\n", n, n%3, truth)
		answer := func(judge, given, swapped string) {
			fmt.Fprintf(&b, `{"answer":{"item":"%d","judge":%q,"value":%q}}`+"\n", n, judge, given)
			fmt.Fprintf(&b, `{"answer":{"item":"%d","judge":%q,"value":%q,"swapped":true}}`+"\n", n, judge, swapped)
		}
		answer("oracle", truth, truth)
		answer("first", "A", "B")
		sides := []string{"A", "B", "tie"}
		fmt.Fprintf(&b, `{"answer":{"item":"%d","judge":"coin","value":%q}}`+"\n", n, sides[coin.IntN(3)])
		fmt.Fprintf(&b, `{"answer":{"item":"%d","judge":"broken","value":null,"error":"no JSON"}}`+"\n", n)
	}
	return b.String()
}

// Who always says the first agrees with 258 of 654 in either order, is never consistent, and
// in both orders together says tie, which is right on the 138.
func TestJudgesOfKnownTruth(t *testing.T) {
	s, err := Read(strings.NewReader(likeWebDevJudge(rand.New(rand.NewPCG(1, 2)))))
	if err != nil {
		t.Fatal(err)
	}
	f := Judges(s, nil, nil, 1)
	for _, category := range []string{"", "c0", "c1", "c2"} {
		want(t, f, "oracle", category, "agreement", 1)
		want(t, f, "oracle", category, "agreement without ties", 1)
		want(t, f, "oracle", category, "kappa with people", 1)
		want(t, f, "broken", category, "agreement", 0)
		want(t, f, "broken", category, "kappa with people", math.NaN())
	}
	want(t, f, "first", "", "agreement", 138./654)
	want(t, f, "first", "", "agreement without ties", 0)
	want(t, Swaps(s, []string{"first"}, 1), "first", "", "prefers the first place", 1)
	want(t, f, "first", "", "the same in both orders", 0)
	want(t, f, "first", "", "prefers the first place", 1)
	want(t, f, "first", "", "prefers the second place", 0)
	want(t, f, "first", "", "agreement, A first", 258./654)
	want(t, f, "first", "", "agreement, B first", 258./654)
	want(t, f, "first", "", "distance of both agreements", 0)
	want(t, f, "oracle", "", "the same in both orders", 1)
	want(t, f, "oracle", "", "always the commonest label", 258./654)
	coin := find(t, f, "coin", "", "agreement").Value
	if coin.Low > 1./3 || coin.High < 1./3 {
		t.Errorf("a coin agrees on %+v, want a third", *coin)
	}
	if unjudged := find(t, f, "broken", "", "answered"); unjudged.Unjudged != 654 || unjudged.Value.Value != 0 {
		t.Errorf("of the broken judge %+v", unjudged)
	}
	between := Between(s, []string{"oracle", "coin"}, 1)
	want(t, between, "coin and oracle", "", "same answer", value(t, f, "coin", "", "agreement"))
	if p := value(t, between, "coin and oracle", "", "McNemar's p, corrected"); p > 1e-6 {
		t.Errorf("oracle and coin are not told apart: p is %v", p)
	}
}

func TestUnitsWorkedByHand(t *testing.T) {
	var lines []string
	for n, pair := range []string{"true true", "true true", "true false", "false true", "false false", "true null"} {
		truth, said, _ := strings.Cut(pair, " ")
		lines = append(lines,
			fmt.Sprintf(`{"item":{"id":"%d","kind":"unit","truth":%s}}`, n, truth),
			fmt.Sprintf(`{"answer":{"item":"%d","judge":"j","value":%s,"seconds":%d,"usd":0.5}}`, n, said, n))
	}
	f := Judges(read(t, lines...), nil, nil, 1)
	want(t, f, "j", "", "precision", 2./3)
	want(t, f, "j", "", "recall", 2./4)
	want(t, f, "j", "", "F1", 4./7)
	want(t, f, "j", "", "accuracy", 3./6)
	want(t, f, "j", "", "seconds an answer", 2.5)
	want(t, f, "j", "", "USD an answer", 0.5)
	want(t, f, "j", "", "answered", 5./6)
}

func TestRatingsWorkedByHand(t *testing.T) {
	var lines []string
	for n := range 12 {
		lines = append(lines,
			fmt.Sprintf(`{"item":{"id":"%d","kind":"rating","model":"m%d","lengths":[%d]}}`, n, n/4, n),
			fmt.Sprintf(`{"label":{"item":"%d","rater":"a","value":%d}}`, n, n),
			fmt.Sprintf(`{"label":{"item":"%d","rater":"b","value":%d}}`, n, n+2),
			fmt.Sprintf(`{"answer":{"item":"%d","judge":"j","value":%d}}`, n, 2*n),
			fmt.Sprintf(`{"answer":{"item":"%d","judge":"k","value":%d}}`, n, []int{n * n, 121, 100}[max(0, n-9)]))
	}
	s := read(t, lines...)
	f := Judges(s, nil, nil, 1)
	want(t, f, "j", "", "Pearson", 1)
	// k says n², but of the last two each other's. Sums over n of 0 to 11: (n − 5.5)² 143,
	// n² 506, n⁴ 39974, n times what k says 4335; two ranks are off by one.
	want(t, f, "k", "", "Pearson", (4335-5.5*506)/math.Sqrt(143*(39974-506*506/12.)))
	want(t, f, "k", "", "Spearman", 1-6*2./(12*143))
	want(t, f, "j", "", "Kendall's tau-b", 1)
	want(t, f, "j", "", "bias, judge less people", 4.5) // 2n - (n + 1)
	want(t, f, "j", "", "mean absolute error", 56./12)
	want(t, f, "j", "", byLength, 1)
	// On test are 1, 3, ..., 11; between its points the map is n + 1, beyond them 11.
	want(t, f, "j", "", "mean absolute error, on test, after the isotonic fit", 1./6)
	want(t, Rank(s, nil, 1), "j", "", "order of models, Kendall's tau-b", 1)
	people := Raters(s, 1)
	want(t, people, "", "", "pairwise agreement", 0)
	want(t, people, "", "", "mean", 6.5)
	want(t, people, "a and b", "", "Pearson", 1)
	want(t, people, "a", "", withOthers, 1)
}

// Of three raters the mean counts, and no majority or median.
func TestRatingsAreHeldAgainstTheMeanOfTheRaters(t *testing.T) {
	var lines []string
	for n := range 3 {
		lines = append(lines, fmt.Sprintf(`{"item":{"id":"%d","kind":"rating"}}`, n), fmt.Sprintf(`{"answer":{"item":"%d","judge":"j","value":%d}}`, n, n+1))
		for rater, value := range []int{n, n, n + 3} {
			lines = append(lines, fmt.Sprintf(`{"label":{"item":"%d","rater":"%d","value":%d}}`, n, rater, value))
		}
	}
	f := Judges(read(t, lines...), nil, nil, 1)
	want(t, f, "j", "", "mean absolute error", 0)
	want(t, f, "j", "", "Pearson", 1)
}

// Two raters agree on 3 of 5 pairs, and on 2 of the 3 without a tie of either.
func TestRatersWorkedByHand(t *testing.T) {
	var lines []string
	for n, pair := range []string{"A A", "B B", "A B", "tie tie", "A tie"} {
		a, b, _ := strings.Cut(pair, " ")
		lines = append(lines,
			fmt.Sprintf(`{"item":{"id":"%d","kind":"pair","truth":"A"}}`, n),
			fmt.Sprintf(`{"label":{"item":"%d","rater":"ann","value":%q,"seconds":%d,"first":"A"}}`, n, a, n),
			fmt.Sprintf(`{"label":{"item":"%d","rater":"bob","value":%q}}`, n, b))
	}
	f := Raters(read(t, lines...), 1)
	want(t, f, "", "", "pairwise agreement", 3./5)
	want(t, f, "", "", "pairwise agreement without ties", 2./3)
	want(t, f, "ann and bob", "", "same answer", 3./5)
	want(t, f, "", "", "the answer is A", 5./5)
	want(t, f, "ann", "", "seconds, median", 2)
	want(t, f, "ann", "", "right on settled items", 3./5)
	want(t, f, "ann", "", "prefers what stands first", 3./4)

	// Of five pairs without a truth the majority of three people is A twice, B once and tie
	// once, and where each says something else it is a tie.
	lines = nil
	for n, votes := range []string{"A A B", "A A A", "B tie B", "tie A tie", "A B tie"} {
		lines = append(lines, fmt.Sprintf(`{"item":{"id":"%d","kind":"pair"}}`, n))
		for who, vote := range strings.Fields(votes) {
			lines = append(lines, fmt.Sprintf(`{"label":{"item":"%d","rater":"r%d","value":%q}}`, n, who, vote))
		}
	}
	f = Raters(read(t, lines...), 1)
	want(t, f, "", "", "pairwise agreement", (1+3+1+1+0)/15.) // of three pairs of raters on each
	for answer, share := range map[string]float64{"A": 2. / 5, "B": 1. / 5, "tie": 2. / 5} {
		want(t, f, "", "", "the answer is "+answer, share)
		if one := find(t, f, "", "", "the answer is "+answer); one.N != 5 || one.Value.Low >= share || one.Value.High <= share {
			t.Errorf("%s is of %d pairs, with the interval %+v", answer, one.N, *one.Value)
		}
	}
}

// By means a orders the models x, y, z (2, 1.5, 1) and b y, x, z (2.5, 3, 1): Spearman is
// 1 − 6·2/(3·8), Kendall (2 − 1)/3. By the first task alone both have x first.
func TestTheOrderOfModelsByTwoJudges(t *testing.T) {
	var lines []string
	for _, one := range []struct {
		model string
		a, b  []int
	}{{"x", []int{3, 1}, []int{4, 1}}, {"y", []int{2, 1}, []int{3, 3}}, {"z", []int{1, 1, 1}, []int{1, 1, 1}}} {
		for n := range one.a {
			lines = append(lines, fmt.Sprintf(`{"item":{"id":"%s%d","kind":"rating","model":%q,"task":"%d"}}`, one.model, n, one.model, n),
				fmt.Sprintf(`{"answer":{"item":"%s%d","judge":"a","value":%d}}`, one.model, n, one.a[n]),
				fmt.Sprintf(`{"answer":{"item":"%s%d","judge":"b","value":%d}}`, one.model, n, one.b[n]))
		}
	}
	f := Rank(read(t, lines...), nil, 1)
	want(t, f, "a and b", "", "order of models, Spearman", 0.5)
	want(t, f, "a and b", "", "order of models, Kendall's tau-b", 1./3)
}

// Of 20 items in two tasks all are right by one judge and wrong by the other: there are four
// ways to swap two tasks, of which two are as extreme, whatever is in them.
func TestTestsOfTwoJudgesKeepTasksWhole(t *testing.T) {
	var units, ratings []string
	for n := range 20 {
		units = append(units, fmt.Sprintf(`{"item":{"id":"%d","kind":"unit","task":"%d","truth":true}}`, n, n%2),
			fmt.Sprintf(`{"answer":{"item":"%d","judge":"a","value":true}}`, n), fmt.Sprintf(`{"answer":{"item":"%d","judge":"b","value":false}}`, n))
		ratings = append(ratings, fmt.Sprintf(`{"item":{"id":"%d","kind":"rating","task":"%d","truth":5}}`, n, n%2),
			fmt.Sprintf(`{"answer":{"item":"%d","judge":"a","value":5}}`, n), fmt.Sprintf(`{"answer":{"item":"%d","judge":"b","value":1}}`, n))
	}
	f := Between(read(t, units...), nil, 1)
	want(t, f, "a and b", "", "permutation test's p by task", 0.5)
	want(t, f, "a and b", "", "items that would separate them", math.NaN())
	want(t, Between(read(t, ratings...), nil, 1), "a and b", "", "permutation test's p of the errors", 0.5)
}

// A pair that no judge could judge is a tie of nobody.
func TestWhatNobodyCouldJudgeHasNoMajority(t *testing.T) {
	f := Between(read(t, `{"item":{"id":"1","kind":"pair","truth":"A"}}`, `{"item":{"id":"2","kind":"pair","truth":"A"}}`,
		`{"answer":{"item":"1","judge":"a","value":"A"}}`, `{"answer":{"item":"1","judge":"b","value":"A"}}`,
		`{"answer":{"item":"2","judge":"a","value":null}}`, `{"answer":{"item":"2","judge":"b","value":null}}`), nil, 1)
	want(t, f, "judges", "", "majority for tie", 0)
	if one := find(t, f, "judges", "", "majority for A"); one.N != 1 || one.Unjudged != 1 || one.Value.Value != 1 {
		t.Errorf("%+v", one)
	}
}

// Two judges are held against each other where both could judge: the same in one of two.
func TestTheSameAnswerIsOfWhatBothCouldJudge(t *testing.T) {
	var lines []string
	for n, said := range [][2]string{{`"A"`, `"A"`}, {`"A"`, `"tie"`}, {`"A"`, `null`}, {`null`, `null`}, {`"A"`, ""}} {
		lines = append(lines, fmt.Sprintf(`{"item":{"id":"%d","kind":"pair"}}`, n))
		for k, value := range said {
			if value != "" {
				lines = append(lines, fmt.Sprintf(`{"answer":{"item":"%d","judge":"%c","value":%s}}`, n, 'a'+k, value))
			}
		}
	}
	if one := find(t, Between(read(t, lines...), nil, 1), "a and b", "", "same answer"); one.N != 2 || one.Value.Value != 0.5 {
		t.Errorf("%+v", one)
	}
}

func TestAgreementWithoutTiesCountsTheUnjudged(t *testing.T) {
	f := Judges(read(t, `{"item":{"id":"1","kind":"pair","truth":"A"}}`, `{"item":{"id":"2","kind":"pair","truth":"A"}}`,
		`{"answer":{"item":"1","judge":"a","value":"A"}}`, `{"answer":{"item":"2","judge":"a","value":null}}`), nil, nil, 1)
	if one := find(t, f, "a", "", "agreement without ties"); one.N != 2 || one.Unjudged != 1 {
		t.Errorf("%+v", one)
	}
}

// Without a repeat an answer is the first: from 5 to 6 at the second is 1 a repeat. The
// median of two is their middle.
func TestTheFirstRepeatNeedsNoNumber(t *testing.T) {
	var lines []string
	for n := range 2 {
		lines = append(lines, fmt.Sprintf(`{"item":{"id":"%d","kind":"rating"}}`, n),
			fmt.Sprintf(`{"label":{"item":"%d","rater":"ann","value":1,"seconds":%d}}`, n, 10+80*n),
			fmt.Sprintf(`{"answer":{"item":"%d","judge":"j","value":5}}`, n), fmt.Sprintf(`{"answer":{"item":"%d","judge":"j","value":6,"repeat":2}}`, n))
	}
	s := read(t, lines...)
	want(t, Repeats(s, nil, 1), "j", "", "drift with each repeat", 1)
	want(t, Raters(s, 1), "ann", "", "seconds, median", 50)
	drift := find(t, Repeats(s, nil, 1), "j", "", "drift with each repeat")
	if b, err := json.Marshal(drift); err != nil || !strings.Contains(string(b), `"value":{"value":1,"low":null,"high":null}`) {
		t.Errorf("an interval without width is written as %s, %v", b, err)
	}
	said := strings.Join(Cards(s, nil, 1)[0].Questions[0].Sentences, " ")
	if strings.Contains(said, "It drifts") || !strings.Contains(said, "cannot be said: 2 tasks") {
		t.Errorf("of two tasks the card says %q", said)
	}
}

// Whether a judge says the same in both orders needs nobody's label.
func TestOrdersNeedNoLabels(t *testing.T) {
	f := Swaps(read(t, `{"item":{"id":"1","kind":"pair"}}`, `{"item":{"id":"2","kind":"pair","truth":"A"}}`,
		`{"answer":{"item":"1","judge":"j","value":"A"}}`, `{"answer":{"item":"1","judge":"j","value":"B","swapped":true}}`,
		`{"answer":{"item":"2","judge":"j","value":"A"}}`, `{"answer":{"item":"2","judge":"j","value":"A","swapped":true}}`), nil, 1)
	want(t, f, "j", "", "the same in both orders", 0.5)
	want(t, f, "j", "", "prefers the first place", 0.5)
	want(t, f, "j", "", "agreement, A first", 1)
	if one := find(t, f, "j", "", "agreement, A first"); one.N != 1 {
		t.Errorf("%+v", one)
	}
}

func TestAJudgeThatIsNotThereIsRefused(t *testing.T) {
	s := read(t, `{"item":{"id":"1","kind":"unit"}}`, `{"answer":{"item":"1","judge":"gpt-4o","value":true}}`)
	if err := s.Has("gpt-4o"); err != nil {
		t.Error(err)
	}
	if err := s.Has("gpt-4o", "gtp-4o"); err == nil || !strings.Contains(err.Error(), `no answers of the judge "gtp-4o" (did you mean "gpt-4o"?)`) {
		t.Errorf("%v", err)
	}
}
