package measured

import (
	"cmp"
	"fmt"

	"vitrine"
)

// deadLinks counts links that lead nowhere. Links to other sites are not
// followed, so they are not counted.
var deadLinks = eachView("The page has no links that could be followed.", (*viewFacts).deadLinks)

func (f *viewFacts) deadLinks() (reading, bool) {
	var r reading
	n, first := 0, ""
	for _, l := range f.Links {
		if l.Kind == vitrine.LinkExternal {
			continue
		}
		n++
		if !l.Dead && l.Kind != vitrine.LinkEmpty {
			continue
		}
		why := cmp.Or(l.Why, "leads nowhere")
		first = cmp.Or(first, fmt.Sprintf("%s (%s)", quote(cmp.Or(l.Text, l.Href)), sentence(why)))
		r.where = append(r.where, f.place(l.Box, why))
	}
	if n == 0 {
		return r, false
	}
	dead := len(r.where)
	r.score = 1 - float64(dead)/float64(n)
	r.why = fmt.Sprintf("All of %s to the site itself lead somewhere.", count(n, "link"))
	if dead > 0 {
		r.why = fmt.Sprintf("%s nowhere, links to other sites aside, such as %s.", outOf(dead, n, "link", "leads", "lead"), first)
	}
	return r, true
}
