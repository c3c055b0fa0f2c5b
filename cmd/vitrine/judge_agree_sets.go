package main

import (
	"fmt"
	"text/tabwriter"

	"vitrine/internal/meta"
	"vitrine/internal/stats"
)

// preferences prints the figures of a judge over a set of pairs.
func (a *agreeing) preferences() error {
	pairs, err := meta.ReadPreferences("--comparisons", a.comparisons)
	if err != nil {
		return err
	}
	f := meta.Preferences(pairs, a.seed)
	if a.json {
		return a.printJSON(f)
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "category\tpairs\tunjudged\tagreement %\twithout ties\tagreement %")
	for _, g := range f.Agreement {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%d\t%s\n", orAll(g.Category), g.N, g.Unjudged, percent(g.Rate), g.Decided, percent(g.DecidedRate))
	}
	if p := f.Position; p != nil {
		fmt.Fprintf(w, "\nin both orders, %d pairs\t%%\n", p.N)
		table(w, []figure{
			{"the same verdict", p.Consistent}, {"prefers the first place", p.First}, {"prefers the second place", p.Second},
			{"agreement, A first", p.Given}, {"agreement, B first", p.Swapped}, {"their distance", p.Delta},
		})
	}
	return w.Flush()
}

// feasibilities prints the figures of a judge over a set of tasks.
func (a *agreeing) feasibilities() error {
	tasks, err := meta.ReadFeasibilities("--feasibility", a.feasibility)
	if err != nil {
		return err
	}
	f := meta.Feasibilities(tasks, a.seed)
	if a.json {
		return a.printJSON(f)
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%d tasks, %d unjudged\t%%\n", f.N, f.Unjudged)
	table(w, []figure{{"precision", f.Precision}, {"recall", f.Recall}, {"F1", f.F1}, {"accuracy", f.Accuracy}})
	return w.Flush()
}

type figure struct {
	name  string
	value *stats.Estimate
}

func table(w *tabwriter.Writer, figures []figure) {
	for _, f := range figures {
		fmt.Fprintf(w, "%s\t%s\n", f.name, percent(f.value))
	}
}

// percent writes a share with its 95 % interval.
func percent(e *stats.Estimate) string {
	if e == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f [%.1f, %.1f]", 100*e.Value, 100*e.Low, 100*e.High)
}
