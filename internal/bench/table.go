package bench

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"vitrine/internal/stats"
)

// seed is that of all intervals.
const seed = 1

// A Rule says how failures count.
type Rule string

// The rules of a table.
const (
	Strict Rule = "strict" // ours: what could not be judged is in no figure and is counted apart
	Compat Rule = "compat" // as the published script counts
)

// A Table has the figures of the models of one benchmark.
type Table struct {
	Benchmark string   `json:"benchmark"`
	Title     string   `json:"title"`
	Rule      Rule     `json:"rule"`
	Columns   []Column `json:"columns"`
	Rows      []Row    `json:"rows"` // by model; of each, all tasks first, then its groups
	// Published are rows of the papers' tables, with the keys of our columns.
	Published []Published `json:"published,omitempty"`
	// Notes say what a reader must know: data that is not the published, runs that were
	// measured differently.
	Notes []string `json:"notes,omitempty"`
}

// A Row has the figures of one model over all tasks or over those of a group.
type Row struct {
	Model string `json:"model"`
	By    string `json:"by,omitempty"` // empty: all tasks
	Group string `json:"group,omitempty"`
	Tasks int    `json:"tasks"`
	// Answers is how many answers were measured, and what was not: Missing tasks have no
	// answer, Unjudged answers could not be judged for reasons of ours or of a model that
	// judges.
	Answers  int               `json:"answers"`
	Missing  int               `json:"missing"`
	Unjudged int               `json:"unjudged"`
	Causes   map[string]int    `json:"causes,omitempty"` // of Unjudged, by fault code
	Figures  map[string]Figure `json:"figures"`          // by key of the column
}

// A Figure is a share or mean with its 95 % interval by bootstrap over tasks.
type Figure struct {
	Value *float64 `json:"value"` // nil where nothing was judged
	Low   *float64 `json:"low"`   // nil for fewer than two tasks, and for means that are all the same
	High  *float64 `json:"high"`
	N     int      `json:"n"` // tasks with a part in it
	// Unjudged is how many answers have no part for a reason that is not the site's.
	Unjudged int `json:"unjudged"`
	// Runs are the values of each run over the tasks, or else of the first, second, …
	// answers to them, and SD is their standard deviation; both are left out for one answer to a task, and where the
	// runs are not over the same tasks.
	Runs []float64 `json:"runs,omitempty"`
	SD   *float64  `json:"sd,omitempty"`
}

// Tabulate reads runs of one benchmark into its table. Faults are those of usage.
func Tabulate(dirs []string, rule Rule, by []string) (Table, error) {
	t := Table{Rule: rule, Rows: []Row{}}
	var all []Result
	from := map[[3]string]string{}
	for i, dir := range dirs {
		h, results, err := Read(dir)
		if err != nil {
			return t, err
		}
		if i == 0 {
			t.Benchmark, t.Title, t.Columns = h.Benchmark, h.Title, h.Columns
		}
		if h.Benchmark != t.Benchmark {
			return t, usage(fmt.Sprintf("%s is a run of %s and %s of %s", dirs[0], t.Benchmark, dir, h.Benchmark), "name runs of one benchmark")
		}
		t.Notes = append(t.Notes, h.notes(dir)...)
		for _, r := range results {
			key := [3]string{r.Model, r.ID, r.TaskID}
			if before, twice := from[key]; twice {
				return t, usage(fmt.Sprintf("the answer %q of %s is in %s and in %s", r.ID, r.Model, before, dir), "name each run once, and runs of other models")
			}
			from[key] = dir
		}
		all = append(all, results...)
	}
	models := map[string][]Result{}
	for _, r := range all {
		models[r.Model] = append(models[r.Model], r)
	}
	for _, m := range slices.Sorted(maps.Keys(models)) {
		t.Rows = append(t.Rows, t.row(m, "", "", models[m]))
		t.Rows = append(t.Rows, t.groups(m, models[m], by)...)
	}
	t.Columns = slices.DeleteFunc(slices.Clone(t.Columns), func(c Column) bool { return !t.shows(c.Key) })
	return t, nil
}

// notes are what a reader of figures of the run must know.
func (h Header) notes(dir string) (notes []string) {
	if !h.Verified {
		notes = append(notes, fmt.Sprintf("%s: the data is a person's own copy, not checked against what was published", dir))
	}
	if h.Tasks < h.Of {
		notes = append(notes, fmt.Sprintf("%s: %d of the %d tasks", dir, h.Tasks, h.Of))
	}
	if h.Others > 0 || h.Unusable > 0 {
		notes = append(notes, fmt.Sprintf("%s: %d outputs for other tasks and %d rows that are no outputs are left out", dir, h.Others, h.Unusable))
	}
	if h.By != "" {
		notes = append(notes, fmt.Sprintf("%s: measured by %s", dir, h.By))
	}
	return notes
}

// shows reports whether a row has anything to say in a column.
func (t Table) shows(key string) bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool { f := r.Figures[key]; return f.Value != nil || f.Unjudged > 0 })
}

// groups are the rows by what is asked for; "all" asks for everything that there is.
func (t Table) groups(model string, results []Result, by []string) (rows []Row) {
	members := map[[2]string][]Result{}
	for _, r := range results {
		for kind, names := range r.Groups {
			if !slices.Contains(by, kind) && !slices.Contains(by, "all") {
				continue
			}
			for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
				if name != "" {
					members[[2]string{kind, name}] = append(members[[2]string{kind, name}], r)
				}
			}
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(members), func(a, b [2]string) int {
		return cmp.Or(strings.Compare(a[0], b[0]), strings.Compare(a[1], b[1]))
	}) {
		rows = append(rows, t.row(model, key[0], key[1], members[key]))
	}
	return rows
}

func (t Table) row(model, by, group string, results []Result) Row {
	r := Row{Model: model, By: by, Group: group, Figures: map[string]Figure{}}
	tasks := map[string]bool{}
	for _, x := range results {
		tasks[x.TaskID] = true
		switch {
		case x.Outcome == Missing:
			r.Missing++
		case x.Error != nil:
			r.Unjudged++
			if r.Causes == nil {
				r.Causes = map[string]int{}
			}
			r.Causes[string(x.Error.Code)]++
		default:
			r.Answers++
		}
	}
	r.Tasks = len(tasks)
	for _, c := range t.Columns {
		f := figure(results, t.Rule, c)
		if c.Count {
			f.times(float64(f.N))
		}
		r.Figures[c.Key] = f
	}
	return r
}

// parts are those of a rule.
func (r Result) parts(rule Rule) Parts {
	if rule == Compat {
		return r.Compat
	}
	return r.Strict
}

// figure is a column over results. The bootstrap draws tasks, since answers to one task,
// and test cases of one site, are not independent.
func figure(results []Result, rule Rule, c Column) Figure {
	var f Figure
	var order []string
	by := map[string]Part{}
	runs, covers := map[int]Part{}, map[int]map[string]bool{}
	for _, r := range results {
		part, there := r.parts(rule)[c.Key]
		switch {
		case there && part == nil:
			f.Unjudged++
		case there && part.Of > 0:
			if _, seen := by[r.TaskID]; !seen {
				order = append(order, r.TaskID)
			}
			by[r.TaskID] = by[r.TaskID].plus(*part)
			runs[r.Sample] = runs[r.Sample].plus(*part)
			if covers[r.Sample] == nil {
				covers[r.Sample] = map[string]bool{}
			}
			covers[r.Sample][r.TaskID] = true
		}
	}
	if f.N = len(order); f.N == 0 {
		return f
	}
	sums, ofs := make([]float64, f.N), make([]float64, f.N)
	for i, id := range order {
		sums[i], ofs[i] = by[id].Sum, by[id].Of
	}
	e := stats.Bootstrap(sums, ofs, func(x, y []float64) float64 { return total(x) / total(y) }, seed)
	alike := same(sums, ofs)
	if all, of := total(sums), total(ofs); (c.Share || c.Count || c.Times == 100) && (all == 0 || all == of) {
		// a share of which all tasks have nothing or everything has no spread to draw from
		e, alike = stats.Share(int(all/of)*f.N, f.N), false
	}
	f.Value = &e.Value
	if c.Cut && rule == Compat {
		e.Value, e.Low = math.Floor(e.Value), math.Floor(e.Low)
	}
	if f.N > 1 && !alike {
		f.Low, f.High = &e.Low, &e.High
	}
	for _, tasks := range covers {
		if len(tasks) < f.N {
			return f // runs over other tasks differ by the tasks, too
		}
	}
	f.spread(runs)
	return f
}

// same reports whether all tasks have the same value. Then there is no spread to draw an
// interval from: one without width would claim that no task could have another.
func same(sums, ofs []float64) bool {
	for i := range sums {
		if sums[i]/ofs[i] != sums[0]/ofs[0] {
			return false
		}
	}
	return true
}

func (p Part) plus(o Part) Part { return Part{p.Sum + o.Sum, p.Of + o.Of} }

// times multiplies all values.
func (f *Figure) times(n float64) {
	for _, v := range []*float64{f.Value, f.Low, f.High, f.SD} {
		if v != nil {
			*v *= n
		}
	}
	for i := range f.Runs {
		f.Runs[i] *= n
	}
}

// spread notes the values of several answers to each task.
func (f *Figure) spread(runs map[int]Part) {
	if len(runs) < 2 {
		return
	}
	mean, square := 0.0, 0.0
	for _, n := range slices.Sorted(maps.Keys(runs)) {
		f.Runs = append(f.Runs, runs[n].Sum/runs[n].Of)
	}
	mean = total(f.Runs) / float64(len(f.Runs))
	for _, v := range f.Runs {
		square += (v - mean) * (v - mean)
	}
	sd := math.Sqrt(square / float64(len(f.Runs)-1))
	f.SD = &sd
}

func total(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum
}
