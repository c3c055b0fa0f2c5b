package answer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
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
