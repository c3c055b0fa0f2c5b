package live

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/network"

	"vitrine/internal/browser"
)

// The modules of a site that its documents name are the same for every route, and a
// page must have all of them before it has loaded: the browser may keep them from one
// route to the next. A bundle of megabytes is then handed over once for a project.
// Anything else is asked for anew, since how soon it comes is a matter of page time.

var (
	moduleScript  = regexp.MustCompile(`(?is)^<script\s(?:.*\s)?type\s*=\s*["']?module["'\s>]`)
	modulePreload = regexp.MustCompile(`(?is)^<link\s(?:.*\s)?rel\s*=\s*["']?modulepreload["'\s>]`)
)

// findModules notes which files of the site a document names as modules.
func (n *Network) findModules(document string, page []byte) {
	at, err := url.Parse(document)
	if err != nil {
		return
	}
	for _, tag := range loadingTag.FindAll(page, -1) {
		source := sourceValue.FindSubmatch(tag)
		if source == nil || !moduleScript.Match(tag) && !modulePreload.Match(tag) {
			continue
		}
		to, err := at.Parse(html.UnescapeString(string(slices.Concat(source[1:]...))))
		if err != nil || to.Scheme+"://"+to.Host != Origin {
			continue
		}
		if _, size, ok := Lookup(n.page.Site, to.Path); ok {
			n.mu.Lock()
			if n.modules == nil {
				n.modules = map[string]int{}
			}
			n.modules[to.String()] = size
			n.mu.Unlock()
		}
	}
}

// module tells whether a request is for a module that a document names, and its size.
func (n *Network) module(r browser.Request) (size int, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	size, ok = n.modules[r.URL]
	return size, ok && r.Type == string(network.ResourceTypeScript)
}

// recordModule records a request for a module, whether we answer it or the browser has it.
func (n *Network) recordModule(raw jsonv2.Value) {
	n.mu.Lock()
	none := len(n.modules) == 0
	n.mu.Unlock()
	if none {
		return // addresses of data are long
	}
	var e network.EventRequestWillBeSent
	if jsonv2.Unmarshal(raw, &e) != nil || e.Request == nil {
		return
	}
	r := browser.Request{URL: e.Request.URL + e.Request.URLFragment, Method: e.Request.Method, Type: string(e.Type)}
	if size, ok := n.module(r); ok {
		n.record(r, http.StatusOK, size, "site", nil)
	}
}
