package redteam

import (
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"
	"golang.org/x/net/html"
)

// misplaced are faults after which the page does something in the wrong place.
var misplaced = []Operator{
	{Name: "id-wrong", Kind: WrongPlace, Says: "another element of the page is looked up", apply: wrongIDs},
	{Name: "default-kept", Kind: WrongPlace, Says: "a form or a link loads the page, since preventDefault is missing", apply: dropCalls("preventDefault")},
	{Name: "link-nowhere", Kind: WrongPlace, Says: "a link leads nowhere", apply: deadLinks},
	{Name: "handlers-neighbour", Kind: WrongPlace, Says: "two neighbours have each other's handlers", apply: swapHandlers},
	{Name: "index-wrong", Kind: WrongPlace, Says: "the entry beside the one that is meant is taken", apply: wrongIndexes},
}

// ids are the values of the id attributes, in order.
func (d *document) ids() (all []string) {
	for _, p := range d.tags() {
		if id := p.value("id"); id != "" && !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return all
}

// wrongIDs looks up the next id of the page in place of the one that is named.
func wrongIDs(m *mutation) {
	ids := m.ids()
	m.exprs(func(e js.IExpr) js.IExpr {
		call, _ := method(e, "getElementById", "querySelector")
		if call == nil {
			if c, ok := e.(*js.CallExpr); ok && identifier(c.X) == "$" {
				call = c
			}
		}
		if call == nil || len(call.Args.List) != 1 {
			return e
		}
		name, ok := text(call.Args.List[0].Value)
		mark := ""
		if strings.HasPrefix(name, "#") {
			mark = "#"
		}
		at := slices.Index(ids, strings.TrimPrefix(name, "#"))
		if !ok || at < 0 || len(ids) < 2 || !m.hit() {
			return e
		}
		call.Args.List[0].Value = &js.LiteralExpr{TokenType: js.StringToken, Data: []byte(`"` + mark + ids[(at+1)%len(ids)] + `"`)}
		return e
	})
}

// deadLinks leads links of this site to the top of the page they are on.
func deadLinks(m *mutation) {
	for _, p := range m.tags() {
		if p.tag.Data != "a" {
			continue
		}
		for i, a := range p.tag.Attr {
			if a.Key != "href" || a.Val == "" || a.Val == "#" || strings.Contains(a.Val, ":") || strings.HasPrefix(a.Val, "//") || !m.hit() {
				continue
			}
			p.tag.Attr[i].Val = "#"
			p.changed = true
		}
	}
}

// A binding is where a handler is bound: an attribute, or a call or an assignment with the
// object that it is for.
type binding struct {
	event  string
	object *js.IExpr
	value  *string
	holder *piece
	code   *code
}

// swapHandlers exchanges the handlers of one event between elements that follow each other.
func swapHandlers(m *mutation) {
	last := map[string]*binding{}
	for _, b := range m.bindings() {
		before := last[b.event]
		last[b.event] = b
		if before == nil || (before.object == nil) != (b.object == nil) || b.same(before) || !m.hit() {
			continue
		}
		last[b.event] = nil
		if b.object != nil {
			*b.object, *before.object = *before.object, *b.object
			b.code.changed, before.code.changed = true, true
			continue
		}
		*b.value, *before.value = *before.value, *b.value
		b.holder.changed, before.holder.changed = true, true
	}
}

func (b *binding) same(other *binding) bool {
	if b.object == nil {
		return *b.value == *other.value
	}
	return printed(*b.object) == printed(*other.object)
}

func printed(e js.IExpr) string {
	var b strings.Builder
	e.JS(&b)
	return b.String()
}

// bindings are those in the tags, then those in the code.
func (d *document) bindings() (all []*binding) {
	for _, p := range d.tags() {
		for i, a := range p.tag.Attr {
			if isUserEvent(a.Key) {
				all = append(all, &binding{event: a.Key, value: &p.tag.Attr[i].Val, holder: p})
			}
		}
	}
	for _, c := range d.codes {
		if c.attribute > 0 || c.program() == nil {
			continue
		}
		walk{expr: func(e js.IExpr) js.IExpr {
			if b := bound(e); b != nil {
				b.code = c
				all = append(all, b)
			}
			return e
		}}.over(c.tree)
	}
	return all
}

// bound is the binding that an expression makes on an object, nil for others.
func bound(e js.IExpr) *binding {
	if !binds(e) {
		return nil
	}
	switch x := e.(type) {
	case *js.BinaryExpr:
		if dot, ok := x.X.(*js.DotExpr); ok {
			return &binding{event: identifier(dot.Y), object: &dot.X}
		}
	case *js.CallExpr:
		dot, ok := x.X.(*js.DotExpr)
		if event, literal := text(x.Args.List[0].Value); ok && literal && identifier(dot.Y) == "addEventListener" {
			return &binding{event: "on" + event, object: &dot.X}
		}
	}
	return nil
}

// wrongIndexes takes the entry after the one that a list is asked for by a variable.
func wrongIndexes(m *mutation) {
	m.nodes(func(n any) {
		x, ok := n.(*js.IndexExpr)
		if !ok {
			return
		}
		if v, ok := x.Y.(*js.Var); ok && m.hit() {
			x.Y = &js.BinaryExpr{Op: js.AddToken, X: v, Y: number("1")}
		}
	})
}

// isAttribute says whether a tag has an attribute.
func isAttribute(attributes []html.Attribute, name string) bool {
	return slices.ContainsFunc(attributes, func(a html.Attribute) bool { return a.Key == name })
}
