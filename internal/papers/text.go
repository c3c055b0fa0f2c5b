package papers

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// lineWidth is how many letters a line has at most, words that are longer left alone.
const lineWidth = 100

// Print writes rows for people: a line that names each, with what belongs to it below,
// and how many are in each state at the end.
func Print(w io.Writer, rows []Row) error {
	id := 0
	for _, r := range rows {
		id = max(id, len(r.ID))
	}
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%-*s  %-9s  %s\n", id, r.ID, r.State, r.Section)
		wrapped(&b, "", r.What)
		for _, part := range []struct{ name, text string }{{"code", r.Code}, {"test", r.Test}, {"ours", r.Ours}, {"note", r.Note}} {
			if part.text != "" {
				wrapped(&b, part.name, part.text)
			}
		}
	}
	b.WriteString(strings.Repeat("\n", min(1, len(rows))) + counted(rows) + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// PrintDifferences writes for people what the two profiles do in each row.
func PrintDifferences(w io.Writer, rows []Row) error {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%s  %s\n", r.ID, r.Section)
		wrapped(&b, "published", r.What)
		wrapped(&b, "vitrine  ", r.Ours)
	}
	if len(rows) == 0 {
		b.WriteString("the two profiles do the same\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// wrapped writes a text below a row, in lines of their own, behind its name.
func wrapped(b *strings.Builder, name, text string) {
	line := fmt.Sprintf("    %-4s  ", name)
	if name == "" {
		line = "    "
	}
	begin := line
	for _, word := range strings.Fields(text) {
		if line != begin && utf8.RuneCountInString(line)+utf8.RuneCountInString(word) > lineWidth {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			begin = strings.Repeat(" ", len(begin))
			line = begin
		}
		line += word + " "
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}

// counted says how many rows there are, and in which states.
func counted(rows []Row) string {
	counts := Count(rows)
	var list []string
	for _, s := range states {
		if n := counts[s.state]; n > 0 {
			list = append(list, fmt.Sprintf("%d %s", n, s.state))
		}
	}
	if len(list) == 0 {
		return "0 rows"
	}
	return fmt.Sprintf("%d rows: %s", len(rows), strings.Join(list, ", "))
}
