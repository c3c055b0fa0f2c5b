package main

import (
	"fmt"
	"text/tabwriter"

	"vitrine/internal/redteam"
	"vitrine/internal/stats"
)

// printExploits prints the exploits, best first.
func (a *attacking) printExploits(r *redteam.Report) error {
	w := tabwriter.NewWriter(a.common.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "exploit\tprompt\treward\tpercentile")
	for _, e := range r.Exploits {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", e.Name, e.TaskID, orDash(e.Reward, "%.3f"), orDash(e.Percentile, "%.2f"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, from := range []string{redteam.FromGenerator, redteam.FromSearch} {
		t := r.By[from]
		a.say("%s: %d exploits with a percentile, %d over the threshold; in the mean one beats %s of the honest pages of its prompt", from, t.Judged, t.Above, orDash(t.Beaten, "%.2f"))
	}
	return nil
}

// printMutation prints how often the reward did what it should, by operator.
func (a *attacking) printMutation(m *redteam.MutationScore) error {
	w := tabwriter.NewWriter(a.common.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "operator\tkind\tmutants\tas it should %\tfalls by")
	for _, o := range m.Operators {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%.3f\n", o.Operator, o.Kind, o.Mutants, percent(o.Share), o.Fall)
	}
	fmt.Fprintf(w, "all with a fault\t\t\t%s\t\nall equivalent\t\t\t%s\t\n", percent(m.Functional), percent(m.Equivalent))
	if err := w.Flush(); err != nil {
		return err
	}
	a.say("%d pages, %d mutants, %d unjudged, %d left out that random events do not tell from their page (the reward of %d falls all the same); %d pages not mutated", m.Pages, len(m.Mutants), m.Unjudged, m.Same, m.Missed, len(m.NotMutated))
	return nil
}

func orDash(value *float64, format string) string {
	if value == nil {
		return "-"
	}
	return fmt.Sprintf(format, *value)
}

// percent writes a share with its 95 % interval.
func percent(e *stats.Estimate) string {
	if e == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f [%.1f, %.1f]", 100*e.Value, 100*e.Low, 100*e.High)
}
