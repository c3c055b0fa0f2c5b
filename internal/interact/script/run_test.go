package script

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/interact"
)

// lab has something for every condition. What is in it at the start:
const lab = `<!doctype html><html lang="en"><head><title>Lab</title><style>
body { height: 3000px; background: #102030 } .clear { opacity: 0 } .over { position: fixed; left: 0; top: 300px; width: 400px; height: 60px; background: #fff }
</style></head><body class="dark mode"><h1>The lab</h1>
<label>Name <input id="name" value="Ada"></label> <label><input type="checkbox" checked> I agree</label>
<label>Country <select><option>Chile</option><option selected value="fr">France</option></select></label>
<button id="go" aria-expanded="false">Go</button> <button disabled>Never</button> <button style="display:none">Ghost</button>
<p class="clear">Nobody reads this</p><p id="out">Total: $0</p><ul><li>one</li><li>two</li><li hidden>three</li></ul>
<iframe srcdoc="<p>Framed words</p>" width="200" height="60"></iframe><div id="host"></div>
<p style="position:absolute;top:310px;left:20px"><button>Under</button></p><div class="over">On top</div>
<script>
console.error('a bad start');
localStorage.setItem('theme', 'dark'); sessionStorage.setItem('step', '2'); document.cookie = 'seen=yes';
document.getElementById('host').attachShadow({mode: 'open'}).innerHTML = '<b>Shadow words</b>';
document.getElementById('go').onclick = (e) => {
  e.target.setAttribute('aria-expanded', 'true');
  const out = document.getElementById('out');
  out.textContent = 'Working';
  setTimeout(() => { out.textContent = 'Total: $5'; }, 400);
  location.hash = 'done'; alert('It went well'); document.getElementById('name').focus();
};
</script></body></html>`

func chrome(t testing.TB, pages int) *browser.Supervisor {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the browser")
	}
	sup := browser.New(browser.Settings{Pages: pages})
	t.Cleanup(sup.Close)
	return sup
}

func on(sup *browser.Supervisor, html string) *interact.Driver {
	return &interact.Driver{Browser: sup, Site: site("index.html", html), Viewport: window}
}

func runSteps(t *testing.T, d *interact.Driver, steps string) vitrine.Case {
	t.Helper()
	c, err := Run(t.Context(), d, mustParse(t, "task: T\nsteps:\n"+steps)[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestConditionsOnARealPage(t *testing.T) {
	sup := chrome(t, 2)
	before := []string{
		`text: "total: $0"`, `text: Framed words`, `text: Shadow words`, `no_text: Nobody reads this`, `visible: {text: The lab}`, `hidden: {text: Ghost}`, `hidden: {css: .none}`,
		`count: {of: {css: li}, is: 2}`, `value: {of: {label: Name}, is: Ada}`, `value: {of: {label: Country}, is: France}`, `value: {of: {css: "#out"}, contains: "$0"}`,
		`checked: {label: I agree}`, `enabled: {role: button, name: Go}`, `disabled: {role: button, name: Never}`, `attribute: {of: {css: body}, name: class, contains: dark}`,
		`style: {of: {css: body}, property: background-color, is: "#102030"}`, `storage: {key: theme, is: dark}`, `storage: {key: step, contains: "2"}`, `storage: {key: seen, is: "yes"}`,
	}
	missing := []string{
		`text: Nobody reads this`, `text: three`, `no_text: Framed words`, `visible: {text: Ghost}`, `hidden: {css: h1}`, `count: {of: {css: li}, is: 3}`, `unchecked: {label: I agree}`,
		`focused: {label: Name}`, `dialog: It went well`, `changed: text`, `console_error: none`, `url: "#done"`, `attribute: {of: {css: h1}, name: class, is: ""}`, `storage: {key: other, contains: ""}`,
	}
	after := []string{
		`text: "Total: $5"`, `text: Working`, `no_text: Working`, `url: "#done"`, `dialog: it went`, `focused: {label: Name}`, `attribute: {of: {text: Go}, name: aria-expanded, is: "true"}`,
		`changed: text`, `changed: dom`, `changed: screen`,
	}
	steps := list(before) + list(missing) + "    - click: {role: button, name: Go}\n" + list(after) +
		"    - scroll: {by: 500}\n    - expect: {scrolled: down}\n    - scroll: {to: {text: The lab}}\n    - expect: {scrolled: up}\n"
	c := runSteps(t, on(sup, lab), steps)
	if len(c.Checks) != len(before)+len(missing)+len(after)+2 {
		t.Fatalf("%d checks: %s", len(c.Checks), c.Why)
	}
	for i, k := range c.Checks {
		if want := i < len(before) || i >= len(before)+len(missing); k.Held != want {
			t.Errorf("%s: held %v, saw %s", k.Expect, k.Held, k.Saw)
		}
	}
}

func list(conditions []string) string {
	var b strings.Builder
	for _, c := range conditions {
		b.WriteString("    - expect: {" + c + "}\n")
	}
	return b.String()
}

// Of what is no selector a page says nothing: neither that it is there nor that it is
// not.
func TestNothingHoldsOfABadSelector(t *testing.T) {
	conditions := []string{
		`hidden: {css: "p:has-text(x)"}`, `visible: {css: "p:has-text(x)"}`, `count: {of: {css: "]["}, is: 0}`, `count: {of: {css: "]["}, at_most: 3}`, `unchecked: {css: "]["}`,
		`hidden: {css: ".none >>> ]["}`, `hidden: {css: ">>>"}`,
	}
	c := runSteps(t, on(chrome(t, 1), lab), list(conditions))
	for _, k := range c.Checks {
		if k.Held || !strings.HasPrefix(k.Saw, "not a CSS selector: ") {
			t.Errorf("%s: held %v, saw %s", k.Expect, k.Held, k.Saw)
		}
	}
}

func TestWhatCannotBeDoneEndsAScript(t *testing.T) {
	d := on(chrome(t, 2), lab)
	for step, why := range map[string]string{
		`click: {role: button, name: Nowhere}`:         "nothing on the page",
		`click: {css: "][ no selector"}`:               "not a CSS selector",
		`click: {text: Never}`:                         "disabled",
		`click: {css: "[style*=display]"}`:             "not visible",
		`click: {text: Under}`:                         "covered",
		`select: {in: {label: Country}, option: Peru}`: "Peru",
		`press: NoSuchKey`:                             "NoSuchKey",
		`upload: {into: {label: Name}, file: a.png}`:   "",
		`back: true`:                    "no page to go back to",
		`scroll: {to: {text: Nowhere}}`: "nothing on the page",
		`drag: {from: {text: The lab}, to: {css: .nowhere}}`:    "nothing on the page",
		`type: {into: {role: button, name: Go}, text: "words"}`: "",
	} {
		t.Run(step, func(t *testing.T) {
			c := runSteps(t, d, "    - expect: {text: The lab}\n    - "+step+"\n    - expect: {text: The lab, weight: 0.5}\n")
			if c.Verdict != vitrine.VerdictFail || *c.Score != 0 || c.End != vitrine.EndBadScript || !strings.HasPrefix(c.Why, "step 2 could not be carried out") || !strings.Contains(c.Why, why) {
				t.Errorf("%s, %s: %s", c.Verdict, c.End, c.Why)
			}
			if len(c.Checks) != 2 || !c.Checks[0].Held || c.Checks[1].Held || c.Checks[1].Weight != 0.5 || !strings.Contains(c.Checks[1].Saw, "not reached") {
				t.Errorf("checks: %+v", c.Checks)
			}
		})
	}
}

func TestAPageThatHangsFails(t *testing.T) {
	const page = `<p>Still here</p><button onclick="for (;;) {}">Hang</button>`
	c := runSteps(t, on(chrome(t, 1), page), "    - expect: {text: Still here}\n    - click: {text: Hang}\n    - expect: {text: Still here}\n")
	if c.Verdict != vitrine.VerdictFail || *c.Score != 0 || c.End != vitrine.EndPage || c.Why == "" || c.Error != nil {
		t.Errorf("%s, %s: %s, %v", c.Verdict, c.End, c.Why, c.Error)
	}
	if len(c.Checks) != 2 || !c.Checks[0].Held || c.Checks[1].Held {
		t.Errorf("checks: %+v", c.Checks)
	}
}

// Equal scripts give equal cases, whatever runs beside, and write the frames they name.
func TestEveryRunIsTheSame(t *testing.T) {
	sup, dir := chrome(t, 4), t.TempDir()
	const lively = `<style>@keyframes turn { to { transform: rotate(360deg) } } .t { width: 40px; height: 40px; background: red; animation: turn 2s infinite linear }</style>
<div class="t"></div><p id="n">0</p><button>Go</button><p id="r"></p><script>
setInterval(() => { document.getElementById('n').textContent = Math.floor(Date.now() / 250) + ' ' + Math.random(); }, 250);
document.querySelector('button').onclick = () => setTimeout(() => { document.getElementById('r').textContent = 'Went ' + Math.random(); }, 300);</script>`
	s := mustParse(t, `{task: T, steps: [{click: {text: Go}}, {expect: {text: Went}}, {wait: 700}, {expect: {changed: screen}}, {reload: true}, {expect: {no_text: Went}}]}`)[0]
	cases := make([]vitrine.Case, 6)
	var wait sync.WaitGroup
	for i := range cases {
		wait.Go(func() {
			d := on(sup, lively)
			d.Dir = dir
			var err error
			if cases[i], err = Run(t.Context(), d, s, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for _, c := range cases {
		if c.Verdict != vitrine.VerdictPass {
			t.Errorf("%s: %s", c.Verdict, c.Why)
		}
		if diff := cmp.Diff(cases[0], c, cmpopts.IgnoreFields(vitrine.Case{}, "WallMS")); diff != "" {
			t.Errorf("two runs differ:\n%s", diff)
		}
	}
	for _, s := range cases[0].Steps {
		for _, name := range []string{s.Before, s.After} {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil || name == "" {
				t.Errorf("frame %q: %v", name, err)
			}
		}
	}
}

func TestAnyOfSeveralWillDo(t *testing.T) {
	c := runSteps(t, on(chrome(t, 1), lab), "    - expect_any: [{text: nothing like it}, {text: The lab}, {text: nor this}]\n    - expect_any: [{text: no}, {visible: {css: .no}}]\n")
	if len(c.Checks) != 2 || !c.Checks[0].Held || c.Checks[1].Held || c.Verdict != vitrine.VerdictPartial {
		t.Errorf("%s: %+v", c.Verdict, c.Checks)
	}
	if want := "text: no or visible: {css: .no}"; strings.ReplaceAll(c.Checks[1].Expect, `"`, "") != want {
		t.Errorf("got %s", c.Checks[1].Expect)
	}
}
