package inputs

import (
	"fmt"
	"strings"
)

// A Position is where a row begins, or where in it something is. What is 0 is not
// known.
type Position struct {
	File         string
	Line, Column int // from 1; a column counts bytes
	Row          int // from 1, where a file has no lines
}

func (p Position) String() string {
	switch {
	case p.Line > 0 && p.Column > 0:
		return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
	case p.Line > 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	case p.Row > 0:
		return fmt.Sprintf("%s, row %d", p.File, p.Row)
	}
	return p.File
}

// Number is the line, or the row where there are no lines.
func (p Position) Number() int {
	if p.Line > 0 {
		return p.Line
	}
	return p.Row
}

// A RowError is a row that gives no output.
type RowError struct {
	Position
	Found, Wanted string
	Fix           string // what to do; it may be empty
	// Endpoint says that the row is an error of the endpoint in place of an answer. It
	// says nothing about the model.
	Endpoint bool
	// Late says that the survey did not know of it: a site that could not be loaded.
	Late bool

	field string // that it is about
}

func unusable(at Position, found, wanted, fix string) *RowError {
	return &RowError{Position: at, Found: found, Wanted: wanted, Fix: fix}
}

func (e *RowError) Error() string { return e.Position.String() + ": " + e.Reason() }

// Reason is the error without its position.
func (e *RowError) Reason() string {
	var b strings.Builder
	b.WriteString("found " + e.Found)
	if e.Wanted != "" {
		b.WriteString("; wanted " + e.Wanted)
	}
	if e.Fix != "" {
		b.WriteString("; " + e.Fix)
	}
	return b.String()
}

// short is a text for a message: one line, bounded, without control characters.
func short(s string) string {
	cut := s
	if len(cut) > 60 {
		cut = strings.ToValidUTF8(cut[:60], "") + "…"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, cut)
}
