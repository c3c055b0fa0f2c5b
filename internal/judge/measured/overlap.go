package measured

import (
	"fmt"
	"strings"

	"vitrine"
)

// overlap finds texts that lie on each other and texts or controls that are
// partly hidden by something that does not belong to them. Bars that stay in
// place while the page scrolls are left out.
var overlap = eachView("There is no text that could overlap.", (*viewFacts).overlap)

func (f *viewFacts) overlap() (reading, bool) {
	if len(f.texts) == 0 {
		return reading{}, false
	}
	hit := f.textsOnTexts()
	for _, i := range f.texts {
		if hit[i] < 0 && f.halfCovered(&f.Elements[i]) {
			hit[i] = i
		}
	}
	r := reading{score: 1, why: fmt.Sprintf("None of %s overlaps another one or is half hidden.", count(len(f.texts), "text"))}
	bad := 0
	for _, i := range f.texts {
		if hit[i] < 0 {
			continue
		}
		e, by := &f.Elements[i], "is partly covered"
		if j := hit[i]; j != i {
			by = "lies on " + quote(f.Elements[j].Text)
		}
		if bad == 0 {
			r.why = fmt.Sprintf("%s %s", quote(e.Text), by)
		}
		bad++
		r.where = append(r.where, f.place(e.TextBox, by))
	}
	if bad > 0 {
		r.score = decay(float64(bad)/float64(max(len(f.texts), 12)), 5)
		r.why = fmt.Sprintf("%s or half hidden: %s.", outOf(bad, len(f.texts), "text", "is overlapped", "are overlapped"), r.why)
	}
	return r, true
}

// halfCovered: something lies on a part of a text. A link that is broken over two
// lines has a box that its neighbours share.
func (f *viewFacts) halfCovered(e *vitrine.Element) bool {
	return e.Covered > 0.15 && e.Covered < 0.9 && !e.Fixed && !(inline(e) && severalLines(e)) && !f.underFixed(e.TextBox)
}

// textsOnTexts gives for each element the text that it collides with, -1 if none.
func (f *viewFacts) textsOnTexts() []int {
	hit := make([]int, len(f.Elements))
	for i := range hit {
		hit[i] = -1
	}
	g := grid{}
	for _, i := range f.texts {
		e := &f.Elements[i]
		if e.Fixed || e.Style.Opacity < 0.1 {
			continue
		}
		g.near(f.shown(i), func(j int) {
			if (hit[i] < 0 || hit[j] < 0) && f.collide(i, j) {
				hit[i], hit[j] = j, i
			}
		})
		g.add(i, f.shown(i))
	}
	return hit
}

// collide says whether two texts are drawn on each other. Texts that flow in one
// paragraph share a box without touching; a box around several lines may have
// room for another text, so there something must also be seen to be covered.
func (f *viewFacts) collide(i, j int) bool {
	a, b := &f.Elements[i], &f.Elements[j]
	if f.related(i, j) || f.flow(i) == f.flow(j) || f.related(f.flow(i), f.flow(j)) && (inline(a) || inline(b)) {
		return false
	}
	if a.Covered >= 0.9 && f.hides(j, i) || b.Covered >= 0.9 && f.hides(i, j) {
		return false // the slide below the one that shows
	}
	in := f.shown(i).Intersect(f.shown(j))
	small := min(a.Style.FontSize, b.Style.FontSize)
	if in.W < 0.5*small || in.H < 0.5*small {
		return false
	}
	if severalLines(a) || severalLines(b) {
		return a.Covered > 0.05 || b.Covered > 0.05
	}
	return true
}

// hides says whether something opaque that belongs to a, and not also to b, lies
// under a.
func (f *viewFacts) hides(a, b int) bool {
	for ; a >= 0 && !f.related(a, b); a = f.parent(a) {
		if s := &f.Elements[a].Style; s.Background.A > 200 || s.Gradient || s.Image {
			return true
		}
	}
	return false
}

func inline(e *vitrine.Element) bool { return e.Style.Display == "inline" }

func severalLines(e *vitrine.Element) bool { return textLines(e) > 1 }

// flow is the nearest element that is not laid out inside a line of text.
func (f *viewFacts) flow(i int) int {
	for {
		p := f.parent(i)
		if p < 0 || !strings.HasPrefix(f.Elements[i].Style.Display, "inline") {
			return i
		}
		i = p
	}
}

func (f *viewFacts) underFixed(b vitrine.Box) bool {
	for _, i := range f.all {
		if e := &f.Elements[i]; e.Fixed && e.Box.Intersect(b).Area() > 0 {
			return true
		}
	}
	return false
}
