package rubric

import (
	"fmt"
	"html/template"
	"io"
	"strings"
)

// Text writes the tree for a terminal: one requirement a line, leaves with their id.
func (t *Tree) Text(w io.Writer) error {
	var b strings.Builder
	for i, root := range t.roots() {
		writeNode(&b, *root, Dimensions[i], 0)
	}
	s := t.Stats()
	fmt.Fprintf(&b, "\n%d leaves (intention %d, static %d, dynamic %d), height %d\n", s.Leaves, s.Counts["intention"], s.Counts["static"], s.Counts["dynamic"], s.Height)
	_, err := io.WriteString(w, b.String())
	return err
}

func writeNode(b *strings.Builder, n Node, id string, depth int) {
	fmt.Fprintf(b, "%s%s", strings.Repeat("  ", depth), plain(n.Description))
	if n.Children == nil {
		fmt.Fprintf(b, "  [%s]", id)
	}
	b.WriteByte('\n')
	for i, child := range n.Children {
		writeNode(b, child, fmt.Sprintf("%s.%d", id, i+1), depth+1)
	}
}

// plain is text on one line that cannot steer a terminal.
func plain(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, s)
}

// HTML writes the tree as nested lists, a fragment to be put into a page.
func (t *Tree) HTML(w io.Writer) error {
	return page.Execute(w, map[string]any{"Roots": t.roots(), "Stats": t.Stats()})
}

var page = template.Must(template.New("tree").Parse(`
{{- define "node"}}<li{{if not .Children}} class="leaf"{{end}}>{{.Description}}{{if .Children}}<ul>{{range .Children}}{{template "node" .}}{{end}}</ul>{{end}}</li>{{end -}}
<div class="rubric"><ul>{{range .Roots}}{{template "node" .}}{{end}}</ul><p>{{.Stats.Leaves}} leaves, height {{.Stats.Height}}</p></div>
`))
