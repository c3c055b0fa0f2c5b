package describe

import (
	_ "embed"
	"html/template"
	"io"
	"slices"
	"strconv"

	"vitrine/internal/report"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"number": number, "share": share, "bars": bars, "style": report.Style, "values": valuesOf,
	"most": func(v []Value) int { return v[0].Rows },
}).Parse(pageText))

// WriteHTML writes a description as one page, which loads nothing and runs no script. What
// rows hold is escaped.
func WriteHTML(w io.Writer, d *Description) error { return page.Execute(w, d) }

// share is n of all as a coordinate from 0 to 100; a step may make more rows than it reads.
func share(n, all int) string {
	if all == 0 {
		return "0"
	}
	return strconv.FormatFloat(min(100, 100*float64(n)/float64(all)), 'f', 2, 64)
}

// A bar of a histogram that is 100 wide and 40 high.
type bar struct {
	X, Y, Width, Height string
	Rows                int
	Low, High           string
}

func bars(d *Distribution) []bar {
	all, n := make([]bar, len(d.Bins)), float64(len(d.Bins))
	most, at := slices.Max(d.Bins), func(i int) string { return number(d.Min + (d.Max-d.Min)*float64(i)/n) }
	f := func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }
	for i, rows := range d.Bins {
		height := 0.0
		if rows > 0 {
			height = max(1, 38*float64(rows)/float64(most)) // one row can be seen beside any number
		}
		all[i] = bar{f(100*float64(i)/n + 0.3), f(40 - height), f(100/n - 0.6), f(height), rows, at(i), at(i + 1)}
	}
	return all
}
