package meta

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/leak"
	"vitrine/internal/stats"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

// pair is of a label and, in words, the verdict and those of both orders.
func pair(category, label, verdict string, orders ...string) Preference {
	p := Preference{Category: category, Label: vitrine.Verdict(label), Comparison: vitrine.Comparison{Verdict: vitrine.Verdict(verdict)}}
	for i, o := range orders {
		p.Comparison.Orders = append(p.Comparison.Orders, vitrine.Order{Swapped: i == 1, Verdict: vitrine.Verdict(o)})
	}
	return p
}

var judged = []Preference{
	pair("game", "A", "A", "A", "A"),
	pair("game", "A", "tie", "A", "B"),     // whoever is first
	pair("design", "B", "tie", "tie", "A"), // A fares better in second place
	pair("design", "tie", "tie", "tie", "tie"),
	pair("design", "B", "tie", "A", "tie"), // A fares better in first place
	pair("", "tie", ""),                    // could not be judged
	pair("", "B", "B", "B"),                // asked once
}

func values(t *testing.T, estimates ...*stats.Estimate) (out []float64) {
	t.Helper()
	for _, e := range estimates {
		if e == nil {
			out = append(out, -1)
			continue
		}
		if e.Low > e.Value || e.High < e.Value || e.Low < 0 || e.High > 1 {
			t.Errorf("interval %+v", e)
		}
		out = append(out, math.Round(e.Value*1e4)/1e4)
	}
	return out
}

func TestAgreementIsRightOfAll(t *testing.T) {
	t.Parallel()
	var got []string
	for _, a := range Preferences(judged, 1).Agreement {
		got = append(got, fmt.Sprint(a.Category, " ", a.N, " ", a.Unjudged, " ", a.Decided, " ", values(t, a.Rate, a.DecidedRate)))
	}
	// Right are the first, the fourth and the last pair; two labels are ties.
	want := []string{" 7 1 5 [0.4286 0.4]", "design 3 0 2 [0.3333 0]", "game 2 0 2 [0.5 0.5]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if a := Preferences([]Preference{pair("", "tie", "tie")}, 1); a.Agreement[0].DecidedRate != nil || a.Position != nil {
		t.Errorf("figures of nothing: %+v", a)
	}
}

func TestPositionFigures(t *testing.T) {
	t.Parallel()
	panel := pair("", "A", "tie", "A", "B")
	panel.Comparison.Panel = &vitrine.Panel{}
	p := Preferences(append(judged[:len(judged):len(judged)], panel), 1).Position
	// Of five pairs in both orders by one judge; A first is right in three, B first in two.
	want := []float64{0.4, 0.4, 0.2, 0.6, 0.4, 0.2}
	if diff := cmp.Diff(want, values(t, p.Consistent, p.First, p.Second, p.Given, p.Swapped, p.Delta)); diff != "" || p.N != 5 {
		t.Errorf("of %d pairs: %s", p.N, diff)
	}
	if diff := cmp.Diff(p, Preferences(judged, 1).Position); diff != "" {
		t.Errorf("the same seed gave something else:\n%s", diff)
	}
}

// Each of the nine pairs of verdicts leans one way; with A and B renamed, which also
// changes the order that is called swapped, it leans the same way.
func TestEveryPairOfVerdictsLeansOneWay(t *testing.T) {
	t.Parallel()
	other := map[vitrine.Verdict]vitrine.Verdict{"A": "B", "B": "A", "tie": "tie"}
	lean := map[string]int{"A B": 1, "A tie": 1, "tie B": 1, "B A": -1, "B tie": -1, "tie A": -1}
	for _, given := range verdicts {
		for _, swapped := range verdicts {
			p := inOrders{given: given, swapped: swapped}
			renamed := inOrders{given: other[swapped], swapped: other[given]}
			got := max(-1, min(1, p.toFirst()))
			if got != lean[string(given+" "+swapped)] || got == 0 != (given == swapped) || renamed.toFirst() != p.toFirst() {
				t.Errorf("%s, then %s: %d, renamed %d", given, swapped, p.toFirst(), renamed.toFirst())
			}
		}
	}
}

// tasks are so many of each cell.
func tasks(hits, falseYes, missed, rightNo, unjudged int) (all []Feasibility) {
	yes, no := true, false
	for _, cell := range []struct {
		n int
		Feasibility
	}{
		{hits, Feasibility{Label: true, Feasible: &yes}}, {falseYes, Feasibility{Feasible: &yes}},
		{missed, Feasibility{Label: true, Feasible: &no}}, {rightNo, Feasibility{Feasible: &no}}, {unjudged, Feasibility{Label: true}},
	} {
		for range cell.n {
			all = append(all, cell.Feasibility)
		}
	}
	return all
}

// The counts are the only ones of 279 feasible and 223 other tasks that round to the two
// rows of WebDevJudge Table 6.
func TestFeasibilityFigures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tasks []Feasibility
		want  []float64
	}{
		"GPT-4.1 (code)":      {tasks(251, 97, 28, 126, 0), []float64{0.7213, 0.8996, 0.8006, 0.751}},
		"UI-TARS-1.5":         {tasks(196, 42, 83, 181, 0), []float64{0.8235, 0.7025, 0.7582, 0.751}},
		"some unjudged":       {tasks(6, 2, 1, 4, 3), []float64{0.75, 0.6, 0.6667, 0.625}},
		"never says feasible": {tasks(0, 0, 2, 3, 0), []float64{-1, 0, 0, 0.6}},
		"nothing":             {nil, []float64{-1, -1, -1, -1}},
	} {
		f := Feasibilities(c.tasks, 1)
		if diff := cmp.Diff(c.want, values(t, f.Precision, f.Recall, f.F1, f.Accuracy)); diff != "" || f.N != len(c.tasks) {
			t.Errorf("%s of %d: %s", name, f.N, diff)
		}
	}
}

func TestSetsAreReadRowByRow(t *testing.T) {
	t.Parallel()
	read := func(text string) (int, error) {
		file := t.TempDir() + "/set.jsonl"
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		rows, err := ReadPreferences("--comparisons", file)
		return len(rows), err
	}
	const row = `{"label":"A","comparison":{"verdict":"tie"}}`
	if n, err := read(row + "\n" + strings.ReplaceAll(row, ",", ",\n ") + "\n"); n != 2 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
	for text, want := range map[string]string{
		"": "it is empty", row + "\n{": "row 2", `{"label":"model_a"}`: `row 1: the label is "model_a"; want A, B or tie`,
		`{"label":"A","comparison":{"verdict":"C"}}`: "the verdict is", "null": "row 1", "[" + row + "]": "row 1",
	} {
		_, err := read(text)
		if f := vitrine.AsFault("command", err); f.Code != vitrine.FaultUsage || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParseSet(f *testing.F) {
	f.Add(`{"label":"A","comparison":{"verdict":"tie","orders":[{"swapped":true,"verdict":"B"}]}}`)
	f.Add(`{"label":"tie"} {"label":"B","category":"x"}`)
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := parseSet(strings.NewReader(text), func(*Preference) error { return nil })
		if (err == nil) != (len(rows) > 0) {
			t.Errorf("%d rows, %v", len(rows), err)
		}
		position(rows[:min(len(rows), 3)], 1)
	})
}
