package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

func TestPagesHaveNoAccessibilityViolations(t *testing.T) {
	t.Parallel()
	dir := various(t)
	pages := []string{"report.html", pageOf(hostile), pageOf("sample-0000"), pageOf("sample-0003"), pageOf("sample-0009"), pageOf("sample-0004")}
	for _, v := range []vitrine.Viewport{vitrine.Desktop, vitrine.Mobile} {
		for _, name := range pages {
			open(t, v, dir, name, func(b tab) {
				for _, scheme := range []string{"light", "dark"} {
					b.scheme(scheme)
					b.do(`document.querySelectorAll('details').forEach(d => { d.open = true })`)
					for _, v := range b.violations() {
						t.Errorf("%s, %s: %s", name, scheme, v)
					}
				}
			})
		}
	}
}

func TestModelsHaveTheirSay(t *testing.T) {
	t.Parallel()
	open(t, vitrine.Desktop, various(t), pageOf("sample-0000"), func(b tab) {
		text := ask[string](b, `document.querySelector('.findings').textContent`)
		for _, want := range []string{"static@1 openai/critic", "75.5", "Clear and calm sample-0000", "$0.0125", "8/10, lovely!", "No usable answer, so no score: it is not JSON", "price unknown"} {
			if !strings.Contains(text, want) {
				t.Errorf("the page does not say %q", want)
			}
		}
	})
}

func TestWhatWasTriedIsShown(t *testing.T) {
	t.Parallel()
	open(t, vitrine.Desktop, various(t), pageOf("sample-0000"), func(b tab) {
		b.do(`document.querySelectorAll('details').forEach(d => { d.open = true })`)
		text := ask[string](b, `document.querySelector('.tried').textContent.replace(/\s+/g, ' ')`)
		for _, want := range []string{
			"verify by openai/planner", "1 works", "1 dead", "1 fail", "s_interact 1 of 3", `click button "Brew"`, `appeared: "Ready sample-0000"`,
			"nothing changed", "/menu", "Expected: Green tea comes first", "It ended by: step_limit", "✗ text Green tea saw: Black tea", "✓ changed dom", "- click: Sort",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("the page does not say %q", want)
			}
		}
		if n := ask[int](b, `document.querySelectorAll('.strip image').length`); n != 4 {
			t.Errorf("%d pictures on the film strips, want 4", n)
		}
		if n := ask[int](b, `document.querySelectorAll('.strip .change').length`); n != 1 {
			t.Errorf("%d changed regions are outlined, want 1", n)
		}
	})
}

func TestDarkIsDark(t *testing.T) {
	t.Parallel()
	dir := various(t)
	open(t, vitrine.Desktop, dir, "report.html", func(b tab) {
		paper := func(scheme string) string {
			b.scheme(scheme)
			return ask[string](b, `getComputedStyle(document.body).backgroundColor`)
		}
		if light, dark := paper("light"), paper("dark"); light == dark {
			t.Errorf("the paper is %s in both", light)
		}
	})
}

// counts tells how many elements of each kind a page has.
const counts = `Object.fromEntries(['script', 'img[src="x"]', '[onerror], [onload]', 'a[href^="javascript:"]', 'iframe, object, embed, style, form[action]', 'svg svg']
	.map(s => [s, document.querySelectorAll(s).length]))`

func TestHostileTextStaysText(t *testing.T) {
	t.Parallel()
	dir := various(t)
	for name, scripts := range map[string]int{"report.html": 2, pageOf(hostile): 1} {
		open(t, vitrine.Desktop, dir, name, func(b tab) {
			b.do(`document.querySelectorAll('details').forEach(d => { d.open = true })`)
			want := map[string]int{
				"script": scripts, `img[src="x"]`: 0, "[onerror], [onload]": 0, `a[href^="javascript:"]`: 0, "iframe, object, embed, style, form[action]": 0, "svg svg": 0,
			}
			if diff := cmp.Diff(want, ask[map[string]int](b, counts)); diff != "" {
				t.Errorf("%s: want -, got +:\n%s", name, diff)
			}
			if got := ask[*int](b, `window.pwned ?? null`); got != nil {
				t.Errorf("%s: hostile script %d ran", name, *got)
			}
			if n := ask[int](b, `document.body.innerText.split('<img src=x onerror="window.pwned=2">').length - 1`); n < 5 {
				t.Errorf("%s: the hostile text is shown %d times, want it in many fields", name, n)
			}
			if refused := ask[[]string](b, `refused`); len(refused) != 0 {
				t.Errorf("%s: the content security policy had to refuse %q", name, refused)
			}
		})
	}
}

func TestPolicyRefusesWhatGetsThrough(t *testing.T) {
	t.Parallel()
	dir := various(t)
	open(t, vitrine.Desktop, dir, "report.html", func(b tab) {
		b.do(`(() => { const s = document.createElement('script'); s.textContent = 'window.pwned = 5'; document.body.append(s);
			const d = document.createElement('div'); d.innerHTML = '<img src="data:,x" onerror="window.pwned = 6">'; document.body.append(d); })()`)
		b.do(`new Promise(done => { const i = document.querySelector('#cards img'); i.addEventListener('load', done); i.src = i.src })`)
		if got := ask[*int](b, `window.pwned ?? null`); got != nil {
			t.Errorf("injected script %d ran", *got)
		}
		if n := ask[int](b, `refused.length`); n < 3 {
			t.Errorf("refused %q, want the script, the handler and the data URL", ask[[]string](b, `refused`))
		}
	})
}

func TestPicturesAndStyleLoadFromTheDisk(t *testing.T) {
	t.Parallel()
	dir := various(t)
	type image struct {
		selector string
		width    int
	}
	for name, want := range map[string]image{"report.html": {"#cards img", 64}, pageOf(oddID): {"#shown", 128}} {
		open(t, vitrine.Desktop, dir, name, func(b tab) {
			width := ask[int](b, fmt.Sprintf(`(async () => { const i = document.querySelector(%q); i.loading = 'eager'; await i.decode(); return i.naturalWidth })()`, want.selector))
			if family := ask[string](b, `getComputedStyle(document.body).fontFamily`); width != want.width || !strings.HasPrefix(family, "system-ui") {
				t.Errorf("%s: picture of width %d, font %s", name, width, family)
			}
		})
	}
}

func TestNothingOverflowsOnAPhone(t *testing.T) {
	t.Parallel()
	dir := various(t)
	for _, name := range []string{"report.html", pageOf(hostile), pageOf("sample-0000"), pageOf("sample-0009")} {
		open(t, vitrine.Mobile, dir, name, func(b tab) {
			b.do(`document.querySelectorAll('details').forEach(d => { d.open = true })`)
			if w := ask[int](b, `document.documentElement.scrollWidth`); w > vitrine.Mobile.Width {
				t.Errorf("%s is %d wide in a window of %d", name, w, vitrine.Mobile.Width)
			}
		})
	}
}

func TestFindingsPointAtTheFrame(t *testing.T) {
	t.Parallel()
	dir := various(t)
	open(t, vitrine.Desktop, dir, pageOf("sample-0000"), func(b tab) {
		type mark struct{ X, Y, W, H float64 }
		// Marks in page pixels, measured on the screen against the picture, right after
		// something was done: a picture that this shows is not loaded yet.
		marks := func(do string) []mark {
			return ask[[]mark](b, `(() => { `+do+`; const r = document.getElementById('shown').getBoundingClientRect();
				const real = Number(document.querySelector('.shot[aria-current]').dataset.width) / r.width;
				return [...document.querySelectorAll('#marks .box')].map(m => { const b = m.getBoundingClientRect(), n = (v) => Math.round(v * real);
					return {X: n(b.left - r.left), Y: n(b.top - r.top), W: n(b.width), H: n(b.height)} }) })()`)
		}
		shown := func() string { return ask[string](b, `document.getElementById('caption').textContent`) }
		row := func(check string) string {
			return fmt.Sprintf(`[...document.querySelectorAll('.finding')].find(r => r.querySelector('th').textContent === %q)`, check)
		}
		if got := marks(""); len(got) != 0 {
			t.Errorf("marks %v before any finding has the focus", got)
		}
		if diff := cmp.Diff([]mark{{100, 50, 300, 40}}, marks(row("contrast")+`.querySelector('summary').focus()`)); diff != "" {
			t.Errorf("marks of contrast, want -, got +:\n%s", diff)
		}
		// This one is only seen on the phone.
		if diff := cmp.Diff([]mark{{20, 600, 10, 10}}, marks(row("tap-targets")+`.querySelector('summary').focus()`)); diff != "" || shown() != "/ · mobile · 0 s" {
			t.Errorf("marks of tap-targets on %s, want -, got +:\n%s", shown(), diff)
		}
		if got := marks(`document.activeElement.blur()`); len(got) != 0 {
			t.Errorf("marks %v after the focus left", got)
		}
		b.do(`document.querySelectorAll('.shot')[1].click()`)
		if got := shown(); got != "/ · desktop · 1 s" {
			t.Errorf("the stage shows %s, want the second frame", got)
		}
	})
}

func TestSamplePagesTurnWithTheArrows(t *testing.T) {
	t.Parallel()
	dir := various(t)
	open(t, vitrine.Desktop, dir, pageOf("sample-0010")+"#from=q%3Dtea%26sort%3Dbest", func(b tab) {
		press := func(key string) string {
			b.leaves(fmt.Sprintf(`document.body.dispatchEvent(new KeyboardEvent('keydown', {key: %q, bubbles: true}))`, key))
			return ask[string](b, `document.querySelector('h1').textContent`)
		}
		if got := press("ArrowRight"); got != "sample-0011" {
			t.Errorf("right leads to %s", got)
		}
		if got := press("ArrowLeft"); got != "sample-0010" {
			t.Errorf("left leads to %s", got)
		}
		if got := ask[string](b, `document.getElementById('back').href`); !strings.HasSuffix(got, "/report.html#q=tea&sort=best") {
			t.Errorf("the way back is %s, want the gallery as it was", got)
		}
	})
}
