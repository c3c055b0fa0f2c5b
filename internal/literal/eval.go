package literal

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// eval is what an expression comes to.
func (r *reader) eval(x js.IExpr, at *scope) any {
	r.count(1)
	switch x := x.(type) {
	case *js.Var:
		return r.variable(string(x.Name()), at)
	case *js.LiteralExpr:
		return r.literal(x)
	case *js.GroupExpr:
		return r.eval(x.X, at)
	case *js.ArrayExpr:
		return r.array(x, at)
	case *js.ObjectExpr:
		return r.object(x, at)
	case *js.TemplateExpr:
		return r.template(x, at)
	case *js.UnaryExpr:
		return r.unary(x, at)
	case *js.BinaryExpr:
		return r.binary(x, at)
	case *js.CondExpr:
		if truth(r.eval(x.Cond, at)) {
			return r.eval(x.X, at)
		}
		return r.eval(x.Y, at)
	case *js.ArrowFunc:
		return &function{async: x.Async, params: x.Params, body: &x.Body, at: at}
	case *js.FuncDecl:
		return &function{async: x.Async || x.Generator, params: x.Params, body: &x.Body, at: at}
	case *js.DotExpr:
		if x.Optional {
			code()
		}
		return r.member(r.eval(x.X, at), nameOf(x.Y))
	case *js.IndexExpr:
		if x.Optional {
			code()
		}
		return r.member(r.eval(x.X, at), keyOf(r.eval(x.Y, at)))
	case *js.CallExpr:
		return r.callExpr(x, at)
	case *js.NewExpr:
		return r.newExpr(x, at)
	case *js.ImportMetaExpr:
		return standIn{map[string]any{"url": "file://" + Root + "/" + r.file.Name, "dirname": Root}}
	}
	code()
	return nil
}

// nameOf is the name behind a dot.
func nameOf(x js.IExpr) string {
	switch x := x.(type) {
	case *js.LiteralExpr:
		return string(x.Data)
	case js.LiteralExpr:
		return string(x.Data)
	case *js.Var:
		return string(x.Name())
	}
	code()
	return ""
}

// keyOf is a value as a key.
func keyOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return number(v)
	}
	code()
	return ""
}

// number is a number as JavaScript writes it, where it is a whole one that is not large.
func number(v float64) string {
	if v != math.Trunc(v) || math.Abs(v) > 1e15 {
		code()
	}
	return strconv.FormatFloat(v+0, 'f', -1, 64) // 0 for -0
}

func (r *reader) variable(name string, at *scope) any {
	if at.knows(name) {
		return at.get(name)
	}
	switch name {
	case "undefined":
		return undefined{}
	case "__dirname":
		return Root
	case "__filename":
		return Root + "/" + r.file.Name
	case "process", "Boolean", "JSON", "URL", "require":
		return r.global(name)
	}
	code()
	return nil
}

func (r *reader) literal(x *js.LiteralExpr) any {
	text := string(x.Data)
	switch x.TokenType {
	case js.NullToken:
		return nil
	case js.TrueToken, js.FalseToken:
		return x.TokenType == js.TrueToken
	case js.StringToken:
		if s, ok := readString(text); ok {
			return s
		}
	case js.RegExpToken:
		if e, ok := readRegexp(text); ok {
			return e
		}
	case js.DecimalToken, js.IntegerToken:
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			return n
		}
	}
	code()
	return nil
}

func (r *reader) array(x *js.ArrayExpr, at *scope) any {
	l := &list{}
	for _, e := range x.List {
		switch {
		case e.Value == nil: // a hole
			code()
		case e.Spread:
			more, ok := r.eval(e.Value, at).(*list)
			if !ok {
				code()
			}
			r.count(len(more.items))
			l.items = append(l.items, more.items...)
		default:
			l.items = append(l.items, r.eval(e.Value, at))
		}
	}
	return l
}

func (r *reader) object(x *js.ObjectExpr, at *scope) any {
	o := newObject()
	for _, p := range x.List {
		if p.Init != nil {
			code()
		}
		if p.Spread {
			r.spread(o, r.eval(p.Value, at))
			continue
		}
		if m, ok := p.Value.(*js.MethodDecl); ok {
			if m.Get || m.Set || m.Name.Private != nil {
				code()
			}
			o.set(r.key(&m.Name.PropertyName, at), &function{async: m.Async || m.Generator, params: m.Params, body: &m.Body, at: at})
			continue
		}
		key := ""
		if p.Name == nil { // {name}
			key = nameOf(p.Value)
		} else {
			key = r.key(p.Name, at)
		}
		o.set(key, r.eval(p.Value, at))
	}
	return o
}

// key is the name of a property. Names that mean something else to JavaScript are left to it.
func (r *reader) key(n *js.PropertyName, at *scope) string {
	var key string
	if n.IsComputed() {
		key = keyOf(r.eval(n.Computed, at))
	} else {
		switch n.Literal.TokenType {
		case js.StringToken, js.DecimalToken, js.IntegerToken:
			key = keyOf(r.literal(&n.Literal))
		default:
			if key = string(n.Literal.Data); strings.Contains(key, `\`) {
				code()
			}
		}
	}
	if key == "__proto__" || key == "constructor" || key == "prototype" {
		code()
	}
	return key
}

func (r *reader) spread(into *object, from any) {
	switch from := from.(type) {
	case nil, undefined, bool, float64:
	case *object:
		r.count(len(from.keys))
		for _, k := range from.ordered() {
			into.set(k, from.at[k])
		}
	default:
		code()
	}
}

func (r *reader) template(x *js.TemplateExpr, at *scope) any {
	if x.Tag != nil {
		code()
	}
	var b strings.Builder
	add := func(raw string) {
		s, ok := unescape(strings.ReplaceAll(raw, "\r\n", "\n"))
		if !ok {
			code()
		}
		b.WriteString(r.made(s))
	}
	for _, p := range x.List { // each begins with ` or }, and ends with ${
		add(strings.TrimSuffix(string(p.Value[1:]), "${"))
		b.WriteString(r.made(textOf(r.eval(p.Expr, at))))
	}
	add(strings.TrimSuffix(string(x.Tail[1:]), "`"))
	return b.String()
}

// textOf is a value as a text.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return number(v)
	case bool:
		return strconv.FormatBool(v)
	case nil:
		return "null"
	case undefined:
		return "undefined"
	}
	code()
	return ""
}

// inherited are names that every value has from its prototype, or may have.
var inherited = []string{
	"constructor", "prototype", "__proto__", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf",
	"__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__",
}

// member is a part of a value.
func (r *reader) member(of any, name string) any {
	if n, ok := of.(noData); ok {
		refuse("%s", n.why)
	}
	if slices.Contains(inherited, name) {
		code()
	}
	switch of := of.(type) {
	case *object:
		if v, ok := of.at[name]; ok {
			return v
		}
		return undefined{}
	case *list:
		if i, ok := index(name); ok && i < uint64(len(of.items)) {
			return of.items[i]
		}
		if name == "length" {
			return float64(len(of.items))
		}
	case standIn:
		if v, ok := of.parts[name]; ok {
			return v
		}
	case *mark:
		if !of.called && name != "then" && !slices.Contains(functionNames, name) {
			return &mark{name: of.name + "." + name}
		}
	}
	code()
	return nil
}

// functionNames are what a function has by itself.
var functionNames = []string{"default", "name", "length", "call", "apply", "bind", "arguments", "caller", "$call", "__esModule"}
