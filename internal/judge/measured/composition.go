package measured

import "fmt"

// wide is the width in CSS pixels from which a screen has room for columns.
const wide = 900

// composition asks whether a wide screen is used for more than one column: blocks
// that stand side by side.
var composition = eachView("The site was not looked at on a wide screen.", (*viewFacts).composition)

func (f *viewFacts) composition() (reading, bool) {
	if f.Viewport.Width < wide || len(f.all) == 0 {
		return reading{}, false
	}
	n := f.sideBySide()
	beside := fmt.Sprintf("%s to the right of another one", count(n, "block"))
	if n == 0 {
		beside = "No blocks side by side"
	}
	return reading{
		score: 0.25 + 0.75*ramp(float64(n), 0, 5),
		why:   fmt.Sprintf("%s on a screen of %d px.", beside, f.Viewport.Width),
	}, true
}

// sideBySide counts blocks that have a sibling to their left at the same height.
func (f *viewFacts) sideBySide() int {
	n := 0
	last := make([]int, len(f.Elements)+1) // by parent+1: the block before, plus 1
	for _, i := range f.all {
		e := &f.Elements[i]
		if e.Box.W < 100 || e.Box.H < 50 || inline(e) || e.Style.Position == "absolute" || e.Fixed {
			continue
		}
		p := f.parent(i) + 1
		if before := last[p] - 1; before >= 0 {
			a, b := f.Elements[before].Box, e.Box
			n += oneIf(b.X >= a.X+a.W-1 && b.Y < a.Y+a.H && a.Y < b.Y+b.H)
		}
		last[p] = i + 1
	}
	return n
}
