package strictyaml

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// IsMapping reports whether keys and values stand there.
func (f Field) IsMapping() bool {
	_, ok := f.Node.(ast.MapNode)
	return ok
}

// Number is the number that stands there; ok is false where there is none, or one that
// YAML writes in words: .inf and .nan.
func (f Field) Number() (v float64, ok bool) {
	switch n := f.Node.(type) {
	case *ast.IntegerNode:
		switch i := n.Value.(type) {
		case int64:
			return float64(i), true
		case uint64:
			return float64(i), true
		}
	case *ast.FloatNode:
		return n.Value, true
	}
	return 0, false
}

// Kind says in words what stands there.
func (f Field) Kind() string {
	switch n := f.Node.(type) {
	case nil, *ast.NullNode:
		return "nothing"
	case *ast.StringNode:
		return fmt.Sprintf("the text %q", Clip(n.Value))
	case *ast.SequenceNode:
		return "a list"
	case ast.MapNode:
		return "a mapping"
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return Clip(n.GetToken().Value)
	}
	return "a YAML " + strings.ToLower(f.Node.Type().String())
}

// Clip keeps what is quoted short: 80 letters.
func Clip(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return s
}

// DidYouMean is " (did you mean …?)" with the valid word that is closest to a wrong
// one, and empty if none is so close that it was a slip.
func DidYouMean(word string, valid []string) string {
	best, least := "", len(word)/3+2
	for _, v := range valid {
		if len(word)-len(v) >= least {
			continue // a word without end costs nothing
		}
		if d := distance(word, v); d < least {
			best, least = v, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// distance is Levenshtein's: how many letters to add, drop or change.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
