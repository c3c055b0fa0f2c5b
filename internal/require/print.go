package require

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"vitrine"
)

// Print writes requirements as a table for people: a row for each behaviour, then what is
// static and what cannot be checked.
func Print(w io.Writer, q vitrine.Requirements) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "id\tbehavior\tof\tweight\tasked by\tafter\tlabels")
	for _, r := range q.Behaviors {
		mark := ""
		if r.Central {
			mark = " central"
		}
		of := r.Entity
		if len(r.Fields) > 0 {
			of += " {" + strings.Join(r.Fields, ", ") + "}"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%.2f%s\t%s\t%s\t%s\n", r.ID, r.Behavior, dash(of), r.Weight, mark, cuesOf(r.Cues), dash(strings.Join(r.After, " ")), strings.Join(r.Words[:min(4, len(r.Words))], ", "))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, line := range static(q) {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// static are the lines for what needs no operation.
func static(q vitrine.Requirements) (lines []string) {
	add := func(name string, values []string) {
		if len(values) > 0 {
			lines = append(lines, name+": "+strings.Join(values, "; "))
		}
	}
	add("pages", q.Pages)
	add("texts", q.Texts)
	var colors, counts, things []string
	for _, c := range q.Colors {
		colors = append(colors, c.Part+" "+c.Color)
	}
	for _, c := range q.Counts {
		counts = append(counts, fmt.Sprintf("%d %s", c.N, c.What))
	}
	for _, e := range q.Entities {
		if len(e.Fields) > 0 {
			things = append(things, e.Name+" {"+strings.Join(e.Fields, ", ")+"}")
		}
	}
	add("colors", colors)
	add("counts", counts)
	add("fields", things)
	add("cannot be checked", q.Unchecked)
	return lines
}

// cuesOf are cues in one cell: test cases by their numbers.
func cuesOf(cues []string) string {
	var parts, cases []string
	for _, c := range cues {
		if n, ok := strings.CutPrefix(c, "case "); ok {
			cases = append(cases, n)
		} else {
			parts = append(parts, c)
		}
	}
	if len(cases) > 0 {
		parts = append(parts, "case "+strings.Join(cases, ","))
	}
	return strings.Join(parts, ", ")
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// Names are behaviours in one cell of a table.
func Names(does []vitrine.Behavior) string {
	var names []string
	for _, b := range does {
		names = append(names, string(b))
	}
	return dash(strings.Join(names, ", "))
}
