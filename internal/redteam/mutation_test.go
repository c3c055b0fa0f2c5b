package redteam

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// page has a place for every operator.
const page = `<!DOCTYPE html>
<html lang="en"><head><title>Tea</title><style>.line{color:#333} .far:hover, p.line{margin:1em}</style></head>
<body><p class="line far" title="t" onclick="add(1)">Tea</p><b class="line" onclick="less(2)">Less</b><form id="form"><input id="name"></form><ul id="list"></ul><a href="#list">List</a>
<script>
const list = [3, 1, 2];
const draw = () => { document.getElementById('list').innerHTML = list.filter(n => n > 0).sort().map(n => '<li onclick="less(' + n + ')">' + n + '</li>').join(''); };
function add(n) { const much = n + 1; if (n > 2 && n < 9) { list.push(much); } localStorage.setItem('list', list.length); draw(); return much; }
function less(i) { let count = 0; count++; list.splice(i, 1); draw(); return list[i] * Math.min(i, 4); }
document.getElementById('form').addEventListener('submit', e => { e.preventDefault(); const li = document.createElement('li'); document.getElementById('list').append(li); });
document.getElementById('name').onfocus = () => less(0);
document.getElementById('list').addEventListener('submit', e => add(1));
window.addEventListener('load', draw);
</script></body></html>`

func operator(t *testing.T, name string) Operator {
	t.Helper()
	for _, o := range Operators() {
		if o.Name == name {
			return o
		}
	}
	t.Fatalf("there is no operator %q", name)
	return Operator{}
}

// Each operator takes out what stands first and puts in what stands second.
func TestOperatorsChangeWhatTheySay(t *testing.T) {
	for name, want := range map[string][2]string{
		"handler-removed":    {`onclick="add(1)"`, `title="t">Tea`},
		"body-emptied":       {"n > 0", "(n) => {}"},
		"event-misnamed":     {"addEventListener('submit', e =>", `addEventListener("submited"`},
		"text-unwritten":     {".innerHTML =", "(void 0)"},
		"append-dropped":     {".append(li)", "(void 0)"},
		"push-dropped":       {"list.push(much)", "(void 0)"},
		"storage-dropped":    {"setItem", "(void 0)"},
		"render-dropped":     {"list.length); draw()", "(void 0); return much"},
		"element-deleted":    {`<form id="form"><input id="name"></form>`, `</b><ul id="list">`},
		"return-dropped":     {"n => n > 0", "return (void 0)"},
		"listed-short":       {".sort().map(", ".sort()]).slice(0, -1).map("},
		"condition-negated":  {"if (n > 2", "if (!(n > 2 && n < 9))"},
		"condition-true":     {"if (n > 2", "if (true)"},
		"condition-false":    {"if (n > 2", "if (false)"},
		"filter-dropped":     {".filter(", "list.sort()"},
		"sort-dropped":       {".sort()", ".map("},
		"splice-dropped":     {"list.splice(i, 1)", "(void 0)"},
		"plus-minus":         {"n + 1", "n - 1"},
		"times-divided":      {"] * Math", "] / Math"},
		"comparison-swapped": {"n > 0", "n <= 0"},
		"and-or":             {"&&", "||"},
		"count-backwards":    {"count++", "count--"},
		"number-off":         {"add(1)", "add(2)"},
		"extreme-swapped":    {"Math.min", "Math.max"},
		"id-wrong":           {"getElementById('list').innerHTML", `getElementById("form").innerHTML`},
		"default-kept":       {"e.preventDefault()", "(void 0)"},
		"link-nowhere":       {`href="#list"`, `href="#"`},
		"handlers-neighbour": {`title="t" onclick="add(1)"`, `onclick="less(2)">Tea`},
		"index-wrong":        {"list[i]", "list[i + 1]"},
	} {
		m := operator(t, name).mutate(page, 1, 0)
		if m == nil {
			t.Errorf("%s: no mutant", name)
			continue
		}
		out, in, got := want[0], want[1], strings.Join(strings.Fields(m.HTML), " ")
		if !strings.Contains(page, out) {
			t.Errorf("%s: the page lacks %q", name, out)
		}
		if strings.Count(got, out) >= strings.Count(page, out) {
			t.Errorf("%s: %q is still there:\n%s", name, out, m.HTML)
		}
		if !strings.Contains(got, in) {
			t.Errorf("%s: %q is not there:\n%s", name, in, m.HTML)
		}
	}
}

func TestClassesAreNoEntriesOfLists(t *testing.T) {
	if m := operator(t, "splice-dropped").mutate("<script>row.classList.remove('on')</script>", 1, 0); m != nil {
		t.Errorf("a class stays: %s", m.HTML)
	}
	if m := operator(t, "splice-dropped").mutate("<script>row.remove()</script>", 1, 0); m == nil {
		t.Error("no row can stay")
	}
}

func TestHandlersAreRemovedHoweverTheyAreBound(t *testing.T) {
	m := operator(t, "handlers-removed").mutate(page, 1, 0)
	for _, gone := range []string{" onclick", "'submit'", "onfocus ="} {
		if strings.Contains(m.HTML, gone) {
			t.Errorf("%q is still there:\n%s", gone, m.HTML)
		}
	}
	if !strings.Contains(m.HTML, "addEventListener('load', draw)") {
		t.Errorf("what draws the page first is gone:\n%s", m.HTML)
	}
	if m.Changed != 6 {
		t.Errorf("%d handlers are gone, want 6", m.Changed)
	}
	if half := operator(t, "handlers-second").mutate(page, 1, 0); half.Changed != 3 {
		t.Errorf("every second one are %d, want 3", half.Changed)
	}
	for _, bound := range []string{
		`<script>$('#a').on('click', f)</script>`, `<script>$('#a').click(function () { f() })</script>`, `<script>el.setAttribute('onclick', 'f()')</script>`,
		`<script>make('b', { onclick: f })</script>`, "<script>x = `<b class=\"${c}\" onclick=\"f(${i})\">`</script>", `<script>el['onclick'] = f</script>`,
		`<script>['click', 'keydown'].forEach(k => el.addEventListener(k, f))</script>`, `<form onsubmit="return f()">`, `<script type="module">a?.addEventListener('input', f)</script>`,
	} {
		if m := operator(t, "handlers-removed").mutate(bound, 1, 0); m == nil || m.Changed != 1 {
			t.Errorf("%s: %+v", bound, m)
		}
	}
	for _, other := range []string{`<body onload="f()">`, `<script>img.onload = f; addEventListener('DOMContentLoaded', f)</script>`, `<script type="application/json">{"onclick": "=1"}</script>`} {
		if m := operator(t, "handlers-removed").mutate(other, 1, 0); m != nil {
			t.Errorf("%s: %+v", other, m)
		}
	}
}

func TestEveryOperatorMakesMutantsOfThePage(t *testing.T) {
	made := map[string]int{}
	for _, m := range Mutants(page, 3, 1) {
		made[m.Operator]++
		if made[m.Operator] > 3 {
			t.Errorf("%s made more than 3", m.Operator)
		}
	}
	for _, o := range Operators() {
		if made[o.Name] == 0 && o.Name != "slice-dropped" { // the page has none of its calls
			t.Errorf("%s made no mutant", o.Name)
		}
		if o.Says == "" {
			t.Errorf("%s does not say what it does", o.Name)
		}
	}
	if m := Mutants(page, 5, 1, "handler-removed"); len(m) != 5 || m[0].Operator != "handler-removed" {
		t.Errorf("five of one operator: %d", len(m))
	}
}

func TestTheSeedDecides(t *testing.T) {
	if diff := cmp.Diff(Mutants(page, 2, 7), Mutants(page, 2, 7)); diff != "" {
		t.Errorf("the same seed made other mutants:\n%s", diff)
	}
	if cmp.Equal(Mix(page, 10, 7), Mix(page, 10, 8)) {
		t.Error("another seed made the same mutants")
	}
}

func TestTheMixIsThatOfRealFaults(t *testing.T) {
	counts, total := map[Kind]int{}, 0
	for seed := range uint64(60) {
		for _, m := range Mix(page, 4, seed) {
			counts[m.Kind]++
			total++
		}
	}
	for _, k := range mix {
		got, want := float64(counts[k.kind])/float64(total), float64(k.share)/106
		if got < want-0.1 || got > want+0.1 {
			t.Errorf("%s: %.2f of the mutants, want about %.2f", k.kind, got, want)
		}
	}
	if !slices.Equal(slices.Sorted(maps.Keys(counts)), []Kind{Missing, Silent, WrongPlace, WrongResult}) {
		t.Errorf("the mix has %v", counts)
	}
}

func TestAPageWithoutChangesIsWrittenAsItWas(t *testing.T) {
	for _, text := range []string{page, "", "<", "<!--", "<p title=a b='c'>x", "<script>a</scr", "<svg viewBox='0 0 1 1'/>\r\n\x00ü"} {
		if got := read(text).String(); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	if m := Mutants("<p>Tea</p>", 2, 1); len(m) != 0 {
		t.Errorf("a page with nothing to change has mutants: %+v", m)
	}
}
