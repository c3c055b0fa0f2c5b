package figures

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// A column is a figure as people read it.
type column struct {
	title string
	of    func(Row) *Figure
	cell  func(value float64) string
}

var columns = []column{
	{"VRR %", func(r Row) *Figure { return r.VRR }, percent},
	{"AAS", func(r Row) *Figure { return r.AAS }, grade},
	{"AAS measured", func(r Row) *Figure { return r.AASMeasured }, grade},
	{"LDPR %", func(r Row) *Figure { return r.LDPR }, percent},
	{"FSR of sites %", func(r Row) *Figure { return &r.FSRSites }, percent},
	{"FSR of cases %", func(r Row) *Figure { return &r.FSRCases }, percent},
}

func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) }
func grade(v float64) string   { return strconv.FormatFloat(v, 'f', 2, 64) }

// Print writes the table for people: values with their 95 % intervals, of how many, and
// how many could not be judged. Columns without any value are left out and named.
func Print(w io.Writer, t Table) error {
	var shown []column
	var empty []string
	for _, c := range columns {
		if slices.ContainsFunc(t.Rows, func(r Row) bool { f := c.of(r); return f != nil && f.Value != nil }) {
			shown = append(shown, c)
		} else {
			empty = append(empty, strings.TrimSuffix(c.title, " %"))
		}
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(out, "model\tby\tcategory\tsamples")
	for _, c := range shown {
		fmt.Fprintf(out, "\t%s", c.title)
	}
	fmt.Fprintln(out)
	for _, r := range t.Rows {
		fmt.Fprintf(out, "%s\t%s\t%s\t%d", plain(r.Model), r.By, plain(r.Category), r.Samples)
		for _, c := range shown {
			fmt.Fprintf(out, "\t%s", c.text(r))
		}
		fmt.Fprintln(out)
	}
	if len(empty) > 0 {
		fmt.Fprintf(out, "\nnothing was judged for: %s\n", strings.Join(empty, ", "))
	}
	return out.Flush()
}

// text is a cell, such as "89.5 [68.6, 97.1] of 19, 1 unjudged".
func (c column) text(r Row) string {
	f := c.of(r)
	if f == nil {
		return "-"
	}
	text := "-"
	if f.Value != nil {
		text = c.cell(*f.Value)
		if f.Low != nil {
			text += fmt.Sprintf(" [%s, %s]", c.cell(*f.Low), c.cell(*f.High))
		}
		text += fmt.Sprintf(" of %d", f.N)
	}
	if f.Unjudged > 0 {
		text += fmt.Sprintf(", %d unjudged", f.Unjudged)
	}
	return text
}

// plain is text of strangers without what steers a terminal, and "-" where it is empty.
func plain(text string) string {
	quoted := strconv.QuoteToGraphic(text)
	return cmp.Or(strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`), "-")
}
