package parse

import "strings"

// scriptKind names the tokens of JavaScript and TypeScript as far as imports and
// exports need them.
type scriptKind uint8

const (
	scriptEnd   scriptKind = iota
	scriptWord             // identifier, keyword or number
	scriptText             // a string literal, without its quotes and not unescaped
	scriptPunct            // one other byte
)

type scriptToken struct {
	kind  scriptKind
	text  string
	first bool // nothing stands before it on its line
}

func (t scriptToken) is(word string) bool { return t.kind != scriptText && t.text == word }

// A script reads JavaScript, TypeScript, JSX or JSON token by token, past comments,
// template literals and regular expressions. It needs no grammar, so JSX text is
// read as code; an apostrophe there is harmless, since a string never leaves its
// line. Each byte is read a bounded number of times.
type script struct {
	src   string
	pos   int
	first bool
	// prev is the last significant byte, by which a slash is told from a regular
	// expression.
	prev byte
	// templates holds the brace depth of each ${ that is open.
	templates []int
	depth     int
	outermost int // where the outermost open template literal begins
	// What is known to have no end: from these positions back, a quote or slash
	// is a plain byte. An unclosed template or comment turns its sort off for good.
	noQuote     [2]int
	noRegexp    int
	noTemplates bool
	noComments  bool
}

func newScript(src string) *script { return &script{src: src, first: true} }

// next returns the next token; at the end of the text, one of kind scriptEnd.
func (s *script) next() scriptToken {
	for {
		for s.pos < len(s.src) {
			if t, ok := s.step(); ok {
				t.first, s.first = s.first, false
				return t
			}
		}
		if len(s.templates) == 0 {
			return scriptToken{}
		}
		s.withoutTemplates()
	}
}

// withoutTemplates starts over behind a back-tick that opens nothing, such as one
// in JSX text, and takes back-ticks as plain bytes from there on.
func (s *script) withoutTemplates() {
	s.pos, s.templates, s.noTemplates = s.outermost+1, nil, true
	s.noQuote, s.noRegexp = [2]int{}, 0
}

// step reads one token, or passes over what is none.
func (s *script) step() (scriptToken, bool) {
	switch c := s.src[s.pos]; {
	case c == '\n':
		s.first = true
		s.pos++
	case isSpace(c):
		s.pos++
	case c == '/' && s.comment(), c == '/' && s.regexp(), c == '`' && s.template():
	case c == '"' || c == '\'':
		return s.quoted(c)
	case c == '\\':
		s.pos = min(s.pos+2, len(s.src))
	case isWordByte(c):
		return s.word(), true
	case c == '}' && s.resumesTemplate():
	default:
		return s.punct(c), true
	}
	return scriptToken{}, false
}

func (s *script) punct(c byte) scriptToken {
	switch c {
	case '{':
		s.depth++
	case '}':
		s.depth--
	}
	s.prev = c
	s.pos++
	return scriptToken{kind: scriptPunct, text: s.src[s.pos-1 : s.pos]}
}

func (s *script) word() scriptToken {
	start := s.pos
	for s.pos < len(s.src) && isWordByte(s.src[s.pos]) {
		s.pos++
	}
	s.prev = 'a'
	if w := s.src[start:s.pos]; w == "return" || w == "typeof" || w == "case" {
		s.prev = '('
	}
	return scriptToken{kind: scriptWord, text: s.src[start:s.pos]}
}

// quoted reads a string literal. A quote with no other on its line is passed over.
func (s *script) quoted(q byte) (scriptToken, bool) {
	sort := 0
	if q == '\'' {
		sort = 1
	}
	if s.pos >= s.noQuote[sort] {
		end, ok := endOnLine(s.src, s.pos+1, q, false)
		if ok {
			t := scriptToken{kind: scriptText, text: s.src[s.pos+1 : end]}
			s.pos, s.prev = end+1, q
			return t, true
		}
		s.noQuote[sort] = end
	}
	s.pos++
	return scriptToken{}, false
}

// comment passes over the comment at pos, if one begins there.
func (s *script) comment() bool {
	rest := s.src[s.pos:]
	switch {
	case strings.HasPrefix(rest, "//"):
		if end := strings.IndexByte(rest, '\n'); end >= 0 {
			s.pos += end
		} else {
			s.pos = len(s.src)
		}
		return true
	case strings.HasPrefix(rest, "/*") && !s.noComments:
		end := strings.Index(rest[2:], "*/")
		if end < 0 {
			s.noComments = true
			return false
		}
		s.first = s.first || strings.IndexByte(rest[:end+2], '\n') >= 0
		s.pos += end + 4
		return true
	}
	return false
}

// regexp passes over the regular expression at pos, if a value may stand there
// and it ends on its line.
func (s *script) regexp() bool {
	if s.pos < s.noRegexp || s.prev != 0 && strings.IndexByte("(,=:[!&|?{;+-*%~^", s.prev) < 0 {
		return false
	}
	end, ok := endOnLine(s.src, s.pos+1, '/', true)
	if !ok {
		s.noRegexp = end
		return false
	}
	s.pos, s.prev = end+1, '/'
	return true
}

// endOnLine finds the unescaped end of a literal on the line, outside of [] if
// these are classes. If there is none, it returns the end of the line.
func endOnLine(src string, pos int, end byte, classes bool) (int, bool) {
	class := false
	for ; pos < len(src) && src[pos] != '\n'; pos++ {
		switch c := src[pos]; {
		case c == '\\':
			pos++
		case classes && c == '[':
			class = true
		case classes && c == ']':
			class = false
		case c == end && !class:
			return pos, true
		}
	}
	return min(pos, len(src)), false
}

// template passes over the template literal at pos, up to its end or first ${.
func (s *script) template() bool {
	if s.noTemplates {
		return false
	}
	if len(s.templates) == 0 {
		s.outermost = s.pos
	}
	s.pos++
	s.inTemplate()
	return true
}

// resumesTemplate goes on with a template literal whose ${ the } at pos closes.
func (s *script) resumesTemplate() bool {
	top := len(s.templates) - 1
	if top < 0 || s.templates[top] != s.depth {
		return false
	}
	s.templates = s.templates[:top]
	s.pos++
	s.inTemplate()
	return true
}

// inTemplate reads the text of a template literal. One that never ends leaves an
// entry behind, by which next knows.
func (s *script) inTemplate() {
	for ; s.pos < len(s.src); s.pos++ {
		switch c := s.src[s.pos]; {
		case c == '\\':
			s.pos++
		case c == '`':
			s.pos++
			s.prev = '`'
			return
		case c == '$' && strings.HasPrefix(s.src[s.pos:], "${"):
			s.pos += 2
			s.prev = '{'
			s.templates = append(s.templates, s.depth)
			return
		}
	}
	s.pos = len(s.src)
	s.templates = append(s.templates, s.depth)
}

func isWordByte(c byte) bool {
	return isLetter(c) || '0' <= c && c <= '9' || c == '_' || c == '$' || c >= 0x80
}
