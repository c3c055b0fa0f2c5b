package measured

import (
	"fmt"

	"vitrine"
)

// narrow is the width in CSS pixels below which people use their fingers.
const narrow = 600

// tapSize is the least width and height of a target that a finger hits. A smaller
// one passes if no other lies within that size around its centre (WCAG 2.2,
// success criterion 2.5.8).
const tapSize = 24.0

// tapTargets asks on phone-sized views whether controls are large enough to hit,
// or stand apart.
var tapTargets = eachView("The site was not looked at on a narrow screen, or has no controls there.", (*viewFacts).tapTargets)

func (f *viewFacts) tapTargets() (reading, bool) {
	targets := f.targets()
	if f.Viewport.Width >= narrow || len(targets) == 0 {
		return reading{}, false
	}
	g := grid{}
	for _, i := range targets {
		g.add(i, f.Elements[i].Box)
	}
	var r reading
	for _, i := range targets {
		if b := f.Elements[i].Box; (b.W < tapSize-0.5 || b.H < tapSize-0.5) && f.crowded(i, g) {
			r.where = append(r.where, f.place(b, fmt.Sprintf("%.0f×%.0f px", b.W, b.H)))
		}
	}
	n, bad := len(targets), len(r.where)
	r.score = decay(float64(bad)/float64(n), 2.5)
	r.why = fmt.Sprintf("All of %s are at least %.0f px wide and high or stand apart.", count(n, "control"), tapSize)
	if bad > 0 {
		r.why = fmt.Sprintf("%s smaller than %.0f px and close to others, such as one of %s.", outOf(bad, n, "control", "is", "are"), tapSize, r.where[0].Label)
	}
	return r, true
}

// targets are the controls that a finger may want to hit.
func (f *viewFacts) targets() []int {
	var out []int
	for _, i := range f.all {
		e := &f.Elements[i]
		hidden := e.Box.W <= 2 || e.Box.H <= 2
		if e.Interactive && !e.Disabled && !hidden && f.onPage(e.Box) && !f.inText(i) && !f.insideControl(i) {
			out = append(out, i)
		}
	}
	return out
}

// crowded: another target reaches into the square around this one's centre.
func (f *viewFacts) crowded(i int, g grid) bool {
	b := f.Elements[i].Box
	around := vitrine.Box{X: b.X + b.W/2 - tapSize/2, Y: b.Y + b.H/2 - tapSize/2, W: tapSize, H: tapSize}
	hit := false
	g.near(around, func(j int) {
		hit = hit || j != i && !f.related(i, j) && f.Elements[j].Box.Intersect(around).Area() > 0
	})
	return hit
}

// inText: a link inside a sentence is as high as its line, which WCAG allows.
func (f *viewFacts) inText(i int) bool {
	p := f.parent(i)
	return p >= 0 && inline(&f.Elements[i]) && f.Elements[p].Text != ""
}

// insideControl: the label around a small checkbox, or the link around an icon,
// is what a finger hits.
func (f *viewFacts) insideControl(i int) bool {
	for p := f.parent(i); p >= 0; p = f.parent(p) {
		if e := &f.Elements[p]; (e.Interactive || e.Tag == "label") && e.Box.W >= tapSize && e.Box.H >= tapSize {
			return true
		}
	}
	return false
}
