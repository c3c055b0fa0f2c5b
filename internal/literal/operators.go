package literal

import "github.com/tdewolff/parse/v2/js"

// truth is whether a value counts as true.
func truth(v any) bool {
	switch v := v.(type) {
	case nil, undefined:
		return false
	case bool:
		return v
	case float64:
		return v != 0
	case string:
		return v != ""
	case noData:
		code()
	}
	return true
}

func (r *reader) unary(x *js.UnaryExpr, at *scope) any {
	v := r.eval(x.X, at)
	n, isNumber := v.(float64)
	switch {
	case x.Op == js.NotToken:
		return !truth(v)
	case x.Op == js.VoidToken:
		return undefined{}
	case x.Op == js.NegToken && isNumber:
		return -n
	case x.Op == js.PosToken && isNumber:
		return n
	}
	code()
	return nil
}

func (r *reader) binary(x *js.BinaryExpr, at *scope) any {
	left := r.eval(x.X, at)
	switch x.Op {
	case js.AndToken:
		if !truth(left) {
			return left
		}
		return r.eval(x.Y, at)
	case js.OrToken:
		if truth(left) {
			return left
		}
		return r.eval(x.Y, at)
	case js.NullishToken:
		if _, missing := left.(undefined); left != nil && !missing {
			return left
		}
		return r.eval(x.Y, at)
	}
	right := r.eval(x.Y, at)
	switch x.Op {
	case js.EqEqEqToken:
		return same(left, right)
	case js.NotEqEqToken:
		return !same(left, right)
	case js.EqEqToken, js.NotEqToken:
		if kind(left) != kind(right) {
			code()
		}
		return same(left, right) == (x.Op == js.EqEqToken)
	case js.AddToken:
		return r.add(left, right)
	}
	code()
	return nil
}

func (r *reader) add(left, right any) any {
	a, numbers := left.(float64)
	if b, ok := right.(float64); ok && numbers {
		return a + b
	}
	_, leftText := left.(string)
	if _, rightText := right.(string); !leftText && !rightText {
		code()
	}
	return r.made(textOf(left) + textOf(right))
}

// kind tells simple values apart.
func kind(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case float64:
		return "number"
	case bool:
		return "boolean"
	case nil:
		return "null"
	case undefined:
		return "undefined"
	}
	code()
	return ""
}

func same(a, b any) bool { return kind(a) == kind(b) && a == b }
