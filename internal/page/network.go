package page

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/network"

	"vitrine"
	"vitrine/internal/browser"
)

// Origin is where every site lives. It is a secure context, as a development
// server is, and no request to it ever leaves the process.
const Origin = "http://localhost"

const (
	maxRequests     = 2000 // answered per visit; a page that asks more is spinning
	maxRecorded     = 300
	maxResponseSize = 64 << 20
)

// A Network answers a page's requests from the site and records them.
type Network struct {
	settings Settings // of the page
	traffic  *browser.Traffic

	mu       sync.Mutex // guards what follows
	route    string
	since    time.Time
	count    int
	requests []vitrine.Request
	unsigned map[string]bool // URLs whose integrity attribute was dropped
}

func (n *Network) start(ctx context.Context, p *browser.Page) (err error) {
	if len(n.settings.Site.Libraries) > 0 {
		p.On(network.ResponseReceived.Method, n.recordLibrary)
	}
	n.traffic, err = p.Serve(ctx, n.handle)
	return err
}

func (n *Network) handle(r browser.Request) browser.Response {
	n.mu.Lock()
	n.count++
	over := n.count > maxRequests
	n.mu.Unlock()
	if over {
		return browser.Response{}
	}
	response, result := answer(n.settings.Site, r)
	if _, response.Keep = n.library(r); response.Keep {
		return response // recordLibrary records it
	}
	var fixture *vitrine.Fixture
	if mirror := n.settings.Mirror; mirror != nil {
		switch {
		case result == "blocked" && r.Method == http.MethodGet:
			if given, ok := mirror.Answer(r.URL, r.Type); ok {
				response = browser.Response{Status: http.StatusOK, ContentType: contentType(given.Name, given.Body), Body: given.Body}
				result, fixture = "fixture", &given.Fixture
			}
		case result == "site" && r.Type == "Document":
			response.Body = n.dropIntegrity(response.Body)
		}
	}
	n.record(r, response.Status, len(response.Body), result, fixture)
	if n.settings.StaysOnSite && result == "blocked" && r.Type == "Document" {
		return browser.Response{Status: http.StatusNoContent, ContentType: "text/html"} // which goes nowhere
	}
	return response
}

// library tells whether a request is for a library of the site, and its size. The browser
// may keep those from one route to the next, so that megabytes are handed over once for a
// project: a document must have them before it has loaded, which no page time depends on.
// Anything else is asked for again.
func (n *Network) library(r browser.Request) (size int, ok bool) {
	if len(n.settings.Site.Libraries) == 0 || r.Type != string(network.ResourceTypeScript) {
		return 0, false
	}
	u, err := url.Parse(r.URL)
	if err != nil || u.Scheme+"://"+u.Host != Origin || u.RawQuery != "" {
		return 0, false
	}
	name, size, ok := Lookup(n.settings.Site, u.Path)
	return size, ok && slices.Contains(n.settings.Site.Libraries, name)
}

// maxLibraryEvent is more than the browser says of a library's answer, in bytes. A page
// makes it say more of others: addresses of data are sent whole.
const maxLibraryEvent = 16 << 10

// recordLibrary records that the page got a library, from us or from what the browser
// kept: the record does not tell which.
func (n *Network) recordLibrary(raw jsonv2.Value) {
	var e network.EventResponseReceived
	if len(raw) > maxLibraryEvent || jsonv2.Unmarshal(raw, &e) != nil || e.Response == nil {
		return
	}
	r := browser.Request{URL: e.Response.URL, Method: http.MethodGet, Type: string(e.Type)}
	if size, ok := n.library(r); ok {
		n.record(r, http.StatusOK, size, "site", nil)
	}
}

// renew forgets what was asked for.
func (n *Network) renew(route string, start time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.requests, n.count, n.route, n.since = nil, 0, route, start
}

func (n *Network) record(r browser.Request, status, size int, result string, fixture *vitrine.Fixture) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if r.Type == "Document" && r.URL == Origin+JoinBase(n.settings.Site.Base, n.route) && result == "site" {
		return // the page itself
	}
	if len(n.requests) >= maxRecorded {
		return
	}
	if fixture != nil {
		fixture.Unsigned = n.unsigned[r.URL]
	}
	n.requests = append(n.requests, vitrine.Request{
		Route: n.route, Viewport: n.settings.Viewport.Name, URL: Bounded(strings.TrimPrefix(r.URL, Origin), 1000),
		Method: r.Method, Type: r.Type, Status: status, Result: result, Bytes: size,
		AtMS: float64(time.Since(n.since).Milliseconds()), Fixture: fixture,
	})
}

// Recorded lists the requests by address: which of several was asked for first is a
// matter of how busy the machine is.
func (n *Network) Recorded() []vitrine.Request {
	n.mu.Lock()
	defer n.mu.Unlock()
	requests := slices.Clone(n.requests)
	slices.SortStableFunc(requests, func(a, b vitrine.Request) int { return strings.Compare(a.URL, b.URL) })
	return requests
}

// Since lists the requests after the first n in the order in which they were asked,
// and says how many there are now.
func (n *Network) Since(first int) ([]vitrine.Request, int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.requests[min(first, len(n.requests)):]), len(n.requests)
}

// Open is how many requests wait for an answer.
func (n *Network) Open() int { return int(n.traffic.Open()) }

// BlockedScript is a script from outside that the page was refused.
func (n *Network) BlockedScript() string {
	for _, r := range n.Recorded() {
		if r.Type == "Script" && r.Result == "blocked" {
			return r.URL
		}
	}
	return ""
}

// answer finds what the site serves for a request: a file, index.html for a
// client-side route, 404, or nothing at all for any other Origin.
func answer(site *vitrine.Site, r browser.Request) (browser.Response, string) {
	u, err := url.Parse(r.URL)
	if err != nil || u.Scheme+"://"+u.Host != Origin {
		return browser.Response{}, "blocked"
	}
	if response, ok := load(site, u.Path); ok {
		return response, "site"
	}
	if r.Type == "Document" && path.Ext(u.Path) == "" {
		if response, ok := load(site, site.Base); ok {
			return response, "site"
		}
	}
	if u.Path == "/favicon.ico" {
		return browser.Response{Status: http.StatusNoContent, ContentType: "image/x-icon"}, "site"
	}
	return browser.Response{Status: http.StatusNotFound, ContentType: "text/plain", Body: []byte("not found")}, "missing"
}

// Lookup finds the file behind a URL path. A folder is its index.html; a base
// path that the build was given is stripped.
func Lookup(site *vitrine.Site, urlPath string) (name string, size int, ok bool) {
	clean := strings.TrimPrefix(path.Clean("/"+urlPath), "/")
	tries := []string{clean}
	if base := strings.Trim(site.Base, "/"); base != "" {
		if rest, found := strings.CutPrefix(clean+"/", base+"/"); found {
			tries = append(tries, strings.TrimSuffix(rest, "/"))
		}
	}
	for _, name := range tries {
		for _, candidate := range []string{name, path.Join(name, "index.html"), name + ".html"} {
			if size, ok := stat(site, candidate); ok {
				return candidate, size, true
			}
		}
	}
	return "", 0, false
}

// stat tells whether the site has a file that can be served, and its size.
func stat(site *vitrine.Site, name string) (size int, ok bool) {
	if site.Files != nil {
		body, ok := site.Files[name]
		return len(body), ok && len(body) <= maxResponseSize
	}
	if site.Root == "" || name == "" {
		return 0, false
	}
	// os.Root never follows a link out of the folder.
	root, err := os.OpenRoot(site.Root)
	if err != nil {
		return 0, false
	}
	defer root.Close()
	info, err := root.Stat(filepath.FromSlash(name))
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxResponseSize {
		return 0, false
	}
	return int(info.Size()), true
}

// load reads the file behind a URL path.
func load(site *vitrine.Site, urlPath string) (browser.Response, bool) {
	name, _, ok := Lookup(site, urlPath)
	if !ok {
		return browser.Response{}, false
	}
	body := site.Files[name]
	if site.Files == nil {
		root, err := os.OpenRoot(site.Root)
		if err != nil {
			return browser.Response{}, false
		}
		defer root.Close()
		if body, err = root.ReadFile(filepath.FromSlash(name)); err != nil {
			return browser.Response{}, false
		}
	}
	return browser.Response{Status: http.StatusOK, ContentType: contentType(name, body), Body: body}, true
}

// contentTypes does not depend on what the machine has installed.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".htm": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8", ".json": "application/json", ".map": "application/json", ".svg": "image/svg+xml", ".png": "image/png",
	".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif", ".ico": "image/x-icon",
	".woff": "font/woff", ".woff2": "font/woff2", ".ttf": "font/ttf", ".otf": "font/otf", ".wasm": "application/wasm", ".txt": "text/plain; charset=utf-8",
	".xml": "application/xml", ".pdf": "application/pdf", ".mp4": "video/mp4", ".webm": "video/webm", ".mp3": "audio/mpeg", ".wav": "audio/wav",
	".glb": "model/gltf-binary", ".gltf": "model/gltf+json", ".webmanifest": "application/manifest+json", ".csv": "text/csv", ".md": "text/plain; charset=utf-8",
}

func contentType(name string, body []byte) string {
	if t, ok := contentTypes[strings.ToLower(path.Ext(name))]; ok {
		return t
	}
	return http.DetectContentType(bytes.Clone(body[:min(len(body), 512)]))
}

// JoinBase is the path below which a route of a site is asked for.
func JoinBase(base, route string) string {
	return strings.TrimSuffix(base, "/") + route
}

// TrimBase is the route behind a path.
func TrimBase(base, urlPath string) string {
	return "/" + strings.TrimPrefix(strings.TrimPrefix(urlPath, strings.TrimSuffix(base, "/")), "/")
}
