package measured

import (
	"math"
	"strings"
	"unicode"

	"vitrine"
)

// An input is the evidence with the facts that several checks need, worked out
// once.
type input struct {
	ev    *vitrine.Evidence
	views []*viewFacts // the valid ones, in the order of the evidence
	asked request      // what the instruction asks for
	seen  siteFacts    // the words and parts of all valid views
}

func newInput(ev *vitrine.Evidence) *input {
	if ev == nil {
		ev = &vitrine.Evidence{}
	}
	in := &input{ev: ev, asked: parseRequest(ev.Instruction)}
	if !ev.Validity.Valid {
		return in
	}
	for i := range ev.Views {
		if ev.Views[i].Validity.Valid {
			in.views = append(in.views, newViewFacts(&ev.Views[i]))
		}
	}
	in.seen = gatherSite(in.views)
	return in
}

// viewFacts is one view with what was derived from it. Element indexes are those
// of View.Elements.
type viewFacts struct {
	*vitrine.View
	page vitrine.Box // the whole document
	end  []int       // end[i]: the subtree of element i is [i, end[i])
	// clip[i] is what element i may show of its content: its own box and those of
	// its ancestors, as far as they hide or scroll what overflows.
	clip []vitrine.Box
	// filled[i]: element i has a background that can be told from what lies behind.
	filled []bool
	// all are the elements that take up space with finite numbers and are not
	// scrolled away; texts those of them with a readable text of their own; media
	// pictures, drawings and films.
	all, texts, media []int
	bodySize          float64 // the font size that most characters have
}

func newViewFacts(v *vitrine.View) *viewFacts {
	f := &viewFacts{View: v}
	f.page = vitrine.Box{
		W: float64(max(v.PageWidth, v.Viewport.Width, 1)),
		H: float64(max(v.PageHeight, v.Viewport.Height, 1)),
	}
	f.end = subtreeEnds(v.Elements)
	f.clip = f.clipBoxes()
	f.filled = make([]bool, len(v.Elements))
	chars := map[float64]int{}
	for i := range v.Elements {
		e := &v.Elements[i]
		if !takesSpace(e) || e.Box.Intersect(f.clip[i]).Area() == 0 {
			continue
		}
		f.all = append(f.all, i)
		f.filled[i] = f.hasFill(i)
		if isMedia(e) {
			f.media = append(f.media, i)
		}
		if f.readable(i) {
			f.texts = append(f.texts, i)
			chars[math.Round(e.Style.FontSize)] += len(e.Text) * oneIf(f.headingOf(i) == 0)
		}
	}
	f.bodySize = mostCommon(chars)
	return f
}

// subtreeEnds works because elements are in document order: a parent comes
// before its children, and a subtree is one stretch.
func subtreeEnds(es []vitrine.Element) []int {
	end := make([]int, len(es))
	for i := len(es) - 1; i >= 0; i-- {
		end[i] = max(end[i], i+1)
		if p := es[i].Parent; p >= 0 && p < i {
			end[p] = max(end[p], end[i])
		}
	}
	return end
}

// related says whether one element contains the other.
func (f *viewFacts) related(a, b int) bool {
	a, b = min(a, b), max(a, b)
	return b < f.end[a]
}

// parent is the listed parent of an element, -1 if none.
func (f *viewFacts) parent(i int) int {
	if p := f.Elements[i].Parent; p >= 0 && p < i {
		return p
	}
	return -1
}

func takesSpace(e *vitrine.Element) bool {
	s, b := e.Style, e.Box
	sum := b.X + b.Y + b.W + b.H + e.TextBox.X + e.TextBox.Y + e.TextBox.W + e.TextBox.H + s.FontSize + s.Radius + s.Border
	return !math.IsNaN(sum) && !math.IsInf(sum, 0) && b.W > 0 && b.H > 0
}

// readable: it has text of its own that a person can see: on the page, for the
// larger part not scrolled out of its container, and not in the box of one pixel
// that keeps text for screen readers alone.
func (f *viewFacts) readable(i int) bool {
	e := &f.Elements[i]
	t := e.TextBox
	return strings.TrimSpace(e.Text) != "" && t.W > 1 && t.H > 1 && (e.Box.W > 1.5 || e.Box.H > 1.5) &&
		e.Style.FontSize > 0 && f.onPage(t) && f.shown(i).Area() >= 0.4*t.Area()
}

// shown is the part of an element's text that is not cut off or scrolled away.
func (f *viewFacts) shown(i int) vitrine.Box { return f.Elements[i].TextBox.Intersect(f.clip[i]) }

func (f *viewFacts) clipBoxes() []vitrine.Box {
	const far = 1e6
	clip := make([]vitrine.Box, len(f.Elements))
	for i := range f.Elements {
		e := &f.Elements[i]
		clip[i] = vitrine.Box{X: -far, Y: -far, W: 2 * far, H: 2 * far}
		if p := f.parent(i); p >= 0 && e.Style.Position != "fixed" {
			clip[i] = clip[p]
		}
		// What body hides the window hides; closed details keep their content in
		// place below them.
		if e.Style.Overflow != "" && e.Tag != "body" && e.Tag != "html" || e.Tag == "details" {
			clip[i] = clip[i].Intersect(e.Box)
		}
	}
	return clip
}

func (f *viewFacts) onPage(b vitrine.Box) bool { return b.Intersect(f.page).Area() > 0 }

func isMedia(e *vitrine.Element) bool {
	if e.Document {
		return false // what it shows is judged itself
	}
	switch e.Tag {
	case "img", "svg", "canvas", "video", "iframe", "picture", "object", "embed":
		return true
	}
	return e.Style.Image
}

// hasFill: its own background can be told from what lies behind it.
func (f *viewFacts) hasFill(i int) bool {
	s := &f.Elements[i].Style
	if s.Gradient || s.Image {
		return true
	}
	if s.Background.A < 24 {
		return false
	}
	behind := white
	if p := f.parent(i); p >= 0 {
		behind = f.Elements[p].Style.Backdrop
	}
	return deltaE(toLab(over(s.Background, behind, 1)), toLab(behind)) > 2
}

// hasLetters tells words from icons and lone signs.
func hasLetters(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// mostCommon returns the key with the most, the smallest of equals, so that the
// order of the map does not matter; 0 if nothing was counted.
func mostCommon(m map[float64]int) float64 {
	best, most := 0.0, 0
	for k, n := range m {
		if n > most || n == most && k < best {
			best, most = k, n
		}
	}
	return best
}

// label names the view for a sentence: "/about at mobile".
func (f *viewFacts) label() string {
	if f.Viewport.Name == "" {
		return f.Route
	}
	return f.Route + " at " + f.Viewport.Name
}

func (f *viewFacts) place(b vitrine.Box, label string) vitrine.Place {
	return vitrine.Place{Route: f.Route, Viewport: f.Viewport.Name, Box: b, Label: label}
}

// heading is the level of a heading, 0 for anything else.
func heading(e *vitrine.Element) int {
	if len(e.Tag) == 2 && e.Tag[0] == 'h' && e.Tag[1] >= '1' && e.Tag[1] <= '6' {
		return int(e.Tag[1] - '0')
	}
	if e.Role == "heading" {
		switch l := e.Attrs["aria-level"]; l {
		case "1", "2", "3", "4", "5", "6":
			return int(l[0] - '0')
		}
		return 2 // what browsers take when no level is given
	}
	return 0
}

// field says whether an element is a form field a person fills in.
func field(e *vitrine.Element) bool {
	switch e.Tag {
	case "select", "textarea":
		return true
	case "input":
		switch e.Attrs["type"] {
		case "hidden", "submit", "button", "reset", "image":
			return false
		}
		return true
	}
	return false
}

// button says whether an element is meant to be pressed.
func button(e *vitrine.Element) bool {
	if e.Tag == "input" {
		t := e.Attrs["type"]
		return t == "submit" || t == "button" || t == "reset"
	}
	return e.Tag == "button" || e.Role == "button"
}
