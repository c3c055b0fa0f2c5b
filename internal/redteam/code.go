package redteam

import (
	"bytes"
	"reflect"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// maxCode is the longest script that is parsed, in bytes.
const maxCode = 1 << 20

// A code is a script element's text or an event handler attribute.
type code struct {
	source    string
	piece     *piece
	attribute int     // of the tag, from 1; 0 for a script element
	tree      *js.AST // nil until it is asked for, or if it cannot be parsed
	parsed    bool
	changed   bool // the tree is
	prefix    string
	suffix    string
}

// program is the syntax tree, nil for code that cannot be parsed or that is not the same
// after it was printed and parsed.
func (c *code) program() *js.AST {
	if c.parsed {
		return c.tree
	}
	c.parsed = true
	tree := parseCode(c.source, c.attribute > 0)
	if tree == nil {
		return nil
	}
	printed := printCode(tree)
	if again := parseCode(printed, c.attribute > 0); again == nil || printCode(again) != printed || !c.fits(printed) {
		return nil
	}
	c.tree = tree
	return tree
}

// fits says whether printed code ends a script element no sooner than its source did.
func (c *code) fits(printed string) bool {
	if c.attribute > 0 {
		return true
	}
	printed, source := strings.ToLower(printed), strings.ToLower(c.source)
	for _, word := range []string{"</script", "<!--", "<script"} {
		if strings.Count(printed, word) > strings.Count(source, word) {
			return false
		}
	}
	return true
}

// store writes a tree that was changed into its piece.
func (c *code) store() {
	if !c.changed || c.tree == nil {
		return
	}
	printed := printCode(c.tree)
	if !c.fits(printed) {
		return
	}
	if c.attribute == 0 {
		c.piece.raw = c.prefix + "\n" + printed + "\n" + c.suffix
		return
	}
	if c.attribute <= len(c.piece.tag.Attr) {
		c.piece.tag.Attr[c.attribute-1].Val = c.prefix + printed + c.suffix
		c.piece.changed = true
	}
}

// parseCode is nil for what is no JavaScript. Handlers of attributes are bodies of
// functions, in which return may stand.
func parseCode(source string, handler bool) (tree *js.AST) {
	if len(source) > maxCode {
		return nil
	}
	defer func() {
		if recover() != nil { // a fault of the parser
			tree = nil
		}
	}()
	tree, err := js.Parse(parse.NewInputString(source), js.Options{Inline: handler})
	if err != nil {
		return nil
	}
	return tree
}

func printCode(tree *js.AST) string {
	var b bytes.Buffer
	tree.JS(&b)
	return b.String()
}

// A walk goes over a syntax tree, what is inside before what is around it. Its functions
// may be nil.
type walk struct {
	expr func(js.IExpr) js.IExpr // gives what stands in the place of an expression
	node func(any)               // is given a pointer to every struct
	name func(*js.Var)           // is given every use of a variable
}

var (
	exprType  = reflect.TypeFor[js.IExpr]()
	scopeType = reflect.TypeFor[js.Scope]()
)

func (w walk) over(tree *js.AST) { w.value(reflect.ValueOf(tree)) }

func (w walk) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		w.value(v.Elem())
		if v.Type() == exprType && w.expr != nil {
			v.Set(reflect.ValueOf(w.expr(v.Interface().(js.IExpr))))
		}
	case reflect.Pointer:
		if x, ok := v.Interface().(*js.Var); ok {
			if x != nil && w.name != nil {
				w.name(x)
			}
			return
		}
		if !v.IsNil() && v.Type().Elem() != scopeType {
			w.value(v.Elem())
		}
	case reflect.Struct:
		w.fields(v)
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 {
			for i := range v.Len() {
				w.value(v.Index(i))
			}
		}
	}
}

func (w walk) fields(v reflect.Value) {
	if v.Type() == scopeType {
		return
	}
	for i := range v.NumField() {
		w.value(v.Field(i))
	}
	if w.node != nil && v.CanAddr() {
		w.node(v.Addr().Interface())
	}
}
