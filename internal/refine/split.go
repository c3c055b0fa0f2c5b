package refine

import (
	"regexp"
	"strings"
)

// Kind says what a piece of a trajectory is.
type Kind string

// The kinds: t, c and m of ReLook Eq. 1.
const (
	KindText     Kind = "text"
	KindCode     Kind = "code"
	KindFeedback Kind = "feedback"
)

// A Piece is a part of an output.
type Piece struct {
	Kind Kind
	Text string
}

// opening finds where reasoning or code may begin: a tag, a fence at the start of a
// line, a manifest, a bare document or drawing.
var opening = regexp.MustCompile("(?im)<think>|^[ \t]*(`{3,}|~{3,})|<(web|bolt)Artifact\\b|<!doctype html|<(html|svg)\\b")

// Split takes an output apart into what the policy says and the code it writes,
// fences and manifest tags with the code. The pieces in order are the output, byte
// by byte; none is empty, and neighbours are of different kinds. Code that is not
// closed goes on to the end. It takes linear time.
func Split(output string) []Piece {
	var spans []span
	text, at, thinking := 0, 0, true
	for {
		m := opening.FindStringSubmatchIndex(output[at:])
		if m == nil {
			break
		}
		start, begun := at+m[0], at+m[1]
		if m[2] < 0 && m[4] < 0 && strings.EqualFold(output[start:begun], "<think>") {
			at, thinking = afterThought(output, begun, thinking)
			continue
		}
		at = closing(output, begun, at, m)
		spans = add(add(spans, KindText, text, start), KindCode, start, at)
		text = at
	}
	var pieces []Piece
	for _, s := range add(spans, KindText, text, len(output)) {
		pieces = append(pieces, Piece{s.kind, output[s.start:s.end]})
	}
	return pieces
}

// A span is a piece by where it stands.
type span struct {
	kind       Kind
	start, end int
}

// add appends a span; to the last, if it is of the same kind.
func add(spans []span, kind Kind, start, end int) []span {
	if start == end {
		return spans
	}
	if n := len(spans); n > 0 && spans[n-1].kind == kind {
		spans[n-1].end = end
		return spans
	}
	return append(spans, span{kind, start, end})
}

// afterThought is where reasoning that begun ends. Reasoning that is never closed is
// passed over, and then not looked for again.
func afterThought(output string, begun int, look bool) (at int, more bool) {
	if look {
		if end := strings.Index(output[begun:], "</think>"); end >= 0 {
			return begun + end + len("</think>"), true
		}
	}
	return begun, false
}

// closing is where the code ends that an opening at offset begins.
func closing(output string, begun, offset int, m []int) int {
	switch {
	case m[2] >= 0:
		return fenceEnd(output, begun, output[offset+m[2]:offset+m[3]])
	case m[4] >= 0:
		name := output[offset+m[4] : offset+m[5]]
		return tagEnd(output, begun, strings.Index, "</"+name+"Artifact>")
	case m[6] >= 0 && strings.EqualFold(output[offset+m[6]:offset+m[7]], "svg"):
		return tagEnd(output, begun, strings.LastIndex, "</svg>")
	}
	return tagEnd(output, begun, strings.LastIndex, "</html>")
}

func tagEnd(output string, begun int, find func(s, tag string) int, tag string) int {
	if end := find(output[begun:], tag); end >= 0 {
		return begun + end + len(tag)
	}
	return len(output)
}

// fenceEnd is behind the line that closes a fence: as many of the same marks or
// more, and nothing else.
func fenceEnd(output string, begun int, fence string) int {
	for at := begun; ; {
		next := strings.IndexByte(output[at:], '\n')
		if next < 0 {
			return len(output)
		}
		at += next + 1
		line, _, _ := strings.Cut(output[at:], "\n")
		marks := strings.TrimSpace(line)
		if len(marks) >= len(fence) && strings.Trim(marks, fence[:1]) == "" {
			return at + len(line)
		}
	}
}

// asks reports whether an output asks for feedback: it holds the trigger outside its
// closed reasoning.
func asks(output, trigger string) bool {
	for {
		before, rest, found := strings.Cut(output, "<think>")
		if !found {
			return strings.Contains(output, trigger)
		}
		_, after, closed := strings.Cut(rest, "</think>")
		if !closed {
			return strings.Contains(output, trigger)
		}
		if strings.Contains(before, trigger) {
			return true
		}
		output = after
	}
}
