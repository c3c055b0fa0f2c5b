package answer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Shape is what an answer must look like. It is both the JSON Schema that an
// endpoint enforces and the check of what came back, so that the two agree.
type Shape struct {
	kind     string // object, array, string, integer, number, boolean
	about    string
	fields   []Field
	items    *Shape
	min, max float64 // of a number; of the length of a list, or of a text in letters
	values   []string
	null     bool
}

// A Field is one key of an object. Every field is required.
type Field struct {
	Name  string
	Shape Shape
}

// Object has exactly these fields.
func Object(fields ...Field) Shape { return Shape{kind: "object", fields: fields} }

// Integer is a whole number from min to max.
func Integer(min, max int) Shape {
	return Shape{kind: "integer", min: float64(min), max: float64(max)}
}

// Number is a number from min to max.
func Number(min, max float64) Shape { return Shape{kind: "number", min: min, max: max} }

// Text is a string that is not blank, of at most max letters.
func Text(max int) Shape { return Shape{kind: "string", min: 1, max: float64(max)} }

// Choice is one of these strings.
func Choice(values ...string) Shape { return Shape{kind: "string", values: values} }

// Bool is true or false.
func Bool() Shape { return Shape{kind: "boolean"} }

// List has at most max items of a shape.
func List(items Shape, max int) Shape { return ListOf(&items, max) }

// ListOf is List of a shape that may not be complete yet, which is how a shape
// holds itself. Such a shape can be checked, but has no finite [Shape.Schema].
func ListOf(items *Shape, max int) Shape {
	return Shape{kind: "array", items: items, max: float64(max)}
}

// OrNull also takes null.
func (s Shape) OrNull() Shape {
	s.null = true
	return s
}

// About adds what the model is told about a value.
func (s Shape) About(text string) Shape {
	s.about = text
	return s
}

// Schema is the shape as JSON Schema. Bounds are in words, since not every
// provider takes them as keywords; [Shape.Check] holds them.
func (s Shape) Schema() []byte {
	var b bytes.Buffer
	s.write(&b)
	return b.Bytes()
}

func (s Shape) write(b *bytes.Buffer) {
	if s.null {
		fmt.Fprintf(b, `{"type":[%q,"null"]`, s.kind)
	} else {
		fmt.Fprintf(b, `{"type":%q`, s.kind)
	}
	if words := s.words(); words != "" {
		fmt.Fprintf(b, `,"description":%s`, quote(words))
	}
	if s.values != nil {
		fmt.Fprintf(b, `,"enum":%s`, quote(s.enum()))
	}
	if s.items != nil {
		b.WriteString(`,"items":`)
		s.items.write(b)
	}
	if s.kind == "object" {
		s.writeFields(b)
	}
	b.WriteByte('}')
}

// enum is every value of a choice; null is one of them where it is taken.
func (s Shape) enum() []any {
	values := make([]any, len(s.values), len(s.values)+1)
	for i, v := range s.values {
		values[i] = v
	}
	if s.null {
		values = append(values, nil)
	}
	return values
}

func (s Shape) writeFields(b *bytes.Buffer) {
	names := make([]string, len(s.fields))
	b.WriteString(`,"properties":{`)
	for i, f := range s.fields {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quote(f.Name))
		b.WriteByte(':')
		f.Shape.write(b)
		names[i] = f.Name
	}
	fmt.Fprintf(b, `},"required":%s,"additionalProperties":false`, quote(names))
}

// words is what the model is told: what the value means and its bounds.
func (s Shape) words() string {
	bounds := ""
	switch {
	case s.kind == "integer":
		bounds = fmt.Sprintf("a whole number from %g to %g", s.min, s.max)
	case s.kind == "number":
		bounds = fmt.Sprintf("a number from %g to %g", s.min, s.max)
	case s.kind == "array":
		bounds = fmt.Sprintf("at most %g items", s.max)
	case s.kind == "string" && s.values == nil:
		bounds = fmt.Sprintf("at most %g characters", s.max)
	}
	return strings.Join(slices.DeleteFunc([]string{s.about, bounds}, func(w string) bool { return w == "" }), "; ")
}

// quote writes a string or a list of strings as JSON, which cannot fail.
func quote(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// Check holds one JSON value against the shape. The error names every problem by
// its path, up to a dozen, in words for the model.
func (s Shape) Check(raw []byte) error {
	var whole json.RawMessage
	if err := json.Unmarshal(raw, &whole); err != nil { // also bounds the depth
		return fmt.Errorf("malformed JSON: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	root, err := readNode(d)
	if err != nil {
		return fmt.Errorf("malformed JSON: %w", err)
	}
	c := checker{}
	c.check("", s, root)
	return c.err()
}

// checker gathers what is wrong.
type checker struct{ problems []string }

const maxProblems = 12

func (c *checker) wrong(path, format string, args ...any) {
	if path == "" {
		path = "the answer"
	}
	c.problems = append(c.problems, path+": "+fmt.Sprintf(format, args...))
}

func (c *checker) err() error {
	switch n := len(c.problems); {
	case n == 0:
		return nil
	case n > maxProblems:
		return fmt.Errorf("%s; and %d more", strings.Join(c.problems[:maxProblems], "; "), n-maxProblems)
	}
	return fmt.Errorf("%s", strings.Join(c.problems, "; "))
}

func (c *checker) check(path string, s Shape, n node) {
	if s.null && n.kind == "null" {
		return
	}
	if !n.is(s.kind) {
		c.wrong(path, "want %s, got %s", article(s.kind), n.describe())
		return
	}
	switch s.kind {
	case "object":
		c.object(path, s, n)
	case "array":
		c.list(path, s, n)
	case "string":
		c.text(path, s, n.text)
	case "integer", "number":
		c.number(path, s, n)
	}
}

func (c *checker) object(path string, s Shape, n node) {
	seen := map[string]bool{}
	for _, m := range n.members {
		at := join(path, m.name)
		i := slices.IndexFunc(s.fields, func(f Field) bool { return f.Name == m.name })
		switch {
		case i < 0:
			c.wrong(clip(at), "unknown key")
		case seen[m.name]:
			c.wrong(at, "this key is there twice")
		default:
			c.check(at, s.fields[i].Shape, m.value)
		}
		seen[m.name] = true
	}
	for _, f := range s.fields {
		if !seen[f.Name] {
			c.wrong(join(path, f.Name), "missing")
		}
	}
}

func (c *checker) list(path string, s Shape, n node) {
	if float64(len(n.items)) > s.max {
		c.wrong(path, "has %d items, want at most %g", len(n.items), s.max)
		return
	}
	for i, item := range n.items {
		c.check(fmt.Sprintf("%s[%d]", path, i), *s.items, item)
	}
}

func (c *checker) text(path string, s Shape, text string) {
	if s.values != nil {
		if !slices.Contains(s.values, text) {
			c.wrong(path, "%q is none of %s", clip(text), strings.Join(s.values, ", "))
		}
		return
	}
	switch n := utf8.RuneCountInString(text); {
	case strings.TrimSpace(text) == "":
		c.wrong(path, "must not be empty")
	case float64(n) > s.max:
		c.wrong(path, "has %d characters, want at most %g", n, s.max)
	}
}

func (c *checker) number(path string, s Shape, n node) {
	v, err := n.number.Float64()
	switch {
	case err != nil || v < s.min || v > s.max:
		c.wrong(path, "%s is out of range, want %g to %g", clip(n.number.String()), s.min, s.max)
	case s.kind == "integer" && v != math.Trunc(v):
		c.wrong(path, "%s is no whole number", clip(n.number.String()))
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// clip keeps quotes from an answer short.
func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

func article(kind string) string {
	switch kind {
	case "object", "array", "integer":
		return "an " + kind
	}
	return "a " + kind
}
