package parse

import "strings"

// minFence and maxFence bound the length of a fence. Longer ones count as
// maxFence, so that the number of different fences stays small.
const (
	minFence = 3
	maxFence = 8
)

// A fenceMark is what decides whether one fence line closes another.
type fenceMark struct {
	char   byte // ` or ~
	width  uint8
	nested bool // indented by more than three columns, as in a list
	bare   bool // no info string: only such a line can close
}

// closes tells whether a fence line closes the one that m opened: at least as
// long, bare, and not deeper (CommonMark §4.5). A fence in a list may close at
// any depth.
func (m fenceMark) closes(by fenceMark) bool {
	return by.bare && by.char == m.char && by.width >= m.width && (m.nested || !by.nested)
}

// A block is one fenced block.
type block struct {
	start, end int // with its fence lines
	lang       string
	raw        string // the content as it stands
	indent     int    // of the opening line
	closed     bool
}

// content returns what the fence holds, less the indent of the fence and the
// newline before the closing line. It is made on demand: a hostile text can hold
// a million unclosed fences, each of which reaches to the end.
func (b block) content() string {
	if b.closed {
		return strings.TrimSuffix(outdent(b.raw, b.indent), "\n")
	}
	return outdent(b.raw, b.indent)
}

// runLength counts how often the first byte is repeated.
func runLength(text string) int {
	n := 1
	for n < len(text) && text[n] == text[0] {
		n++
	}
	return n
}

// fenceToken reads the fence line whose run of marks begins at position i. The
// info string ends with the line, or where a tag begins: models put the first or
// last tag on the fence line itself. An info string that holds another mark is
// inline code and no fence.
func fenceToken(text string, i int) (token, bool) {
	start, width := i, runLength(text[i:])
	for start > 0 && (text[start-1] == ' ' || text[start-1] == '\t') {
		start--
	}
	if width < minFence {
		return token{}, false
	}
	stop := i + width
	for stop < len(text) && text[stop] != '\n' && text[stop] != '<' && text[stop] != '`' && text[stop] != '~' {
		stop++
	}
	m := fenceMark{char: text[i], width: uint8(min(width, maxFence)), nested: i-start > 3}
	noInfo := blank(text[i+width : stop])
	switch {
	case stop == len(text):
		m.bare = noInfo
	case text[stop] == '\n':
		m.bare = noInfo
		stop++
	case text[stop] == '<':
		m.bare = noInfo && (strings.HasPrefix(text[stop:], "</answer>") || strings.HasPrefix(text[stop:], "</think>"))
	default:
		return token{}, false
	}
	return token{start: start, end: stop, kind: fenceLine, fence: m}, true
}

// newBlock makes the block between a fence line and the end of its content; end
// is where the closing line ends.
func newBlock(text string, open token, contentEnd, end int, closed bool) block {
	line := text[open.start:open.end]
	marks := strings.TrimLeft(line, " \t")
	return block{
		start: open.start, end: end, closed: closed,
		lang:   fenceLang(marks[runLength(marks):]),
		raw:    text[open.end:contentEnd],
		indent: len(line) - len(marks),
	}
}

// fenceLang reads the language off an info string: "TSX:src/App.tsx" is tsx.
func fenceLang(info string) string {
	info = strings.TrimSpace(info)
	if end := strings.IndexAny(info, " \t:,;{=("); end >= 0 {
		info = info[:end]
	}
	return strings.ToLower(strings.TrimPrefix(info, "."))
}

// outdent takes up to n leading blanks off every line.
func outdent(content string, n int) string {
	if n == 0 {
		return content
	}
	var b strings.Builder
	b.Grow(len(content))
	for line := range strings.Lines(content) {
		cut := 0
		for cut < n && cut < len(line) && (line[cut] == ' ' || line[cut] == '\t') {
			cut++
		}
		b.WriteString(line[cut:])
	}
	return b.String()
}

// unfence takes the fence off a file whose whole content is one fenced block, or
// that was cut off inside of one. A Markdown file keeps it.
func unfence(content, path string, cut bool) string {
	inner := strings.TrimSpace(content)
	if !strings.HasPrefix(inner, "```") && !strings.HasPrefix(inner, "~~~") || isMarkdown(path) {
		return content
	}
	toks := lex(inner)
	if len(toks) == 0 || toks[0].kind != fenceLine {
		return content
	}
	open := toks[0]
	for _, t := range toks[1:] {
		if t.kind == fenceLine && open.fence.closes(t.fence) {
			if t.end == len(inner) {
				return newBlock(inner, open, t.start, t.end, true).content()
			}
			return content
		}
	}
	if !cut {
		return content
	}
	return newBlock(inner, open, len(inner), len(inner), false).content()
}

func isMarkdown(path string) bool {
	return strings.HasSuffix(path, ".md") || strings.HasSuffix(path, ".mdx") || strings.HasSuffix(path, ".markdown")
}
