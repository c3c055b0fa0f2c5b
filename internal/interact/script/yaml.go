package script

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// A reader reads values out of a YAML file and keeps the first thing that is wrong,
// so that reading code needs no error checks in between.
type reader struct {
	file string
	err  error
}

// A field is a node of the file, with the way to it.
type field struct {
	path string // such as "[0].steps[2].click"; empty for the document
	key  string // last step of path
	line int
	node ast.Node
}

func (r *reader) fail(f field, format string, args ...any) {
	if r.err != nil {
		return
	}
	path := f.path
	if path != "" {
		path += ": "
	}
	r.err = fmt.Errorf("%s:%d: %s%s", r.file, max(f.line, 1), path, fmt.Sprintf(format, args...))
}

// document parses the file, which holds one YAML document.
func (r *reader) document(data []byte) field {
	if len(data) > maxFile || !utf8.Valid(data) || depth(data) > maxDepth {
		r.fail(field{}, "want at most %d bytes of UTF-8, nested at most %d deep", maxFile, maxDepth)
		return field{}
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		var at yaml.Error
		if errors.As(err, &at) && at.GetToken() != nil {
			r.fail(field{line: at.GetToken().Position.Line}, "not YAML: %s; texts with : # { } [ ] or quotes in them want quotes around them", at.GetMessage())
		}
		r.fail(field{}, "not YAML: %v", err)
		return field{}
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		r.fail(field{}, "want one YAML document with a list of scripts, the file is empty or holds several")
		return field{}
	}
	return field{node: file.Docs[0].Body}
}

// maxDepth bounds how deep brackets nest: the language needs five.
const maxDepth = 32

// depth is how deep brackets and dashes nest at most, those in texts included: the
// parser calls itself for each, and this costs nothing.
func depth(data []byte) int {
	deepest, open := 0, 0
	for line := range bytes.Lines(data) {
		begin := line[:len(line)-len(bytes.TrimLeft(line, "-? \t"))]
		deepest = max(deepest, bytes.Count(begin, []byte("-"))+bytes.Count(begin, []byte("?")))
	}
	for _, c := range data {
		switch c {
		case '{', '[':
			open++
		case '}', ']':
			open = max(open-1, 0)
		}
		deepest = max(deepest, open)
	}
	return deepest
}

// entries yields the entries of a mapping whose keys are among valid; another key is
// an error and not yielded.
func (r *reader) entries(f field, valid ...string) iter.Seq[field] {
	return func(yield func(field) bool) {
		m, ok := f.node.(ast.MapNode)
		if !ok {
			r.fail(f, "want a mapping such as {%s: …}, got %s", valid[0], kindOf(f.node))
			return
		}
		for it := m.MapRange(); it.Next(); {
			key := it.Key().GetToken()
			entry := field{strings.TrimPrefix(f.path+"."+key.Value, "."), key.Value, key.Position.Line, it.Value()}
			if !slices.Contains(valid, key.Value) {
				r.fail(entry, "unknown key%s; valid here: %s", didYouMean(key.Value, valid), strings.Join(valid, ", "))
			} else if !yield(entry) {
				return
			}
		}
	}
}

// list returns the items of a list.
func (r *reader) list(f field, most int) []field {
	seq, ok := f.node.(*ast.SequenceNode)
	if !ok {
		r.fail(f, "want a list, got %s", kindOf(f.node))
		return nil
	}
	if n := len(seq.Values); n == 0 || n > most {
		r.fail(f, "want 1 to %d items, got %d", most, n)
		return nil
	}
	items := make([]field, len(seq.Values))
	for i, n := range seq.Values {
		items[i] = field{path: fmt.Sprintf("%s[%d]", f.path, i), line: lineOf(n, f.line), node: n}
	}
	return items
}

// text reads a text of at most [maxText] letters, which may be empty.
func (r *reader) text(f field) string {
	var v string
	switch n := f.node.(type) {
	case *ast.StringNode:
		v = n.Value
	case *ast.LiteralNode:
		v = n.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		r.fail(f, "want text, got %s: put it in quotes: %q", kindOf(n), n.GetToken().Value)
	default:
		r.fail(f, "want text, got %s", kindOf(f.node))
	}
	if n := utf8.RuneCountInString(v); n > maxText {
		r.fail(f, "want at most %d letters, got %d", maxText, n)
	}
	return v
}

// words reads a text that is not blank.
func (r *reader) words(f field) string {
	v := r.text(f)
	if strings.TrimSpace(v) == "" {
		r.fail(f, "must not be empty")
	}
	return v
}

func (r *reader) oneOf(f field, valid ...string) string {
	v := r.text(f)
	if !slices.Contains(valid, v) {
		r.fail(f, "want %s, got %q%s", strings.Join(valid, " or "), v, didYouMean(v, valid))
	}
	return v
}

// yes reads true: there is no other way to say it.
func (r *reader) yes(f field) bool {
	n, ok := f.node.(*ast.BoolNode)
	if !ok || !n.Value {
		r.fail(f, "want true, got %s", kindOf(f.node))
	}
	return true
}

// number reads a number from low to high.
func (r *reader) number(f field, low, high float64) float64 {
	v := math.NaN()
	switch n := f.node.(type) {
	case *ast.IntegerNode:
		switch i := n.Value.(type) {
		case int64:
			v = float64(i)
		case uint64:
			v = float64(i)
		}
	case *ast.FloatNode:
		v = n.Value
	}
	if !(v >= low && v <= high) {
		r.fail(f, "want a number from %g to %g, got %s", low, high, kindOf(f.node))
		return low
	}
	return v
}

// whole reads a whole number from low to high.
func (r *reader) whole(f field, low, high int) int {
	v := r.number(f, float64(low), float64(high))
	if v != math.Trunc(v) {
		r.fail(f, "want a whole number, got %g", v)
	}
	return int(v)
}

func lineOf(n ast.Node, otherwise int) int {
	if n == nil || n.GetToken() == nil {
		return otherwise
	}
	return n.GetToken().Position.Line
}

// kindOf says in words what stands in the file.
func kindOf(n ast.Node) string {
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return "nothing"
	case *ast.StringNode:
		return fmt.Sprintf("the text %q", clip(n.Value))
	case *ast.SequenceNode:
		return "a list"
	case ast.MapNode:
		return "a mapping"
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return clip(n.GetToken().Value)
	}
	return "a YAML " + strings.ToLower(n.Type().String())
}

// clip keeps what is quoted short.
func clip(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return s
}

// didYouMean names the valid word that a wrong one begins like, if there is one.
func didYouMean(word string, valid []string) string {
	shared := func(v string) int {
		n := 0
		for n < min(len(v), len(word)) && v[n] == word[n] {
			n++
		}
		return n
	}
	best := slices.MaxFunc(valid, func(a, b string) int { return shared(a) - shared(b) })
	if shared(best) < 2 {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}
