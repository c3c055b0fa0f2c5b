package measured

import "fmt"

// headings asks for one first-level heading and no skipped level below it.
var headings = eachView("The page has too little text to need headings.", (*viewFacts).headings)

func (f *viewFacts) headings() (reading, bool) {
	var first, skipped, n, before int
	var r reading
	for _, i := range f.all {
		e := &f.Elements[i]
		level := heading(e)
		if level == 0 {
			continue
		}
		n++
		first += oneIf(level == 1)
		if before > 0 && level > before+1 {
			skipped++
			r.where = append(r.where, f.place(e.Box, fmt.Sprintf("h%d after h%d", level, before)))
		}
		before = level
	}
	if n == 0 && len(f.texts) < 12 {
		return r, false
	}
	r.why = fmt.Sprintf("%s, %d of the first level, %s skipped.", count(n, "heading"), first, count(skipped, "level"))
	switch {
	case n == 0:
		r.score, r.why = 0, "The page has no headings."
		return r, true
	case first == 0:
		r.score = 0.5
	case first > 1:
		r.score = 0.75
	default:
		r.score = 1
	}
	r.score *= decay(float64(skipped)/float64(n), 2)
	return r, true
}
