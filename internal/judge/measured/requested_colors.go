package measured

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"vitrine"
)

// requestedColors holds the colors of the first view against those that the
// instruction names, as background, on components, or anywhere.
func requestedColors(in *input) vitrine.Finding { return heldColors(in, colorAsk.holdAgainst) }

// heldColors is the mean of what hold gives each color that the instruction names.
func heldColors(in *input, hold func(colorAsk, []colorArea) (score float64, why string)) vitrine.Finding {
	if in.asked.text == "" {
		return notApplicable("There is no instruction to hold the site against.")
	}
	asks := askedColors(in.asked.text)
	if len(asks) == 0 {
		return notApplicable("The instruction names no colour.")
	}
	if len(in.views) == 0 {
		return notApplicable("No view of the site could be looked at.")
	}
	areas := colorAreas(in.views[0])
	var sum float64
	var said []string
	for _, ask := range asks {
		s, why := hold(ask, areas)
		sum += s
		said = append(said, why)
	}
	return scored(reading{score: sum / float64(len(asks)), why: "Asked for " + strings.Join(said, "; ") + "."})
}

// A colorArea is a color that a page shows and the share of the page it has.
type colorArea struct {
	color vitrine.Color
	lab   lab
	share float64
	// background: it lies behind the page or a large part of it; else it is the
	// color of a part: a button, a bar, a card, a link, a heading.
	background bool
}

// backgroundShare is the share of the page from which a surface is background.
const backgroundShare = 0.2

// colorAreas gathers the colors of the frame and those that the styles name: a
// thin button is too small for the palette, and still has the asked color.
func colorAreas(v *viewFacts) []colorArea {
	var out []colorArea
	add := func(c vitrine.Color, share float64, background bool) {
		if c.A > 127 && share > 0 {
			c.A = 255
			out = append(out, colorArea{c, toLab(c), min(share, 1), background})
		}
	}
	for _, s := range v.Palette {
		add(s.Color, s.Share, s.Share >= backgroundShare)
	}
	for _, i := range v.all {
		e := &v.Elements[i]
		share := e.Box.Intersect(v.page).Area() / v.page.Area()
		wide := e.Tag == "body" || e.Tag == "html" || share >= backgroundShare
		add(e.Style.Background, share, wide)
		if e.Interactive || heading(e) > 0 {
			add(e.Style.Color, e.TextBox.Area()/v.page.Area(), false)
		}
	}
	return out
}

// holdAgainst finds the nearest color in the asked role. A surface that has it
// on less than a tenth of the page is no background.
func (a colorAsk) holdAgainst(areas []colorArea) (score float64, why string) {
	best := -1.0
	var near colorArea
	for _, c := range areas {
		if a.role == roleBackground && !c.background && c.share < 0.1 || a.role == roleComponent && c.background && c.share > 0.5 {
			continue
		}
		s := a.likeness(c.lab)
		if s > best || s == best && cmp.Compare(c.share, near.share) > 0 {
			best, near = s, c
		}
	}
	if best < 0 {
		return 0, fmt.Sprintf("%s %s: no colour is used there", a.name, a.role)
	}
	verdict := "nearest is"
	if best >= 0.6 {
		verdict = "found as"
	}
	return best, fmt.Sprintf("%s %s: %s %v (%s of the page, ΔE %.0f)", a.name, a.role, verdict, near.color, percent(shareOf(areas, near)), deltaE(a.lab, near.lab))
}

// likeness is 1 for the asked color and 0 for another one. Light colors lie
// close together, so they are held to a narrower bound; an everyday word covers
// every shade of its hue.
func (a colorAsk) likeness(c lab) float64 {
	d := deltaE(a.lab, c)
	if a.broad && a.lab.chroma() > 20 && c.chroma() > 20 {
		d = min(d, hueGap(a.lab.hue(), c.hue())/2)
	}
	if a.lab.l > 90 {
		return ramp(d, 18, 2.5)
	}
	if a.broad && a.lab.chroma() <= 20 && c.chroma() < 8 {
		d = min(d, max(0, abs(a.lab.l-c.l)-12)) // any dark grey will do for black
	}
	return ramp(d, 30, 5)
}

// shareOf is the largest share that any area of this color has.
func shareOf(areas []colorArea, c colorArea) float64 {
	same := slices.DeleteFunc(slices.Clone(areas), func(o colorArea) bool { return o.color != c.color })
	return slices.MaxFunc(same, func(p, q colorArea) int { return cmp.Compare(p.share, q.share) }).share
}

func percent(share float64) string {
	switch p := share * 100; {
	case p > 0 && p < 1:
		return "under 1%"
	default:
		return fmt.Sprintf("%.0f%%", p)
	}
}

func abs(x float64) float64 { return max(x, -x) }
