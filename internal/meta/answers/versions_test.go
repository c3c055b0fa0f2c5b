package answers

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

// Two instructions by two templates, each with a paraphrase and a distractor, in both orders.
// The judge gives under template 2 one point more, in the other order one more for task 1, to
// the paraphrase of task 2 two less, and to distractors 1.
func pairBenchSet(t *testing.T) *Set {
	t.Helper()
	var lines []string
	for task := 1; task <= 2; task++ {
		for template := 1; template <= 2; template++ {
			base := fmt.Sprintf("%d.%d", task, template)
			say := func(id, variant string, broken bool, score, swapped int) {
				if variant != "" {
					variant = fmt.Sprintf(`,"variant_of":"%s","variant":"%s","broken":%v`, base, variant, broken)
				}
				lines = append(lines,
					fmt.Sprintf(`{"item":{"id":"%s","kind":"rating","task":"%d","template":"%d"%s}}`, id, task, template, variant),
					fmt.Sprintf(`{"answer":{"item":"%s","judge":"j","value":%d}}`, id, score),
					fmt.Sprintf(`{"answer":{"item":"%s","judge":"j","value":%d,"swapped":true}}`, id, swapped))
			}
			score, other := 5+template, 0
			if task == 1 {
				other = 1
			}
			say(base, "", false, score, score+other)
			say(base+"p", "paraphrase", false, score-2*(task-1), score+other-2*(task-1))
			say(base+"d", "distractor", true, 1, 1)
		}
	}
	return read(t, lines...)
}

func TestPairBenchWorkedByHand(t *testing.T) {
	f := PairBench(pairBenchSet(t), nil, 0, 1)
	want(t, f, "j", "", "1 - RS", 8./12) // all but the two of task 1 by both templates
	want(t, f, "j", "template 1", "1 - RS", 4./6)
	// By template 1 of twelve scores: 6 six times less two, 7 twice, 4 twice, 1 four times.
	want(t, f, "j", "template 1", "Smoothness, bits", 2*(1./3)*math.Log2(3)+2*(1./6)*math.Log2(6))
	want(t, f, "j", "", "the same by all templates", 2./6) // the distractors
	want(t, f, "j", "", "mean spread of templates", 4./6)
	want(t, f, "j", "paraphrase", changesEqual, 0.5)
	want(t, f, "j", "paraphrase", "mean change where equal", -1)
	want(t, f, "j", "distractor", fallsBroken, 1)
	within := PairBench(pairBenchSet(t), nil, 1, 1)
	want(t, within, "j", "", "1 - RS", 1)
	want(t, within, "j", "", "the same by all templates", 1)
	want(t, within, "j", "paraphrase", changesEqual, 0.5)
}

func TestPairBenchOfWhatIsMissing(t *testing.T) {
	f := PairBench(read(t,
		`{"item":{"id":"1","kind":"rating"}}`, `{"item":{"id":"2","kind":"rating"}}`, `{"item":{"id":"3","kind":"unit","question":"q"}}`,
		`{"answer":{"item":"1","judge":"j","value":3}}`, `{"answer":{"item":"1","judge":"j","value":null,"swapped":true}}`,
		`{"answer":{"item":"2","judge":"j","value":3}}`, `{"answer":{"item":"3","judge":"j","value":true}}`,
		`{"answer":{"item":"2","judge":"lost","value":null}}`,
	), nil, 0, 1)
	if one := find(t, f, "j", "", "1 - RS"); one.N != 1 || one.Unjudged != 1 || one.Value != nil {
		t.Errorf("of a pair with one score: %+v", one)
	}
	want(t, f, "j", "", "Smoothness, bits", 0)
	want(t, f, "lost", "", "Smoothness, bits", math.NaN())
	for _, one := range f.Figures {
		if one.Kind != Rating || one.Name == "the same by all templates" || one.Name == changesEqual {
			t.Errorf("there is %+v", one)
		}
	}
}

// A judge that flips two of ten pages that were relabelled, and sees through eight of the nine
// broken pages whose original it says to work.
func TestEquivalenceFindsWhatIsPlanted(t *testing.T) {
	var lines []string
	say := func(id, more string, value any) {
		lines = append(lines, fmt.Sprintf(`{"item":{"id":"%s","kind":"unit","question":"works"%s}}`, id, more),
			fmt.Sprintf(`{"answer":{"item":"%s","judge":"j","value":%v}}`, id, value))
	}
	for n := range 10 {
		id := fmt.Sprint(n)
		say(id, "", n > 0)
		say(id+"r", `,"variant":"relabelled","variant_of":"`+id+`"`, n > 0 != (n == 1 || n == 2))
		say(id+"b", `,"variant":"handlers-removed","broken":true,"variant_of":"`+id+`"`, n == 5)
	}
	say("10", "", "null")
	say("10r", `,"variant":"relabelled","variant_of":"10"`, true)
	s := read(t, lines...)
	f := Equivalence(s, nil, 0, 1)
	for _, category := range []string{"", "relabelled"} {
		want(t, f, "j", category, changesEqual, 0.2)
		if one := find(t, f, "j", category, changesEqual); one.N != 11 || one.Unjudged != 1 {
			t.Errorf("%+v", one)
		}
	}
	want(t, f, "j", "handlers-removed", unholdsBroken, 8./9)
	card := Cards(s, nil, 1)[0]
	var said strings.Builder
	if err := WriteMarkdown(&said, []Card{card}); err != nil {
		t.Fatal(err)
	}
	for _, sentence := range []string{"another answer in 20.0 %", "It notices what is broken in 88.9 %"} {
		if !strings.Contains(said.String(), sentence) {
			t.Errorf("the card does not say %q:\n%s", sentence, said.String())
		}
	}
}

// A card with several questions begins with what the judge is worth on each; with one it does not say it twice.
func TestACardOfSeveralQuestionsBeginsWithAllOfThem(t *testing.T) {
	lines := []string{`{"item":{"id":"alone","kind":"unit","question":"holds"}}`, `{"answer":{"item":"alone","judge":"j","value":true}}`}
	one := read(t, lines...)
	for n := range 12 {
		lines = append(lines, fmt.Sprintf(`{"item":{"id":"%d","kind":"rating","question":"looks","truth":%d}}`, n, n), fmt.Sprintf(`{"answer":{"item":"%d","judge":"j","value":%d}}`, n, n*n))
	}
	for _, tt := range []struct {
		set  *Set
		want bool
	}{{read(t, lines...), true}, {one, false}} {
		var md, page strings.Builder
		cards := Cards(tt.set, nil, 1)
		if err := errors.Join(WriteMarkdown(&md, cards), WriteHTML(&page, cards)); err != nil {
			t.Fatal(err)
		}
		before, _, _ := strings.Cut(md.String(), "## ")
		for _, row := range []string{"| holds | – | | – | not known |", "| looks | Spearman | 12 | 1 | better than chance |"} {
			if strings.Contains(before, row) != tt.want {
				t.Errorf("row %q before the first question: %v, want %v:\n%s", row, !tt.want, tt.want, before)
			}
		}
		if strings.Contains(before, many) != tt.want || strings.Contains(page.String(), "one is told from chance all the same") != tt.want {
			t.Errorf("that each line stands by itself is said: %v, want %v", !tt.want, tt.want)
		}
		if strings.Contains(page.String(), "<td>not known</td>") != tt.want {
			t.Errorf("the page has the overview: %v, want %v", !tt.want, tt.want)
		}
	}
}

// Equal grades of a judge are one point of the curve of calibration.
func TestTheCurveKeepsEqualGradesTogether(t *testing.T) {
	var lines []string
	for n, says := range []int{0, 1, 1, 1, 1, 1, 1, 1, 2, 3} {
		lines = append(lines, fmt.Sprintf(`{"item":{"id":"%d","kind":"rating","truth":%d}}`, n, n), fmt.Sprintf(`{"answer":{"item":"%d","judge":"j","value":%d}}`, n, says))
	}
	var got []string
	for _, f := range Judges(read(t, lines...), nil, nil, 1).Figures {
		if says, ok := strings.CutPrefix(f.Name, "people's mean where the judge says "); ok {
			got = append(got, fmt.Sprintf("%s: %d, %g", says, f.N, f.Value.Value))
		}
	}
	if got, want := strings.Join(got, "; "), "0 to 1: 8, 3.5; 2 to 3: 2, 8.5"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestVersionsOfPairs(t *testing.T) {
	f := Equivalence(read(t,
		`{"item":{"id":"1","kind":"pair"}}`, `{"item":{"id":"2","kind":"pair","variant_of":"1"}}`, `{"item":{"id":"3","kind":"pair","variant_of":"1","broken":true}}`,
		`{"answer":{"item":"1","judge":"j","value":"A"}}`, `{"answer":{"item":"2","judge":"j","value":"A"}}`, `{"answer":{"item":"3","judge":"j","value":"tie"}}`,
	), []string{"j"}, 0, 1)
	want(t, f, "j", "", changesEqual, 0)
	want(t, f, "j", "", changesBroken, 1)
}

func TestVersionsOfWhatIsNotThere(t *testing.T) {
	s := read(t,
		`{"item":{"id":"1","kind":"unit"}}`, `{"item":{"id":"2","kind":"rating","variant_of":"1"}}`, `{"item":{"id":"3","kind":"unit","variant_of":"nowhere"}}`,
		`{"answer":{"item":"3","judge":"j","value":true}}`)
	if len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "2 items are versions of one that is not there or is asked something else, the first of them 2") {
		t.Errorf("the notes are %q", s.Notes)
	}
	if f := Equivalence(s, nil, 0, 1); len(f.Figures) != 0 {
		t.Errorf("there is %+v", f.Figures)
	}
	for _, line := range []string{
		`{"item":{"id":"1","kind":"unit","variant_of":"1"}}`, `{"item":{"id":"1","kind":"unit","broken":true}}`, `{"item":{"id":"1","kind":"unit","variant":"relabelled"}}`,
		`{"item":{"id":"1","kind":"unit","variant_of":"2"}}` + "\n" + `{"item":{"id":"1","kind":"unit","variant_of":"3"}}`,
	} {
		if _, err := Read(strings.NewReader(line)); err == nil {
			t.Errorf("read: %s", line)
		}
	}
}
