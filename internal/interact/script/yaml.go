package script

import (
	"iter"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"

	"vitrine/internal/strictyaml"
)

// A reader reads scripts out of a YAML file.
type reader struct{ strictyaml.Reader }

type field = strictyaml.Field

// entries are the entries of a mapping; where none stands, an example tells how one
// is written.
func (r *reader) entries(f field, valid ...string) iter.Seq[field] {
	if !f.IsMapping() {
		r.Fail(f, "want a mapping such as {%s: …}, got %s", valid[0], f.Kind())
	}
	return r.Entries(f, valid...)
}

// list returns the items of a list, which are 1 to most.
func (r *reader) list(f field, most int) []field {
	items := r.List(f)
	if n := len(items); n == 0 || n > most {
		r.Fail(f, "want 1 to %d items, got %d", most, n)
		return nil
	}
	return items
}

// text reads a text of at most [maxText] letters, which may be empty.
func (r *reader) text(f field) string {
	v := r.Text(f)
	if n := utf8.RuneCountInString(v); n > maxText {
		r.Fail(f, "want at most %d letters, got %d", maxText, n)
	}
	return v
}

// words reads a text that is not blank.
func (r *reader) words(f field) string {
	v := r.text(f)
	if strings.TrimSpace(v) == "" {
		r.Fail(f, "must not be empty")
	}
	return v
}

// yes reads true: there is no other way to say it.
func (r *reader) yes(f field) bool {
	n, ok := f.Node.(*ast.BoolNode)
	if !ok || !n.Value {
		r.Fail(f, "want true, got %s", f.Kind())
	}
	return true
}

// number reads a number from low to high.
func (r *reader) number(f field, low, high float64) float64 {
	v, ok := f.Number()
	if !ok || !(v >= low && v <= high) {
		r.Fail(f, "want a number from %g to %g, got %s", low, high, f.Kind())
		return low
	}
	return v
}

// whole reads a whole number from low to high.
func (r *reader) whole(f field, low, high int) int {
	v := r.number(f, float64(low), float64(high))
	if v != math.Trunc(v) {
		r.Fail(f, "want a whole number, got %g", v)
	}
	return int(v)
}
