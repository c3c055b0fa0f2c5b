package redteam

import (
	"strconv"

	"github.com/tdewolff/parse/v2/js"
)

// wrongResults are faults after which the page answers with something else.
var wrongResults = []Operator{
	{Name: "condition-negated", Kind: WrongResult, Says: "a condition is the other way round", apply: conditions(func(c js.IExpr) js.IExpr {
		return &js.UnaryExpr{Op: js.NotToken, X: &js.GroupExpr{X: c}}
	})},
	{Name: "condition-true", Kind: WrongResult, Says: "a condition always holds", apply: conditions(func(js.IExpr) js.IExpr { return truth(true) })},
	{Name: "condition-false", Kind: WrongResult, Says: "a condition never holds", apply: conditions(func(js.IExpr) js.IExpr { return truth(false) })},
	{Name: "filter-dropped", Kind: WrongResult, Says: "filter gives everything", apply: passThrough("filter")},
	{Name: "sort-dropped", Kind: WrongResult, Says: "sort and reverse change nothing", apply: passThrough("sort", "reverse", "toSorted", "toReversed")},
	{Name: "slice-dropped", Kind: WrongResult, Says: "slice, trim, toFixed and their like change nothing", apply: passThrough("slice", "substring", "trim", "toFixed", "toLowerCase", "padStart", "concat")},
	{Name: "splice-dropped", Kind: WrongResult, Says: "what is taken out of a list stays in it", apply: dropCalls("splice", "pop", "shift", "remove", "removeChild", "delete")},
	{Name: "plus-minus", Kind: WrongResult, Says: "plus and minus are swapped", apply: swapOperators(map[js.TokenType]js.TokenType{
		js.AddToken: js.SubToken, js.SubToken: js.AddToken, js.AddEqToken: js.SubEqToken, js.SubEqToken: js.AddEqToken,
	})},
	{Name: "times-divided", Kind: WrongResult, Says: "times and divided by are swapped", apply: swapOperators(map[js.TokenType]js.TokenType{
		js.MulToken: js.DivToken, js.DivToken: js.MulToken, js.MulEqToken: js.DivEqToken, js.DivEqToken: js.MulEqToken,
	})},
	{Name: "comparison-swapped", Kind: WrongResult, Says: "a comparison is that of its opposite", apply: swapOperators(map[js.TokenType]js.TokenType{
		js.LtToken: js.GtEqToken, js.GtToken: js.LtEqToken, js.LtEqToken: js.GtToken, js.GtEqToken: js.LtToken,
		js.EqEqEqToken: js.NotEqEqToken, js.NotEqEqToken: js.EqEqEqToken, js.EqEqToken: js.NotEqToken, js.NotEqToken: js.EqEqToken,
	})},
	{Name: "and-or", Kind: WrongResult, Says: "and and or are swapped", apply: swapOperators(map[js.TokenType]js.TokenType{
		js.AndToken: js.OrToken, js.OrToken: js.AndToken,
	})},
	{Name: "count-backwards", Kind: WrongResult, Says: "what counts up counts down", apply: swapSteps},
	{Name: "number-off", Kind: WrongResult, Says: "a whole number is one more", apply: offByOne},
	{Name: "extreme-swapped", Kind: WrongResult, Says: "the least is the largest, some is every", apply: swapNames},
}

// conditions replaces the conditions of if statements and of choices between two values.
func conditions(replace func(js.IExpr) js.IExpr) func(*mutation) {
	return func(m *mutation) {
		m.nodes(func(n any) {
			switch s := n.(type) {
			case *js.IfStmt:
				if m.hit() {
					s.Cond = replace(s.Cond)
				}
			case *js.CondExpr:
				if m.hit() {
					s.Cond = replace(s.Cond)
				}
			}
		})
	}
}

// passThrough replaces calls of methods by what they were called on.
func passThrough(names ...string) func(*mutation) {
	return func(m *mutation) {
		m.exprs(func(e js.IExpr) js.IExpr {
			if call, object := method(e, names...); call != nil && m.hit() {
				return grouped(object)
			}
			return e
		})
	}
}

// swapOperators leaves operators on texts as they are.
func swapOperators(pairs map[js.TokenType]js.TokenType) func(*mutation) {
	return func(m *mutation) {
		m.exprs(func(e js.IExpr) js.IExpr {
			x, ok := e.(*js.BinaryExpr)
			if !ok {
				return e
			}
			other, ok := pairs[x.Op]
			if !ok || (x.Op == js.AddToken || x.Op == js.AddEqToken) && (hasText(x.X) || hasText(x.Y)) || !m.hit() {
				return e
			}
			if x.Op == js.AndToken || x.Op == js.OrToken { // they bind differently
				return &js.GroupExpr{X: &js.BinaryExpr{Op: other, X: grouped(x.X), Y: grouped(x.Y)}}
			}
			x.Op = other
			if _, isBinary := x.Y.(*js.BinaryExpr); isBinary {
				x.Y = grouped(x.Y)
			}
			return e
		})
	}
}

// hasText says whether a sum has a text among its terms.
func hasText(e js.IExpr) bool {
	if x, ok := e.(*js.BinaryExpr); ok && x.Op == js.AddToken {
		return hasText(x.X) || hasText(x.Y)
	}
	if g, ok := e.(*js.GroupExpr); ok {
		return hasText(g.X)
	}
	return isText(e)
}

func swapSteps(m *mutation) {
	pairs := map[js.TokenType]js.TokenType{js.PostIncrToken: js.PostDecrToken, js.PostDecrToken: js.PostIncrToken, js.PreIncrToken: js.PreDecrToken, js.PreDecrToken: js.PreIncrToken}
	inFor := map[js.IExpr]bool{} // loops that never end show nothing
	m.nodes(func(n any) {
		if f, ok := n.(*js.ForStmt); ok && f.Post != nil {
			inFor[f.Post] = true
		}
	})
	m.nodes(func(n any) {
		x, ok := n.(*js.UnaryExpr)
		if !ok || inFor[x] {
			return
		}
		if other, ok := pairs[x.Op]; ok && m.hit() {
			x.Op = other
		}
	})
}

func offByOne(m *mutation) {
	m.nodes(func(n any) {
		x, ok := n.(*js.LiteralExpr)
		if !ok || x.TokenType != js.IntegerToken {
			return
		}
		if value, err := strconv.Atoi(string(x.Data)); err == nil && value < 1_000_000 && m.hit() {
			x.Data = []byte(strconv.Itoa(value + 1))
		}
	})
}

// swapNames swaps methods that have an opposite.
func swapNames(m *mutation) {
	pairs := map[string]string{"min": "max", "max": "min", "some": "every", "every": "some", "floor": "ceil", "ceil": "floor", "add": "remove"}
	m.exprs(func(e js.IExpr) js.IExpr {
		call, ok := e.(*js.CallExpr)
		if !ok {
			return e
		}
		dot, ok := call.X.(*js.DotExpr)
		if !ok {
			return e
		}
		if other, ok := pairs[identifier(dot.Y)]; ok && m.hit() {
			dot.Y = property(other)
		}
		return e
	})
}
