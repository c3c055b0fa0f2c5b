package parse

import "strings"

// A tag is an open tag that was read to its end.
type tag struct {
	attrs       []attr
	selfClosing bool
}

type attr struct{ name, value string }

// get returns the first attribute of this name, without regard to case: models
// write filePath, filepath and FilePath. Values are literal; no entity is decoded.
func (t tag) get(name string) (string, bool) {
	for _, a := range t.attrs {
		if strings.EqualFold(a.name, name) {
			return a.value, true
		}
	}
	return "", false
}

// value is get for an attribute whose absence means the same as emptiness.
func (t tag) value(name string) string {
	v, _ := t.get(name)
	return strings.TrimSpace(v)
}

// readTag reads the attributes from pos, right behind the name, to the closing >.
// It returns the position after it. A tag that is not well formed (another <, a
// quote that does not end on its line, the end of the text) is not ok, and end is
// where to read on.
func readTag(text string, pos int) (t tag, end int, ok bool) {
	for pos < len(text) {
		switch c := text[pos]; {
		case c == '>':
			return t, pos + 1, true
		case c == '/' && strings.HasPrefix(text[pos:], "/>"):
			t.selfClosing = true
			return t, pos + 2, true
		case c == '<' || c == '"' || c == '\'' || c == '=':
			return t, pos, false
		case isSpace(c) || c == '/':
			pos++
		default:
			var a attr
			if a, pos, ok = readAttr(text, pos); !ok {
				return t, pos, false
			}
			t.attrs = append(t.attrs, a)
		}
	}
	return t, pos, false
}

// readAttr reads one name, or name = value, from pos.
func readAttr(text string, pos int) (a attr, end int, ok bool) {
	start := pos
	for pos < len(text) && !isSpace(text[pos]) && strings.IndexByte("=>/<\"'", text[pos]) < 0 {
		pos++
	}
	a.name = text[start:pos]
	equals := skipSpace(text, pos)
	if equals == len(text) || text[equals] != '=' {
		return a, pos, true
	}
	pos = skipSpace(text, equals+1)
	if pos == len(text) {
		return a, pos, false
	}
	if q := text[pos]; q == '"' || q == '\'' {
		start = pos + 1
		// A quote that fails is the last of its sort on the line, so that a line
		// is read at most twice in vain.
		stop := strings.IndexAny(text[start:], string(q)+"\n")
		if stop < 0 || text[start+stop] == '\n' {
			return a, start, false
		}
		a.value = text[start : start+stop]
		return a, start + stop + 1, true
	}
	start = pos
	for pos < len(text) && !isSpace(text[pos]) && text[pos] != '>' && text[pos] != '<' {
		pos++
	}
	a.value = text[start:pos]
	return a, pos, true
}

func skipSpace(text string, pos int) int {
	for pos < len(text) && isSpace(text[pos]) {
		pos++
	}
	return pos
}
