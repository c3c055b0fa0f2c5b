package measured

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"vitrine"
)

// A color below greyChroma is read as a grey: it goes with every hue.
const greyChroma = 14.0

// hueFamily is the angle within which hues are read as one color.
const hueFamily = 40.0

// palette asks whether the colors of a page are few enough, or near enough to
// each other, to look chosen. Photographs are left out: it looks at the colors
// that styles name and at the frame only where there are no pictures.
var palette = eachView("The page has no colours besides grey.", (*viewFacts).palette)

func (f *viewFacts) palette() (reading, bool) {
	families := hueFamilies(f.hues())
	if len(families) == 0 {
		return reading{}, false
	}
	said := ""
	for i, h := range families {
		if i == 6 {
			said += ", …"
			break
		}
		if i > 0 {
			said += ", "
		}
		said += h.color.String()
	}
	r := reading{score: ramp(float64(len(families)), 9, 4)}
	r.why = fmt.Sprintf("The page uses %s besides grey: %s.", count(len(families), "hue"), said)
	return r, true
}

// A hueUse is a colored area of the page.
type hueUse struct {
	color  vitrine.Color
	hue    float64 // degrees
	weight float64 // share of the page
}

// hues gathers the colored areas that styles name, and those of the frame where
// no picture could have brought them.
func (f *viewFacts) hues() []hueUse {
	var out []hueUse
	add := func(c vitrine.Color, share float64) {
		if p := toLab(c); c.A > 100 && p.chroma() >= greyChroma && share > 0 {
			out = append(out, hueUse{c, p.hue(), min(1, share)})
		}
	}
	area := f.page.Area()
	for _, i := range f.all {
		e := &f.Elements[i]
		add(e.Style.Background, e.Box.Intersect(f.page).Area()/area)
		if hasLetters(e.Text) {
			add(e.Style.Color, 0.2*e.TextBox.Intersect(f.page).Area()/area)
		}
	}
	if f.pictureShare() < 0.02 {
		for _, s := range f.Palette {
			if s.Share >= 0.002 {
				add(s.Color, s.Share)
			}
		}
	}
	return out
}

// pictureShare is the share of the page that pictures, drawings and gradients may
// cover: they have dozens of colors that were not chosen one by one.
func (f *viewFacts) pictureShare() float64 {
	c := newCoverage(f.page)
	for _, i := range f.media {
		if e := &f.Elements[i]; e.Tag != "svg" || isDrawing(e) {
			c.paint(e.Box)
		}
	}
	for _, i := range f.all {
		if e := &f.Elements[i]; e.Style.Gradient {
			c.paint(e.Box)
		}
	}
	return c.share()
}

// hueFamilies joins hues that lie close together, the largest areas first, and
// leaves out what is too small to be noticed.
func hueFamilies(uses []hueUse) []hueUse {
	slices.SortStableFunc(uses, func(a, b hueUse) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.hue, b.hue))
	})
	var families []hueUse
	for _, u := range uses {
		i := slices.IndexFunc(families, func(o hueUse) bool { return hueGap(o.hue, u.hue) <= hueFamily/2 })
		if i < 0 {
			families = append(families, u)
			continue
		}
		families[i].weight += u.weight
	}
	const noticed = 0.004
	return slices.DeleteFunc(families, func(u hueUse) bool { return math.IsNaN(u.weight) || u.weight < noticed })
}
