package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"vitrine/internal/stats"
)

// A Ranking compares the order of models by one benchmark with that by another, such as an
// arena's.
type Ranking struct {
	Models []Placed `json:"models"` // those that both have, best first by ours
	// Absent are models of one list that the other has not.
	AbsentHere  []string `json:"absent_here,omitempty"`
	AbsentThere []string `json:"absent_there,omitempty"`
	// Statistics are nil where they are not defined. Intervals are by bootstrap over models.
	Spearman *stats.Estimate `json:"spearman"`
	Kendall  *stats.Estimate `json:"kendall_tau_b"`
	// Consistency is 1 − Σ|Δrank| / (n²/2), n²/2 being the most that the ranks of n models can
	// differ by in whole (ArtifactsBench).
	Consistency *stats.Estimate `json:"rank_consistency"`
	// Top is the share of the best k by ours that are among the best k there, by k.
	Top map[int]*stats.Estimate `json:"top"`
}

// Placed is one model of a ranking.
type Placed struct {
	Model string  `json:"model"`
	Ours  float64 `json:"ours"` // score, or rank
	There float64 `json:"there"`
	// Ranks are from 1 for the best among these models; equal scores share the mean.
	OurRank   float64 `json:"our_rank"`
	ThereRank float64 `json:"there_rank"`
}

// Scores are values of models, of which lower ones are better where they are ranks.
type Scores struct {
	By    map[string]float64
	Ranks bool
}

// ScoresOf takes a column of a sheet: the named one, else its first. One whose name is or
// ends in rank holds ranks.
func (s Sheet) ScoresOf(column string) (Scores, error) {
	if column == "" {
		column = s.Titles[0]
	}
	if !slices.Contains(s.Titles, column) {
		return Scores{}, usage("there is no column "+column, "use one of "+strings.Join(s.Titles, ", "))
	}
	scores := Scores{By: map[string]float64{}, Ranks: strings.HasSuffix(strings.ToLower(column), "rank")}
	for i, m := range s.Models {
		if v, ok := s.Values[i][column]; ok {
			scores.By[m] = v
		}
	}
	return scores, nil
}

// ScoresOf takes a column of the rows over all tasks of a table.
func (t Table) ScoresOf(column string) (Scores, error) {
	if column == "" && len(t.Columns) > 0 {
		column = t.Columns[0].Key
	}
	at := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Key == column })
	if at < 0 {
		var keys []string
		for _, c := range t.Columns {
			keys = append(keys, c.Key)
		}
		return Scores{}, usage("there is no column "+column, "use one of "+strings.Join(keys, ", "))
	}
	scores := Scores{By: map[string]float64{}, Ranks: t.Columns[at].Lower}
	for _, r := range t.Rows {
		if v := r.Figures[column].Value; r.By == "" && v != nil {
			scores.By[r.Model] = *v
		}
	}
	return scores, nil
}

// Rank compares scores of the models that both have. Names are equal, or are made so by
// renamed, from ours to theirs. The fault is one of usage, with fewer than three models in
// common.
func Rank(ours, there Scores, renamed map[string]string) (Ranking, error) {
	var r Ranking
	for _, m := range sortedKeys(renamed) {
		_, here := ours.By[m]
		if _, known := there.By[renamed[m]]; !here || !known {
			return r, usage(fmt.Sprintf("--same %s=%s: there is no such model in ours or in theirs", m, renamed[m]),
				fmt.Sprintf("ours are %s, theirs %s", strings.Join(sortedKeys(ours.By), ", "), strings.Join(sortedKeys(there.By), ", ")))
		}
	}
	found := map[string]bool{}
	for _, m := range sortedKeys(ours.By) {
		name := m
		if other, ok := renamed[m]; ok {
			name = other
		}
		v, ok := there.By[name]
		if !ok {
			r.AbsentThere = append(r.AbsentThere, m)
			continue
		}
		if found[name] {
			return r, usage(fmt.Sprintf("two models of ours are %q there", name), "map one alone with --same OURS=THEIRS")
		}
		found[name] = true
		r.Models = append(r.Models, Placed{Model: m, Ours: ours.By[m], There: v})
	}
	for _, m := range sortedKeys(there.By) {
		if !found[m] {
			r.AbsentHere = append(r.AbsentHere, m)
		}
	}
	if len(r.Models) < 3 {
		return r, usage(fmt.Sprintf("%d models are in both lists, and a rank wants 3: ours are %s, theirs %s", len(r.Models), strings.Join(sortedKeys(ours.By), ", "), strings.Join(sortedKeys(there.By), ", ")),
			"say which are the same with --same OURS=THEIRS")
	}
	r.place(ours.Ranks, there.Ranks)
	return r, nil
}

// place ranks the models and computes the statistics.
func (r *Ranking) place(oursAreRanks, thereAreRanks bool) {
	x, y := make([]float64, len(r.Models)), make([]float64, len(r.Models))
	for i, m := range r.Models {
		x[i], y[i] = rising(m.Ours, oursAreRanks), rising(m.There, thereAreRanks)
	}
	a, b := stats.Ranks(x), stats.Ranks(y)
	for i := range r.Models {
		r.Models[i].OurRank, r.Models[i].ThereRank = a[i], b[i]
	}
	r.Spearman = stats.Bootstrap(x, y, stats.Spearman, seed)
	r.Kendall = stats.Bootstrap(x, y, stats.KendallTauB, seed)
	r.Consistency = stats.Bootstrap(x, y, consistency, seed)
	r.Top = map[int]*stats.Estimate{}
	for _, k := range []int{3, 5, 10} {
		if k < len(r.Models) {
			r.Top[k] = stats.Bootstrap(x, y, overlap(k), seed)
		}
	}
	slices.SortStableFunc(r.Models, func(p, q Placed) int { return cmp.Compare(p.OurRank, q.OurRank) })
}

// rising is a value of which lower ones are better.
func rising(v float64, ranks bool) float64 {
	if ranks {
		return v
	}
	return -v
}

// consistency is ArtifactsBench's, of two lists. For one model it is not defined.
func consistency(x, y []float64) float64 {
	n := float64(len(x))
	if n < 2 {
		return math.NaN()
	}
	a, b, sum := stats.Ranks(x), stats.Ranks(y), 0.0
	for i := range a {
		sum += math.Abs(a[i] - b[i])
	}
	return 1 - sum/(n*n/2)
}

// overlap is the share of the best k of one list that are among the best k of another; of equal ones the
// earlier are taken.
func overlap(k int) func(x, y []float64) float64 {
	return func(x, y []float64) float64 {
		best := func(values []float64) map[int]bool {
			order := make([]int, len(values))
			for i := range order {
				order[i] = i
			}
			slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
			top := map[int]bool{}
			for _, i := range order[:k] {
				top[i] = true
			}
			return top
		}
		both, theirs := 0.0, best(y)
		for i := range best(x) {
			if theirs[i] {
				both++
			}
		}
		return both / float64(k)
	}
}
