package build

import (
	"strings"
	"testing"
)

func TestNested(t *testing.T) {
	t.Parallel()
	const n = MaxNesting + 1
	r := strings.Repeat
	for name, source := range map[string]string{
		"blocks":                   r("{", n) + r("}", n),
		"blocks with names":        r("{let a=b;", n) + r("}", n),
		"blocks, closed in text":   r("{'}';\"}\";`}`;", n),
		"blocks, closed in notes":  r("{/*}*///}\n", n),
		"blocks, closed in a form": r("{a=/[/]}/;", n),
		"blocks after an escape":   r(`{'\'}';`, n),
		"parentheses":              "x=" + r("(", n) + "1" + r(")", n),
		"calls":                    "x=" + r("f(", n) + r(")", n),
		"lists":                    "x=" + r("[", n) + r("]", n),
		"objects":                  "x=" + r("{a:", n) + "1" + r("}", n),
		"templates":                "x=" + r("`${", n/2+1) + "1" + r("}`", n/2+1),
		"JSX with expressions":     "x=" + r("<a>{", n) + "1" + r("}</a>", n),
		"JSX in attributes":        "x=" + r("<a b={", n) + "1" + r("}/>", n),
		"arrow functions":          "x=" + r("a=>", n) + "1",
		"arrow functions in lines": "x=" + r("a=>\n", n) + "1",
		"arrows between questions": "x=" + r("a=>b\n?", n) + "1",
		"arrows in parameters":     "x=" + r("(a=", n) + "1" + r(")=>1", n),
		"types":                    "let x:" + r("a<", n) + "b" + r(">", n),
		"types that never end":     "x=" + r("f<a,", n),
		"classes":                  "x=" + r("class{static{x=", n) + "1" + r("}}", n),
		"functions":                r("function f(){", n) + r("}", n),
	} {
		if !Nested(source) {
			t.Errorf("%s: %.60q… is said not to be nested", name, source)
		}
	}
	component := "export const Card = ({ a, b }) => {\n  const [x, set] = useState<string>('it\\'s')\n  return (\n    <p onClick={() => set(x => x + `(${a < b ? '{' : \"(\"}`)}>Don't {x} http://a.b/(c) 'tis /[(/ i</p>)\n}\n" +
		"const less = (a, b) => a < b\nconst split = a => a.split(/[({]'/g)\nfunction half(a) { return a / 2 } // isn't (\nfor (let i = 0; i < 3; i++) half(i) /* ( */\n"
	for name, source := range map[string]string{
		"a component many times":  r(component, 1000),
		"elements in each other":  "x=" + r("<a>", 5000) + r("</a>", 5000),
		"many lists":              r("[[1,2],[3,4]],\n", 5000),
		"arrow functions in turn": r("const f = a => b => a\n", 5000) + r("f = a => b;", 5000) + "[" + r("a => b,", 5000) + "]",
		"comparisons":             r("if (a < b) c = d < e;\n", 5000) + r("x = a < b\n", 5000),
		"nearly too deep":         r("{", n-1) + r("}", n-1),
		"nothing":                 "",
		"text that never ends":    "'(((" + r("(", n),
		"only ends":               r("}])>`", 1001),
	} {
		if Nested(source) {
			t.Errorf("%s: %.60q… is said to be nested", name, source)
		}
	}
}
