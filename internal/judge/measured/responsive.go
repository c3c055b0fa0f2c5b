package measured

import (
	"fmt"

	"vitrine"
)

// responsive asks whether the page is made for every width: it says so in its
// viewport meta tag, and where it was seen on a narrow screen it fits there.
func responsive(in *input) vitrine.Finding {
	if len(in.views) == 0 {
		return notApplicable("No view of the site could be looked at.")
	}
	tagged, narrowViews, fitting := true, 0, 0
	var r reading
	for _, v := range in.views {
		tagged = tagged && v.HasViewport
		if v.Viewport.Width >= narrow {
			continue
		}
		narrowViews++
		if v.PageWidth <= v.Viewport.Width+1 {
			fitting++
		} else {
			r.where = append(r.where, v.place(v.page, "wider than the screen"))
		}
	}
	r.score = 0.2 + 0.8*float64(oneIf(tagged))
	r.why = "The page has a viewport meta tag; no narrow screen was tried."
	if !tagged {
		r.why = "The page has no viewport meta tag: phones will show it tiny."
	}
	if narrowViews > 0 {
		r.score *= 0.3 + 0.7*float64(fitting)/float64(narrowViews)
		r.why = fmt.Sprintf("Viewport meta tag: %s; the page fits on %d of %s.", yesNo(tagged), fitting, count(narrowViews, "narrow screen"))
	}
	return scored(r)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
