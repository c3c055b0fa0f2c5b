package redteam

import (
	"slices"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

// program uses what printing and renaming can get wrong, and ends in a value.
const program = `
const outer = { count: 2, name: 'x' };
function make(count, { name, deep: [first, ...rest] = [1, 2] } = outer, ...more) {
  const twice = count * 2, text = ` + "`${name}: ${twice > 3 ? `<b>${twice}</b>` : 'few'}`" + `;
  let total = 0;
  for (let i = 0, n = more.length; i < n; i++) total += more[i] - -i;
  for (const key in { name, twice }) total += key.length;
  const inner = function again(k) { return k > 0 ? again(k - 1) + 1 : first; };
  try { throw { count } } catch ({ count: caught }) { total += caught; }
  const re = /a\/[/]b/g, odd = (1, total) ** 2, o = { count, twice, get total() { return total; }, ['k' + count]: rest, inner };
  label: do { if (total > 5) break label; total++ } while (total < 20);
  var hoisted = () => ({ hoisted: typeof hoisted, count });
  class Box { #held = twice; static of(x) { return new Box(x) } constructor(x) { this.x = x } get held() { return this.#held + (this.x ?? 0) } }
  return JSON.stringify([text, total, o.inner(3), o.total, o['k' + count], hoisted(), Box.of(count).held, 'a/b'.replace(re, ''), odd, -(-count), !(!count), void 0 ?? 'none', outer?.name?.length])
}
make(3, undefined, 4, 5) + make(1, { name: 'y' }, 7);`

func run(t *testing.T, source string) string {
	t.Helper()
	v, err := goja.New().RunString(source)
	if err != nil {
		t.Fatalf("%v in:\n%s", err, source)
	}
	return v.String()
}

func TestEquivalentProgramsComeToTheSame(t *testing.T) {
	want := run(t, program)
	for _, name := range []string{"same-printed", "same-spaced", "same-locals"} {
		o := operator(t, name)
		m := o.mutate("<html><head><script>"+program+"</script></head>", 1, 0)
		if m == nil {
			t.Errorf("%s: no mutant", o.Name)
			continue
		}
		if got := run(t, read(m.HTML).inside("script")); got != want {
			t.Errorf("%s gives %s, want %s:\n%s", o.Name, got, want, m.HTML)
		}
	}
	locals := operator(t, "same-locals").mutate("<script>"+program+"</script>", 1, 0)
	for _, name := range []string{"twice_v", "hoisted_v", "more_v"} {
		if !strings.Contains(locals.HTML, name) {
			t.Errorf("nothing is called %s:\n%s", name, locals.HTML)
		}
	}
	if strings.Contains(locals.HTML, "outer_v") || strings.Contains(locals.HTML, "make_v") {
		t.Error("a global variable was renamed")
	}
}

// shape is the tree of a page without what equivalents change.
func shape(t *testing.T, page string) (lines []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		switch n.Type {
		case html.TextNode:
			if text := strings.TrimSpace(n.Data); text != "" && n.Parent.Data != "script" && n.Parent.Data != "style" {
				lines = append(lines, text)
			}
		case html.ElementNode:
			attributes := []string{}
			for _, a := range n.Attr {
				if a.Key != "class" && !isUserEvent(a.Key) {
					attributes = append(attributes, a.Key+"="+a.Val)
				}
			}
			slices.Sort(attributes)
			lines = append(lines, n.Data+" "+strings.Join(attributes, " "))
		}
	}
	return lines
}

func TestEquivalentPagesHaveTheSameTree(t *testing.T) {
	want := shape(t, page)
	for _, o := range equivalents {
		m := o.mutate(page, 1, 0)
		if m == nil {
			t.Errorf("%s: no mutant", o.Name)
			continue
		}
		if diff := cmp.Diff(want, shape(t, m.HTML)); diff != "" {
			t.Errorf("%s changes the tree:\n%s", o.Name, diff)
		}
	}
}

func TestClassesAreRenamedInSheetsAndTags(t *testing.T) {
	m := operator(t, "same-classes").mutate(page, 1, 0)
	for _, there := range []string{`.k0-line{color:#333}`, `.k1-far:hover, p.k0-line{margin:1em}`, `class="k0-line k1-far"`} {
		if !strings.Contains(m.HTML, there) {
			t.Errorf("%s is not there:\n%s", there, m.HTML)
		}
	}
	for _, kept := range []string{
		`<style>.a{}</style><b class="a"></b><script>f('a')</script>`, `<style>[class^="a"]{} .a{}</style><b class="a"></b>`,
		`<style>.a{}</style><b class="a"></b><script src="x.js"></script>`, `<style>.a\:b{} .a{}</style><b class="a"></b>`,
	} {
		if m := operator(t, "same-classes").mutate(kept, 1, 0); m != nil {
			t.Errorf("%s became %s", kept, m.HTML)
		}
	}
}

func TestCodeThatIsMadeOfTextKeepsItsNames(t *testing.T) {
	if m := operator(t, "same-locals").mutate(`<script>function f(a) { return eval('a') }</script>`, 1, 0); m != nil {
		t.Errorf("it became %s", m.HTML)
	}
}

func FuzzMutants(f *testing.F) {
	f.Add(page, uint64(1))
	f.Add("<script>"+program+"</script>", uint64(2))
	f.Add("<script>a = <b/></script><p onclick='return x' id=a class=b class=c><style>.b{}</style><noscript><p id=z>", uint64(3))
	f.Fuzz(func(t *testing.T, page string, seed uint64) {
		if len(page) > 1<<14 {
			return
		}
		if got := read(page).String(); got != page {
			t.Errorf("%q became %q", page, got)
		}
		for _, m := range Mutants(page, 1, seed) {
			if m.HTML == page {
				t.Errorf("%s changed nothing", m.Operator)
			}
		}
	})
}
