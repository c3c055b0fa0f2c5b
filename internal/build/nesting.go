package build

import (
	"slices"
	"strings"
)

// MaxNesting bounds how deep a source that is parsed in this process is nested: people
// reach 50. A bundler goes through all scopes around one, and through what may be types
// again and again: 64,000 blocks inside each other, in 128 kB, took minutes, during which
// nothing can interrupt it.
const MaxNesting = 300

// Nested reports whether a JavaScript or TypeScript source is nested deeper than MaxNesting:
// in brackets, arrow functions without any, and what may be arguments of types. It reads
// the source once and does not parse it: what it takes for a text or a regular expression
// may be none.
func Nested(source string) bool {
	s := &nesting{source: source, levels: []level{{}}}
	for s.at < len(source) {
		s.next()
		if s.depth > MaxNesting {
			return true
		}
	}
	return false
}

// A level is what stands between a bracket and its end.
type level struct {
	open   byte // 0 for the file, ` for a template, $ for what is put into one
	arrows int  // arrow functions, each the body of the one before
	less   int  // that may begin arguments of a type
}

type nesting struct {
	source string
	at     int
	levels []level
	depth  int
	last   byte // before at, without space and comments
	line   bool // a line has ended since
}

func (s *nesting) top() *level { return &s.levels[len(s.levels)-1] }

// rest drops what ends with an expression, and what ends with a statement.
func (s *nesting) rest(statement bool) {
	top := s.top()
	s.depth -= top.arrows
	top.arrows = 0
	if statement {
		s.depth -= top.less
		top.less = 0
	}
}

func (s *nesting) open(kind byte) {
	s.levels = append(s.levels, level{open: kind})
	s.depth++
}

// end closes the innermost bracket of a kind, with all inside.
func (s *nesting) end(kinds string) {
	for i := len(s.levels) - 1; i > 0; i-- {
		if !strings.ContainsRune(kinds, rune(s.levels[i].open)) {
			continue
		}
		for len(s.levels) > i {
			s.rest(true)
			s.levels = s.levels[:len(s.levels)-1]
			s.depth--
		}
		return
	}
}

// next takes a byte, a text, a comment or a regular expression.
func (s *nesting) next() {
	c, rest := s.source[s.at], s.source[s.at:]
	if s.top().open == '`' {
		s.template(c, rest)
		return
	}
	switch {
	case c == '\n':
		s.line = true
		fallthrough
	case c == ' ' || c == '\t' || c == '\r':
		s.at++
		return
	case strings.HasPrefix(rest, "/*"):
		s.skip(rest, "*/")
		return
	case strings.HasPrefix(rest, "//") && s.last != ':': // of an address in a text of JSX
		s.skip(rest, "\n")
		s.line = true
		return
	case c == '"', c == '\'' && s.begins(), c == '/' && s.last != '<' && s.begins():
		s.text(c)
	default:
		s.sign(c)
		s.at++
	}
	s.last, s.line = c, false
}

// sign takes a byte of the program itself.
func (s *nesting) sign(c byte) {
	switch c {
	case '(', '[', '{', '`':
		s.open(c)
	case ')':
		s.end("(")
	case ']':
		s.end("[")
	case '}':
		s.end("{$")
	case ';', ',':
		s.rest(c == ';')
	case '<':
		s.top().less++
		s.depth++
	case '>':
		if top := s.top(); s.last == '=' {
			top.arrows++
			s.depth++
		} else if top.less > 0 {
			top.less--
			s.depth--
		}
	default:
		if s.line && isWord(c) && (isWord(s.last) || strings.IndexByte("'\"`)]}", s.last) >= 0) {
			s.rest(true)
		}
	}
}

func (s *nesting) template(c byte, rest string) {
	switch {
	case c == '\\':
		s.at++
	case c == '`':
		s.end("`")
		s.last, s.line = c, false
	case strings.HasPrefix(rest, "${"):
		s.open('$')
		s.at++
		s.last, s.line = '{', false
	}
	s.at++
}

func (s *nesting) skip(rest, end string) {
	if i := strings.Index(rest[2:], end); i >= 0 {
		s.at += 2 + i + len(end)
		return
	}
	s.at = len(s.source)
}

// text skips what ends with the byte that it began with, or with its line.
func (s *nesting) text(end byte) {
	class := false
	for s.at++; s.at < len(s.source); s.at++ {
		switch c := s.source[s.at]; {
		case c == '\\':
			s.at++
		case c == '\n':
			return
		case end == '/' && (c == '[' || c == ']'):
			class = c == '['
		case c == end && !class:
			s.at++
			return
		}
	}
}

// before are words that a text or a regular expression may follow.
var before = []string{"return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "do", "else", "yield", "await", "instanceof", "from", "import", "default", "extends"}

// begins reports whether a quote or a slash begins something: after a value it is an
// apostrophe, or divides.
func (s *nesting) begins() bool {
	if strings.IndexByte(")]}'\"`", s.last) >= 0 {
		return false
	}
	if !isWord(s.last) {
		return true
	}
	from := s.at
	for from > 0 && !isWord(s.source[from-1]) && from > s.at-100 {
		from--
	}
	to := from
	for from > 0 && isWord(s.source[from-1]) && from > to-20 {
		from--
	}
	return slices.Contains(before, s.source[from:to])
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
