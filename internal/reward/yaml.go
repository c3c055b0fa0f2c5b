package reward

import (
	"math"
	"strconv"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"vitrine/internal/strictyaml"
)

// maxFile bounds a recipe file in bytes: a recipe is a page of text.
const maxFile = 16 << 10

// A decoder reads a recipe out of a YAML file.
type decoder struct{ strictyaml.Reader }

type field = strictyaml.Field

func (d *decoder) truth(f field) bool {
	n, ok := f.Node.(*ast.BoolNode)
	if !ok {
		d.Fail(f, "want true or false, got %s", f.Kind())
		return false
	}
	return n.Value
}

// number reads a finite number. The result is never nil.
func (d *decoder) number(f field) *float64 {
	v, ok := number(f)
	if !ok {
		d.Fail(f, "want a finite number, got %s", f.Kind())
	}
	return &v
}

// number reads a field that is a finite number. Plain text counts if it is one: the
// YAML library takes 1e-3 for text.
func number(f field) (v float64, ok bool) {
	v, ok = f.Number()
	if n, text := f.Node.(*ast.StringNode); text && n.Token.Type == token.StringType {
		parsed, err := strconv.ParseFloat(n.Value, 64)
		v, ok = parsed, err == nil
	}
	return v, ok && !math.IsNaN(v) && !math.IsInf(v, 0)
}
