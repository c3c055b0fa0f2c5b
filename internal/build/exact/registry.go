package exact

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// upstream is the package registry of this machine and how to reach it. It is
// asked from outside the sandbox: proxies, certificates and names stay there.
type upstream struct {
	base      *url.URL
	transport *http.Transport // to be cloned by each gate, which closes its connections
}

// npmConfig is what npm is told of the registry, by any of its files or the
// environment. Credentials are not shown, and are not sent.
type npmConfig struct {
	Registry   string `json:"registry"`
	HTTPSProxy string `json:"https-proxy"`
	CAFile     string `json:"cafile"`
	StrictSSL  *bool  `json:"strict-ssl"`
}

func newUpstream(config string) (upstream, error) {
	var c npmConfig
	if err := json.Unmarshal([]byte(config), &c); err != nil {
		return upstream{}, fmt.Errorf("npm config: %w", err)
	}
	base, err := url.Parse(c.Registry)
	if err != nil || base.Host == "" {
		return upstream{}, fmt.Errorf("npm config: %q is no address of a registry", c.Registry)
	}
	base.Path = strings.TrimSuffix(base.Path, "/")
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 32
	t.ResponseHeaderTimeout = time.Minute
	if t.TLSClientConfig, err = c.tls(); err != nil {
		return upstream{}, err
	}
	if proxy, err := url.Parse(c.HTTPSProxy); err == nil && proxy.Host != "" {
		t.Proxy = http.ProxyURL(proxy)
	}
	return upstream{base, t}, nil
}

// tls trusts whom npm trusts.
func (c npmConfig) tls() (*tls.Config, error) {
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	for _, file := range []string{os.Getenv("NODE_EXTRA_CA_CERTS"), c.CAFile} {
		if file == "" {
			continue
		}
		pem, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("npm config: %w", err)
		}
		roots.AppendCertsFromPEM(pem)
	}
	return &tls.Config{RootCAs: roots, InsecureSkipVerify: c.StrictSSL != nil && !*c.StrictSSL}, nil
}

const (
	// forwardPort is where an install finds the registry inside its own network,
	// always the same so that npm's cache knows what it has.
	forwardPort = 4873
	// maxPackageBytes is the size of one answer of the registry.
	maxPackageBytes = 512 << 20
)

var errTooBig = errors.New("an answer of the registry is too big")

//go:embed forward.cjs
var forwardScript []byte

const socketName, scriptName = "registry.sock", "forward.cjs"

// A gate is the one way out of an install: a socket in its folder, with the
// package registry behind it and nothing else.
type gate struct {
	dir    *os.File // the folder, open because the name of a socket must be short
	client *http.Client
	server *http.Server
	served chan struct{}
	fault  atomic.Pointer[error] // what last kept the registry from answering
}

// openGate puts a gate into a folder. It works until it is closed.
func openGate(dir string, u upstream) (*gate, error) {
	open, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("unix", fmt.Sprintf("/proc/self/fd/%d/%s", open.Fd(), socketName))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, scriptName), forwardScript, 0o644)
	}
	if err != nil {
		return nil, errors.Join(err, open.Close())
	}
	g := &gate{dir: open, client: &http.Client{Transport: u.transport.Clone()}, served: make(chan struct{})}
	g.server = &http.Server{Handler: g.handler(u)}
	go func() {
		defer close(g.served)
		_ = g.server.Serve(l)
	}()
	return g, nil
}

// close ends all traffic and removes what the gate put into its folder.
func (g *gate) close() {
	_ = g.server.Close()
	<-g.served
	g.client.CloseIdleConnections()
	_ = os.Remove(filepath.Join(g.dir.Name(), socketName))
	_ = os.Remove(filepath.Join(g.dir.Name(), scriptName))
	_ = g.dir.Close()
}

// RoundTrip asks the registry. Where it sends us elsewhere, for its files may lie
// with somebody else, we follow: an install cannot.
func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	r.RequestURI = ""
	return g.client.Do(r)
}

func (g *gate) handler(u upstream) http.Handler {
	proxy := &httputil.ReverseProxy{
		Transport: g,
		ErrorLog:  log.New(io.Discard, "", 0),
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Path, r.Out.URL.RawPath = below(u.base, r.In.URL)
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = u.base.Scheme, u.base.Host, ""
			for _, name := range []string{"Authorization", "Cookie", "Npm-Session"} {
				r.Out.Header.Del(name)
			}
		},
		ModifyResponse: g.inspect,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			if errors.Is(err, errTooBig) {
				http.Error(w, `{"error":"the package is too big"}`, http.StatusRequestEntityTooLarge)
				return
			}
			g.note(err)
			http.Error(w, `{"error":"the package registry does not answer"}`, http.StatusBadGateway)
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, `{"error":"only reading is allowed"}`, http.StatusMethodNotAllowed)
			return
		}
		proxy.ServeHTTP(w, r)
	})
}

// below puts a path under the registry's own, unless it is there already: addresses
// of package files have it, names of packages do not.
func below(base, u *url.URL) (path, raw string) {
	if base.Path == "" || strings.HasPrefix(u.Path, base.Path+"/") {
		return u.Path, u.RawPath
	}
	joined := base.JoinPath(u.EscapedPath())
	return joined.Path, joined.RawPath
}

// inspect notes answers that are the registry's failure and not the project's, and
// bounds all.
func (g *gate) inspect(r *http.Response) error {
	switch code := r.StatusCode; {
	case code >= 500, code == http.StatusUnauthorized, code == http.StatusForbidden, code == http.StatusProxyAuthRequired, code == http.StatusTooManyRequests:
		g.note(fmt.Errorf("the registry says %s", r.Status))
	}
	if r.ContentLength > maxPackageBytes {
		return errTooBig
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(r.Body, maxPackageBytes), r.Body}
	return nil
}

func (g *gate) note(err error) {
	if !errors.Is(err, context.Canceled) { // the install itself ended
		g.fault.Store(&err)
	}
}

// failed is what kept the registry from answering, nil if it did answer.
func (g *gate) failed() error {
	if err := g.fault.Load(); err != nil {
		return *err
	}
	return nil
}
