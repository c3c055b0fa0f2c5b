package interact

import (
	"bytes"
	"context"
	"image/png"
	"slices"
	"strings"
	"testing"

	"vitrine"
)

func on(css string) *vitrine.Target { return &vitrine.Target{CSS: css} }

// says is a page whose parts say in #out what was done to them.
const says = `<p id="out">-</p><script>const say = (t) => { out.textContent = t }</script>`

func TestEveryAction(t *testing.T) {
	appeared := func(text string) func(vitrine.Step) bool {
		return func(s vitrine.Step) bool { return strings.Join(s.Effect.Appeared, "|") == text }
	}
	value := func(text string) func(vitrine.Step) bool {
		return func(s vitrine.Step) bool { return strings.Join(s.Effect.Values, "|") == text }
	}
	for name, test := range map[string]struct {
		html   string
		action vitrine.Action
		want   func(vitrine.Step) bool
	}{
		"double click": {`<b id="x" ondblclick="say('two')">x</b>`, vitrine.Action{Kind: vitrine.ActDoubleClick, Target: on("#x")}, appeared("two")},
		"right click":  {`<b id="x" oncontextmenu="say('menu'); return false">x</b>`, vitrine.Action{Kind: vitrine.ActRightClick, Target: on("#x")}, appeared("menu")},
		"hover":        {`<b id="x" onmouseenter="say('over')">x</b>`, vitrine.Action{Kind: vitrine.ActHover, Target: on("#x")}, appeared("over")},
		"hover by style": {`<style>#m { display: none } #x:hover + #m { display: block }</style><b id="x">x</b><p id="m">menu</p>`,
			vitrine.Action{Kind: vitrine.ActHover, Target: on("#x")}, appeared("menu")},
		"click at a point":   {`<button id="x" style="position:fixed;inset:0" onclick="say('there')">x</button>`, vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Point: []float64{500, 500}}}, appeared("there")},
		"type trusted":       {`<input id="x" aria-label="X" value="old" onkeydown="if (!event.isTrusted) say('fake')" oninput="say(this.value)">`, vitrine.Action{Kind: vitrine.ActType, Target: on("#x"), Text: "Ä 1."}, appeared("Ä 1.")},
		"type a long text":   {`<textarea id="x" aria-label="X"></textarea>`, vitrine.Action{Kind: vitrine.ActType, Target: on("#x"), Text: strings.Repeat("word ", 40)}, func(s vitrine.Step) bool { return len(s.Effect.Values) == 1 }},
		"type into a div":    {`<div id="x" contenteditable aria-label="X">old</div>`, vitrine.Action{Kind: vitrine.ActType, Target: on("#x"), Text: "new"}, appeared("new")},
		"type a date":        {`<input id="x" aria-label="X" type="date" onchange="say(this.value)">`, vitrine.Action{Kind: vitrine.ActType, Target: on("#x"), Text: "2026-03-04"}, appeared("2026-03-04")},
		"type no date":       {`<input id="x" aria-label="X" type="date">`, vitrine.Action{Kind: vitrine.ActType, Target: on("#x"), Text: "soon"}, func(s vitrine.Step) bool { return s.Failed == "the field takes no soon" }},
		"type into a button": {`<button id="x">x</button>`, vitrine.Action{Kind: vitrine.ActType, Target: on("#x"), Text: "a"}, func(s vitrine.Step) bool { return s.Failed == "it takes no text" }},
		"type in read-only":  {`<input id="x" readonly>`, vitrine.Action{Kind: vitrine.ActType, Target: on("#x"), Text: "a"}, func(s vitrine.Step) bool { return s.Failed == "the field is read-only" }},
		"clear":              {`<input id="x" aria-label="X" value="old">`, vitrine.Action{Kind: vitrine.ActClear, Target: on("#x")}, value("X: ")},
		"press":              {`<script>addEventListener('keydown', (e) => say((e.ctrlKey ? 'c' : '') + e.key + e.keyCode))</script>`, vitrine.Action{Kind: vitrine.ActPress, Text: "Control+k"}, appeared("ck75")},
		"press often":        {`<script>let n = 0; addEventListener('keydown', (e) => say(e.code + ++n))</script>`, vitrine.Action{Kind: vitrine.ActPress, Text: "ArrowLeft", Times: 3}, appeared("ArrowLeft3")},
		"press no key":       {``, vitrine.Action{Kind: vitrine.ActPress, Text: "Hyper"}, func(s vitrine.Step) bool { return s.Failed == `there is no key "Hyper"` }},
		"select":             {`<select id="x" aria-label="X" onchange="say(this.value)"><option>a</option><option value="2">Bee</option></select>`, vitrine.Action{Kind: vitrine.ActSelect, Target: on("#x"), Text: "bee"}, func(s vitrine.Step) bool { return appeared("2")(s) && value("X: Bee")(s) }},
		"select nothing":     {`<select id="x"><option>a</option></select>`, vitrine.Action{Kind: vitrine.ActSelect, Target: on("#x"), Text: "z"}, func(s vitrine.Step) bool { return s.Failed == "no option z" }},
		"check":              {`<label><input id="x" type="checkbox"> Yes</label>`, vitrine.Action{Kind: vitrine.ActCheck, Target: &vitrine.Target{Label: "yes"}}, value("Yes: checked")},
		"check again":        {`<label><input id="x" type="checkbox" checked> Yes</label>`, vitrine.Action{Kind: vitrine.ActCheck, Target: on("#x")}, func(s vitrine.Step) bool { return Empty(s.Effect) && s.Failed == "" }},
		"check by its label": {`<style>input { position: absolute; opacity: 0; width: 0; height: 0 }</style><label><input id="x" type="checkbox"> Yes</label>`, vitrine.Action{Kind: vitrine.ActCheck, Target: on("#x")}, value("Yes: checked")},
		"check what answers late": {`<button id="x" role="switch" aria-checked="false" onclick="setTimeout(() => { x.ariaChecked = String(x.ariaChecked !== 'true'); say(x.ariaChecked) }, 400)">x</button>`,
			vitrine.Action{Kind: vitrine.ActCheck, Target: on("#x")}, func(s vitrine.Step) bool { return appeared("true")(s) && s.Failed == "" }},
		"check what does not change": {`<button id="x" role="switch" aria-checked="false">x</button>`, vitrine.Action{Kind: vitrine.ActCheck, Target: on("#x")}, func(s vitrine.Step) bool { return s.Failed == "its state does not change" }},
		"uncheck":                    {`<label><input id="x" type="checkbox" checked> Yes</label>`, vitrine.Action{Kind: vitrine.ActUncheck, Target: on("#x")}, value("Yes: unchecked")},
		"drag and drop": {`<div id="x" draggable="true" ondragstart="event.dataTransfer.setData('text', 'it')">x</div><div id="to" style="height:90px;background:teal" ondragover="event.preventDefault()" ondrop="say('got ' + event.dataTransfer.getData('text'))"></div>`,
			vitrine.Action{Kind: vitrine.ActDrag, Target: on("#x"), To: on("#to")}, appeared("got it")},
		"drag by pointer": {`<div id="x" style="width:40px;height:40px;background:teal"></div><script>let d; x.onpointerdown = () => { d = 1 }; onpointermove = (e) => { if (d) say(Math.round(e.clientX)) }; onpointerup = () => { d = 0 }</script>`,
			vitrine.Action{Kind: vitrine.ActDrag, Target: on("#x"), DX: 100}, appeared("128")},
		"scroll":             {`<div style="height:3000px"></div>`, vitrine.Action{Kind: vitrine.ActScroll, DY: 600}, func(s vitrine.Step) bool { return s.Effect.Scrolled == 600 }},
		"scroll an element":  {`<div id="x" style="height:90px;overflow:auto"><div style="height:900px"></div></div>`, vitrine.Action{Kind: vitrine.ActScroll, Target: on("#x"), DY: 50}, func(s vitrine.Step) bool { return s.Effect.Scrolled == 50 }},
		"scroll to":          {`<div style="height:3000px"></div><p id="x">x</p>`, vitrine.Action{Kind: vitrine.ActScroll, Target: on("#x")}, func(s vitrine.Step) bool { return s.Effect.Scrolled > 2000 }},
		"turn the wheel":     {`<script>addEventListener('wheel', (e) => say('w' + e.deltaY))</script>`, vitrine.Action{Kind: vitrine.ActScroll, DY: 120}, appeared("w120")},
		"upload":             {`<input id="x" type="file" aria-label="X" onchange="say(this.files[0].name + this.files[0].size)">`, vitrine.Action{Kind: vitrine.ActUpload, Target: on("#x"), Text: "a.csv"}, appeared("a.csv24")},
		"upload elsewhere":   {`<button id="x">Choose</button>`, vitrine.Action{Kind: vitrine.ActUpload, Target: on("#x")}, func(s vitrine.Step) bool { return s.Failed == "no field takes a file" }},
		"back to nothing":    {``, vitrine.Action{Kind: vitrine.ActBack}, func(s vitrine.Step) bool { return s.Failed == "there is no page to go back to" }},
		"reload":             {``, vitrine.Action{Kind: vitrine.ActReload}, func(s vitrine.Step) bool { return s.Effect.Loaded }},
		"wait":               {`<script>setTimeout(() => say('late'), 5000)</script>`, vitrine.Action{Kind: vitrine.ActWait, MS: 6000}, appeared("late")},
		"no target":          {``, vitrine.Action{Kind: vitrine.ActClick}, func(s vitrine.Step) bool { return s.Failed == "the action needs a target" }},
		"unknown action":     {`<b id="x">x</b>`, vitrine.Action{Kind: "dance", Target: on("#x")}, func(s vitrine.Step) bool { return s.Failed == `there is no action "dance"` }},
		"bad css":            {``, vitrine.Action{Kind: vitrine.ActClick, Target: on("#[")}, func(s vitrine.Step) bool { return s.Failed == "not a CSS selector: #[" }},
		"outside the window": {``, vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Point: []float64{1200, 10}}}, func(s vitrine.Step) bool { return s.Failed == "the point is outside of the window" }},
		"in a shadow root": {`<x-y></x-y><script>customElements.define('x-y', class extends HTMLElement { connectedCallback() { const r = this.attachShadow({ mode: 'closed' }); r.innerHTML = '<button>In</button>'; r.firstChild.onclick = () => say('shadow') } })</script>`,
			vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Role: "button", Name: "in"}}, appeared("shadow")},
		"in a frame": {`<iframe style="border:9px solid;margin:30px" srcdoc="<button onclick='this.textContent = 2'>One</button>"></iframe>`, vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Role: "button", Name: "one"}}, appeared("2")},
		"on a canvas": {`<canvas id="x" width="300" height="200"></canvas><script>x.onclick = (e) => x.getContext('2d').fillRect(e.offsetX, e.offsetY, 40, 40)</script>`,
			vitrine.Action{Kind: vitrine.ActClick, Target: on("#x")}, func(s vitrine.Step) bool {
				return s.Effect.Pixels > 0 && len(s.Effect.Regions) == 1 && len(s.Effect.Changed) == 0
			}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, driver(t, body(says+test.html)), func(ctx context.Context, s *Session) {
				if step := do(t, ctx, s, test.action); !test.want(step) {
					t.Errorf("got %+v", step)
				}
			})
		})
	}
}

func TestBackAnswerAndRoutes(t *testing.T) {
	s := site("index.html", `<!DOCTYPE html><title>Home</title><a href="about.html">About</a><button onclick="document.title = confirm('Sure?') ? 'yes' : 'no'">Ask</button>`, "about.html", `<!DOCTYPE html><title>About</title><p>Us</p>`)
	run(t, driver(t, s), func(ctx context.Context, session *Session) {
		if e := do(t, ctx, session, vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Text: "About"}}).Effect; e.URL != "/about.html" || !e.Loaded || e.Missing {
			t.Errorf("followed a link: %+v", e)
		}
		if e := do(t, ctx, session, vitrine.Action{Kind: vitrine.ActBack}).Effect; e.URL != "/" {
			t.Errorf("went back: %+v", e)
		}
		do(t, ctx, session, vitrine.Action{Kind: vitrine.ActAnswer, Text: "no"})
		if e := do(t, ctx, session, vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Text: "Ask"}}).Effect; len(e.Dialogs) != 1 || e.Dialogs[0].Answer != "no" || !slices.Equal(e.Changed, []string{"title"}) {
			t.Errorf("answered: %+v", e)
		}
		if err := session.Reset(ctx, "/about.html"); err != nil {
			t.Fatal(err)
		}
		if scene, err := session.Look(ctx); err != nil || scene.Title != "About" || len(scene.Dialogs) != 0 {
			t.Errorf("%+v, %v", scene, err)
		}
	})
}

func TestRedirectsAreFollowedToTheirEnd(t *testing.T) {
	s := site("index.html", `<!DOCTYPE html><title>T</title><a href="one.html">Go</a><button onclick="location = 'one.html?stay'">Stay</button>
		<button onclick="location = 'here'">Here</button><p id="p"></p><script>navigation.addEventListener('navigate', (e) => {
			if (e.destination.url.endsWith('?stay')) e.preventDefault()
			if (e.destination.url.endsWith('here')) e.intercept({ handler: async () => { await new Promise((done) => setTimeout(done, 300)); p.textContent = 'Here I am' } })
		})</script>`,
		"one.html", `<p>One</p><script>location = 'two.html'</script>`,
		"two.html", `<p>Two</p><script>setTimeout(() => location.replace('three.html'), 150)</script>`,
		"three.html", `<p>Three</p><meta http-equiv="refresh" content="0;url=four.html">`,
		"four.html", `<!DOCTYPE html><title>T</title><p>Arrived</p><a href="one.html">Go</a>`)
	run(t, driver(t, s), func(ctx context.Context, session *Session) {
		if e := do(t, ctx, session, vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Text: "Stay"}}).Effect; e.Loaded || e.URL != "" {
			t.Errorf("a page that stays after all: %+v", e)
		}
		here := do(t, ctx, session, vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Text: "Here"}})
		if e := here.Effect; e.Loaded || e.URL != "/here" || !slices.Contains(e.Appeared, "Here I am") {
			t.Errorf("a page that goes by a script of its own: %+v", e)
		}
		for range 3 { // the documents of one action are not held against the next
			step := do(t, ctx, session, vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Text: "Go"}})
			if scene, err := session.Look(ctx); err != nil || !step.Effect.Loaded || scene.Text != "Arrived Go" {
				t.Errorf("followed redirects to %+v, %v: %+v", scene, err, step.Effect)
			}
		}
	})
}

func TestWhatMovesByItselfIsNoEffect(t *testing.T) {
	html := `<p id="clock">0</p><canvas id="c" width="200" height="100"></canvas><button id="dead">Dead</button><button id="halt">Stop</button><script>
		let n = 0; const timer = setInterval(() => { clock.textContent = ++n; c.getContext('2d').fillRect(n * 3 % 200, 10, 2, 60) }, 70); halt.onclick = () => clearInterval(timer)</script>`
	run(t, driver(t, body(html)), func(ctx context.Context, s *Session) {
		if e := do(t, ctx, s, clickOn("#dead")).Effect; len(e.Changed) > 0 || len(e.Appeared) > 0 {
			t.Errorf("a dead button of a lively page changed something: %+v", e)
		}
		s.Exact = true
		if err := s.Reset(ctx, "/"); err != nil {
			t.Fatal(err)
		}
		for _, css := range []string{"#clock", "#dead"} {
			if e := do(t, ctx, s, clickOn(css)).Effect; !Empty(e) {
				t.Errorf("exactly: %s changed something: %+v", css, e)
			}
		}
		if e := do(t, ctx, s, clickOn("#halt")).Effect; len(e.Appeared) == 0 || e.Pixels == 0 {
			t.Errorf("exactly: stopping the clock changes nothing: %+v", e)
		}
	})
}

func TestScenesMarksAndQueries(t *testing.T) {
	html := `<h1>Shop</h1><nav><a href="#a">Home</a></nav><label>Email <input required placeholder="you@x"></label><button disabled>Buy</button><div style="cursor:pointer">Card</div>
		<p hidden>Secret</p><div onclick="1" style="width:90px;height:30px">Listens</div><canvas width="90" height="60" onclick="1"></canvas><div style="height:2000px"></div><button>Below</button>`
	run(t, driver(t, body(html)), func(ctx context.Context, s *Session) {
		scene, err := s.Look(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, c := range scene.Controls {
			if c.Mark != i+1 {
				t.Errorf("control %d has the mark %d", i, c.Mark)
			}
			got = append(got, strings.TrimSpace(c.Role+" "+c.Name+" "+strings.Join(c.States, ",")))
		}
		want := []string{"link Home", "textbox Email required", "button Buy disabled", "clickable Card", "clickable Listens", "canvas", "button Below"}
		if !slices.Equal(got, want) {
			t.Errorf("controls:\n%q, want\n%q", got, want)
		}
		if found, err := s.Query(ctx, vitrine.Target{Role: "button", Name: "bel"}); err != nil || len(found) != 1 || found[0].Path != scene.Controls[6].Path {
			t.Errorf("found %+v, %v", found, err)
		}
		if step := do(t, ctx, s, vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Mark: 99}}); step.Failed == "" {
			t.Error("a mark that is not there was clicked")
		}
		_, data, err := s.Marked(ctx, scene, "marked")
		if err != nil {
			t.Fatal(err)
		}
		if img, err := png.Decode(bytes.NewReader(data)); err != nil || img.Bounds().Dx() != vitrine.Desktop.Width {
			t.Errorf("marked frame: %v", err)
		}
		elements, err := s.Query(ctx, vitrine.Target{Text: "secret"}, Wants{Attrs: []string{"hidden"}, Styles: []string{"display"}})
		if err != nil || len(elements) != 1 || elements[0].Visible || elements[0].Styles["display"] != "none" || elements[0].Attrs["hidden"] != "" {
			t.Errorf("query: %+v, %v", elements, err)
		}
		if step := do(t, ctx, s, vitrine.Action{Kind: vitrine.ActType, Target: &vitrine.Target{Mark: 2}, Text: "a@b.co"}); !slices.Equal(step.Effect.Values, []string{"Email: a@b.co"}) {
			t.Errorf("by its mark: %+v", step)
		}
	})
}

// A form has its fields in the place of what they are named like.
func TestFieldsNamedAsMembers(t *testing.T) {
	names := strings.Fields(`children id attributes childNodes parentElement parentNode getAttribute hasAttribute closest contains matches checkVisibility
		getBoundingClientRect getClientRects getRootNode ownerDocument shadowRoot innerText isContentEditable nodeType onclick draggable readOnly scrollTop popover`)
	html := `<form onsubmit="return false"><p id="said">Nothing</p>`
	for _, name := range names {
		html += `<label>` + strings.ToUpper(name) + `<input name="` + name + `" size="6"></label> `
	}
	run(t, driver(t, body(html+`<button onclick="said.textContent = 'Booked'">Book</button></form>`)), func(ctx context.Context, s *Session) {
		scene, err := s.Look(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(scene.Controls); got != len(names)+1 {
			t.Errorf("there are %d controls, want %d", got, len(names)+1)
		}
		if step := do(t, ctx, s, vitrine.Action{Kind: vitrine.ActType, Target: &vitrine.Target{Label: "CHILDREN"}, Text: "2"}); !slices.Equal(step.Effect.Values, []string{"CHILDREN: 2"}) {
			t.Errorf("typed: %+v", step)
		}
		step := do(t, ctx, s, vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Role: "button", Name: "Book"}})
		if !slices.Contains(step.Effect.Appeared, "Booked") {
			t.Errorf("clicked: %+v", step.Effect)
		}
		elements, err := s.Query(ctx, vitrine.Target{Text: "Booked"}, Wants{})
		if err != nil || len(elements) != 1 || !elements[0].Visible || elements[0].Tag != "p" {
			t.Errorf("query: %+v, %v", elements, err)
		}
	})
}

func TestDigitsOfMarks(t *testing.T) {
	for d, rows := range digits {
		for e, other := range digits {
			if d != e && rows == other {
				t.Errorf("%d looks like %d", d, e)
			}
		}
	}
}

func TestMarksOnALivelyPage(t *testing.T) {
	html := says + `<button onclick="say('clicked')">Go</button><script>setInterval(() => { document.title += '.' }, 90)</script>`
	run(t, driver(t, body(html)), func(ctx context.Context, s *Session) {
		s.Exact = true
		for range 2 {
			if _, err := s.Look(ctx); err != nil {
				t.Fatal(err)
			}
			if e := do(t, ctx, s, vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Mark: 1}}).Effect; slices.Contains(e.Changed, "title") {
				t.Errorf("what moves by itself counts: %+v", e)
			}
		}
		if step := do(t, ctx, s, vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Mark: 99}}); step.Failed != "no control has the mark 99" {
			t.Errorf("got %+v", step)
		}
	})
}
