package measured_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/judge/measured"
)

const (
	fillerTask = "Create a website for a bicycle workshop where customers book repairs, follow the status of their bicycle, read about maintenance and order spare parts. " +
		"Mechanics see the list of open repairs, add notes and mark a repair as finished. Show opening hours and the prices of common repairs."
	frame  = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>%s</title><style>body{font:16px/1.5 sans-serif;margin:24px}%s</style></head><body>%s</body></html>`
	honest = `<h1>Spoke &amp; Chain</h1><p>We mend what rolls. Bring your bicycle before ten and ride it home the same evening.</p>
<h2>Book a repair</h2><form><label>What is wrong with it? <input></label><label>Day <input type="date"></label><button>Book</button></form>
<h2>Prices</h2><table><tr><th>Repair</th><th>Price</th></tr><tr><td>Flat tyre</td><td>9</td></tr><tr><td>Brakes</td><td>24</td></tr><tr><td>Gears set</td><td>18</td></tr></table>
<h2>Where is my bicycle?</h2><p>Ask with the number on your ticket: the mechanics note each step, from waiting to finished.</p>
<h2>Spare parts</h2><ul><li>Tubes in all sizes</li><li>Chains</li><li>Brake pads</li></ul><p>Opening hours: Tuesday to Saturday, from eight to six.</p>`
)

var fillerWords = strings.Fields("bicycle workshop customers book repairs follow status read maintenance order spare parts mechanics list open add notes mark repair finished opening hours prices common")

// shop is an honest page for another task.
const shop = `<h1>ShopNow</h1><nav><a href="#a">Home</a> <a href="#b">Products</a> <a href="#c">Cart (0)</a></nav><h2>Featured products</h2>
<div><h3>Wireless headphones</h3><p>Clear sound for the whole day.</p><b>$59</b></div><div><h3>Smart watch</h3><p>Counts your steps while you sleep.</p><b>$129</b></div>
<div><h3>Leather bag</h3><p>Ages better than you do.</p><b>$89</b></div><p>Free delivery from 50 dollars. Thirty days to change your mind.</p>`

// each puts every word into a text where it has %s.
func each(mould string) string {
	var b strings.Builder
	for _, w := range fillerWords {
		b.WriteString(strings.ReplaceAll(mould, "%s", w))
	}
	return b.String()
}

func prose(n int) string {
	const told = "Mechanics note the status of each bicycle and mark a repair as finished when it is. Customers book repairs for the day that suits them and order spare parts on the way. "
	return strings.Repeat(told, n)
}

// fillers are pages that are made to be counted: style and body.
var fillers = map[string][2]string{
	"words in spans":               {"span{margin:4px}", each("<span>%s</span> ")},
	"words in a paragraph":         {"", "<p>" + each("%s ") + "</p>"},
	"words in a list":              {"", "<ul>" + each("<li>%s</li>") + "</ul>"},
	"words as headings":            {"", each("<h3>%s</h3>")},
	"words in a table":             {"", "<table>" + each("<tr><td>%s</td></tr>") + "</table>"},
	"words as fields":              {"", each(`<input placeholder="%s">`)},
	"one echo":                     {"", "<h1>Workshop</h1><p>" + fillerTask + "</p>"},
	"echo on an honest page":       {"", honest + "<p>" + fillerTask + "</p>"},
	"eight echoes":                 {"", strings.Repeat("<p>"+fillerTask+"</p>", 8)},
	"echo word by word":            {"", "<h1>Workshop</h1><div><span>" + strings.ReplaceAll(fillerTask, " ", "</span> <span>") + "</span></div>"},
	"echo as headings":             {"", "<h1>Workshop</h1><h2>" + strings.ReplaceAll(fillerTask, ". ", "</h2><h2>") + "</h2>"},
	"moulds":                       {"", "<h1>Workshop</h1>" + each("<p>Manage your %s with ease and save time every day.</p>")},
	"moulds as cards":              {"", each("<div><h3>%s</h3><p>Everything about %s in one place, made for %s lovers.</p></div>")},
	"moulds as rows":               {"", "<table>" + each("<tr><td>The %s module is ready and works for you</td></tr>") + "</table>"},
	"words dealt over rows":        {"", "<h1>Workshop</h1><ul>" + each("<li><strong>%s north</strong><p>Open, $66</p><button onclick=\"this.remove()\">Details</button></li>") + "</ul>"},
	"moulds as items":              {"", "<ul>" + each("<li>Find and manage every %s in our great system</li>") + "</ul>"},
	"transparent text":             {"div{opacity:0}", "<h1>Welcome</h1><div>" + prose(1) + honest + "</div>"},
	"tiny text":                    {"div{font-size:3px;line-height:3px}", "<h1>Welcome</h1><div>" + prose(3) + "</div>"},
	"text like the ground":         {"div{color:#fefefe}", "<h1>Welcome</h1><div>" + prose(3) + "</div>"},
	"text outside of the page":     {"div{position:absolute;left:-5000px;width:800px}", "<h1>Welcome</h1><div>" + prose(3) + "</div>"},
	"text cut off":                 {"div{height:0;overflow:hidden}", "<h1>Welcome</h1><div>" + prose(3) + "</div>"},
	"covered text":                 {"main{position:relative;height:300px}main *{position:absolute;inset:0;margin:0}i{background:#eef}", "<h1>Welcome</h1><main><p>" + prose(3) + "</p><i></i></main>"},
	"text behind the ground":       {"main{position:relative;z-index:0;background:#eef}p{position:relative;z-index:-1}section{background:#eef}", "<h1>Welcome</h1><main><section><p>" + prose(3) + "</p></section></main>"},
	"text shrunk":                  {"div{transform:scale(.01);transform-origin:0 0}", "<h1>Welcome</h1><div>" + prose(3) + "</div>"},
	"a picture with a long text":   {"", `<img width="900" height="600" alt="` + prose(2) + `" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='900' height='600'%3E%3Crect width='900' height='300' fill='teal'/%3E%3C/svg%3E">`},
	"a picture of a page":          {"", `<img width="900" height="600" alt="page" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='900' height='600'%3E%3Crect width='900' height='300' fill='teal'/%3E%3Ctext y='40'%3ERepairs%3C/text%3E%3C/svg%3E">`},
	"text in titles":               {"", `<h1 title="` + prose(2) + `">Welcome</h1><p aria-label="` + prose(2) + `">Hello there.</p>`},
	"a wall of buttons":            {"", each("<button>%s</button>") + each("<button>Add %s</button>") + each("<button>Open %s</button>")},
	"boxes like buttons":           {".btn{display:inline-block;padding:8px;background:#ccd;cursor:pointer}", each(`<div class="btn">%s now</div> `) + each(`<div class="btn">Show %s</div> `)},
	"lorem ipsum":                  {"", "<h1>Workshop</h1>" + strings.Repeat("<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.</p>", 4)},
	"numbered cards":               {"", "<h1>Bicycle workshop</h1><h2>Book repairs</h2>" + strings.Join([]string{"<h3>Feature 1</h3><p>Description goes here</p>", "<h3>Feature 2</h3><p>Description goes here</p>", "<h3>Feature 3</h3><p>Description goes here</p>"}, "")},
	"a generic shop":               {"", shop},
	"words apart":                  {"", each("<div>%s</div><div>2 – 3 – 4</div>")},
	"words in a title of theirs":   {"", "<h1>" + strings.Join(fillerWords[:12], " ") + "</h1><p>Hello there.</p>"},
	"another task with a canvas":   {"", "<canvas id=c width=1200 height=500></canvas>" + strings.Repeat(shop, 2) + "<script>onkeydown = () => 1; c.getContext('2d').fillRect(9, 9, 600, 300)</script>"},
	"another task, script outside": {"", "<script src=https://nowhere.example/a.js></script>" + strings.Repeat(shop, 2) + "<script>nothing()</script>"},
	"a page for every task": {"", `<h1>Welcome to our platform</h1><p>We bring you the best experience with a modern design that adapts to your needs.</p><h2>Why choose us</h2>
<p>Our team works hard so that you can achieve your goals. Get started today and see the difference for yourself.</p><h2>Contact</h2><p>Write to us whenever you like.</p>`},
}

func TestFillerLeavesLittle(t *testing.T) {
	s := newSiteJudge(t)
	content := func(t *testing.T, style, body string) (float64, vitrine.Judgement) {
		t.Helper()
		site := &vitrine.Site{Kind: vitrine.KindPage, Base: "/", Routes: []string{"/"}, Files: map[string][]byte{"index.html": fmt.Appendf(nil, frame, "Welcome", style, body)}}
		ev, err := s.capturer.Site(t.Context(), site, vitrine.CaptureSettings{TimesMS: []int{0}}, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		ev.Instruction = fillerTask
		j := measured.Judge(ev)
		return j.Scores["content"], j
	}
	if c, _ := content(t, "", honest); c < 0.95 {
		t.Errorf("an honest page keeps %.2f", c)
	}
	for name, page := range fillers {
		t.Run(name, func(t *testing.T) {
			c, j := content(t, page[0], page[1])
			t.Logf("%.2f", c)
			if c <= 0.3 {
				return
			}
			for _, f := range j.Findings[len(j.Findings)-8:] {
				t.Errorf("%s: %s", f.Check, f.Why)
			}
		})
	}
}

// What the instruction numbers itself is a name, and no text that was never written.
func TestWhatIsNumberedAsAskedIsNoFiller(t *testing.T) {
	s := newSiteJudge(t)
	body := `<h1>Words</h1><div>Box 1</div><div>Box 2</div><div>Box 3</div><div>Box 4</div><button>Practise</button>`
	site := &vitrine.Site{Kind: vitrine.KindPage, Base: "/", Routes: []string{"/"}, Files: map[string][]byte{"index.html": fmt.Appendf(nil, frame, "Words", "", body)}}
	ev, err := s.capturer.Site(t.Context(), site, vitrine.CaptureSettings{TimesMS: []int{0}}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for instruction, written := range map[string]bool{"A trainer where every word starts in box 1": true, "A vocabulary trainer": false} {
		ev.Instruction = instruction
		j := measured.Judge(ev)
		at := slices.IndexFunc(j.Findings, func(f vitrine.Finding) bool { return f.Check == "filler-text" })
		if score := *j.Findings[at].Score; (score == 1) != written {
			t.Errorf("%q: %.2f, %s", instruction, score, j.Findings[at].Why)
		}
	}
}

// A page that only repeats the instruction is an echo; one that quotes it, or shows what it was
// asked to show, is none.
func TestEchoShare(t *testing.T) {
	t.Parallel()
	page := func(texts ...string) []vitrine.View {
		c := &vitrine.Content{}
		for _, text := range texts {
			c.Blocks = append(c.Blocks, vitrine.Block{Text: text})
		}
		return []vitrine.View{{Route: "/", Content: c}}
	}
	const asked = "Build a small website for a pottery workshop on which visitors can book a place and read about the teachers."
	own := strings.Repeat("Our kiln reaches twelve hundred degrees and every bowl dries for a week first. ", 4)
	for name, x := range map[string]struct {
		pages []vitrine.View
		echo  bool
	}{
		"said back":              {page(asked), true},
		"said back in parts":     {page(asked[:60], asked[60:]), true},
		"quoted on a page":       {page(asked, own, own), false},
		"one phrase of it":       {page("a small website for a pottery workshop"), false},
		"another subject":        {page(own), false},
		"nothing":                {page(), false},
		"a heading in its words": {[]vitrine.View{{Content: &vitrine.Content{Blocks: []vitrine.Block{{Role: "heading", Text: "A small website for a pottery workshop"}}}}}, false},
	} {
		if got := measured.EchoShare(asked, x.pages); (got >= 0.5) != x.echo {
			t.Errorf("%s: %.2f", name, got)
		}
	}
	if got := measured.EchoShare(`Show "We are closed on all Mondays and on every second Tuesday" in red.`, page("We are closed on all Mondays and on every second Tuesday")); got > 0 {
		t.Errorf("what was to be shown counts as an echo: %.2f", got)
	}
	const poem = "Show this poem on a dark ground: the kiln is cold the clay is dry and no one comes to throw or fire"
	if got := measured.EchoShare(poem, page("The kiln is cold the clay is dry and no one comes to throw or fire")); got > 0 {
		t.Errorf("a poem that was to be shown counts as an echo: %.2f", got)
	}
	padded := page(asked)
	padded[0].Content.Hidden = []vitrine.Block{{Text: own}}
	if got := measured.EchoShare(asked, padded); got < 0.5 {
		t.Errorf("hidden words make an echo none: %.2f", got)
	}
	chinese := "请为一家陶艺工作室制作一个小型网站,访客可以预订课程并阅读老师的介绍。"
	if got := measured.EchoShare(chinese, page(chinese)); got < 0.5 {
		t.Errorf("an echo in Chinese has %.2f", got)
	}
}
