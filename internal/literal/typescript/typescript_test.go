package typescript

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"vitrine/internal/literal"
)

// raw is the name of a file that is read as it stands.
const raw = "raw.js"

func read(name, source string) (json.RawMessage, error) {
	f := literal.File{Name: name, Source: source, Env: map[string]string{"A": "b"}, Loose: []string{"server"}, Arguments: map[string]any{"mode": "production"}}
	if name == raw {
		return literal.Read(f)
	}
	return Read(f)
}

// check holds that a file gives either data or a reason.
func check(t *testing.T, name, source string) {
	t.Helper()
	data, err := read(name, source)
	var why literal.NotData
	switch {
	case err == nil && !json.Valid(data):
		t.Errorf("%.80q gives %.80q", source, data)
	case err != nil && !errors.Is(err, literal.ErrCode) && !errors.As(err, &why):
		t.Errorf("%.80q: %v", source, err)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"export default { a: [1, ...[2]], 'b': `x${1}`, c: /a+/g, ['d']: !0 }",
		"const { a, b: c = 1 } = { a: 1 }; module.exports = ({ mode }) => { if (mode === 'x') return {}; return { a, c } }",
		"import p, { join as j } from 'path'; export default { x: p.resolve(__dirname, j('a', '..')), y: [0, 1].filter(Boolean) }",
		"import { fileURLToPath as f, URL } from 'url'; import m from 'm'; export default { a: f(new URL('./src', import.meta.url)), b: m.c({ d: 1 }) }",
		"async (a = async (b = async () => 1) => 1) => 1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		check(t, "vite.config.js", source)
		check(t, "vite.config.ts", source)
		check(t, raw, source)
	})
}

// doubled makes a text of half a megabyte, s.
const doubled = `const s0='aaaaaaaaaaaaaaaa';const s1=s0+s0;const s2=s1+s1;const s3=s2+s2;const s4=s3+s3;const s5=s4+s4;const s6=s5+s5;const s7=s6+s6;const s8=s7+s7;const s9=s8+s8;const s10=s9+s9;const s11=s10+s10;const s12=s11+s11;const s13=s12+s12;const s14=s13+s13;const s=s14+s14;`

// hostile are sources that parsers and readers have gone into too deep, or twice for each
// level: what is repeated, and what ends it.
var hostile = map[string][3]string{
	"a long text joined often":   {`import path from "path";` + doubled + `export default {a:path.join(s`, ",s", ""},
	"a long text resolved often": {`import path from "path";` + doubled + `export default {a:path.resolve(s`, ",s", ""},
	"brackets":                   {"export default ", "[", "]"},
	"braces":                     {"export default ", "{a:", "}"},
	"parentheses":                {"export default ", "(1,", "1)"},
	"open brackets":              {"export default ", "[", ""},
	"negations":                  {"export default ", "!", ""},
	"signs":                      {"export default ", "- ", ""},
	"conditions":                 {"export default ", "1?1:", ""},
	"sums":                       {"export default '' ", "+'a'", ""},
	"members":                    {"import m from 'm'; export default m", ".a", ""},
	"calls":                      {"import m from 'm'; export default m", "()", ""},
	"news":                       {"export default ", "new ", "a"},
	"arrows":                     {"export default ", "a=>", ""},
	"arrows in parentheses":      {"export default ", "(a=", ")=>1"},
	"async arrows":               {"export default ", "async(a=", ")=>1"},
	"patterns":                   {"const ", "[", "]"},
	"patterns in parameters":     {"export default (", "{a:", "}"},
	"assignments":                {"", "a=", "1"},
	"templates":                  {"export default ", "`${", "}`"},
	"blocks":                     {"", "{", "}"},
	"ifs":                        {"", "if(1)", ";"},
	"elses":                      {"", "if(1);else ", ";"},
	"labels":                     {"", "a:", ";"},
	"functions":                  {"export default ", "function(){return ", "}"},
	"classes":                    {"export default ", "class{static a=", "}"},
	"generic types":              {"let a: ", "A<", ">"},
	"commas":                     {"export default [", "1,", ""},
	"statements":                 {"", "const a=1;", ""},
	"constants":                  {"const a0=[];", "let b;", ""},
	"spreads":                    {"export default [", "...[],", ""},
	"regular expressions":        {"export default [", "/(((((((((((((((((((((((((((((((((((((((((((((((((((((a{1000}){1000})/,", ""},
	"classes of characters":      {"export default [/[", "a-z", ""},
	"imports":                    {"", "import 'a';", ""},
}

// No source of the allowed size takes more than moments and megabytes.
func TestNoSourceTakesLong(t *testing.T) {
	for name, parts := range hostile {
		for _, file := range []string{"vite.config.js", "vite.config.ts", raw} {
			t.Run(name+" in "+file, func(t *testing.T) {
				n := (literal.MaxSource - len(parts[0])) / (len(parts[1]) + len(parts[2]))
				if braces := strings.Count(parts[1], "{"); braces > 0 {
					n = min(n, literal.MaxBraces/braces)
				}
				source := parts[0] + strings.Repeat(parts[1], n) + strings.Repeat(parts[2], n)
				allocated, start := allocations(), time.Now()
				check(t, file, source)
				if spent := time.Since(start); spent > 2*time.Minute {
					t.Errorf("it took %s", spent)
				}
				mb := int64(allocations()-allocated) >> 20
				if mb > 512 {
					t.Errorf("it took %d MB", mb)
				}
				t.Logf("%s, %d MB", time.Since(start), mb)
			})
		}
	}
}

func allocations() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// What is made of little by going over it again and again is counted.
func TestWhatDoublesIsLeft(t *testing.T) {
	for name, double := range map[string]string{
		"lists": "const aN=[...aM,...aM];", "texts": "const aN=aM+aM;", "templates": "const aN=`${aM}${aM}`;", "references": "const aN=[aM,aM];",
		"objects": "const aN={x:aM,y:aM};", "absent": "const aN={x:aM,y:aM,z:undefined};",
	} {
		first := map[string]string{"lists": "[1]", "texts": "'ab'", "templates": "'ab'", "references": "[1]", "objects": "{}", "absent": "{}"}[name]
		var source strings.Builder
		source.WriteString("const a0=" + first + ";")
		for i := range 40 {
			source.WriteString(strings.NewReplacer("aN", fmt.Sprint("a", i+1), "aM", fmt.Sprint("a", i)).Replace(double))
		}
		source.WriteString("export default {all:a40}")
		if _, err := read("vite.config.js", source.String()); !errors.Is(err, literal.ErrCode) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
