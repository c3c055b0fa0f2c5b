package strictyaml

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// MaxDepth bounds how deep a file nests: no format here needs more than six levels.
const MaxDepth = 32

// Check refuses a file that the parser must not see: one that is longer than maxBytes
// or no UTF-8, that nests deeper than [MaxDepth] (the parser calls itself for every
// level), or that has anchors and aliases, by which a file of a few lines stands for
// a document of any size. It takes time linear in the file. Line is where that is,
// or 0. The error repeats nothing of the file.
func Check(data []byte, maxBytes int) (line int, err error) {
	switch {
	case len(data) > maxBytes:
		return 0, fmt.Errorf("the file is longer than %d bytes", maxBytes)
	case !utf8.Valid(data):
		return 0, errors.New("the file is not UTF-8")
	}
	if line := tooDeep(data); line > 0 {
		return line, fmt.Errorf("want it nested at most %d deep", MaxDepth)
	}
	for _, t := range lexer.Tokenize(string(data)) {
		if t.Type == token.AnchorType || t.Type == token.AliasType || t.Type == token.MergeKeyType {
			return t.Position.Line, errors.New("anchors (&), aliases (*) and merge keys (<<) are not read here: write the value out")
		}
	}
	return 0, nil
}

// tooDeep is the line on which brackets, dashes and question marks nest deeper than
// [MaxDepth], those in texts included; 0 if there is none.
func tooDeep(data []byte) int {
	n, open := 0, 0
	for line := range bytes.Lines(data) {
		n++
		begin := line[:len(line)-len(bytes.TrimLeft(line, "-? \t"))]
		if bytes.Count(begin, []byte("- "))+bytes.Count(begin, []byte("? ")) > MaxDepth {
			return n
		}
		for _, c := range line {
			switch c {
			case '{', '[':
				open++
			case '}', ']':
				open = max(open-1, 0)
			}
			if open > MaxDepth {
				return n
			}
		}
	}
	return 0
}
