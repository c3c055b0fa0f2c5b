package flow

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Source is a file or folder that a user gave as an input.
type Source struct {
	Input string `json:"input"`
	File  string `json:"file"` // its name, without the folder in which it lay
	// SHA256 is that of a file; of a folder a hash of the names and hashes of its files.
	SHA256 string `json:"sha256"`
}

// Card is the data card of a run: what it was made of, by which steps, and the hashes of
// what came out.
func (s *Summary) Card() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Data card\n\nMade by the pipeline `%s` of Vitrine: %s.\n\n", s.Pipeline.Name, s.Pipeline.About)
	if s.Limit > 0 {
		fmt.Fprintf(&b, "Only the first %d rows were read.\n\n", s.Limit)
	}
	b.WriteString("## Sources\n\n")
	for _, name := range slices.Sorted(maps.Keys(s.Pipeline.Inputs)) {
		fmt.Fprintf(&b, "* `%s`: %s\n", name, s.Pipeline.Inputs[name])
		for _, from := range s.Sources {
			if from.Input == name {
				fmt.Fprintf(&b, "  * `%s`, hash `%s`\n", from.File, from.SHA256)
			}
		}
	}
	if first := s.Steps[0]; first.Kind == "source" {
		fmt.Fprintf(&b, "\nThe rows that came in have the hash `%s`.\n\n", first.Files[0].SHA256)
	}
	if len(s.Models) > 0 {
		b.WriteString("## Models\n\n| role | does | model |\n|---|---|---|\n")
		for _, role := range slices.Sorted(maps.Keys(s.Models)) {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", role, s.Pipeline.Models[role], s.Models[role])
		}
		b.WriteString("\nWhat these models wrote is under their terms.\n\n")
	}
	b.WriteString("## Steps\n\n| step | does | rows in | kept | dropped | why |\n|---|---|---|---|---|---|\n")
	for _, r := range s.Steps {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %s |\n", r.Name, r.Kind, r.Read, r.Kept, r.Dropped, strings.ReplaceAll(r.Why(), "|", "/"))
	}
	b.WriteString("\nTheir settings:\n\n")
	for _, step := range s.Pipeline.Steps {
		settings, _ := json.Marshal(step) // of numbers and texts: it cannot fail
		fmt.Fprintf(&b, "    %s\n", settings)
	}
	b.WriteString("\n## Files before the export\n\n| file | rows | SHA-256 |\n|---|---|---|\n")
	for _, f := range s.Results {
		fmt.Fprintf(&b, "| %s | %d | `%s` |\n", f.Name, f.Rows, f.SHA256)
	}
	return b.String()
}

// Why are the reasons for what was dropped with their numbers, what is for review, and
// what else was found out.
func (c Counts) Why() string {
	var all []string
	for _, reason := range slices.Sorted(maps.Keys(c.Reasons)) {
		all = append(all, fmt.Sprintf("%s %d", reason, c.Reasons[reason]))
	}
	if c.Review > 0 {
		all = append(all, fmt.Sprintf("for review %d", c.Review))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Figures)) {
		all = append(all, fmt.Sprintf("%s %.6g", name, c.Figures[name]))
	}
	return strings.Join(all, ", ")
}
