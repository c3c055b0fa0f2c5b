// Package strictyaml reads files that people and models write in YAML: every key must
// be known, every value of the right kind, and what is wrong is said with file, line
// and path, such as
//
//	my.yaml:3: parts.code.wieght: unknown key (did you mean "weight"?); valid here: from, weight
//
// It reads node by node; who needs no lines decodes into a struct instead.
package strictyaml

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// A Reader reads values out of one file and keeps the first thing that is wrong, so
// that reading code needs no error checks in between. After that, what it returns
// means nothing.
type Reader struct {
	File   string // what messages call it
	Holds  string // what its document is, such as "a list of scripts"
	Advice string // is said behind what the parser says; may be empty
	Max    int    // of the file, in bytes
	Err    error  // the first thing that is wrong, as "file:line: path: what"
}

// A Field is a node of the file, with the way to it. The zero Field is the file itself.
type Field struct {
	Path string   // such as "[0].steps[2].click"; empty for the document
	Key  string   // last step of Path; empty for items of lists
	Line int      // from 1; 0 where there is none
	Node ast.Node // nil if it is not there
}

// Fail says what is wrong with a field, unless something was wrong before.
func (r *Reader) Fail(f Field, format string, args ...any) {
	if r.Err != nil {
		return
	}
	path := f.Path
	if path != "" {
		path += ": "
	}
	r.Err = fmt.Errorf("%s:%d: %s%s", r.File, max(f.Line, 1), path, fmt.Sprintf(format, args...))
}

// Document parses the file, which holds one YAML document and passes [Check].
func (r *Reader) Document(data []byte) Field {
	if line, err := Check(data, r.Max); err != nil {
		r.Fail(Field{Line: line}, "%v", err)
		return Field{}
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		var at yaml.Error
		if errors.As(err, &at) && at.GetToken() != nil {
			r.Fail(Field{Line: at.GetToken().Position.Line}, "not YAML: %s%s", at.GetMessage(), r.Advice)
		}
		r.Fail(Field{}, "not YAML: %v", err)
		return Field{}
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		r.Fail(Field{}, "want one YAML document with %s, the file is empty or holds several", r.Holds)
		return Field{}
	}
	return Field{Node: file.Docs[0].Body}
}

// Entries yields the entries of a mapping. With valid keys given, another key is an
// error and not yielded.
func (r *Reader) Entries(f Field, valid ...string) iter.Seq[Field] {
	return func(yield func(Field) bool) {
		m, ok := f.Node.(ast.MapNode)
		if !ok {
			r.Fail(f, "want a mapping (%s), got %s", cmp.Or(strings.Join(valid, ", "), "name: value"), f.Kind())
			return
		}
		for it := m.MapRange(); it.Next(); {
			key := it.Key().GetToken()
			entry := Field{strings.TrimPrefix(f.Path+"."+key.Value, "."), key.Value, key.Position.Line, it.Value()}
			if len(valid) > 0 && !slices.Contains(valid, key.Value) {
				r.Fail(entry, "unknown key%s; valid here: %s", DidYouMean(key.Value, valid), strings.Join(valid, ", "))
			} else if !yield(entry) {
				return
			}
		}
	}
}

// List returns the items of a list; their paths are f's path and a number from 0.
func (r *Reader) List(f Field) []Field {
	seq, ok := f.Node.(*ast.SequenceNode)
	if !ok {
		r.Fail(f, "want a list, got %s", f.Kind())
		return nil
	}
	items := make([]Field, len(seq.Values))
	for i, n := range seq.Values {
		items[i] = Field{Path: fmt.Sprintf("%s[%d]", f.Path, i), Line: f.Line, Node: n}
		if n != nil && n.GetToken() != nil {
			items[i].Line = n.GetToken().Position.Line
		}
	}
	return items
}

// Text reads a text, which may be empty. A number or true without quotes is none.
func (r *Reader) Text(f Field) string {
	switch n := f.Node.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		r.Fail(f, "want text, got %s: put it in quotes: %q", f.Kind(), n.GetToken().Value)
	}
	r.Fail(f, "want text, got %s", f.Kind())
	return ""
}

// OneOf reads a text that is one of some words.
func (r *Reader) OneOf(f Field, valid ...string) string {
	v := r.Text(f)
	if !slices.Contains(valid, v) {
		r.Fail(f, "want %s, got %q%s", strings.Join(valid, " or "), Clip(v), DidYouMean(v, valid))
	}
	return v
}
