package bench

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"vitrine/internal/stats"
)

// A Comparison is of two models on the tasks that both answered.
type Comparison struct {
	Benchmark string     `json:"benchmark"`
	A         string     `json:"a"`
	B         string     `json:"b"`
	Rule      Rule       `json:"rule"`
	Columns   []Compared `json:"columns"`
}

// Compared is one column: the differences B − A of the tasks' means.
type Compared struct {
	Column
	Tasks int `json:"tasks"` // that both have a value for
	// OnlyA and OnlyB count tasks that only one has a value for: they are in no difference.
	OnlyA      int             `json:"only_a"`
	OnlyB      int             `json:"only_b"`
	Difference *stats.Estimate `json:"difference"` // mean, 95 % by bootstrap over tasks; nil for fewer than two
	Wins       int             `json:"wins"`       // tasks on which B is better
	Ties       int             `json:"ties"`
	Losses     int             `json:"losses"`
	// Enough is how many such tasks would tell the two apart with a power of 80 % at 5 %,
	// by the difference and spread seen; nil where they are equal or fewer than two tasks.
	Enough *int `json:"enough"`
}

// Compare compares the model of run a with that of run b, paired by task. A run of several
// models needs the name of one. Faults are those of usage.
func Compare(a, b, modelA, modelB string, rule Rule) (Comparison, error) {
	c := Comparison{Rule: rule, Columns: []Compared{}}
	hA, x, err := one(a, &modelA)
	if err != nil {
		return c, err
	}
	hB, y, err := one(b, &modelB)
	if err != nil {
		return c, err
	}
	if hA.Benchmark != hB.Benchmark || hA.Data != hB.Data {
		return c, usage(fmt.Sprintf("%s is of %s and %s of %s, or of other data", a, hA.Benchmark, b, hB.Benchmark), "compare runs of one benchmark on the same data")
	}
	c.Benchmark, c.A, c.B = hA.Benchmark, modelA, modelB
	for _, col := range hA.Columns {
		if col.Count { // more of one grade is neither better nor worse
			continue
		}
		d := compared(col, means(x, rule, col.Key), means(y, rule, col.Key))
		if d.Tasks+d.OnlyA+d.OnlyB > 0 {
			c.Columns = append(c.Columns, d)
		}
	}
	return c, nil
}

// one reads the results of one model of a run, and fills in its name where there is one
// model alone.
func one(dir string, model *string) (Header, []Result, error) {
	h, results, err := Read(dir)
	if err != nil {
		return h, nil, err
	}
	names := map[string]bool{}
	for _, r := range results {
		names[r.Model] = true
	}
	all := slices.Sorted(maps.Keys(names))
	if *model == "" && len(all) == 1 {
		*model = all[0]
	}
	if !names[*model] {
		return h, nil, usage(fmt.Sprintf("which model of %s? It has %s", dir, strings.Join(all, ", ")), "name one of each run with --models A,B")
	}
	return h, slices.DeleteFunc(results, func(r Result) bool { return r.Model != *model }), nil
}

// means are the values of the tasks.
func means(results []Result, rule Rule, key string) map[string]float64 {
	parts := map[string]Part{}
	for _, r := range results {
		if p := r.parts(rule)[key]; p != nil && p.Of > 0 {
			parts[r.TaskID] = parts[r.TaskID].plus(*p)
		}
	}
	values := map[string]float64{}
	for id, p := range parts {
		values[id] = p.Sum / p.Of
	}
	return values
}

func compared(col Column, a, b map[string]float64) Compared {
	d := Compared{Column: col}
	var diffs []float64
	for _, id := range sortedKeys(a) {
		v, both := b[id]
		if !both {
			d.OnlyA++
			continue
		}
		diff := v - a[id]
		diffs = append(diffs, diff)
		better := diff
		if col.Lower {
			better = -diff
		}
		switch {
		case better > 0:
			d.Wins++
		case better < 0:
			d.Losses++
		default:
			d.Ties++
		}
	}
	d.Tasks, d.OnlyB = len(diffs), len(b)-len(diffs)
	if d.Tasks < 2 {
		return d
	}
	d.Difference = stats.Bootstrap(diffs, diffs, func(x, _ []float64) float64 { return total(x) / float64(len(x)) }, seed)
	d.Enough = enough(diffs)
	return d
}

// enough is the number of pairs by which a paired test finds the mean difference: ((z₁ +
// z₂) · s / |d|)², with z₁ of 5 % on two sides and z₂ of a power of 80 %.
func enough(diffs []float64) *int {
	n := float64(len(diffs))
	mean := total(diffs) / n
	if n < 2 || mean == 0 {
		return nil
	}
	square := 0.0
	for _, d := range diffs {
		square += (d - mean) * (d - mean)
	}
	const z = 1.959963984540054 + 0.8416212335729143
	count := max(2, int(math.Ceil(z*z*square/(n-1)/(mean*mean))))
	return &count
}
