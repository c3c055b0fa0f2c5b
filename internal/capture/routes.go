package capture

import (
	"path"
	"strings"

	"vitrine"
	"vitrine/internal/page"
)

// routeList is the bounded worklist of routes: first those that the source
// declares, then those that the pages link to.
type routeList struct {
	limit int
	seen  map[string]bool
	queue []string
}

func newRouteList(declared []string, limit int) *routeList {
	l := &routeList{limit: limit, seen: map[string]bool{}}
	l.found(append([]string{"/"}, declared...))
	return l
}

// found adds routes that are new and have no parameter in them.
func (l *routeList) found(routes []string) {
	for _, r := range routes {
		r = path.Clean("/" + r)
		if strings.ContainsAny(r, ":*") || l.seen[r] || len(l.seen) >= l.limit {
			continue
		}
		l.seen[r] = true
		l.queue = append(l.queue, r)
	}
}

// markDeadLinks decides which links lead nowhere, now that every route is known.
func markDeadLinks(site *vitrine.Site, ev *vitrine.Evidence) {
	for i := range ev.Views {
		for j := range ev.Views[i].Links {
			l := &ev.Views[i].Links[j]
			switch {
			case l.Kind == vitrine.LinkEmpty:
				l.Dead, l.Why = true, "it has no target and no script handles it"
			case l.Kind == vitrine.LinkInternal && !reaches(site, l.Href):
				l.Dead, l.Why = true, "neither a file nor a declared route answers it"
			}
		}
	}
}

// reaches reports whether the site has something at a path: a file, or a route
// that its router declares.
func reaches(site *vitrine.Site, href string) bool {
	target, _, _ := strings.Cut(href, "#")
	target, _, _ = strings.Cut(target, "?")
	target = strings.TrimPrefix(target, page.Origin)
	if _, _, ok := page.Lookup(site, target); ok || target == "" {
		return true
	}
	target = path.Clean("/" + target)
	for _, r := range site.Routes {
		if matches(r, strings.TrimPrefix(target, strings.TrimSuffix(site.Base, "/"))) {
			return true
		}
	}
	return false
}

// matches compares a declared route such as /item/:id with a path. The catch-all
// "*" is a router's page for what it does not know and matches nothing.
func matches(route, target string) bool {
	want := strings.Split(strings.Trim(route, "/"), "/")
	got := strings.Split(strings.Trim(target, "/"), "/")
	for i, w := range want {
		if w == "*" && i > 0 {
			return true
		}
		if i >= len(got) {
			return strings.HasSuffix(w, "?")
		}
		if w != got[i] && !strings.HasPrefix(w, ":") {
			return false
		}
	}
	return len(want) == len(got)
}
