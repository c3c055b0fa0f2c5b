package page

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/browser/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Run(m, browser.Settings{Pages: 4})) }

// clockCases are scripts of pages, with what they say when page time has passed.
var clockCases = map[string]struct {
	script string
	ms     []int  // each an advance
	want   string // what was said, with page time since the load where the script says it
}{
	"timers go by their time, then by their order": {`setTimeout(say, 20, 'c'); setTimeout(say, 10, 'a'); setTimeout(say, 20, 'd'); setTimeout(say, 10, 'b')`, []int{19, 1}, "a b c d"},
	"a timer waits for its time":                   {`setTimeout(at, 150, 'a'); setTimeout(at, 200, 'b')`, []int{100, 99}, "a@150"},
	"arguments and this":                           {`setTimeout(function (...args) { say(this === window, ...args) }, 1, 1, 'b')`, []int{10}, "true,1,b"},
	"code in a text":                               {`setTimeout("say('x')", 5)`, []int{10}, "x"},
	"delays that are no numbers":                   {`setTimeout(say, 'x', 'a'); setTimeout(say, undefined, 'b'); setTimeout(say, -5, 'c'); setTimeout(say, null, 'd'); setTimeout(at, '7', 'e'); setTimeout(say, {}, 'f')`, []int{10}, "a b c d f e@7"},
	"delays are whole and have 32 bits":            {`setTimeout(at, 2 ** 32 + 5.9, 'c'); setTimeout(at, Infinity, 'a'); setTimeout(at, 2 ** 31, 'b'); setTimeout(at, 5.1, 'd')`, []int{10}, "a@1 b@1 c@5 d@5"},
	"nested timers":                                {`let n = 0; const f = () => { at(++n); if (n < 8) setTimeout(f) }; setTimeout(f)`, []int{100}, "1@1 2@2 3@3 4@4 5@5 6@9 7@13 8@17"},
	"an interval":                                  {`setInterval(at, 100, 'a')`, []int{250, 250}, "a@100 a@200 a@300 a@400 a@500"},
	"an interval of nothing":                       {`let n = 0; setInterval(() => { n++ }); setTimeout(() => say(n), 100)`, []int{100}, "25"},
	"an interval that ends itself":                 {`let n = 0; const id = setInterval(() => { at(++n); if (n === 2) clearInterval(id) }, 10)`, []int{100}, "1@10 2@20"},
	"an interval that is slower than its time":     {`setInterval(() => { for (const t = performance.now(); performance.now() - t < 30;); say('a') }, 10)`, []int{35}, "a a a"},
	"timers that are set by timers":                {`setTimeout(() => { say('a'); setTimeout(at, 5, 'c') }, 10); setTimeout(at, 12, 'b')`, []int{20}, "a b@12 c@15"},
	"a timer that is taken back":                   {`const id = setTimeout(say, 10, 'a'); clearTimeout(id); clearTimeout(id)`, []int{20}, ""},
	"one that another takes back":                  {`let b; setTimeout(() => { say('a'); clearTimeout(b) }, 10); b = setTimeout(say, 10, 'b')`, []int{20}, "a"},
	"either function takes back either kind":       {`const a = setTimeout(say, 10, 'a'), b = setInterval(say, 10, 'b'); clearInterval(a); clearTimeout(String(b))`, []int{20}, ""},
	"what is no timer":                             {`for (const none of [undefined, null, 0, -1, 1e9, 'x', {}]) clearTimeout(none); const id = setTimeout(say, 1, 'a'); say(id > 0 && Number.isInteger(id))`, []int{10}, "true a"},
	"promises come before the next timer":          {`setTimeout(() => { say('a'); Promise.resolve().then(() => say('b')).then(() => say('c')); queueMicrotask(() => say('d')) }, 5); setTimeout(say, 5, 'e')`, []int{10}, "a b d c e"},
	"messages come before the next timer":          {`const c = new MessageChannel(); c.port1.onmessage = () => say('b'); setTimeout(() => { say('a'); c.port2.postMessage(0) }, 5); setTimeout(say, 5, 'c')`, []int{10}, "a b c"},
	"a function that waits":                        {`(async () => { for (const x of 'abc') { await new Promise((done) => setTimeout(done, 10)); at(x) } })()`, []int{100}, "a@10 b@20 c@30"},
	"an error stops no other":                      {`onerror = (text) => { said.unshift(text.slice(-4)); return true }; setTimeout(() => { throw new Error('Tea1') }, 5); setTimeout(at, 6, 'a')`, []int{10}, "Tea1 a@6"},
	"an interval goes on after an error":           {`onerror = () => true; setInterval(() => { at('a'); throw new Error() }, 10)`, []int{30}, "a@10 a@20 a@30"},
	"a rejected promise is seen":                   {`addEventListener('unhandledrejection', (e) => { say(e.reason); e.preventDefault() }); setTimeout(() => { Promise.reject('no') }, 5)`, []int{10}, "no"},

	"animation frames": {`const f = (t) => { say(t); requestAnimationFrame(f) }; requestAnimationFrame(f)`, []int{100, 60, 40}, "50 100 150 200"},
	"all of a frame have one time, in their order": {`for (const x of 'ab') requestAnimationFrame((t) => { for (const t = performance.now(); performance.now() - t < 5;); say(x + t) })`, []int{60}, "a50 b50"},
	"timers that are due come before the frame":    {`requestAnimationFrame(() => say('frame')); setTimeout(say, 50, 'timer'); setTimeout(say, 51, 'later')`, []int{60}, "timer frame later"},
	"one that a frame asks for is of the next":     {`requestAnimationFrame(() => { at('a'); requestAnimationFrame(() => at('b')) })`, []int{120}, "a@50 b@100"},
	"a frame that is taken back":                   {`cancelAnimationFrame(requestAnimationFrame(say)); cancelAnimationFrame(undefined)`, []int{60}, ""},
	"one that takes back another of its frame":     {`let b; requestAnimationFrame(() => { say('a'); cancelAnimationFrame(b) }); b = requestAnimationFrame(() => say('b'))`, []int{120}, "a"},
	"all that is due when time stops":              {`setTimeout(say, 50, 'a'); setTimeout(say, 50, 'b'); requestAnimationFrame(() => say('c'))`, []int{50}, "a b c"},
	"a timer that sets itself up again and again":  {`let n = 0; const f = () => { for (let i = 0; i < 50; i++) setTimeout(() => n++, 1); setTimeout(f, 1) }; f(); setTimeout(() => say(n > 1000), 5000)`, []int{5000}, "true"},
	"an error in a frame stops no other":           {`onerror = () => { said.unshift('seen'); return true }; requestAnimationFrame(() => { throw new Error() }); requestAnimationFrame(() => say('b'))`, []int{60}, "seen b"},
	"promises of a frame":                          {`requestAnimationFrame(() => { say('a'); Promise.resolve().then(() => say('c')) }); requestAnimationFrame(() => say('b')); setTimeout(say, 51, 'd')`, []int{60}, "a b c d"},
	"a timer is no frame":                          {`const id = setTimeout(say, 5, 'a'); cancelAnimationFrame(id); const f = requestAnimationFrame(() => say('f')); clearTimeout(f)`, []int{60}, "a f"},
	"idle time":                                    {`requestIdleCallback((d) => say(d.timeRemaining() > 0, d.didTimeout)); cancelIdleCallback(requestIdleCallback(say))`, []int{10}, "true,false"},

	"the date":                    {`say(new Date().toISOString()); setTimeout(() => say(new Date().toISOString().slice(11, 22)), 1500)`, []int{2000}, "2026-01-01T00:00:00.000Z 00:00:01.50"},
	"dates that are given":        {`say(new Date(0).getTime(), new Date(2020, 1, 2).getMonth(), new Date('2020-01-02').getTime(), Date.UTC(2020, 0), Date.parse('1970-01-01T00:00:01Z'))`, nil, "0,1,1577923200000,1577836800000,1000"},
	"what a date is":              {`say(new Date() instanceof Date, new Date().constructor === Date, Date.name, Date.length, typeof Date() , Date().slice(4, 15)); class Day extends Date {}; say(new Day().getFullYear(), new Day() instanceof Day)`, nil, "true,true,Date,7,string,Jan 01 2026 2026,true"},
	"clocks agree":                {`setTimeout(() => say(Date.now() - 1767225600000, Math.floor(performance.now()), performance.timeOrigin, Math.floor(new Event('x').timeStamp)), 300)`, []int{300}, "300,300,1767225600000,300"},
	"time stands still meanwhile": {`const a = performance.now(); for (let i = 0, x = 0; i < 1e7; i++) x += i; const b = performance.now(); say(b > a, b - a < 0.01)`, nil, "true,true"},
	"a busy wait ends":            {`const t = Date.now(); while (Date.now() - t < 50); say('ended')`, nil, "ended"},
	"a transition ends":           {`addEventListener('load', () => { const p = document.createElement('p'); p.textContent = 'x'; p.style.transition = 'opacity .05s'; document.body.append(p); p.ontransitionend = () => say(p.textContent); getComputedStyle(p).opacity; setTimeout(() => { p.style.opacity = 0 }, 20) })`, []int{200}, "x"},
	"an animation is finished":    {`addEventListener('load', () => setTimeout(() => { document.body.animate([{opacity: 0}, {opacity: 1}], 40).onfinish = () => say('finished') }, 20))`, []int{200}, "finished"},
	"a script scrolls":            {`addEventListener('load', () => { document.body.style.height = '4000px'; addEventListener('scroll', () => say(scrollY)); setTimeout(() => scrollTo(0, 300), 20) })`, []int{100}, "300"},
	"a list scrolls":              {`addEventListener('load', () => { const list = document.createElement('div'); list.style = 'height: 90px; overflow: auto'; list.innerHTML = '<p style="height: 900px">x'; document.body.append(list); list.addEventListener('scroll', () => say(list.scrollTop)); setTimeout(() => { list.scrollTop = 99 }, 20) })`, []int{100}, "99"},
	"a dialog is closed":          {`addEventListener('load', () => { const b = document.createElement('button'); const d = document.createElement('dialog'); d.innerHTML = '<form method=dialog><button value=a>OK</button></form>'; document.body.append(b, d); b.focus(); d.onclose = () => say(d.returnValue); d.showModal(); setTimeout(() => d.querySelector('button').click(), 50) })`, []int{100}, "a"},
	"a database is read":          {`setTimeout(() => { const r = indexedDB.open('x', 1); r.onupgradeneeded = () => r.result.createObjectStore('a'); r.onsuccess = () => { const s = r.result.transaction('a', 'readwrite').objectStore('a'); s.transaction.oncomplete = () => at('done'); for (const k of [1, 2]) s.put('v', k); s.openCursor().onsuccess = ({ target: { result: c } }) => { if (c) { at(c.key); c.continue() } } } }, 20)`, []int{100}, "1@20 2@20 done@20"},
	"no target, a getter":         {`try { EventTarget.prototype.addEventListener.call(1, 'scroll', () => {}) } catch (e) { say(e.name) } customElements.define('x-y', class extends HTMLElement { get scrollTop() { return this.inner.scrollTop } }); const x = document.createElement('x-y'); x.addEventListener('scroll', () => {}); setTimeout(() => say('on'), 50)`, []int{100, 100}, "TypeError on"},
	"a field called parentNode":   {`addEventListener('load', () => { document.body.innerHTML = '<form><input name="parentNode">'; setTimeout(() => { document.forms[0].animate([{opacity: 0}, {opacity: 1}], 40).finished.then(() => say('finished')) }, 20) })`, []int{200}, "finished"},
	"answers that never come":     {`setInterval(() => { const f = new FileReader(); f.addEventListener('loadend', (e) => e.stopImmediatePropagation(), true); f.readAsText(new Blob(['x'])) }, 10); setTimeout(() => say('on'), 150)`, []int{200}, "on"},
	"the window's own onscroll":   {`addEventListener('load', () => { document.body.style.height = '4000px'; onscroll = () => say(scrollY); setTimeout(() => scrollTo(0, 300), 150) })`, []int{100, 100}, "300"},
	"a file is read":              {`setTimeout(() => { const f = new FileReader(); f.onload = () => at(f.result); f.readAsText(new Blob(['x'])) }, 20)`, []int{100}, "x@20"},
	"a picture is made":           {`setTimeout(() => document.createElement('canvas').toBlob((b) => at(b.type)), 20)`, []int{100}, "image/png@20"},
	"chance is always the same":   {`say(Math.random().toFixed(6), crypto.randomUUID(), ...crypto.getRandomValues(new Uint8Array(2)))`, nil, "0.358890,1ae14076-884e-4134-83af-cdee845fadb7,190,12"},
}

const clockPage = `<!DOCTYPE html><title>T</title><script>
	const said = [];
	const say = (...words) => { said.push(words.join(',')) };
	const at = (word) => say(word + '@' + Math.floor(performance.now()));
</script><script>`

func TestClock(t *testing.T) {
	t.Parallel()
	for name, test := range clockCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := saidBy(t, clockPage+test.script+"</script>", func(ctx context.Context, p *Page) error {
				for _, ms := range test.ms {
					if _, err := p.Advance(ctx, ms); err != nil {
						return err
					}
				}
				return p.Clock(ctx, "settled()", nil) // errors are thrown in real time
			})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// saidBy opens a page, lets pass does with it what it does, and returns what the page said.
func saidBy(t *testing.T, html string, pass func(context.Context, *Page) error) string {
	t.Helper()
	site := &vitrine.Site{Kind: vitrine.KindPage, Base: "/", Routes: []string{"/"}, Files: map[string][]byte{"index.html": []byte(html)}}
	var said []string
	err := browsertest.Shared(t).Run(t.Context(), vitrine.Desktop, func(ctx context.Context, tab *browser.Page) error {
		p := New(tab, "/", Settings{Site: site, Viewport: vitrine.Desktop})
		if err := p.Open(ctx); err != nil {
			return err
		}
		if err := pass(ctx, p); err != nil {
			return err
		}
		return p.Ask(ctx, "said", &said)
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(said, " ")
}
