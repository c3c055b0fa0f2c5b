package literal

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A writer writes a value as JSON.
type writer struct {
	*reader
	out    []byte
	strict bool // what only a text made of the JSON could tell apart is left to JavaScript
}

func (w *writer) add(s string) {
	w.made(s)
	w.out = append(w.out, s...)
}

func (w *writer) value(v any, at string, depth int) {
	w.count(1)
	if depth > maxNested {
		code()
	}
	switch v := v.(type) {
	case nil:
		w.add("null")
	case bool:
		w.add(strconv.FormatBool(v))
	case string:
		w.add(quote(v))
	case float64:
		if w.strict {
			w.add(number(v))
			return
		}
		w.add(strconv.FormatFloat(v+0, 'g', -1, 64))
	case *list:
		w.list(v, at, depth)
	case *object:
		w.object(v, at, depth)
	default:
		w.special(v, at, depth)
	}
}

func (w *writer) list(l *list, at string, depth int) {
	w.add("[")
	for i, item := range l.items {
		if i > 0 {
			w.add(",")
		}
		if _, missing := item.(undefined); missing {
			item = nil
		}
		w.value(item, at, depth+1)
	}
	w.add("]")
}

func (w *writer) object(o *object, at string, depth int) {
	w.add("{")
	first := true
	for _, k := range o.ordered() {
		w.count(1)
		if _, missing := o.at[k].(undefined); missing {
			continue
		}
		if !first {
			w.add(",")
		}
		first = false
		w.add(quote(k) + ":")
		below := k
		if at != "" {
			below = at + "." + k
		}
		w.value(o.at[k], below, depth+1)
	}
	w.add("}")
}

// special writes what JSON has no form for.
func (w *writer) special(v any, at string, depth int) {
	if w.strict {
		code()
	}
	switch v := v.(type) {
	case expr:
		w.add(`{"$regexp":[` + quote(v.source) + "," + quote(v.flags) + "]}")
	case *mark:
		w.add(`{"$call":`)
		w.list(&list{append([]any{v.name}, v.args...)}, at, depth+1)
		w.add("}")
	case *function, native:
		if slices.ContainsFunc(w.file.Loose, func(p string) bool { return at == p || strings.HasPrefix(at, p+".") }) {
			w.add("null")
			return
		}
		refuse("%s is a function, not data", at)
	case noData:
		refuse("%s", v.why)
	default:
		code()
	}
}

// quote writes a text as JSON.stringify does.
func quote(s string) string {
	b := make([]byte, 0, len(s)+2)
	b = append(b, '"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c == '\b':
			b = append(b, `\b`...)
		case c == '\f':
			b = append(b, `\f`...)
		case c < ' ':
			b = append(b, `\u00`...)
			b = append(b, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			b = utf8.AppendRune(b, c)
		}
	}
	return string(append(b, '"'))
}
