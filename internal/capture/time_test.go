package capture

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

func TestFramesFollowPageTime(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	html := `<style>@keyframes slide { to { transform: translateX(600px) } } #css { animation: slide 4s linear infinite; width: 40px; height: 40px; background: red }</style>
		<div id="css"></div><p id="timer"></p><p id="frame"></p><p id="date"></p>
		<script>
			let ticks = 0; setInterval(() => timer.textContent = 'ticks ' + ++ticks, 100);
			const paint = (now) => { frame.textContent = Math.round(now); requestAnimationFrame(paint) }; requestAnimationFrame(paint);
			date.textContent = new Date().toISOString().slice(0, 10) + ' ' + Math.random() + ' ' + crypto.randomUUID();
		</script>`
	ev, dir := see(t, c, body(html), vitrine.CaptureSettings{})
	if len(ev.Views) != 1 || len(ev.Views[0].Frames) != 3 {
		t.Fatalf("got %d views", len(ev.Views))
	}
	v := ev.Views[0]
	seen := map[string]bool{}
	for i, f := range v.Frames {
		b, err := os.ReadFile(filepath.Join(dir, f.File))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(b)
		if hex.EncodeToString(sum[:]) != f.SHA256 || f.TimeMS != i*1000 {
			t.Errorf("frame %+v does not match its file", f)
		}
		seen[f.SHA256] = true
	}
	if len(seen) != 3 || v.Moved == 0 {
		t.Errorf("%d of 3 frames differ, moved %v", len(seen), v.Moved)
	}
	if !strings.Contains(v.Text, "ticks 10 ") || !strings.Contains(v.Text, "2026-01-01 ") {
		t.Errorf("text at the first frame: %q", v.Text)
	}
	again, _ := see(t, c, body(html), vitrine.CaptureSettings{})
	if diff := cmp.Diff(v.Frames, again.Views[0].Frames); diff != "" {
		t.Errorf("a second capture differs (-first +second):\n%s", diff)
	}
}

// What the browser tells when it draws comes with the page's frames: a page in which little
// real time passes is told as much as one on a slow machine.
func TestObserversAreToldInPageTime(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	html := `<div id="box" style="width: 600px; height: 20px"></div><div id="gone"></div><svg id="drawing" width="10" height="10"></svg>
		<p id="sizes"></p><p id="twice"></p><p id="seen"></p><div id="late" style="display: none; height: 10px"></div>
		<script>
			const when = () => Math.round(performance.now());
			const list = { sizes: [], twice: [], seen: [] };
			const say = (p, text) => { list[p].push(text); document.getElementById(p).textContent = p + ' ' + list[p].join(', ') };
			const sizes = new ResizeObserver((entries, self) => {
				for (const e of entries) say('sizes', when() + ' ' + e.target.id + ' ' + Math.round(e.contentRect.width) + (self === sizes));
			});
			for (const id of ['box', 'gone', 'drawing']) sizes.observe(document.getElementById(id));
			sizes.unobserve(gone);
			setTimeout(() => { box.style.width = '300px' }, 420);
			setTimeout(() => { drawing.setAttribute('width', 20) }, 610);
			setTimeout(() => { sizes.disconnect(); box.style.width = '100px' }, 700);
			let grown = 0; // what is told of a size may change a size
			new ResizeObserver(() => { if (++grown < 4) { twice.style.width = 100 * grown + 'px'; say('twice', String(when())) } }).observe(twice);
			new IntersectionObserver(([e]) => say('seen', when() + ' ' + e.isIntersecting)).observe(late);
			setTimeout(() => { late.style.display = 'block' }, 330);
		</script>`
	want := "sizes 0 box 600true, 0 drawing 10true, 450 box 300true, 650 drawing 20true twice 0, 0, 0 seen 0 false, 350 true"
	ev, _ := see(t, c, body(html), vitrine.CaptureSettings{})
	if got := strings.Join(strings.Fields(ev.Views[0].Text), " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestPageTimeWaitsForWorkers(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	html := `<p id="n"></p><p id="gone"></p><p id="classic"></p><p id="module"></p><p id="ticks"></p><p id="all"></p><script>
		const work = (source) => new Worker(URL.createObjectURL(new Blob([source])));
		const counter = work('onmessage = (e) => { for (let t = performance.now(); performance.now() - t < 20;); postMessage(e.data + 1) }');
		let count = 0;
		counter.onmessage = (e) => { n.textContent = 'answers ' + (count = e.data) };
		const ask = () => { counter.postMessage(count); requestAnimationFrame(ask) };
		requestAnimationFrame(ask);
		for (const type of ['classic', 'module']) {
			const source = 'onmessage = () => postMessage([Math.round(performance.now()), new Date().toISOString(), Math.random(), crypto.randomUUID()].join(" "))';
			const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
			const oracle = new Worker(url, { type });
			URL.revokeObjectURL(url);
			oracle.onmessage = (e) => document.getElementById(type).textContent = e.data;
			setTimeout(() => oracle.postMessage('what is the time?'), 500);
		}
		const clock = work('let n = 0; setInterval(() => postMessage(++n), 100); const skip = () => requestAnimationFrame(skip); skip()');
		clock.onmessage = (e) => { ticks.textContent = 'ticks ' + e.data };
		const busy = work('onmessage = async (e) => { await 0; postMessage(1); postMessage(2); postMessage(3) }');
		let heard = 0;
		busy.onmessage = (e) => { heard += e.data; all.textContent = 'heard ' + heard };
		busy.postMessage(1);
		busy.postMessage(2);
		const mute = work('onmessage = () => {}');
		mute.postMessage('never answered');
		const lost = new Worker('/lost.js');
		lost.onerror = () => { gone.textContent = 'lost' };
		lost.postMessage('nobody there');
		const ended = work('postMessage(1)');
		ended.onmessage = () => document.body.append('heard after its end');
		ended.terminate();
	</script>`
	ev, _ := see(t, c, body(html), vitrine.CaptureSettings{})
	v := ev.Views[0]
	// 20 frames in the second before the first frame; the first of them asks.
	if !strings.HasPrefix(v.Text, "answers 19 lost") || strings.Count(v.Text, "500 2026-01-01T00:00:00.500Z 0.") != 2 || !strings.HasSuffix(v.Text, "ticks 10 heard 12") {
		t.Errorf("got %q", v.Text)
	}
	again, _ := see(t, c, body(html), vitrine.CaptureSettings{})
	if diff := cmp.Diff(v.Frames, again.Views[0].Frames); diff != "" {
		t.Errorf("a second capture differs (-first +second):\n%s", diff)
	}
}

func TestSlowFramesAreMadeRarer(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	ev, _ := see(t, c, body(`<p id="n"></p><script>
		let count = 0;
		const draw = () => { let x = 0; for (let i = 0; i < 4e8; i++) x += i % 7; n.textContent = 'drawn ' + ++count + (x < 0); requestAnimationFrame(draw) };
		requestAnimationFrame(draw);
	</script>`), vitrine.CaptureSettings{})
	if text := ev.Views[0].Text; text != "drawn 6false" { // 4 in the first 200 ms, 2 in the 800 after
		t.Errorf("got %q at the first frame", text)
	}
	if !ev.Validity.Valid || len(ev.Views[0].Frames) != 3 {
		t.Errorf("got %+v with %d frames", ev.Validity, len(ev.Views[0].Frames))
	}
}

func TestRealTimeDoesNotMoveAnimations(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	ev, _ := see(t, c, body(`<style>@keyframes in { from { opacity: 0 } } h1 { animation: in 400ms }</style><h1 id="h">Hello</h1>
		<p id="at"></p><script>setTimeout(() => at.textContent = 'timeline at ' + document.timeline.currentTime, 500)</script>`), once)
	if v := ev.Views[0]; !strings.HasSuffix(v.Text, "timeline at 0") || find(t, v, "h").Style.Opacity != 1 {
		t.Errorf("got %q, opacity %v", v.Text, find(t, v, "h").Style.Opacity)
	}
}

// TestNothingMovesInRealTime looks at what the browser itself would move.
func TestNothingMovesInRealTime(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	var files []string
	for _, name := range []string{"moving.gif", "moving.webm"} {
		content, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, name, string(content))
	}
	for name, html := range map[string]string{
		"picture":           `<img src="moving.gif" width="300" alt="">`,
		"background":        `<div style="width:300px;height:300px;background:url(moving.gif) 0/contain"></div>`,
		"video":             `<video src="moving.webm" width="300" autoplay muted loop></video>`,
		"video by a script": `<video id="v" src="moving.webm" width="300" muted loop></video><script>v.play()</script>`,
		"marquee":           `<marquee>Hello</marquee>`,
		"smooth scrolling":  `<div style="height:3000px">Hello</div><b id="end" style="position:sticky;bottom:0">End</b><script>setInterval(() => scrollTo({ top: Math.random() * 3000, behavior: 'smooth' }), 50)</script>`,
	} {
		t.Run(name, func(t *testing.T) {
			s := site(append(files, "index.html", `<!DOCTYPE html><html lang="en"><title>T</title><p>Hello</p><p id="passed"></p>`+html+`<script>
				const spend = () => { for (let x = 0, i = 0; i < 2e7; i++) x += i; passed.textContent = Math.floor(performance.now() / 100); requestAnimationFrame(spend) };
				requestAnimationFrame(spend);
			</script>`)...)
			first, _ := see(t, c, s, vitrine.CaptureSettings{})
			second, _ := see(t, c, s, vitrine.CaptureSettings{})
			if diff := cmp.Diff(first.Views[0].Frames, second.Views[0].Frames); diff != "" || !first.Validity.Valid {
				t.Errorf("two captures differ: %s", diff)
			}
		})
	}
}

func TestTimingsOfTheBrowserTakeNoTime(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	ev, _ := see(t, c, body(`<p id="n"></p><script>
		performance.mark('a');
		onload = () => setTimeout(() => {
			const [load] = performance.getEntriesByType('navigation'), t = performance.timing;
			n.textContent = [performance.timeOrigin, load.loadEventEnd, load.duration, performance.getEntriesByName('a')[0].startTime,
				t.loadEventEnd - t.navigationStart, new Event('x').timeStamp < 100, performance.memory.usedJSHeapSize, navigator.hardwareConcurrency,
				load.toJSON().loadEventEnd, t.toJSON().loadEventEnd - performance.timeOrigin, performance.toJSON().timing.loadEventEnd - performance.timeOrigin, load.toJSON().name].join(' ');
		}, 50);
	</script>`), once)
	if got, want := ev.Views[0].Text, "1767225600000 0 0 0 0 true 10000000 4 0 0 0 http://localhost/"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPageThatAsksWithoutEndIsSeen(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	ev, _ := see(t, c, body(`<p>Hello</p><p id="n"></p><script>
		let n = 0;
		const again = () => { document.getElementById('n').textContent = ++n; fetch('/lost?' + n).then(again, again) };
		again();
		const other = () => { const x = new XMLHttpRequest(); x.open('GET', 'https://example.com/' + n); x.onloadend = other; x.send() };
		other();
	</script>`), once)
	if !ev.Validity.Valid || !ev.Views[0].Settled {
		t.Errorf("got %+v, settled %v", ev.Validity, ev.Views[0].Settled)
	}
}

func TestTextCursorsDoNotBlink(t *testing.T) {
	t.Parallel()
	c := capturer(t)
	ev, _ := see(t, c, body(`<textarea style="font-size:90px;caret-color:red;outline:none" autofocus></textarea>`), once)
	for _, s := range ev.Views[0].Palette {
		if s.Color.R > 200 && s.Color.G < 80 {
			t.Errorf("the cursor is drawn: %v", s)
		}
	}
}
