package interact

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/page"
)

// storedChanges are the keys whose value is another. A value that holds nothing, as an
// empty list, is as good as none.
func storedChanges(a, b map[string]string) (keys []string) {
	value := func(m map[string]string, k string) string {
		v := m[k]
		if v == "[]" || v == "{}" || v == "null" || v == `""` {
			return ""
		}
		return v
	}
	for _, m := range []map[string]string{a, b} {
		for k := range m {
			if value(a, k) != value(b, k) {
				keys = append(keys, k)
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Empty reports whether an effect shows nothing at all that a person or the page's
// memory could tell: a moved focus, what is printed or thrown does not count.
func Empty(e vitrine.Effect) bool {
	return len(e.Changed) == 0 && e.Added == 0 && e.Removed == 0 && e.Attrs == 0 && len(e.Appeared) == 0 && len(e.Gone) == 0 && len(e.Values) == 0 &&
		e.URL == "" && !e.Loaded && len(e.Storage) == 0 && e.Scrolled == 0 && len(e.Dialogs) == 0 && len(e.Popups) == 0 && e.Pixels == 0 && len(e.Asked) == 0
}

// addRecords adds to an effect what was recorded meanwhile.
func addRecords(e *vitrine.Effect, all []record) {
	for _, t := range all {
		switch {
		case t.Load != "":
			e.Loaded = true
		case t.Dialog != nil && len(e.Dialogs) < maxWords:
			e.Dialogs = append(e.Dialogs, *t.Dialog)
		case t.Asked != "":
			e.Asked = bounded(e.Asked, t.Asked)
		case t.Popup != "":
			e.Popups = bounded(e.Popups, strings.TrimPrefix(t.Popup, page.Origin))
		case t.Threw != "":
			e.Threw = bounded(e.Threw, t.Threw)
		case t.Console != "":
			e.Console = bounded(e.Console, t.Console)
		case t.Goes != nil && !t.Goes.Same && !strings.HasPrefix(t.Goes.URL, page.Origin+"/"):
			e.Asked = bounded(e.Asked, "go to "+t.Goes.URL)
		}
	}
}

// Route is the path of an address below the base of a site, with its query and
// fragment. An address of another host stays whole.
func Route(site *vitrine.Site, address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme+"://"+u.Host != page.Origin {
		return address
	}
	route := page.TrimBase(site.Base, u.Path)
	if u.RawQuery != "" {
		route += "?" + u.RawQuery
	}
	if u.Fragment != "" {
		route += "#" + u.Fragment
	}
	return route
}

// requested adds what the page tried on the network, and whether it went to an
// address that the site does not have.
func requested(e *vitrine.Effect, all []vitrine.Request) {
	for _, r := range all {
		if r.Type == "Document" && r.Result == "missing" {
			e.Missing = true
		}
		e.Requests = bounded(e.Requests, r.Method+" "+r.URL+" "+r.Result)
	}
	slices.Sort(e.Requests)
}

// join adds what passed by and is not in e any more: a message that was shown for a
// moment.
func join(e *vitrine.Effect, passed vitrine.Effect) {
	for _, c := range passed.Changed {
		if !slices.Contains(e.Changed, c) && len(e.Changed) < maxChanged {
			e.Changed = append(e.Changed, c)
		}
	}
	for _, t := range passed.Appeared {
		if !slices.Contains(e.Appeared, t) {
			e.Appeared = bounded(e.Appeared, t)
		}
	}
	for _, v := range passed.Values {
		if !slices.Contains(e.Values, v) {
			e.Values = bounded(e.Values, v)
		}
	}
	e.Added, e.Removed, e.Attrs = max(e.Added, passed.Added), max(e.Removed, passed.Removed), max(e.Attrs, passed.Attrs)
	keys := map[string]bool{}
	for _, k := range slices.Concat(e.Storage, passed.Storage) {
		keys[k] = true
	}
	if len(keys) > 0 {
		e.Storage = slices.Sorted(maps.Keys(keys))
	}
	if e.Scrolled == 0 {
		e.Scrolled = passed.Scrolled
	}
}
