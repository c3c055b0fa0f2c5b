package measured

import (
	"cmp"
	"fmt"
)

// formLabels asks whether each field says what it is for. A placeholder is gone
// once something is typed, so it is no label; nor is a text beside the field that
// nothing ties to it.
var formLabels = eachView("The page has no fields to fill in.", (*viewFacts).formLabels)

func (f *viewFacts) formLabels() (reading, bool) {
	var r reading
	n := 0
	for _, i := range f.all {
		e := &f.Elements[i]
		if !field(e) {
			continue
		}
		n++
		if !e.Labelled {
			r.where = append(r.where, f.place(e.Box, cmp.Or(e.Attrs["placeholder"], e.Attrs["name"], e.Tag)+": not tied to a label"))
		}
	}
	if n == 0 {
		return r, false
	}
	r.score = 1 - float64(len(r.where))/float64(n)
	r.why = fmt.Sprintf("%s tied to a label.", outOf(n-len(r.where), n, "field", "is", "are"))
	return r, true
}
