package measured

import (
	"fmt"
	"strings"

	"vitrine"
)

// landmarks asks whether the parts of a page are named for what they are: main,
// navigation, header, footer. A page of one screen needs only the first.
var landmarks = eachView("There is nothing to mark.", (*viewFacts).landmarks)

func (f *viewFacts) landmarks() (reading, bool) {
	if len(f.all) == 0 {
		return reading{}, false
	}
	found := map[string]bool{}
	for _, i := range f.all {
		if l := landmark(&f.Elements[i]); l != "" {
			found[l] = true
		}
	}
	top, foot, has := found["navigation"] || found["header"], found["footer"], []string{}
	for _, l := range []string{"main", "navigation", "header", "footer"} {
		if found[l] {
			has = append(has, l)
		}
	}
	r := reading{score: 0.5 * float64(oneIf(found["main"]))}
	if f.page.H > 1.6*float64(f.Viewport.Height) {
		r.score += 0.3*float64(oneIf(top)) + 0.2*float64(oneIf(foot))
	} else {
		r.score += 0.4*float64(oneIf(found["main"])) + 0.4*float64(oneIf(top || foot))
	}
	r.why = "None of main, navigation, header and footer is marked."
	if len(has) > 0 {
		r.why = fmt.Sprintf("Marked parts of the page: %s.", strings.Join(has, ", "))
	}
	return r, true
}

func landmark(e *vitrine.Element) string {
	switch e.Role {
	case "main", "navigation":
		return e.Role
	case "banner":
		return "header"
	case "contentinfo":
		return "footer"
	}
	switch e.Tag {
	case "main", "header", "footer":
		return e.Tag
	case "nav":
		return "navigation"
	}
	return ""
}
