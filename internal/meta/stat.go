package meta

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"vitrine/internal/stats"
	"vitrine/internal/strictyaml"
)

// A StatAnswer is one statistic of a table. Value is nil where it is not defined, and Reason
// then says why.
type StatAnswer struct {
	Value   *float64 `json:"value"`
	N       int      `json:"n"`                  // rows that it is of
	LeftOut int      `json:"left_out,omitempty"` // rows in which something is missing that it needs
	Reason  string   `json:"reason,omitempty"`
	// Statistic is that of a test, of which Value is then the probability.
	Statistic *float64     `json:"statistic,omitempty"`
	Low       *float64     `json:"low,omitempty"` // of the 95 % interval of a share
	High      *float64     `json:"high,omitempty"`
	Corrected []float64    `json:"corrected,omitempty"` // by Holm
	Steps     []stats.Step `json:"steps,omitempty"`     // of an isotonic map
}

// A statistic of a table.
type statistic struct {
	columns   string // what the table needs
	undefined string // when there is no value
	compute   func(t *table, a *StatAnswer) float64
}

const (
	pairNeeded  = "it needs two rows at least, and values that differ in either column"
	kappaNeeded = "by chance alone the raters agree always: there are no rows, or one category only"
)

var statistics = map[string]statistic{
	"pearson":                     {"x,y", pairNeeded, correlation(stats.Pearson)},
	"spearman":                    {"x,y", pairNeeded, correlation(stats.Spearman)},
	"kendall":                     {"x,y", pairNeeded, correlation(stats.KendallTauB)},
	"mae":                         {"x,y", "there are no rows", meanError},
	"isotonic":                    {"x,y", "there are no rows", isotonic},
	"permutation":                 {"x,y", "there are no rows", permutation},
	"cohen_kappa":                 {"a,b", kappaNeeded, cohen(0)},
	"cohen_kappa_linear":          {"a,b", kappaNeeded, cohen(1)},
	"cohen_kappa_quadratic":       {"a,b", kappaNeeded, cohen(2)},
	"mcnemar":                     {"a,b", "there are no rows", mcNemar},
	"mcnemar_chi2":                {"a,b", "there is no row in which one alone is right", mcNemarChi2},
	"items_to_separate":           {"a,b", "each is as often right alone as the other: no number of items would do", itemsToSeparate},
	"fleiss_kappa":                {"one a rater", "it needs two raters and two categories in rows that all of them rated", fleiss},
	"krippendorff_alpha_nominal":  {"one a rater", alphaNeeded, krippendorff(stats.Nominal)},
	"krippendorff_alpha_ordinal":  {"one a rater", alphaNeeded, krippendorff(stats.Ordinal)},
	"krippendorff_alpha_interval": {"one a rater", alphaNeeded, krippendorff(stats.Interval)},
	"wilson":                      {"hit", "there are no rows", share},
	"holm":                        {"p", "there are no rows", holm},
}

const alphaNeeded = "it needs two different values among rows with two ratings at least"

// StatNames are the names of statistics of tables.
func StatNames() []string { return slices.Sorted(maps.Keys(statistics)) }

// StatColumns names the columns that the table of a statistic needs.
func StatColumns(name string) string { return statistics[name].columns }

// Stat computes a statistic of a CSV table with a header. Faults are those of commands.
func Stat(name string, r io.Reader) (a StatAnswer, err error) {
	s, known := statistics[name]
	if !known {
		return a, usage(nil, fmt.Sprintf("there is no statistic %q", name)+strictyaml.DidYouMean(name, StatNames()), "use "+strings.Join(StatNames(), ", "))
	}
	t, err := readTable(r)
	if err != nil {
		return a, usage(err, "the table cannot be read", "give CSV with a header, with the columns "+s.columns)
	}
	v := s.compute(t, &a)
	if t.err != nil {
		return a, usage(t.err, name+" cannot be computed of the table", "give CSV with a header, with the columns "+s.columns)
	}
	if a.Value = defined(v); a.Value == nil {
		a.Reason = s.undefined
		if math.IsInf(v, 0) {
			a.Reason = "it is beyond the numbers that a computer holds, 1.8e308"
		}
	}
	return a, nil
}

// defined is nil for what is not a number.
func defined(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func correlation(of func(x, y []float64) float64) func(t *table, a *StatAnswer) float64 {
	return func(t *table, a *StatAnswer) float64 {
		columns := t.numbers(a, "x", "y")
		return of(columns[0], columns[1])
	}
}

func meanError(t *table, a *StatAnswer) float64 {
	columns := t.numbers(a, "x", "y")
	return stats.MeanAbsoluteError(columns[0], columns[1], nil)
}

// isotonic has as its value the mean absolute error that is left.
func isotonic(t *table, a *StatAnswer) float64 {
	columns := t.numbers(a, "x", "y")
	a.Steps = stats.Isotonic(columns[0], columns[1])
	fitted := make([]float64, a.N)
	for i, x := range columns[0] {
		fitted[i] = stats.ReadIsotonic(a.Steps, x)
	}
	return stats.MeanAbsoluteError(fitted, columns[1], nil)
}

func permutation(t *table, a *StatAnswer) float64 {
	columns := t.numbers(a, "x", "y")
	differences := make([]float64, a.N)
	for i, x := range columns[0] {
		differences[i] = x - columns[1][i]
	}
	return tested(a)(stats.Permutation(differences, 1))
}

// tested takes the answer of a test over.
func tested(a *StatAnswer) func(t stats.PairedTest, ok bool) float64 {
	return func(t stats.PairedTest, ok bool) float64 {
		if !ok {
			return math.NaN()
		}
		a.Statistic = &t.Statistic
		return t.P
	}
}

func cohen(power float64) func(t *table, a *StatAnswer) float64 {
	return func(t *table, a *StatAnswer) float64 {
		columns := t.columns(a, "a", "b")
		_, places := places(slices.Concat(columns...))
		items := make(stats.Crossed, a.N)
		for i := range items {
			items[i] = [2]int{places[i], places[a.N+i]}
		}
		return stats.CohenKappa(items, power, nil)
	}
}

// rightAlone counts the rows in which only a, only b is right.
func rightAlone(t *table, a *StatAnswer) (onlyA, onlyB int) {
	columns := t.hits(a, "a", "b")
	for i, hit := range columns[0] {
		switch other := columns[1][i]; {
		case hit && !other:
			onlyA++
		case other && !hit:
			onlyB++
		}
	}
	return onlyA, onlyB
}

func mcNemar(t *table, a *StatAnswer) float64 {
	onlyA, onlyB := rightAlone(t, a)
	return tested(a)(stats.McNemar(onlyA, onlyB), a.N > 0)
}

func mcNemarChi2(t *table, a *StatAnswer) float64 {
	return tested(a)(stats.McNemarChi2(rightAlone(t, a)))
}

func itemsToSeparate(t *table, a *StatAnswer) float64 {
	onlyA, onlyB := rightAlone(t, a)
	return stats.ItemsToSeparate(float64(onlyA)/float64(a.N), float64(onlyB)/float64(a.N))
}

func fleiss(t *table, a *StatAnswer) float64 {
	columns := t.columns(a, t.header...)
	_, units := unitsOf(columns)
	return stats.FleissKappa(units, nil)
}

func krippendorff(scale stats.Scale) func(t *table, a *StatAnswer) float64 {
	return func(t *table, a *StatAnswer) float64 {
		t.partly = true
		columns := t.columns(a, t.header...)
		labels, units := unitsOf(columns)
		values := make([]float64, len(labels))
		for i, label := range labels {
			v, isNumber := number(label)
			if !isNumber && scale != stats.Nominal {
				t.err = cmp.Or(t.err, fmt.Errorf("%q is not a finite number, which the %s scale needs", label, scale))
			}
			values[i] = v
		}
		return stats.KrippendorffAlpha(units, scale, values, nil)
	}
}

// unitsOf counts the categories in each row; an empty cell is a rating that is missing.
func unitsOf(columns [][]string) (labels []string, units []stats.Unit) {
	if len(columns) == 0 {
		return nil, nil
	}
	rows := len(columns[0])
	labels, places := places(slices.Concat(columns...))
	if len(labels) > 0 && labels[0] == "" {
		labels = labels[1:]
		for i := range places {
			places[i]--
		}
	}
	units = make([]stats.Unit, rows)
	for i := range units {
		var given []int
		for c := range columns {
			if p := places[c*rows+i]; p >= 0 {
				given = append(given, p)
			}
		}
		units[i] = stats.UnitOf(given)
	}
	return labels, units
}

func share(t *table, a *StatAnswer) float64 {
	columns := t.hits(a, t.only("hit"))
	e := stats.Share(count(columns[0], func(hit bool) bool { return hit }), a.N)
	if e == nil {
		return math.NaN()
	}
	a.Low, a.High = &e.Low, &e.High
	return e.Value
}

// holm has as its value the least of the corrected probabilities.
func holm(t *table, a *StatAnswer) float64 {
	columns := t.numbers(a, t.only("p"))
	for _, p := range columns[0] {
		if p < 0 || p > 1 {
			t.err = cmp.Or(t.err, fmt.Errorf("%v is no probability; want 0 to 1", p))
		}
	}
	if a.N == 0 {
		return math.NaN()
	}
	a.Corrected = stats.Holm(columns[0])
	return slices.Min(a.Corrected)
}

// count is how many hit.
func count[T any](all []T, hit func(T) bool) (n int) {
	for _, one := range all {
		if hit(one) {
			n++
		}
	}
	return n
}
