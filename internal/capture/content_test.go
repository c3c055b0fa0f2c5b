package capture

import (
	"slices"
	"strings"
	"testing"

	"vitrine"
)

const contentPage = `<!doctype html><html lang="en"><head><title>Bakery</title><style>
.clear{opacity:0} .tiny{font-size:2px} .cut{height:0;overflow:hidden} .white{color:#fff} .off{position:absolute;left:-9999px}
.none{display:none} .fade{opacity:0;transition:opacity .3s} .wakes{opacity:0} .hover{opacity:0} nav:hover .hover{opacity:1}
.under{position:relative;height:60px} .under p,.under div{position:absolute;inset:0;margin:0} .under div{background:#eee}
.word{color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text;background-clip:text}
.btn{background:#ddd;padding:8px;width:100px;cursor:pointer}
</style></head><body>
<h1>Bakery <b>on</b> the hill</h1><p>We bake <b>bread</b> every day, and <a href="/x">rolls</a> too.</p><p class="word">gradient letters</p>
<p class="clear">clear words</p><p class="tiny">tiny words here</p><div class="cut">cut words</div><p class="white">white words</p><p class="off">words far out</p>
<p class="none">closed menu</p><p class="fade">fading words</p><p class="wakes">woken words</p><nav>Menu <span class="hover">hovered words</span></nav>
<div class="under"><p>covered words</p><div></div></div>
<div class="btn">Fake</div><div class="btn" id="b2">Wired</div><button>Dead</button><button onclick="x()">Live</button><form><button>Submit</button></form>
<ul><li>One <b>thing</b></li><li>Two</li></ul><table><tr><td>A</td><td>B</td></tr></table><input placeholder="Your name">
<img alt="a loaf" width="20" height="20" src="data:,">
<script>document.getElementById('b2').addEventListener('pointerdown', () => document.querySelector('.wakes').classList.add('on'))</script></body></html>`

func TestContentSaysWhatIsReadAndWhatIsHidden(t *testing.T) {
	ev, _ := see(t, capturer(t), document(contentPage), vitrine.CaptureSettings{TimesMS: []int{0}})
	c := ev.Views[0].Content
	if c == nil {
		t.Fatal("the view has no content")
	}
	said := func(bs []vitrine.Block, name func(vitrine.Block) string) string {
		var all []string
		for _, b := range bs {
			all = append(all, name(b)+": "+b.Text)
		}
		return strings.Join(all, "\n")
	}
	role := func(b vitrine.Block) string { return b.Role }
	if got, want := said(c.Blocks, role), strings.Join([]string{
		"heading: Bakery on the hill", ": We bake bread every day, and rolls too.", ": gradient letters", ": Menu", ": Fake", ": Wired", "button: Dead", "button: Live", "button: Submit",
		"item: One thing", "item: Two", "cell: A", "cell: B", "field: Your name", "alt: a loaf",
	}, "\n"); got != want {
		t.Errorf("blocks:\n%s\nwant:\n%s", got, want)
	}
	hidden := strings.Split(said(c.Hidden, func(b vitrine.Block) string { return string(b.Cause) }), "\n")
	slices.Sort(hidden)
	want := []string{"clipped: cut words", "covered: covered words", "off-screen: words far out", "pale: white words", "tiny: tiny words here", "transparent: clear words"}
	if !slices.Equal(hidden, want) {
		t.Errorf("hidden %q, want %q", hidden, want)
	}
	if got := said(c.Inert, role); got != "button: Fake\nbutton: Dead" || c.Controls != 5 {
		t.Errorf("of %d controls nothing handles:\n%s", c.Controls, got)
	}
	if rows := []int{c.Blocks[9].Row, c.Blocks[10].Row, c.Blocks[11].Row, c.Blocks[12].Row}; !slices.Equal(rows, []int{1, 2, 3, 3}) {
		t.Errorf("rows %v", rows)
	}
}
