package describe

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"unicode/utf8"
)

// A Field is how the values of one field are distributed.
type Field struct {
	Path string `json:"path"` // such as reward or meta.license
	// Kind is text (long, or seldom twice the same), category (few different values),
	// number, list, object or mixed (several of these).
	Kind    string `json:"kind"`
	Rows    int    `json:"rows"`    // that have it
	Missing int    `json:"missing"` // that do not, or have null
	// Distribution is of numbers, of texts' lengths in characters and of lists' lengths;
	// null for other kinds.
	Distribution *Distribution `json:"distribution"`
	Values       []Value       `json:"values,omitempty"` // of a category, the most frequent first
}

// A Value is one value of a category.
type Value struct {
	Value string `json:"value"`
	Rows  int    `json:"rows"`
}

// A Distribution is of numbers. Quantiles are between values, as NumPy has them by default.
type Distribution struct {
	N      int     `json:"n"`
	Min    float64 `json:"min"`
	P25    float64 `json:"p25"`
	Median float64 `json:"median"`
	P75    float64 `json:"p75"`
	P95    float64 `json:"p95"`
	Max    float64 `json:"max"`
	Mean   float64 `json:"mean"`
	Bins   []int   `json:"bins"` // of equal width from min to max; one where all are equal
}

const (
	mostFields = 64
	mostValues = 40 // of a category, and at most half as many as there are rows
	longest    = 80 // characters of a category's value
	binCount   = 20
	hugest     = 1e150 // number whose sums and differences are still numbers
)

// distribution is that of values, which it sorts; nil where there are none.
func distribution(values []float64) *Distribution {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	n, sum := len(values), 0.0
	for _, v := range values {
		sum += v
	}
	d := &Distribution{N: n, Min: values[0], Max: values[n-1], Mean: sum / float64(n)}
	d.P25, d.Median, d.P75, d.P95 = quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75), quantile(values, 0.95)
	d.Bins = make([]int, binCount)
	if d.Min == d.Max {
		d.Bins = []int{n}
		return d
	}
	for _, v := range values {
		d.Bins[min(binCount-1, int((v-d.Min)/(d.Max-d.Min)*binCount))]++
	}
	return d
}

// quantile of sorted values: linear between the two around it.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// fields gather the values of rows.
type fields struct {
	byPath  map[string]*column
	ignored int // values
	row     int // that is added, from 1
}

// A column is the values of one field. Values are counted until there are too many.
type column struct {
	rows, texts, numbers, lists, objects, booleans int
	last                                           int       // row that is counted
	sizes                                          []float64 // numbers, or lengths of texts or lists
	values                                         map[string]int
}

func newFields() *fields { return &fields{byPath: map[string]*column{}} }

func (f *fields) add(row json.RawMessage) {
	f.row++
	f.object("", row, 2)
}

// object takes the fields of an object, and of objects in it down to a depth.
func (f *fields) object(path string, row json.RawMessage, depth int) {
	var o map[string]json.RawMessage
	if json.Unmarshal(row, &o) != nil {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(o)) {
		v, name := o[key], path+key
		if bytes.Equal(v, []byte("null")) {
			continue
		}
		if v[0] == '{' && depth > 1 {
			f.object(name+".", v, depth-1)
			continue
		}
		c := f.byPath[name]
		if c == nil {
			if len(f.byPath) == mostFields {
				f.ignored++
				continue
			}
			c = &column{values: map[string]int{}}
			f.byPath[name] = c
		}
		if c.last != f.row { // one path may be two fields of a row: "a.b", and b in a
			c.last = f.row
			c.add(v)
		}
	}
}

func (c *column) add(v json.RawMessage) {
	c.rows++
	switch v[0] {
	case '"':
		var text string
		_ = json.Unmarshal(v, &text) // it was part of an object that could be read
		c.texts++
		c.sizes = append(c.sizes, float64(utf8.RuneCountInString(text)))
		c.count(text)
	case '[':
		var list []json.RawMessage
		_ = json.Unmarshal(v, &list)
		c.lists++
		c.sizes = append(c.sizes, float64(len(list)))
	case '{':
		c.objects++
	case 't', 'f':
		c.booleans++
		c.count(string(v))
	default:
		var n float64
		if json.Unmarshal(v, &n) == nil && math.Abs(n) < hugest {
			c.numbers++
			c.sizes = append(c.sizes, n)
		}
	}
}

// count counts a value of what may be a category.
func (c *column) count(value string) {
	if c.values == nil {
		return
	}
	if c.values[value]++; len(c.values) > mostValues || len(value) > longest {
		c.values = nil
	}
}

// fields are the fields by their names.
func (f *fields) fields(rows int) []Field {
	all := make([]Field, 0, len(f.byPath))
	for path, c := range f.byPath {
		x := Field{Path: path, Kind: "mixed", Rows: c.rows, Missing: rows - c.rows}
		switch c.rows {
		case c.texts:
			x.Kind, x.Distribution = "text", distribution(c.sizes)
			if c.values != nil && 2*len(c.values) <= c.rows {
				x.Kind, x.Distribution, x.Values = "category", nil, c.list()
			}
		case c.booleans:
			x.Kind, x.Values = "category", c.list()
		case c.numbers:
			x.Kind, x.Distribution = "number", distribution(c.sizes)
		case c.lists:
			x.Kind, x.Distribution = "list", distribution(c.sizes)
		case c.objects:
			x.Kind = "object"
		}
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b Field) int { return cmp.Compare(a.Path, b.Path) })
	return all
}

// list are the values of a category, the most frequent first.
func (c *column) list() (all []Value) {
	for v, n := range c.values {
		all = append(all, Value{v, n})
	}
	slices.SortFunc(all, func(a, b Value) int { return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Value, b.Value)) })
	return all
}
