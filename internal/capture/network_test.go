package capture

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/fixtures"
	"vitrine/internal/fixtures/fixturestest"
)

const cdn = fixturestest.CDN

func TestOtherHostsAreAnsweredByAMirror(t *testing.T) {
	t.Parallel()
	const lib = "document.body.append(Object.assign(document.createElement('p'), {id: 'made', textContent: 'made by a library'}))"
	c := capturer(t)
	c.Mirror = fixturestest.Mirror{
		cdn + "lib.js":    lib,
		cdn + "style.css": "p { color: rgb(1, 2, 3) }",
		cdn + "mod.mjs":   "export const answer = 42",
		cdn + "pic.svg":   `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="red"/></svg>`,
	}
	html := `<link rel="stylesheet" href="` + cdn + `style.css" integrity="sha384-AAAA" crossorigin="anonymous">` +
		`<p id="own">Text</p><img id="pic" alt="" src="` + cdn + `pic.svg"><img id="gone" alt="gone" src="` + cdn + `gone.png">` +
		`<script src="` + cdn + `lib.js" integrity="` + fixturestest.Integrity(lib) + `" crossorigin></script>` +
		`<script type="module">import { answer } from "` + cdn + `mod.mjs"; document.getElementById("own").textContent = "Answer " + answer</script>`
	ev, _ := see(t, c, body(html), once)
	view := ev.Views[0]
	if made := find(t, view, "made"); made.Style.Color != (vitrine.Color{R: 1, G: 2, B: 3, A: 255}) {
		t.Errorf("the style sheet of the CDN gives %v", made.Style.Color)
	}
	if own := find(t, view, "own"); own.Text != "Answer 42" {
		t.Errorf("the module of the CDN gives %q", own.Text)
	}
	if pic := find(t, view, "pic"); pic.NaturalWidth != 40 || pic.NaturalHeight != 30 {
		t.Errorf("the picture is %d × %d", pic.NaturalWidth, pic.NaturalHeight)
	}
	got := map[string]string{}
	for _, r := range ev.Requests {
		got[strings.TrimPrefix(r.URL, cdn)] = r.Result
		if r.Fixture != nil {
			got[strings.TrimPrefix(r.URL, cdn)] += fmt.Sprintf(" %s %s→%s %v", r.Fixture.Name, r.Fixture.Asked, r.Fixture.Given, r.Fixture.Unsigned)
		}
	}
	want := map[string]string{
		"lib.js": "fixture shelf 1→1.2.3 false", "style.css": "fixture shelf 1→1.2.3 true", "mod.mjs": "fixture shelf 1→1.2.3 false",
		"pic.svg": "fixture shelf 1→1.2.3 false", "gone.png": "blocked",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// slow is a mirror that takes its time.
type slow struct{ fixturestest.Mirror }

func (s slow) Answer(url, kind string) (fixtures.Answer, bool) {
	time.Sleep(200 * time.Millisecond)
	return s.Mirror.Answer(url, kind)
}

// A request takes no page time, however long it takes: what a script asked for is there
// before its next timer.
func TestPageTimeWaitsForRequests(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	c.Mirror = slow{fixturestest.Mirror{cdn + "a.json": `{"n": 1}`, cdn + "b.json": `{"n": 2}`}}
	ev, _ := see(t, c, body(`<p>Hello</p><script>
		let ticks = 0;
		setInterval(() => { ticks++ }, 10);
		const tell = (text) => document.body.append(Object.assign(document.createElement('p'), { textContent: text + ' at ' + ticks }));
		setTimeout(async () => {
			tell('fetch ' + (await (await fetch('`+cdn+`a.json')).json()).n);
			tell('again ' + (await (await fetch('`+cdn+`b.json')).json()).n);
			await fetch('`+cdn+`lost.json').catch(() => tell('lost'));
		}, 205);
		setTimeout(() => {
			const x = new XMLHttpRequest();
			x.open('GET', '`+cdn+`b.json');
			x.onload = () => tell('xhr ' + x.responseText);
			x.send();
		}, 305);
	</script>`), once)
	want := `Hello fetch 1 at 20 again 2 at 20 lost at 20 xhr {"n": 2} at 30`
	if got := strings.Join(strings.Fields(ev.Views[0].Text), " "); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// That answers are waited for hides no failure, and not where in the page it was.
func TestFailedRequestsAreToldAsTheyAre(t *testing.T) {
	t.Parallel()
	ev, _ := see(t, capturer(t), site("index.html", `<!DOCTYPE html><title>T</title><p>Hello</p><script src="app.js"></script>`, "app.js",
		"fetch('"+cdn+"bare.json');\n"+
			"(async () => { await fetch('"+cdn+"lost.json'); })();\n"+
			"fetch('/no.json').then((r) => r.json());\n"), once)
	var got []string
	for _, m := range ev.Console {
		if text, _, _ := strings.Cut(m.Text, "\n"); m.Level == "exception" && !strings.Contains(text, "SyntaxError") {
			got = append(got, fmt.Sprintf("%s %s:%d", text, m.URL, m.Line))
		}
		if strings.Contains(m.Text, "awaited") || strings.Contains(m.Text, "vitrine") {
			t.Errorf("our clock shows in %q", m.Text)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"TypeError: Failed to fetch /app.js:1", "TypeError: Failed to fetch /app.js:2"}, got); diff != "" || len(ev.Console) != 3 {
		t.Errorf("%s%+v", diff, ev.Console)
	}
}

func TestWithoutAMirrorOtherHostsAreBlocked(t *testing.T) {
	t.Parallel()
	ev, _ := see(t, capturer(t), body(`<script src="`+cdn+`lib.js" integrity="sha384-AAAA"></script>`), once)
	if len(ev.Requests) != 1 || ev.Requests[0].Result != "blocked" || ev.Requests[0].Fixture != nil {
		t.Errorf("requests: %+v", ev.Requests)
	}
	if why := ev.Validity.Why; !strings.Contains(why, cdn+"lib.js") {
		t.Errorf("an empty page that wants a script says %q", why)
	}
}
