package papers

import (
	"fmt"
	"strings"
)

// Page is docs/papers.md.
func Page(papers []Paper) string {
	var b strings.Builder
	b.WriteString("<!-- Written from internal/papers by `go test ./internal/papers -update`: edit the tables there. -->\n\n# The papers behind Vitrine\n\n" +
		"What four papers state, row by row, and how far Vitrine does it. Formulas, thresholds and figures carry over; texts, prompts and code are our own.\n" +
		"`vitrine papers [PAPER] [--state missing,partly] [--json]` prints the same table.\n\n")
	b.WriteString("| state | means |")
	for _, p := range papers {
		fmt.Fprintf(&b, " [%s](#%s) |", p.Title, p.ID)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---:|", len(papers)) + "\n")
	for _, s := range states {
		fmt.Fprintf(&b, "| %s | %s |", s.state, s.means)
		for _, p := range papers {
			fmt.Fprintf(&b, " %d |", Count(p.Rows)[s.state])
		}
		b.WriteString("\n")
	}
	for _, p := range papers {
		section(&b, p)
	}
	return b.String()
}

func section(b *strings.Builder, p Paper) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n| row | where | what the paper states | state | code, test | note |\n|---|---|---|---|---|---|\n", p.Title, p.About)
	for _, r := range p.Rows {
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s | %s |\n", r.ID, cell(r.Section), cell(r.What), r.State, places(r), cell(noted(r)))
	}
}

// noted is the note of a row, with what the other profile does.
func noted(r Row) string {
	if r.Ours == "" {
		return r.Note
	}
	return strings.TrimSpace("In the profile vitrine: " + r.Ours + " " + r.Note)
}

// places links the code of a row and names its test.
func places(r Row) string {
	var list []string
	if r.Code != "" {
		list = append(list, fmt.Sprintf("[%s](../%s)", r.Code, r.Code))
	}
	if r.Test != "" {
		list = append(list, "`"+r.Test+"`")
	}
	return strings.Join(list, "<br>")
}

// cell is text that stays in its cell and is read as text.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", ">", "&gt;", "_", `\_`, "*", `\*`, "[", `\[`).Replace(text)
}
