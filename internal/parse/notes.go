package parse

import (
	"fmt"

	"vitrine"
)

// maxNotes bounds how often one code is told in full: a hostile output can hold
// a hundred thousand bad paths, and nobody reads the second twenty.
const maxNotes = 20

// notes collects what the parser had to decide, in order.
type notes struct {
	list  []vitrine.Note
	count map[string]int
	codes []string // in the order of their first note
}

// add records one decision under a stable code.
func (n *notes) add(code, format string, args ...any) {
	if n.count == nil {
		n.count = map[string]int{}
	}
	if n.count[code] == 0 {
		n.codes = append(n.codes, code)
	}
	n.count[code]++
	if n.count[code] <= maxNotes {
		n.list = append(n.list, vitrine.Note{Code: code, Text: fmt.Sprintf(format, args...)})
	}
}

// all returns the notes, each code that was cut short ended by how many more
// there were.
func (n *notes) all() []vitrine.Note {
	for _, code := range n.codes {
		if more := n.count[code] - maxNotes; more > 0 {
			n.list = append(n.list, vitrine.Note{Code: code, Text: fmt.Sprintf("and %d more", more)})
		}
	}
	return n.list
}

// quote shows text from the output in a sentence: escaped and cut to a length
// that a person reads.
func quote(text string) string {
	const longest = 120
	if len(text) > longest {
		return fmt.Sprintf("%.*q…", longest, text)
	}
	return fmt.Sprintf("%q", text)
}
