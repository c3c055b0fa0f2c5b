package redteam

import (
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// missing are faults after which something is not there.
var missing = []Operator{
	{Name: "text-unwritten", Kind: Missing, Says: "an assignment to textContent, innerText or innerHTML is dropped", apply: dropWrites},
	{Name: "append-dropped", Kind: Missing, Says: "an element that was made is not put into the page", apply: dropCalls("appendChild", "append", "prepend", "insertBefore", "insertAdjacentHTML", "insertAdjacentElement", "replaceChildren", "replaceWith")},
	{Name: "push-dropped", Kind: Missing, Says: "an entry is not added to a list", apply: dropCalls("push", "unshift")},
	{Name: "storage-dropped", Kind: Missing, Says: "nothing is kept in storage", of: all, apply: dropStorage},
	{Name: "render-dropped", Kind: Missing, Says: "state changes and the page is not drawn again", apply: dropRenders},
	{Name: "element-deleted", Kind: Missing, Says: "an element that scripts refer to is not in the page", apply: deleteElements},
	{Name: "return-dropped", Kind: Missing, Says: "a function gives nothing back", apply: dropReturns},
	{Name: "listed-short", Kind: Missing, Says: "a list that is shown lacks its last entry", apply: shortenLists},
}

// dropCalls replaces calls of methods.
func dropCalls(names ...string) func(*mutation) {
	return func(m *mutation) {
		m.exprs(func(e js.IExpr) js.IExpr {
			// a class is no entry of a list
			if call, on := method(e, names...); call != nil && memberName(on) != "classList" && m.hit() {
				return nothing()
			}
			return e
		})
	}
}

func dropWrites(m *mutation) {
	m.exprs(func(e js.IExpr) js.IExpr {
		if a := assignment(e, "textContent", "innerText", "innerHTML", "outerHTML"); a != nil && m.hit() {
			return nothing()
		}
		return e
	})
}

func dropStorage(m *mutation) {
	m.exprs(func(e js.IExpr) js.IExpr {
		call, _ := method(e, "setItem")
		if call == nil {
			if a, ok := e.(*js.BinaryExpr); ok && a.Op == js.EqToken {
				object, _ := member(a.X)
				if name := identifier(object); (name == "localStorage" || name == "sessionStorage") && m.hit() {
					return nothing()
				}
			}
			return e
		}
		if m.hit() {
			return nothing()
		}
		return e
	})
}

// dropRenders drops calls of functions that write to the page, where the call is a
// statement after another one of the same block.
func dropRenders(m *mutation) {
	var writers []string
	for _, c := range m.codes {
		if c.program() != nil {
			writers = append(writers, writersOf(c.tree)...)
		}
	}
	m.nodes(func(n any) {
		b, ok := n.(*js.BlockStmt)
		if !ok {
			return
		}
		for i, s := range b.List {
			statement, ok := s.(*js.ExprStmt)
			if !ok || i == 0 {
				continue
			}
			call, ok := statement.Value.(*js.CallExpr)
			if !ok {
				continue
			}
			name := identifier(call.X)
			if object, property := member(call.X); object != nil {
				name = property
			}
			if slices.Contains(writers, name) && m.hit() {
				statement.Value = nothing()
			}
		}
	})
}

// writersOf are the names of functions and methods that write to the page.
func writersOf(tree *js.AST) (names []string) {
	found := func(name string, body *js.BlockStmt) {
		if name != "" && writes(body) {
			names = append(names, name)
		}
	}
	walk{node: func(n any) {
		switch f := n.(type) {
		case *js.FuncDecl:
			if f.Name != nil {
				found(string(f.Name.Name()), &f.Body)
			}
		case *js.MethodDecl:
			found(string(f.Name.Literal.Data), &f.Body)
		case *js.BindingElement:
			if v, ok := f.Binding.(*js.Var); ok {
				switch value := f.Default.(type) {
				case *js.ArrowFunc:
					found(string(v.Name()), &value.Body)
				case *js.FuncDecl:
					found(string(v.Name()), &value.Body)
				}
			}
		}
	}}.over(tree)
	return names
}

// writes says whether a body assigns text or markup, or puts elements into the page.
func writes(body *js.BlockStmt) (found bool) {
	tree := &js.AST{BlockStmt: js.BlockStmt{List: body.List}}
	walk{expr: func(e js.IExpr) js.IExpr {
		call, _ := method(e, "appendChild", "append", "prepend", "insertAdjacentHTML", "replaceChildren", "fillRect", "fillText", "drawImage", "stroke")
		found = found || call != nil || assignment(e, "textContent", "innerText", "innerHTML") != nil
		return e
	}}.over(tree)
	return found
}

// deleteElements takes elements with an id that scripts name out of the page, those that
// hold little first of all: an element that holds a script stays.
func deleteElements(m *mutation) {
	scripts := m.inside("script")
	for i := 0; i < len(m.pieces); i++ {
		p := m.pieces[i]
		id := p.value("id")
		if !p.opens() || id == "" || slices.Contains([]string{"html", "head", "body", "script", "style"}, p.tag.Data) || !strings.Contains(scripts, id) {
			continue
		}
		end := m.element(i)
		if end == 0 || slices.ContainsFunc(m.pieces[i:end], func(q *piece) bool { return q.tag.Data == "script" }) {
			continue
		}
		if m.hit() {
			m.remove(i, end)
			i--
		}
	}
}

func dropReturns(m *mutation) {
	m.nodes(func(n any) {
		if r, ok := n.(*js.ReturnStmt); ok && r.Value != nil && m.hit() {
			r.Value = nothing()
		}
	})
}

// shortenLists leaves out the last entry of what is mapped or gone through.
func shortenLists(m *mutation) {
	m.exprs(func(e js.IExpr) js.IExpr {
		call, object := method(e, "map", "forEach")
		if call == nil || !m.hit() {
			return e
		}
		slice := &js.CallExpr{X: &js.DotExpr{X: &js.GroupExpr{X: &js.ArrayExpr{List: []js.Element{{Value: object, Spread: true}}}}, Y: property("slice")},
			Args: js.Args{List: []js.Arg{{Value: number("0")}, {Value: &js.UnaryExpr{Op: js.NegToken, X: number("1")}}}}}
		call.X = &js.DotExpr{X: slice, Y: property(memberName(call.X))}
		return e
	})
}

func memberName(e js.IExpr) string {
	_, name := member(e)
	return name
}

func property(name string) js.IExpr {
	return &js.LiteralExpr{TokenType: js.IdentifierToken, Data: []byte(name)}
}
