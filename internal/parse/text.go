package parse

import (
	"strings"
	"unicode/utf8"
)

const (
	byteOrderMark   = "\ufeff"
	replacementChar = "\ufffd"
)

// clean gives the text the form that every later step relies on: valid UTF-8
// with one U+FFFD for each run of bad bytes, no byte order mark in front, no NUL
// (U+FFFD instead, as HTML has it), and every line ended by \n alone.
func clean(text string, n *notes) string {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, replacementChar)
		n.add("invalid_utf8", "the text held bytes that are not UTF-8; each run of them is now U+FFFD")
	}
	text = strings.TrimPrefix(text, byteOrderMark)
	if strings.IndexByte(text, 0) >= 0 {
		text = strings.ReplaceAll(text, "\x00", replacementChar)
		n.add("nul_bytes", "the text held NUL bytes; each is now U+FFFD")
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	return text
}

// isSpace tells white space of markup and code.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' }

// isLetter tells an ASCII letter.
func isLetter(c byte) bool { c |= 0x20; return 'a' <= c && c <= 'z' }

// hasFold is strings.HasPrefix without regard to ASCII case. The prefix must be
// in lower case. It never copies the text.
func hasFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// blank tells whether there is nothing but white space.
func blank(text string) bool { return strings.TrimSpace(text) == "" }
