package measured

import (
	"cmp"
	"fmt"
)

// clipping finds texts that are cut off by the edge of a box.
var clipping = eachView("There is no text that could be cut off.", (*viewFacts).clipping)

func (f *viewFacts) clipping() (reading, bool) {
	var r reading
	first := ""
	for _, i := range f.texts {
		if e := &f.Elements[i]; e.Clipped {
			first = cmp.Or(first, quote(e.Text))
			r.where = append(r.where, f.place(e.TextBox, "cut off"))
		}
	}
	n, bad := len(f.texts), len(r.where)
	if n == 0 {
		return r, false
	}
	r.score = decay(float64(bad)/float64(max(n, 12)), 5)
	r.why = fmt.Sprintf("None of %s is cut off.", count(n, "text"))
	if bad > 0 {
		r.why = fmt.Sprintf("%s cut off, such as %s.", outOf(bad, n, "text", "is", "are"), first)
	}
	return r, true
}
