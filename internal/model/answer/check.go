package answer

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Check holds one JSON value against the shape. The error names every problem by
// its path, up to a dozen, in words for the model.
func (s Shape) Check(raw []byte) error {
	lax := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	whole, err := jsontext.AppendFormat(nil, raw, lax...) // also bounds the depth
	if err != nil {
		return fmt.Errorf("malformed JSON: %w", err)
	}
	c := checker{d: jsontext.NewDecoder(bytes.NewReader(whole), lax...)}
	c.check("", s)
	return c.err()
}

// checker gathers what is wrong with a value that is known to be well-formed.
type checker struct {
	d        *jsontext.Decoder
	problems []string
}

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

var kinds = map[jsontext.Kind]string{'{': "object", '[': "array", '"': "string", '0': "number", 't': "boolean", 'f': "boolean", 'n': "null"}

func (c *checker) check(path string, s Shape) {
	kind := kinds[c.d.PeekKind()]
	switch {
	case kind == "object" && s.kind == kind:
		c.object(path, s)
		return
	case kind == "array" && s.kind == kind:
		c.list(path, s)
		return
	}
	value, _ := c.d.ReadValue()
	switch {
	case s.null && kind == "null":
	case kind == "number" && s.kind == "integer", kind == "number" && s.kind == kind:
		c.number(path, s, value.String())
	case kind != s.kind:
		c.wrong(path, "want %s, got %s", article(s.kind), describe(kind, value))
	case kind == "string":
		c.text(path, s, unquote(value))
	}
}

func (c *checker) object(path string, s Shape) {
	seen := map[string]bool{}
	_, _ = c.d.ReadToken()
	for c.more() {
		key, _ := c.d.ReadToken()
		name := key.String()
		at := join(path, name)
		i := slices.IndexFunc(s.fields, func(f Field) bool { return f.Name == name })
		switch {
		case i < 0:
			c.wrong(clip(at), "unknown key")
			_ = c.d.SkipValue()
		case seen[name]:
			c.wrong(at, "this key is there twice")
			_ = c.d.SkipValue()
		default:
			c.check(at, s.fields[i].Shape)
		}
		seen[name] = true
	}
	_, _ = c.d.ReadToken()
	for _, f := range s.fields {
		if !seen[f.Name] {
			c.wrong(join(path, f.Name), "missing")
		}
	}
}

func (c *checker) list(path string, s Shape) {
	n := 0
	_, _ = c.d.ReadToken()
	for ; c.more(); n++ {
		if float64(n) < s.max {
			c.check(fmt.Sprintf("%s[%d]", path, n), *s.items)
		} else {
			_ = c.d.SkipValue()
		}
	}
	_, _ = c.d.ReadToken()
	if float64(n) > s.max {
		c.wrong(path, "has %d items, want at most %g", n, s.max)
	}
}

// more reports whether the object or array has another member.
func (c *checker) more() bool { return kinds[c.d.PeekKind()] != "" }

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

func (c *checker) number(path string, s Shape, text string) {
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || v < s.min || v > s.max:
		c.wrong(path, "%s is out of range, want %g to %g", clip(text), s.min, s.max)
	case s.kind == "integer" && v != math.Trunc(v):
		c.wrong(path, "%s is no whole number", clip(text))
	}
}

func unquote(text jsontext.Value) string {
	b, _ := jsontext.AppendUnquote(nil, text)
	return string(b)
}

func describe(kind string, value jsontext.Value) string {
	switch kind {
	case "string":
		return fmt.Sprintf("the string %q", clip(unquote(value)))
	case "null":
		return "null"
	}
	return article(kind)
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
