package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/browser"
)

func TestRoutesAndLinks(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	s := site("index.html", `<!DOCTYPE html><title>T</title><p>Home</p><a href="about.html">About</a><a href="/nowhere">Lost</a><a href="#">Hash</a><a href="#gone">Gone</a>
		<a href="#here" id="here">Here</a><a href="https://example.com">Out</a><a href="#" onclick="go()">Act</a><a href="mailto:a@b.c">Mail</a>`,
		"about.html", `<!DOCTYPE html><title>A</title><p>About</p><a href="/deep/">Deep</a>`, "deep/index.html", `<!DOCTYPE html><title>D</title><p>Deep</p>`)
	s.Routes = []string{"/", "/declared", "/item/:id", "/*"}
	ev, _ := see(t, c, s, once)
	var routes []string
	for _, v := range ev.Views {
		routes = append(routes, v.Route)
		if len(v.Frames) != 1 {
			t.Errorf("%s has %d screenshots", v.Route, len(v.Frames))
		}
	}
	if diff := cmp.Diff([]string{"/", "/declared", "/about.html", "/deep"}, routes); diff != "" {
		t.Errorf("routes (-want +got):\n%s", diff)
	}
	got := map[string]string{}
	for _, l := range ev.Views[0].Links {
		got[l.Text] = string(l.Kind)
		if l.Dead {
			got[l.Text] += " dead"
		}
	}
	want := map[string]string{"About": "internal", "Lost": "internal dead", "Hash": "empty dead", "Gone": "anchor dead", "Here": "anchor", "Out": "external", "Act": "action", "Mail": "external"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	bounded, _ := see(t, c, s, vitrine.CaptureSettings{TimesMS: []int{0}, MaxRoutes: 2})
	if len(bounded.Views) != 2 {
		t.Errorf("got %d views, want 2", len(bounded.Views))
	}
}

func TestRedirectsAreFollowedToTheirEnd(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	s := site("index.html", `<p>One</p><script>location = 'two.html'</script>`,
		"two.html", `<p>Two</p><script>
			localStorage.ticks = 0; setTimeout(() => location.replace('three.html'), 950); setInterval(() => localStorage.ticks++, 100)</script>`,
		"three.html", `<p>Three</p><meta http-equiv="refresh" content="0;url=four.html">`,
		"four.html", `<!DOCTYPE html><title>T</title><p></p><script>document.querySelector('p').textContent = 'Arrived after ' + localStorage.ticks</script>`)
	ev, _ := see(t, c, s, once)
	if v := ev.Views[0]; !v.Validity.Valid || v.Text != "Arrived after 9" {
		t.Errorf("got %+v %q", v.Validity, v.Text)
	}
}

func TestClientSideRoutesBaseAndViewports(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	s := site("index.html", `<!DOCTYPE html><title>T</title><script src="/shop/app.js"></script>`, "app.js", `addEventListener('load', () => document.body.append('at ' + location.pathname + ' ' + innerWidth))`)
	s.Base, s.Routes = "/shop", []string{"/", "/cart", "/item/:id", "/*"}
	ev, dir := see(t, c, s, vitrine.CaptureSettings{TimesMS: []int{0}, Viewports: []vitrine.Viewport{vitrine.Desktop, vitrine.Mobile}})
	var got []string
	for _, v := range ev.Views {
		got = append(got, v.Text+" "+v.Frames[0].File)
		if _, err := os.Stat(filepath.Join(dir, v.Thumb)); err != nil {
			t.Error(err)
		}
	}
	want := []string{"at /shop/ 1280 frames/index@desktop@0.png", "at /shop/ 980 frames/index@mobile@0.png", "at /shop/cart 1280 frames/cart@desktop@0.png", "at /shop/cart 980 frames/cart@mobile@0.png"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCrashedRendererIsOneInvalidView(t *testing.T) {
	t.Parallel()
	c := capturerOf(t, browser.Settings{})
	// Memory without end kills a renderer.
	ev, _ := see(t, c, body(`<p>Hello</p><script>const all = []; for (;;) all.push(new Array(1 << 22).fill(1.5))</script>`), once)
	if r := ev.Validity.Reason; r != vitrine.InvalidCrashed && r != vitrine.InvalidTimeout {
		t.Errorf("got %+v", ev.Validity)
	}
	if ev, _ := see(t, c, body(`<p>Fine</p>`), once); !ev.Validity.Valid {
		t.Errorf("the next site: %+v", ev.Validity)
	}
}

func TestRoutesLeaveNothingToEachOther(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	html := `<!DOCTYPE html><html lang="en"><title>T</title><p id="found"></p><script>
		const found = [window.name, document.cookie, localStorage.x, sessionStorage.x, document.referrer].filter(Boolean);
		document.getElementById('found').textContent = location.pathname + location.hash + ' found ' + JSON.stringify(found) + ' at ' + performance.now().toFixed(2);
		indexedDB.databases().then((all) => { if (all.length) document.body.append(' and a database') });
		window.name = document.cookie = localStorage.x = sessionStorage.x = 'left by ' + location.pathname;
		indexedDB.open('left');
		addEventListener('pagehide', () => { localStorage.x = sessionStorage.x = window.name = 'left on leaving' });
		new BroadcastChannel('x').postMessage('left');
		setInterval(() => { throw new Error('still running on ' + location.pathname) }, 900);
	</script>`
	s := site("index.html", html)
	s.Routes = []string{"/", "/a", "/#/hash", "/#/other"}
	settings := vitrine.CaptureSettings{TimesMS: []int{0}, Viewports: []vitrine.Viewport{vitrine.Desktop, vitrine.Mobile}}
	ev, _ := see(t, c, s, settings)
	if len(ev.Views) != 8 || len(ev.Console) != 8 {
		t.Fatalf("got %d views and %d messages, want 8 of each", len(ev.Views), len(ev.Console))
	}
	for i, v := range ev.Views {
		route := s.Routes[i/2]
		if want := route + " found [] at 0.01"; v.Route != route || v.Viewport != settings.Viewports[i%2] || v.Text != want {
			t.Errorf("%s at %s: got %q, want %q", v.Route, v.Viewport.Name, v.Text, want)
		}
		path, _, _ := strings.Cut(route, "#")
		if m := ev.Console[i]; m.Route != route || !strings.Contains(m.Text, "still running on "+path+"\n") {
			t.Errorf("message %d is %+v", i, m)
		}
	}
}

// The browser keeps libraries from one route to the next; neither what is recorded of a
// route nor the page can tell.
func TestEveryRouteAsksForItsLibraries(t *testing.T) {
	t.Parallel()
	s := site("index.html", `<!DOCTYPE html><html lang="en"><title>T</title><p id="root"></p>
		<script type="module" crossorigin src="/app.js"></script><link rel="modulepreload" crossorigin href="/part.js"><script src="/plain.js"></script>`,
		"app.js", `import { part } from './part.js'; import('./late.js').then(({ late }) => {
			document.getElementById('root').textContent = [location.pathname, part, late, plain, JSON.stringify(performance.getEntriesByName(location.origin + '/part.js'))] })`,
		"part.js", `export const part = 'part'`, "late.js", `export const late = 'late'`, "plain.js", `const plain = 'plain'`)
	s.Routes, s.Libraries = []string{"/", "/a", "/b"}, []string{"part.js"}
	ev, _ := see(t, capturer(t), s, vitrine.CaptureSettings{TimesMS: []int{0}, Viewports: []vitrine.Viewport{vitrine.Desktop, vitrine.Mobile}})
	var got, want []string
	for _, v := range ev.Views {
		_, said, _ := strings.Cut(ev.Views[0].Text, "plain")
		if text := v.Route + ",part,late,plain" + said; v.Text != text || !strings.Contains(said, `"transferSize":326,`) {
			t.Errorf("%s shows %q, not %q", v.Route, v.Text, text)
		}
		for _, name := range []string{"app.js", "late.js", "part.js", "plain.js"} {
			want = append(want, fmt.Sprintf("%s %s /%s Script 200 site %d", v.Route, v.Viewport.Name, name, len(s.Files[name])))
		}
	}
	for _, r := range ev.Requests {
		got = append(got, fmt.Sprintf("%s %s %s %s %d %s %d", r.Route, r.Viewport, r.URL, r.Type, r.Status, r.Result, r.Bytes))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestALibraryThatIsRefusedIsNotRecorded(t *testing.T) {
	t.Parallel()
	s := site("index.html", `<!DOCTYPE html><html lang="en"><meta http-equiv="Content-Security-Policy" content="script-src 'none'"><title>T</title><p>Hello</p>
		<script type="module" crossorigin src="/part.js"></script>`, "part.js", "")
	s.Routes, s.Libraries = []string{"/", "/a"}, []string{"part.js"}
	if ev, _ := see(t, capturer(t), s, once); len(ev.Views) != 2 || len(ev.Requests) != 0 {
		t.Errorf("got %d views and the requests %+v", len(ev.Views), ev.Requests)
	}
}

func TestRouteThatHangsOrCrashesCostsItselfOnly(t *testing.T) {
	t.Parallel()
	c := capturerOf(t, browser.Settings{CommandDeadline: 3 * time.Second})
	html := `<!DOCTYPE html><html lang="en"><title>T</title><p>Hello</p><script>
		if (location.pathname === '/hangs') for (;;);
		if (location.pathname === '/replaces') setInterval(() => document.open(), 1);
	</script>`
	s := site("index.html", html)
	s.Routes = []string{"/", "/hangs", "/a", "/replaces", "/b"}
	ev, _ := see(t, c, s, once)
	var got []string
	for _, v := range ev.Views {
		got = append(got, v.Route+" "+string(v.Validity.Reason))
	}
	want := []string{"/ ", "/hangs timeout", "/a ", "/replaces blank", "/b "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A site of many slow routes is done with in bounded time: what it did not come to says so.
func TestASiteHasOnlySoMuchTime(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	spent := siteTimeout - time.Nanosecond
	site := body(`<p>Hello</p>`)
	p := &pass{capturer: c, site: site, dir: t.TempDir(), viewport: vitrine.Desktop, routes: newRouteList([]string{"/a", "/b"}, 8), spent: &spent,
		evidence: &vitrine.Evidence{Site: *site, Settings: WithDefaults(once)}}
	if err := os.Mkdir(filepath.Join(p.dir, "frames"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := p.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range p.evidence.Views {
		got = append(got, v.Route+" "+string(v.Validity.Reason))
	}
	if diff := cmp.Diff([]string{"/ ", "/a timeout", "/b timeout"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
