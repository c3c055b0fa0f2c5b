package measured

import (
	"slices"
	"strings"
	"unicode"

	"vitrine"
)

// siteFacts is what all views of a site show, made ready for looking things up.
type siteFacts struct {
	// tags holds tags, "role=…" and "type=…" with how often they occur.
	tags map[string]int
	// classWords are the words of classes and ids, controls the names of links,
	// buttons and fields, headings those of headings, text everything readable.
	classWords, controls, headings, text prose
	// pictures, drawings (painted canvases and large SVGs) and boxes that repeat
	// side by side or below each other, on the view that has most of them.
	pictures, drawings, cards int
	dark                      bool // the background of the first view
	moves                     bool // frames of some view differ
}

// drawingSize is the least width and height of an SVG that is more than an icon.
const drawingSize = 80

func gatherSite(views []*viewFacts) siteFacts {
	s := siteFacts{tags: map[string]int{}}
	var classWords, controls, headings, text lines
	for i, v := range views {
		text.add(v.Title)
		text.add(v.Text)
		var pictures, drawings int
		for i := range v.Elements {
			e := &v.Elements[i]
			s.countTags(e)
			classWords.add(splitIdentifier(e.Attrs["class"]), splitIdentifier(e.Attrs["id"]))
			if e.Interactive || field(e) || button(e) {
				controls.add(e.Name, e.Text, e.Attrs["placeholder"], e.Attrs["aria-label"], e.Attrs["title"], e.Attrs["name"])
			}
			if heading(e) > 0 {
				headings.add(e.Name, e.Text)
			}
			text.add(e.Attrs["alt"], e.Attrs["aria-label"], e.Attrs["placeholder"])
			pictures += oneIf(e.Tag == "img" || e.Style.Image)
			drawings += oneIf(isDrawing(e))
		}
		s.pictures, s.drawings = max(s.pictures, pictures), max(s.drawings, drawings)
		s.cards = max(s.cards, v.largestRepeat())
		s.dark = s.dark || i == 0 && len(v.Palette) > 0 && toLab(v.Palette[0].Color).l < 40
		s.moves = s.moves || v.Moved > 0
	}
	s.classWords, s.controls, s.headings, s.text = classWords.prose(), controls.prose(), headings.prose(), text.prose()
	return s
}

func (s *siteFacts) countTags(e *vitrine.Element) {
	if !e.Document { // a frame stands for a map or a film only where it is from outside
		s.tags[e.Tag]++
	}
	if e.Role != "" {
		s.tags["role="+e.Role]++
	}
	if e.Tag == "input" {
		s.tags["type="+e.Attrs["type"]]++
	}
	if scheme, _, ok := strings.Cut(e.Attrs["href"], ":"); ok && e.Tag == "a" {
		s.tags["href="+scheme]++
	}
}

func isDrawing(e *vitrine.Element) bool {
	return e.Painted || e.Tag == "svg" && e.Box.W >= drawingSize && e.Box.H >= drawingSize
}

// largestRepeat is the largest number of children of one element that have the same
// tag and nearly the same size, and are large enough to be cards, rows or tiles.
func (f *viewFacts) largestRepeat() int {
	type shape struct {
		parent, w, h int
		tag          string
	}
	alike := map[shape]int{}
	most := 0
	for _, i := range f.all {
		e := &f.Elements[i]
		if e.Box.W < 60 || e.Box.H < 40 {
			continue
		}
		k := shape{f.parent(i), int(e.Box.W / 8), int(e.Box.H / 24), e.Tag}
		alike[k]++
		most = max(most, alike[k])
	}
	return most
}

// lines joins texts, each once, so that no phrase runs from one into the next.
type lines struct {
	seen map[string]bool
	all  []string
}

func (l *lines) add(texts ...string) {
	for _, t := range texts {
		if t == "" || l.seen[t] {
			continue
		}
		if l.seen == nil {
			l.seen = map[string]bool{}
		}
		l.seen[t] = true
		l.all = append(l.all, t)
	}
}

func (l *lines) prose() prose { return toProse(strings.Join(l.all, "\n")) }

// splitIdentifier cuts "navBar-main_item" into words.
func splitIdentifier(s string) string {
	var b strings.Builder
	lower := false
	for _, r := range s {
		if unicode.IsUpper(r) && lower {
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
		if r == '_' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// has looks for tags, "role=…" and "type=…".
func (s *siteFacts) has(tags ...string) bool {
	return slices.ContainsFunc(tags, func(t string) bool { return s.tags[t] > 0 })
}
