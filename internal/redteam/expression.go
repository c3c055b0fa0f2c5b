package redteam

import (
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// nothing is an expression without a value and without an effect.
func nothing() js.IExpr {
	return &js.GroupExpr{X: &js.UnaryExpr{Op: js.VoidToken, X: number("0")}}
}

func number(text string) js.IExpr {
	return &js.LiteralExpr{TokenType: js.DecimalToken, Data: []byte(text)}
}

func truth(value bool) js.IExpr {
	if value {
		return &js.LiteralExpr{TokenType: js.TrueToken, Data: []byte("true")}
	}
	return &js.LiteralExpr{TokenType: js.FalseToken, Data: []byte("false")}
}

// text is what a string literal says, without its escapes undone.
func text(e js.IExpr) (string, bool) {
	switch x := e.(type) {
	case *js.LiteralExpr:
		if x.TokenType == js.StringToken && len(x.Data) >= 2 {
			return string(x.Data[1 : len(x.Data)-1]), true
		}
	case *js.TemplateExpr:
		if x.Tag == nil && len(x.List) == 0 && len(x.Tail) >= 2 {
			return string(x.Tail[1 : len(x.Tail)-1]), true
		}
	}
	return "", false
}

func isText(e js.IExpr) bool {
	if template, ok := e.(*js.TemplateExpr); ok {
		return template.Tag == nil
	}
	_, ok := text(e)
	return ok
}

// member is the object and the name of object.name or object["name"].
func member(e js.IExpr) (object js.IExpr, name string) {
	switch x := e.(type) {
	case *js.DotExpr:
		return x.X, identifier(x.Y)
	case *js.IndexExpr:
		if name, ok := text(x.Y); ok {
			return x.X, name
		}
	}
	return nil, ""
}

// identifier is the name of a variable or of a property.
func identifier(e js.IExpr) string {
	switch x := e.(type) {
	case *js.Var:
		return string(x.Name())
	case js.LiteralExpr: // the parser keeps names of properties as values
		return identifier(&x)
	case *js.LiteralExpr:
		if x.TokenType == js.IdentifierToken || js.IsIdentifierName(x.TokenType) {
			return string(x.Data)
		}
	}
	return ""
}

// method is a call of one of the methods, with the object that it is called on; nil for
// anything else.
func method(e js.IExpr, names ...string) (*js.CallExpr, js.IExpr) {
	call, ok := e.(*js.CallExpr)
	if !ok {
		return nil, nil
	}
	object, name := member(call.X)
	if object == nil || !slices.Contains(names, name) {
		return nil, nil
	}
	return call, object
}

// assignment is object.name = value with one of the names, nil for anything else.
func assignment(e js.IExpr, names ...string) *js.BinaryExpr {
	x, ok := e.(*js.BinaryExpr)
	if !ok || x.Op != js.EqToken && x.Op != js.AddEqToken {
		return nil
	}
	if object, name := member(x.X); object == nil || !slices.Contains(names, name) {
		return nil
	}
	return x
}

func isFunction(e js.IExpr) bool {
	switch e.(type) {
	case *js.FuncDecl, *js.ArrowFunc:
		return true
	}
	return false
}

// isOperand says whether an expression needs no brackets around it as the operand of an
// operator.
func isOperand(e js.IExpr) bool {
	switch e.(type) {
	case *js.Var, *js.LiteralExpr, *js.GroupExpr, *js.DotExpr, *js.IndexExpr, *js.CallExpr:
		return true
	}
	return false
}

func grouped(e js.IExpr) js.IExpr {
	if isOperand(e) {
		return e
	}
	return &js.GroupExpr{X: e}
}

// userEvents are what a person does. Handlers of other events, such as load, may be needed
// to show the page.
var userEvents = strings.Fields(`click dblclick auxclick contextmenu mousedown mouseup mousemove mouseover mouseout
	mouseenter mouseleave pointerdown pointerup pointermove pointerover pointerout pointerenter pointerleave pointercancel
	touchstart touchend touchmove touchcancel keydown keyup keypress input beforeinput change submit reset invalid focus blur
	focusin focusout select selectstart drag dragstart dragend dragenter dragleave dragover drop copy cut paste wheel toggle
	search hashchange popstate close cancel`)

// isUserEvent says whether an attribute or a property such as onclick is a handler of what
// a person does.
func isUserEvent(name string) bool {
	event, ok := strings.CutPrefix(name, "on")
	return ok && slices.Contains(userEvents, event)
}
