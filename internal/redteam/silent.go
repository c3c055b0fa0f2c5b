package redteam

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"
	"golang.org/x/net/html"
)

// silent are faults after which the page does not answer.
var silent = []Operator{
	{Name: "handlers-removed", Kind: Silent, Says: "every handler of what a person does is taken away", of: all, apply: removeHandlers},
	{Name: "handlers-second", Kind: Silent, Says: "every second handler is taken away", of: func(i int) bool { return i%2 == 1 }, apply: removeHandlers},
	{Name: "handler-removed", Kind: Silent, Says: "one handler is taken away", apply: removeHandlers},
	{Name: "body-emptied", Kind: Silent, Says: "a function does nothing", apply: emptyBodies},
	{Name: "event-misnamed", Kind: Silent, Says: "a handler waits for an event that never comes", apply: misnameEvents},
}

// removeHandlers takes away handlers however they are bound: by an attribute, also in
// markup that scripts write, by a property, by addEventListener and by jQuery. Handlers of
// a form or of a container that answers for what is in it are among them.
func removeHandlers(m *mutation) {
	for _, p := range m.tags() {
		p.tag.Attr = slices.DeleteFunc(p.tag.Attr, func(a html.Attribute) bool {
			if !isUserEvent(a.Key) || !m.hit() {
				return false
			}
			p.changed = true
			m.codes = slices.DeleteFunc(m.codes, func(c *code) bool { return c.piece == p })
			return true
		})
	}
	m.eachCode(func(c *code) {
		walk{
			expr: func(e js.IExpr) js.IExpr { return unbind(m, e) },
			node: func(n any) { unbindProperty(m, n) },
		}.over(c.tree)
	})
}

// unbind replaces an expression that binds a handler.
func unbind(m *mutation, e js.IExpr) js.IExpr {
	switch {
	case binds(e) && m.hit():
		return nothing()
	case isText(e):
		unbindMarkup(m, e)
	}
	return e
}

// binds says whether an expression binds a handler of what a person does.
func binds(e js.IExpr) bool {
	if a, ok := e.(*js.BinaryExpr); ok && a.Op == js.EqToken {
		object, name := member(a.X)
		return object != nil && isUserEvent(name)
	}
	call, ok := e.(*js.CallExpr)
	if !ok || len(call.Args.List) == 0 {
		return false
	}
	_, name := member(call.X)
	if name == "" {
		name = identifier(call.X)
	}
	first := call.Args.List[0].Value
	event, literal := text(first)
	switch {
	case name == "addEventListener" && len(call.Args.List) > 1:
		return !literal || slices.Contains(userEvents, event)
	case name == "on" && len(call.Args.List) > 1:
		events := strings.Fields(event)
		return len(events) > 0 && slices.Contains(userEvents, events[0])
	case name == "setAttribute":
		return isUserEvent(event)
	}
	return slices.Contains(userEvents, name) && isFunction(first)
}

// unbindProperty takes the handler out of an object such as {onclick: save}.
func unbindProperty(m *mutation, n any) {
	p, ok := n.(*js.Property)
	if !ok || p.Name == nil || !isUserEvent(strings.ToLower(strings.Trim(string(p.Name.Literal.Data), `"'`))) {
		return
	}
	if _, isMethod := p.Value.(*js.MethodDecl); !isMethod && m.hit() {
		p.Value = &js.LiteralExpr{TokenType: js.NullToken, Data: []byte("null")}
	}
}

// boundInMarkup is a handler in markup that a script writes.
var boundInMarkup = regexp.MustCompile(`(?i)([\s"'])on(` + strings.Join(userEvents, "|") + `)(\s*=)`)

// unbindMarkup renames the handlers in markup, so that what stands around them keeps its
// shape.
func unbindMarkup(m *mutation, e js.IExpr) {
	rename := func(data []byte) []byte {
		if !boundInMarkup.Match(data) || !m.hit() {
			return data
		}
		return boundInMarkup.ReplaceAll(data, []byte("${1}data-off-${2}${3}"))
	}
	switch x := e.(type) {
	case *js.LiteralExpr:
		x.Data = rename(x.Data)
	case *js.TemplateExpr:
		for i := range x.List {
			x.List[i].Value = rename(x.List[i].Value)
		}
		x.Tail = rename(x.Tail)
	}
}

// emptyBodies takes all statements out of functions.
func emptyBodies(m *mutation) {
	empty := func(b *js.BlockStmt) {
		if len(b.List) > 0 && m.hit() {
			b.List = nil
		}
	}
	m.nodes(func(n any) {
		switch f := n.(type) {
		case *js.FuncDecl:
			empty(&f.Body)
		case *js.ArrowFunc:
			empty(&f.Body)
		case *js.MethodDecl:
			empty(&f.Body)
		}
	})
}

// misnameEvents gives addEventListener the name of an event that browsers do not have.
func misnameEvents(m *mutation) {
	m.exprs(func(e js.IExpr) js.IExpr {
		call, ok := e.(*js.CallExpr)
		if !ok || !binds(e) || len(call.Args.List) < 2 {
			return e
		}
		if event, ok := text(call.Args.List[0].Value); ok && m.hit() {
			call.Args.List[0].Value = &js.LiteralExpr{TokenType: js.StringToken, Data: []byte(`"` + event + `ed"`)}
		}
		return e
	})
}
