package measured

import (
	"fmt"
	"path"
	"strings"

	"vitrine"
)

// unreachableRoutes asks whether something leads to every page of the site. A page whose
// scripts handle presses may lead to others in ways that no link shows: there a route counts
// half.
func unreachableRoutes(in *input) vitrine.Finding {
	routes, linked, scripted := map[string]bool{}, map[string]bool{}, false
	var order []string
	for _, v := range in.views {
		if !routes[v.Route] {
			routes[v.Route] = true
			order = append(order, v.Route)
		}
		scripted = scripted || v.Content != nil && v.Content.Listens
		for _, l := range v.Links {
			if to := routeOf(in.ev.Site.Base, l.Href); to != "" && to != v.Route {
				linked[to] = true
			}
		}
	}
	var lost []string
	for _, r := range order {
		if r != "/" && !linked[r] {
			lost = append(lost, r)
		}
	}
	if len(order) < 2 {
		return notApplicable("The site has one page.")
	}
	part := share(len(lost), len(order)-1)
	if scripted {
		part /= 2
	}
	why := "A link leads to every page of the site."
	if len(lost) > 0 {
		why = fmt.Sprintf("No link leads to %d of %s: %s.", len(lost), count(len(order), "page"), strings.Join(lost[:min(len(lost), 5)], ", "))
	}
	return scored(reading{score: 1 - part, why: why})
}

// routeOf is the route that a link leads to, empty for another host, a place on the page or
// none. Links of one page to another start with "#/" where a site routes by fragments.
func routeOf(base, href string) string {
	if strings.Contains(href, ":") || href == "" || strings.HasPrefix(href, "#") && !strings.HasPrefix(href, "#/") {
		return ""
	}
	href, _, _ = strings.Cut(strings.TrimPrefix(href, "#"), "?")
	href, _, _ = strings.Cut(href, "#")
	href = strings.TrimPrefix(path.Clean("/"+href), strings.TrimSuffix(base, "/"))
	return path.Clean("/" + href)
}
