package reward

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// maxFile bounds a recipe file in bytes: a recipe is a page of text.
const maxFile = 16 << 10

// A decoder reads values out of a YAML file and keeps the first thing that is
// wrong, so that reading code needs no error checks in between.
type decoder struct {
	file string
	err  error
}

// A field is a node of the file, with the way to it.
type field struct {
	path string // such as "parts.code.weight"; empty for the document
	key  string // last step of path
	line int
	node ast.Node // nil if it is not there
}

func (d *decoder) fail(f field, format string, args ...any) {
	if d.err != nil {
		return
	}
	path := f.path
	if path != "" {
		path += ": "
	}
	d.err = fmt.Errorf("%s:%d: %s%s", d.file, max(f.line, 1), path, fmt.Sprintf(format, args...))
}

// document parses the file, which holds one YAML document.
func (d *decoder) document(data []byte) field {
	if len(data) > maxFile {
		d.fail(field{}, "the file is longer than %d bytes: not a recipe", maxFile)
		return field{}
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		var at yaml.Error
		if errors.As(err, &at) && at.GetToken() != nil {
			d.fail(field{line: at.GetToken().Position.Line}, "not YAML: %s", at.GetMessage())
		}
		d.fail(field{}, "not YAML: %v", err)
		return field{}
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		d.fail(field{}, "want one YAML document with at least parts, the file is empty or holds several")
		return field{}
	}
	return field{node: file.Docs[0].Body}
}

// fields yields the entries of a mapping. With valid keys given, another key is
// an error and not yielded.
func (d *decoder) fields(f field, valid ...string) iter.Seq[field] {
	return func(yield func(field) bool) {
		m, ok := f.node.(ast.MapNode)
		if !ok {
			d.fail(f, "want a mapping (%s), got %s", cmp.Or(strings.Join(valid, ", "), "name: value"), kind(f.node))
			return
		}
		for it := m.MapRange(); it.Next(); {
			key := it.Key().GetToken()
			entry := field{strings.TrimPrefix(f.path+"."+key.Value, "."), key.Value, key.Position.Line, it.Value()}
			if len(valid) > 0 && !slices.Contains(valid, key.Value) {
				d.fail(entry, "unknown key%s; valid here: %s", didYouMean(key.Value, valid), strings.Join(valid, ", "))
			} else if !yield(entry) {
				return
			}
		}
	}
}

// list returns the items of a list; their paths are f's path and a number.
func (d *decoder) list(f field) []field {
	seq, ok := f.node.(*ast.SequenceNode)
	if !ok {
		d.fail(f, "want a list, got %s", kind(f.node))
		return nil
	}
	items := make([]field, len(seq.Values))
	for i, n := range seq.Values {
		items[i] = field{path: fmt.Sprintf("%s[%d]", f.path, i), line: n.GetToken().Position.Line, node: n}
	}
	return items
}

func (d *decoder) text(f field) string {
	switch n := f.node.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	}
	d.fail(f, "want text, got %s", kind(f.node))
	return ""
}

func (d *decoder) oneOf(f field, valid ...string) string {
	v := d.text(f)
	if !slices.Contains(valid, v) {
		d.fail(f, "want %s, got %q%s", strings.Join(valid, " or "), v, didYouMean(v, valid))
	}
	return v
}

func (d *decoder) truth(f field) bool {
	n, ok := f.node.(*ast.BoolNode)
	if !ok {
		d.fail(f, "want true or false, got %s", kind(f.node))
		return false
	}
	return n.Value
}

// number reads a finite number. The result is never nil.
func (d *decoder) number(f field) *float64 {
	v, ok := number(f.node)
	if !ok {
		d.fail(f, "want a finite number, got %s", kind(f.node))
	}
	return &v
}

// number reads a node that is a finite number. Plain text counts if it is one:
// the YAML library takes 1e-3 for text.
func number(n ast.Node) (v float64, ok bool) {
	switch n := n.(type) {
	case *ast.IntegerNode:
		switch i := n.Value.(type) {
		case int64:
			v = float64(i)
		case uint64:
			v = float64(i)
		}
	case *ast.FloatNode:
		v = n.Value
	case *ast.StringNode:
		var err error
		if v, err = strconv.ParseFloat(n.Value, 64); err != nil || n.Token.Type != token.StringType {
			return 0, false
		}
	default:
		return 0, false
	}
	return v, !math.IsNaN(v) && !math.IsInf(v, 0)
}

// kind says in words what stands in the file.
func kind(n ast.Node) string {
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return "nothing"
	case *ast.StringNode:
		return fmt.Sprintf("the text %q", n.Value)
	case *ast.SequenceNode:
		return "a list"
	case ast.MapNode:
		return "a mapping"
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value
	}
	return "a YAML " + strings.ToLower(n.Type().String())
}
