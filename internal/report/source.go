package report

import (
	"strings"
	"unicode/utf8"
)

// Bounds of the source on a page. The whole of it lies in artifact.json.
const (
	maxFileBytes = 200 << 10 // of one file
	maxAllBytes  = 2 << 20   // of all files
	maxFiles     = 300
)

// A source is the files of a sample as its page shows them.
type source struct {
	Files []sourceFile
	More  int    // files that are not listed
	Href  string // artifact.json, or ""
}

// A sourceFile is one file, whole or cut.
type sourceFile struct {
	Path string
	Size int
	Text string
	Cut  int // bytes that are not shown
}

func newSource(k kept) source {
	s := source{Href: k.file("artifact.json")}
	if k.artifact == nil {
		return s
	}
	left := maxAllBytes
	for i, f := range k.artifact.Files {
		if i == maxFiles {
			s.More = len(k.artifact.Files) - maxFiles
			break
		}
		text := cutBytes(f.Content, min(maxFileBytes, left))
		left -= len(text)
		s.Files = append(s.Files, sourceFile{f.Path, len(f.Content), text, len(f.Content) - len(text)})
	}
	return s
}

// cutBytes keeps at most n bytes and no half character.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.Clone(s[:n])
}
