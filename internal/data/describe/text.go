package describe

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
)

// WriteText writes a description for a terminal: ASCII bars, no control characters of
// what rows hold.
func WriteText(w io.Writer, d *Description) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(d.Steps) > 0 {
		fmt.Fprintln(t, "step\tread\tkept\tdropped\treview")
	}
	for _, s := range d.Steps {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\n", s.Name, s.Read, s.Kept, s.Dropped, s.Review)
	}
	for _, s := range d.Steps {
		textStep(t, s)
	}
	for _, f := range d.Files {
		textFile(t, f)
	}
	if d.Cost != nil {
		fmt.Fprint(t, "\ncost of models")
		for _, name := range slices.Sorted(maps.Keys(d.Cost)) {
			fmt.Fprintf(t, "  %s %s", name, number(d.Cost[name]))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

func textStep(w io.Writer, s Step) {
	for _, r := range s.Reasons {
		kind := "dropped"
		if r.Review {
			kind = "for review"
		}
		fmt.Fprintf(w, "\n%s: %s, %s (%d)\n", s.Name, kind, plain(r.Reason, 80), r.Rows)
		for _, e := range r.Examples {
			fmt.Fprintf(w, "  %s", plain(e.ID, 40))
			if e.Of() != "" {
				fmt.Fprintf(w, " as %s", plain(e.Of(), 40))
			}
			if e.Similarity != nil {
				fmt.Fprintf(w, " at %.3f", *e.Similarity)
			}
			text, of := fromDifference(e.Text, e.OfText)
			fmt.Fprintf(w, ": %s\n", cmp.Or(plain(text, 110), "(not at hand)"))
			if of != "" {
				fmt.Fprintf(w, "      %s\n", plain(of, 110))
			}
		}
	}
	if s.Similarity != nil {
		fmt.Fprintf(w, "%s: similarity %s\n", s.Name, summary(s.Similarity))
	}
}

// fromDifference leaves out what two texts have in common at their beginning, but for a few
// words: near duplicates are often the same for longer than a line shows.
func fromDifference(a, b string) (string, string) {
	x, y, n := []rune(a), []rune(b), 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	if n -= 40; n <= 0 {
		return a, b
	}
	return "…" + string(x[n:]), "…" + string(y[n:])
}

func textFile(w io.Writer, f File) {
	fmt.Fprintf(w, "\n%s: %d rows", plain(f.Name, 80), f.Rows)
	for _, more := range []struct {
		n    int
		what string
	}{{f.Unusable, "unusable"}, {f.Repaired, "with bytes that are no UTF-8"}, {f.Ignored, "values of more than 64 fields left out"}} {
		if more.n > 0 {
			fmt.Fprintf(w, ", %d %s", more.n, more.what)
		}
	}
	fmt.Fprint(w, "\nfield\tkind\trows\tmissing\tvalues\n")
	for _, x := range f.Fields {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\n", plain(x.Path, 40), x.Kind, x.Rows, x.Missing, valuesOf(x))
	}
	if n := f.Near; n != nil {
		fmt.Fprintf(w, "near duplicates still there: %d, for review %d\n", n.Dropped, n.Review)
		for _, e := range n.Examples {
			fmt.Fprintf(w, "  %s as %s by %s at %.3f\n", plain(e.ID, 40), plain(e.DuplicateOf, 40), e.Reason, e.Similarity)
		}
	}
}

// valuesOf is what a field holds in one line.
func valuesOf(x Field) string {
	if x.Distribution != nil {
		unit := map[string]string{"text": " characters", "list": " entries"}[x.Kind]
		return summary(x.Distribution) + unit
	}
	var all []string
	for _, v := range x.Values[:min(5, len(x.Values))] {
		all = append(all, cmp.Or(plain(v.Value, 24), "(empty)")+" "+strconv.Itoa(v.Rows))
	}
	if more := len(x.Values) - len(all); more > 0 {
		all = append(all, fmt.Sprintf("%d more", more))
	}
	return strings.Join(all, ", ")
}

// summary is a distribution in one line: least, quartiles, most, and bars.
func summary(d *Distribution) string {
	if d.Min == d.Max {
		return fmt.Sprintf("all %s", number(d.Min))
	}
	most := slices.Max(d.Bins)
	var bars strings.Builder
	for _, n := range d.Bins {
		bars.WriteByte(".:-=+*#%@"[n*8/most])
	}
	return fmt.Sprintf("%s to %s, quartiles %s %s %s  |%s|", number(d.Min), number(d.Max), number(d.P25), number(d.Median), number(d.P75), bars.String())
}

// number has four digits, or all before the point.
func number(v float64) string {
	if v >= 1000 || v <= -1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// plain is a text of a row as a terminal may show it: n characters on one line.
func plain(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
