package measured

import (
	"math"
	"strings"
	"testing"

	"vitrine"
)

// want is a score range of one check, or not applicable if most is below 0.
type want struct{ least, most float64 }

var (
	perfect      = want{1, 1}
	inapplicable = want{0, -1}
)

func (w want) hold(t *testing.T, f vitrine.Finding) {
	t.Helper()
	switch {
	case w.most < 0 && f.Score != nil:
		t.Errorf("%s is %.2f (%s), want not applicable", f.Check, *f.Score, f.Why)
	case w.most >= 0 && f.Score == nil:
		t.Errorf("%s is not applicable (%s), want %.2f to %.2f", f.Check, f.Why, w.least, w.most)
	case f.Score != nil && (*f.Score < w.least || *f.Score > w.most):
		t.Errorf("%s is %.2f (%s), want %.2f to %.2f", f.Check, *f.Score, f.Why, w.least, w.most)
	}
}

func TestContrast(t *testing.T) {
	colored := func(hex string, change func(*vitrine.Element)) vitrine.Element {
		e := text("Sign up for a free month", 100, 100)
		if err := e.Style.Color.UnmarshalText([]byte(hex)); err != nil {
			t.Fatal(err)
		}
		if change != nil {
			change(&e)
		}
		return e
	}
	tests := map[string]struct {
		e    vitrine.Element
		want want
	}{
		"black on white":            {colored("#000000", nil), perfect},
		"just enough":               {colored("#767676", nil), perfect},
		"just short":                {colored("#808080", nil), want{0.4, 0.95}},
		"light grey":                {colored("#cccccc", nil), want{0, 0.1}},
		"large text may be lighter": {colored("#8c8c8c", func(e *vitrine.Element) { e.Style.FontSize = 24 }), perfect},
		"large if bold":             {colored("#8c8c8c", func(e *vitrine.Element) { e.Style.FontSize, e.Style.FontWeight = 19, 700 }), perfect},
		"faded":                     {colored("#000000", func(e *vitrine.Element) { e.Style.Opacity = 0.3 }), want{0, 0.3}},
		"on a picture":              {colored("#cccccc", func(e *vitrine.Element) { e.Style.BackdropKnown = false }), inapplicable},
		"disabled":                  {colored("#cccccc", func(e *vitrine.Element) { e.Disabled = true }), inapplicable},
		"see-through letters":       {colored("#ffffff00", nil), inapplicable},
		"no words":                  {colored("#cccccc", func(e *vitrine.Element) { e.Text = "→" }), inapplicable},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { tt.want.hold(t, finding(t, evidence(tt.e), "contrast")) })
	}
	onPicture := colored("#cccccc", func(e *vitrine.Element) { e.Style.BackdropKnown = false })
	if f := finding(t, evidence(colored("#000000", nil), onPicture), "contrast"); !strings.HasSuffix(f.Why, "1 of 1 text has the contrast that WCAG asks for. On no plain colour and left out: 1 text.") {
		t.Errorf("why %q", f.Why)
	}
	f := finding(t, evidence(colored("#aaaaaa", nil)), "contrast")
	if want := "1 of 1 text has less contrast than WCAG asks for; the worst is “Sign up for a free month” (#aaaaaa on #ffffff, 2.3:1)."; !strings.HasSuffix(f.Why, want) {
		t.Errorf("why %q, want %q", f.Why, want)
	}
}

func TestTextSizeIsOfWhatIsRead(t *testing.T) {
	tiny := func(s string, change func(*vitrine.Element)) vitrine.Element {
		return with(text(s, 100, 100), func(e *vitrine.Element) { e.Style.FontSize = 8; change(e) })
	}
	perfect.hold(t, finding(t, evidence(text("Order before noon", 100, 200), tiny("▸", func(*vitrine.Element) {}), tiny("Below the curtain", func(e *vitrine.Element) { e.Covered = 1 })), "text-size"))
	want{0, 0.5}.hold(t, finding(t, evidence(text("Order", 100, 200), tiny("Terms and conditions", func(*vitrine.Element) {})), "text-size"))
}

func TestOverlap(t *testing.T) {
	below := func(e vitrine.Element) vitrine.Element { e.Box.Y += 6; e.TextBox.Y += 6; return e }
	in := func(parent int, e vitrine.Element) vitrine.Element { e.Parent = parent; return e }
	a, b := text("Order before noon", 100, 100), text("Closed on Mondays", 120, 100)
	list := with(text("", 0, 0), func(e *vitrine.Element) {
		e.Tag, e.Box, e.TextBox, e.Style.Overflow = "div", vitrine.Box{X: 80, Y: 80, W: 400, H: 22}, vitrine.Box{}, "auto auto"
	})
	slide := with(text("", 0, 0), func(e *vitrine.Element) {
		e.Tag, e.Box, e.TextBox, e.Style.Background = "div", vitrine.Box{X: 80, Y: 80, W: 400, H: 200}, vitrine.Box{}, white
	})
	inlined := func(e *vitrine.Element) { e.Tag, e.Style.Display = "span", "inline" }
	tests := map[string]struct {
		es   []vitrine.Element
		want want
	}{
		"apart":          {[]vitrine.Element{a, text("Closed on Mondays", 100, 130)}, perfect},
		"on each other":  {[]vitrine.Element{a, below(b)}, want{0, 0.6}},
		"touching lines": {[]vitrine.Element{a, text("Closed on Mondays", 100, 114)}, perfect},
		"in one line":    {[]vitrine.Element{text("We are", 100, 100), in(0, with(a, inlined)), in(0, with(b, inlined))}, perfect},
		"scrolled away":  {[]vitrine.Element{list, in(0, with(a, func(e *vitrine.Element) { e.TextBox.Y = 110 })), below(b)}, perfect},
		"half hidden":    {[]vitrine.Element{with(a, func(e *vitrine.Element) { e.Covered = 0.5 })}, want{0, 0.8}},
		"hidden slide":   {[]vitrine.Element{with(a, func(e *vitrine.Element) { e.Covered = 1 }), slide, in(1, below(b))}, perfect},
		"bar that stays": {[]vitrine.Element{a, with(below(b), func(e *vitrine.Element) { e.Fixed = true })}, perfect},
		"wrapped link":   {[]vitrine.Element{with(a, func(e *vitrine.Element) { inlined(e); e.TextBox.H, e.Covered = 40, 0.5 })}, perfect},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { tt.want.hold(t, finding(t, evidence(tt.es...), "overlap")) })
	}
}

func TestWhatLiesOutsideIsNotTheSitesFault(t *testing.T) {
	image := with(text("", 0, 0), func(e *vitrine.Element) {
		e.Tag, e.Text, e.Broken, e.Attrs = "img", "", true, map[string]string{"src": "https://pictures.example/a.jpg"}
	})
	ev := evidence(text("Our oven", 100, 100), image)
	ev.Requests = []vitrine.Request{
		{URL: "https://pictures.example/a.jpg", Type: "Image", Result: "blocked"},
		{URL: "https://cdn.example/chart.js", Type: "Script", Result: "blocked"},
	}
	ev.Console = []vitrine.ConsoleMessage{
		{Level: "exception", Text: "ReferenceError: Chart is not defined"},
		{Level: "error", Text: "could not load https://cdn.example/chart.js"},
		{Level: "error", Text: "TypeError: Failed to fetch"},
		{Level: "exception", Text: "FirebaseError: Could not process request. Application offline."},
	}
	ev.Views[0].Links = []vitrine.Link{{Href: "https://other.example", Kind: vitrine.LinkExternal}}
	inapplicable.hold(t, finding(t, ev, "broken-images"))
	inapplicable.hold(t, finding(t, ev, "dead-links"))
	perfect.hold(t, finding(t, ev, "console-errors"))

	ev.Requests = []vitrine.Request{{URL: "/a.jpg", Type: "Image", Result: "missing", Status: 404}}
	ev.Console = nil
	ev.Views[0].Elements[1].Attrs = map[string]string{"src": "a.jpg"}
	want{0, 0.2}.hold(t, finding(t, ev, "broken-images"))
	want{0.6, 0.8}.hold(t, finding(t, ev, "console-errors"))
}

func TestViewsAreJoined(t *testing.T) {
	ev := evidence(text("Wide and narrow", 100, 100))
	phone := ev.Views[0]
	phone.Viewport, phone.PageWidth = vitrine.Mobile, 800
	ev.Views = append(ev.Views, phone)
	f := finding(t, ev, "overflow-x")
	want{0.25, 0.25}.hold(t, f) // half the mean of 1 and 0, half the worst
	if !strings.HasPrefix(f.Why, "/ at mobile: The page is 800 pixels wide") {
		t.Errorf("why %q does not name the worst view", f.Why)
	}
	ev.Views[1].Validity = vitrine.Validity{Reason: vitrine.InvalidBlank, Why: "nothing to see"}
	perfect.hold(t, finding(t, ev, "overflow-x"))
	want{0.5, 0.5}.hold(t, finding(t, ev, "blank"))
}

func TestRequestedColorsNeedTheirRole(t *testing.T) {
	navy := vitrine.Color{B: 0x80, A: 255}
	button := with(text("Start", 100, 100), func(e *vitrine.Element) { e.Tag, e.Interactive, e.Style.Background = "button", true, navy })
	tests := map[string]struct {
		palette []vitrine.Swatch
		want    want
	}{
		"as asked":  {[]vitrine.Swatch{{Color: white, Share: 0.9}, {Color: navy, Share: 0.05}}, want{0.99, 1}},
		"swapped":   {[]vitrine.Swatch{{Color: navy, Share: 0.9}, {Color: white, Share: 0.05}}, want{0.3, 0.6}},
		"grey page": {[]vitrine.Swatch{{Color: vitrine.Color{R: 40, G: 40, B: 40, A: 255}, Share: 0.95}}, want{0.3, 0.6}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			ev := evidence(button)
			ev.Instruction = "Set the background color to white and the component color to navy."
			ev.Views[0].Palette = tt.palette
			tt.want.hold(t, finding(t, ev, "requested-colors"))
		})
	}
}

// findings gives every check of the panel the score 1 and changes some.
func findings(changed map[string]float64) []vitrine.Finding {
	out := make([]vitrine.Finding, len(panel))
	for i, c := range panel {
		s, ok := changed[c.id]
		if !ok {
			s = 1
		}
		out[i] = scored(reading{score: s})
	}
	return out
}

func TestRollUp(t *testing.T) {
	in := newInput(evidence(text("Bread", 100, 100)))
	total := func(changed map[string]float64) map[string]float64 {
		scores, _ := in.rollUp(findings(changed))
		return scores
	}
	best := total(nil)
	for name, want := range map[string]float64{"appearance": 5, "alignment": 40, "aesthetics": 30, "structure": 30, "total": 100} {
		if best[name] != want {
			t.Errorf("%s of a perfect panel is %v, want %v", name, best[name], want)
		}
	}
	unreadable, crooked := total(map[string]float64{"contrast": 0}), total(map[string]float64{"balance": 0})
	if unreadable["aesthetics"] > 0.45*best["aesthetics"] {
		t.Errorf("unreadable text leaves %.1f of 30 points", unreadable["aesthetics"])
	}
	if crooked["aesthetics"] < 0.8*best["aesthetics"] {
		t.Errorf("an unbalanced page keeps only %.1f of 30 points", crooked["aesthetics"])
	}
	if illegible := total(map[string]float64{"contrast": 0, "text-size": 0, "overlap": 0}); illegible["alignment"] > 30 || best["alignment"] != 40 {
		t.Errorf("what nobody can read still answers the instruction with %.1f of 40 points", illegible["alignment"])
	}
	if sum := unreadable["alignment"] + unreadable["aesthetics"] + unreadable["structure"]; math.Abs(sum-unreadable["total"]) > 0.02 {
		t.Errorf("total %.2f is not the sum %.2f", unreadable["total"], sum)
	}
}

// Nothing is won by attempting less: where the instruction leaves open what is to be done, a
// page without controls and links is worth no more than one whose controls do nothing.
func TestNoControlIsNoBetterThanDeadOnes(t *testing.T) {
	score := func(instruction string, c *vitrine.Content, links []vitrine.Link) *float64 {
		ev := evidence()
		ev.Instruction = instruction
		ev.Views[0].Content, ev.Views[0].Links = c, links
		return inoperableControls(newInput(ev)).Score
	}
	const open, closed = "Design the interface of a mail program.", "A todo list."
	dead := &vitrine.Content{Controls: 2, Inert: []vitrine.Block{{Text: "Write"}, {Text: "Answer"}}}
	half := &vitrine.Content{Controls: 2, Inert: dead.Inert[:1]}
	none := &vitrine.Content{}
	if a, b := score(open, none, nil), score(open, dead, nil); a == nil || b == nil || *a > *b {
		t.Errorf("without controls %v, with dead ones %v", a, b)
	}
	if a, b := score(closed, half, nil), score(closed, dead, nil); *a <= *b || *a == 1 {
		t.Errorf("half of the controls dead: %v, all: %v", *a, *b)
	}
	if s := score(closed, none, nil); s != nil {
		t.Errorf("an instruction that says what is to be done, and no control: %v, want none", *s)
	}
	if s := score(open, none, []vitrine.Link{{Href: "#a"}}); s != nil {
		t.Errorf("a page of links: %v, want none", *s)
	}
}

// What nobody sees makes no page fuller.
func TestSparseCountsWhatIsSeen(t *testing.T) {
	score := func(es ...vitrine.Element) float64 {
		ev := evidence(append([]vitrine.Element{text("Inbox", 40, 40)}, es...)...)
		ev.Instruction = "Design the interface of a mail program."
		return *sparse(newInput(ev)).Score
	}
	var dots, lines []vitrine.Element
	for i := range 40 {
		at := vitrine.Box{X: float64(37 * i), Y: float64(19 * i), W: 1, H: 1}
		dots = append(dots, vitrine.Element{Parent: -1, Tag: "svg", Box: at, Painted: true, Style: vitrine.Style{Opacity: 1, Display: "inline"}})
		lines = append(lines, text("A letter about the hedge", float64(12*i), float64(19*i)))
	}
	if a, b := score(), score(dots...); a != b {
		t.Errorf("with dots of a pixel %v, without %v", b, a)
	}
	if got := score(lines...); got != 1 {
		t.Errorf("forty lines of text: %v, want 1", got)
	}
}
