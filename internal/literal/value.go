package literal

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2/js"
)

// Values are nil (null), undefined, bool, float64, string, and these.
type (
	undefined struct{}
	list      struct{ items []any }
	expr      struct{ source, flags string } // a regular expression
	// A mark is what a package gave, and what it gave when it was called.
	mark struct {
		name   string
		args   []any
		called bool
	}
	// A function is one of the file.
	function struct {
		async  bool
		params js.Params
		body   *js.BlockStmt
		at     *scope
	}
	// A native is a function that is known here.
	native struct {
		call func(args []any) any
	}
	// A standIn is a module, or another thing of Node.js, of which parts are used.
	standIn struct{ parts map[string]any }
	// noData is what cannot be used without running it.
	noData struct{ why string }
)

// An object keeps its keys in the order in which JavaScript has them.
type object struct {
	keys []string
	at   map[string]any
}

func newObject() *object { return &object{at: map[string]any{}} }

func (o *object) has(key string) bool { _, ok := o.at[key]; return ok }

func (o *object) set(key string, value any) {
	if !o.has(key) {
		o.keys = append(o.keys, key)
	}
	o.at[key] = value
}

// ordered are the keys as JavaScript lists them: numbers first.
func (o *object) ordered() []string {
	var numbers []uint64
	var texts []string
	for _, k := range o.keys {
		if n, ok := index(k); ok {
			numbers = append(numbers, n)
		} else {
			texts = append(texts, k)
		}
	}
	slices.Sort(numbers)
	all := make([]string, 0, len(o.keys))
	for _, n := range numbers {
		all = append(all, strconv.FormatUint(n, 10))
	}
	return append(all, texts...)
}

// index reads a key that is the number of an array's element.
func index(key string) (uint64, bool) {
	n, err := strconv.ParseUint(key, 10, 32)
	return n, err == nil && n < math.MaxUint32 && strconv.FormatUint(n, 10) == key
}

// A scope binds names. One that is declared and not bound yet cannot be used.
type scope struct {
	outer *scope
	names map[string]any
}

type unbound struct{}

func newScope(outer *scope) *scope { return &scope{outer, map[string]any{}} }

// declare takes note of the names that statements declare.
func (s *scope) declare(list []js.IStmt) {
	var declare func(b js.IBinding)
	declare = func(b js.IBinding) {
		switch b := b.(type) {
		case *js.Var:
			s.names[string(b.Name())] = unbound{}
		case *js.BindingObject:
			for _, item := range b.List {
				declare(item.Value.Binding)
			}
		default:
			code()
		}
	}
	for _, statement := range list {
		switch d := statement.(type) {
		case *js.VarDecl:
			for _, e := range d.List {
				declare(e.Binding)
			}
		case *js.FuncDecl:
			if d.Name != nil {
				s.names[string(d.Name.Name())] = &function{async: d.Async || d.Generator, params: d.Params, body: &d.Body, at: s}
			}
		case *js.ClassDecl:
			if d.Name != nil {
				declare(d.Name)
			}
		case *js.ExportStmt:
			if v, ok := d.Decl.(*js.VarDecl); ok {
				for _, e := range v.List {
					declare(e.Binding)
				}
			}
		}
	}
}

func (s *scope) bind(name string, value any) { s.names[name] = value }

func (s *scope) knows(name string) bool {
	for at := s; at != nil; at = at.outer {
		if _, ok := at.names[name]; ok {
			return true
		}
	}
	return false
}

func (s *scope) get(name string) any {
	for at := s; at != nil; at = at.outer {
		if v, ok := at.names[name]; ok {
			if v == (unbound{}) {
				code()
			}
			return v
		}
	}
	code()
	return nil
}

// decode makes values of JSON.
func (r *reader) decode(raw json.RawMessage) any {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	var value func() any
	value = func() any {
		r.count(1)
		t, err := d.Token()
		if err != nil {
			code()
		}
		open, ok := t.(json.Delim)
		if !ok {
			return t
		}
		if open == '[' {
			l := &list{}
			for d.More() {
				l.items = append(l.items, value())
			}
			_, _ = d.Token()
			return l
		}
		o := newObject()
		for d.More() {
			key, _ := d.Token()
			o.set(key.(string), value())
		}
		_, _ = d.Token()
		return o
	}
	return value()
}

// readString reads a string of JavaScript with its quotes. Half of a surrogate pair is
// nothing that it can read.
func readString(s string) (string, bool) {
	if len(s) < 2 {
		return "", false
	}
	return unescape(s[1 : len(s)-1])
}

var escapes = map[byte]string{'n': "\n", 'r': "\r", 't': "\t", 'b': "\b", 'f': "\f", 'v': "\v", '\n': ""}

func unescape(s string) (string, bool) {
	if !strings.Contains(s, `\`) {
		return s, utf8.ValidString(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		if i++; i == len(s) {
			return "", false
		}
		switch e, known := escapes[s[i]]; {
		case known:
			b.WriteString(e)
		case s[i] == 'x' || s[i] == 'u':
			digits := s[i+1:]
			switch {
			case s[i] == 'x' && len(digits) >= 2:
				digits = digits[:2]
			case strings.HasPrefix(digits, "{"):
				return "", false
			case s[i] == 'u' && len(digits) >= 4:
				digits = digits[:4]
			default:
				return "", false
			}
			n, err := strconv.ParseUint(digits, 16, 32)
			if err != nil || n >= 0xd800 && n < 0xe000 {
				return "", false
			}
			b.WriteRune(rune(n))
			i += len(digits)
		case s[i] >= '0' && s[i] <= '9':
			return "", false
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), utf8.ValidString(b.String())
}

var (
	// plainExpression has what every dialect of regular expressions reads alike.
	plainExpression = regexp.MustCompile(`^/((?:[\w\-^$|().*+?:,;=@#%&<>~!"' ]|\\[\\/.\-\[\](){}^$|*+?dwsbDWS]|\[\^?(?:[\w.:/@#%&+*?$|() ]|\\[\\/.\-\[\]dwsDWS]|\w-\w)+\])+)/([gims]*)$`)
	// oddExpression is what some take and others do not.
	oddExpression = regexp.MustCompile(`\(\?[^:]|(?:^|[^\\])(?:\\\\)*(?:[\^$]|\\b)[*+?]`)
)

const maxExpression = 300 // bytes

// readRegexp reads a regular expression that is surely one.
func readRegexp(s string) (expr, bool) {
	if len(s) > maxExpression {
		return expr{}, false
	}
	m := plainExpression.FindStringSubmatch(s)
	if m == nil || oddExpression.MatchString(m[1]) {
		return expr{}, false
	}
	for i := range m[2] {
		if strings.ContainsRune(m[2][i+1:], rune(m[2][i])) {
			return expr{}, false
		}
	}
	_, err := regexp.Compile(m[1])
	return expr{m[1], m[2]}, err == nil
}
