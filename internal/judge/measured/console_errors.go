package measured

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// undefinedName is what a page throws when a library is not there.
var undefinedName = regexp.MustCompile(`ReferenceError|is not defined|Cannot read properties of undefined|is not a (function|constructor)`)

// unreachable is how browsers say that something could not be fetched.
var unreachable = regexp.MustCompile(`Failed to load resource|net::ERR_|Failed to fetch|NetworkError|Load failed|(?i:\boffline\b)`)

// consoleErrors counts what went wrong in the page's own scripts and files. What
// fails because something outside was not fetched is not the page's doing.
func consoleErrors(in *input) vitrine.Finding {
	if len(in.views) == 0 {
		return notApplicable("No view of the site could be looked at.")
	}
	blocked, outside := in.blockedScript(), in.outsideHosts()
	seen := map[string]bool{}
	var thrown, logged, missing int
	first := ""
	note := func(n *int, key, text string) {
		if seen[key] {
			return
		}
		seen[key] = true
		*n++
		if first == "" {
			first = text
		}
	}
	for _, m := range in.ev.Console {
		switch {
		case unreachable.MatchString(m.Text) || mentions(m.Text, outside):
		case blocked != "" && undefinedName.MatchString(m.Text):
		case m.Level == "exception":
			note(&thrown, m.Text, m.Text)
		case m.Level == "error":
			note(&logged, m.Text, m.Text)
		}
	}
	for _, q := range in.ev.Requests {
		if q.Result == "missing" && !strings.Contains(q.URL, "favicon") {
			note(&missing, q.URL, "missing file "+q.URL)
		}
	}
	if thrown+logged+missing == 0 {
		return scored(reading{score: 1, why: "The scripts of the site report no error and no file of it is missing."})
	}
	return scored(reading{
		score: 1 / (1 + float64(thrown) + 0.4*float64(logged+missing)),
		why: fmt.Sprintf("%s thrown, %s logged, %s missing; the first: %s.",
			count(thrown, "exception"), count(logged, "error"), count(missing, "file"), quote(first)),
	})
}

// outsideHosts lists the hosts that something was wanted from and not fetched.
func (in *input) outsideHosts() []string {
	var hosts []string
	for _, q := range in.ev.Requests {
		if u, err := url.Parse(q.URL); err == nil && u.Host != "" && q.Result != "site" && !slices.Contains(hosts, u.Host) {
			hosts = append(hosts, u.Host)
		}
	}
	return hosts
}

func mentions(text string, hosts []string) bool {
	return slices.ContainsFunc(hosts, func(h string) bool { return strings.Contains(text, h) })
}

// blockedScript is the first script from outside that was not fetched, if any.
func (in *input) blockedScript() string {
	for _, q := range in.ev.Requests {
		if q.Type == "Script" && (q.Result == "blocked" || q.Result == "failed") {
			return q.URL
		}
	}
	return ""
}
