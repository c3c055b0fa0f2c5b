package bench

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Formats are the forms of a table, beside JSON.
var Formats = []string{"markdown", "csv", "latex"}

// Write writes the table in one of [Formats].
func (t Table) Write(w io.Writer, format string) error {
	switch format {
	case "csv":
		return t.csv(w)
	case "latex":
		return t.latex(w)
	case "markdown":
		return t.markdown(w)
	}
	return usage(fmt.Sprintf("--format: there is no form %q", format), "use "+strings.Join(Formats, ", ")+", or --json")
}

// show is a value as people read it.
func (c Column) show(v *float64) string {
	if v == nil {
		return "–"
	}
	return strconv.FormatFloat(*v*c.Times, 'f', c.Digits, 64)
}

// cell is a figure with its interval and what could not be judged.
func (c Column) cell(f Figure) string {
	text := c.show(f.Value)
	switch {
	case f.Low != nil:
		text += fmt.Sprintf(" [%s, %s]", c.show(f.Low), c.show(f.High))
	case f.N > 1:
		text += fmt.Sprintf(" (all %d the same)", f.N)
	}
	if f.SD != nil {
		text += " ± " + c.show(f.SD)
	}
	if f.Unjudged > 0 {
		text += fmt.Sprintf(" (%d unjudged)", f.Unjudged)
	}
	return text
}

// head are the titles before the columns; lead is what a row says there.
var head = []string{"model", "tasks", "answers", "missing", "unjudged"}

func (r Row) lead() []string {
	name := plain(r.Model)
	if r.By != "" {
		name += ", " + r.By + ": " + plain(r.Group)
	}
	unjudged := strconv.Itoa(r.Unjudged)
	if len(r.Causes) > 0 {
		unjudged += " (" + causes(r.Causes) + ")"
	}
	return []string{name, strconv.Itoa(r.Tasks), strconv.Itoa(r.Answers), strconv.Itoa(r.Missing), unjudged}
}

// grid is the table as texts: titles, then rows, then published rows.
func (t Table) grid() (titles []string, rows, published [][]string) {
	titles = append(titles, head...)
	for _, c := range t.Columns {
		titles = append(titles, c.Title)
	}
	for _, r := range t.Rows {
		row := r.lead()
		for _, c := range t.Columns {
			row = append(row, c.cell(r.Figures[c.Key]))
		}
		rows = append(rows, row)
	}
	for _, p := range t.Published {
		row := []string{plain(p.Model) + " (published: " + p.Source + ")", "", "", "", ""}
		for _, c := range t.Columns {
			text := "–"
			if v, ok := p.Values[c.Key]; ok {
				text = strconv.FormatFloat(v, 'f', -1, 64)
			}
			row = append(row, text)
		}
		published = append(published, row)
	}
	return titles, rows, published
}

func (t Table) markdown(w io.Writer) error {
	titles, rows, published := t.grid()
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s. Intervals are of 95 %%, by bootstrap over tasks.\n\n", t.Title, t.Rule)
	line := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| " + strings.ReplaceAll(c, "|", `\|`) + " ")
		}
		b.WriteString("|\n")
	}
	line(titles)
	b.WriteString(strings.Repeat("|---", len(titles)) + "|\n")
	for _, r := range append(rows, published...) {
		line(r)
	}
	for _, n := range t.Notes {
		b.WriteString("\n" + plain(n) + ".\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t Table) latex(w io.Writer) error {
	titles, rows, published := t.grid()
	var b strings.Builder
	escape := strings.NewReplacer(`\`, `\textbackslash{}`, "%", `\%`, "&", `\&`, "_", `\_`, "#", `\#`, "$", `\$`, "{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "±", `$\pm$`, "–", "--")
	line := func(cells []string) {
		safe := make([]string, len(cells))
		for i, c := range cells {
			safe[i] = escape.Replace(c)
		}
		b.WriteString(strings.Join(safe, " & ") + ` \\` + "\n")
	}
	fmt.Fprintf(&b, "%% %s, %s; 95 %% intervals by bootstrap over tasks\n\\begin{tabular}{l%s}\n\\hline\n", strings.ReplaceAll(t.Title, "\n", " "), t.Rule, strings.Repeat("r", len(titles)-1))
	line(titles)
	b.WriteString("\\hline\n")
	for _, r := range rows {
		line(r)
	}
	if len(published) > 0 {
		b.WriteString("\\hline\n")
	}
	for _, r := range published {
		line(r)
	}
	b.WriteString("\\hline\n\\end{tabular}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// csv writes numbers in full, with the ends of intervals and the standard deviation over
// runs in columns of their own.
func (t Table) csv(w io.Writer) error {
	out := csv.NewWriter(w)
	titles := []string{"model", "by", "group", "published", "tasks", "answers", "missing", "unjudged"}
	for _, c := range t.Columns {
		titles = append(titles, c.Key, c.Key+"_low", c.Key+"_high", c.Key+"_sd", c.Key+"_n", c.Key+"_unjudged")
	}
	_ = out.Write(titles) // an error is that of Flush
	number := func(v *float64, times float64) string {
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v*times, 'g', -1, 64)
	}
	for _, r := range t.Rows {
		row := []string{r.Model, r.By, r.Group, "", strconv.Itoa(r.Tasks), strconv.Itoa(r.Answers), strconv.Itoa(r.Missing), strconv.Itoa(r.Unjudged)}
		for _, c := range t.Columns {
			f := r.Figures[c.Key]
			row = append(row, number(f.Value, c.Times), number(f.Low, c.Times), number(f.High, c.Times), number(f.SD, c.Times), strconv.Itoa(f.N), strconv.Itoa(f.Unjudged))
		}
		_ = out.Write(row)
	}
	for _, p := range t.Published {
		row := []string{p.Model, "", "", p.Source, "", "", "", ""}
		for _, c := range t.Columns {
			value := ""
			if v, ok := p.Values[c.Key]; ok {
				value = strconv.FormatFloat(v, 'g', -1, 64)
			}
			row = append(row, value, "", "", "", "", "")
		}
		_ = out.Write(row)
	}
	out.Flush()
	return out.Error()
}

// plain is text of strangers on one line, without what steers a terminal.
func plain(text string) string {
	quoted := strconv.QuoteToGraphic(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

func causes(by map[string]int) string {
	var parts []string
	for _, code := range sortedKeys(by) {
		parts = append(parts, fmt.Sprintf("%s %d", code, by[code]))
	}
	return strings.Join(parts, ", ")
}
