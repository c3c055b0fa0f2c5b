package npm

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
)

// ForwardPort is where an install finds the registry inside its own network.
const ForwardPort = 4873

//go:embed forward.cjs
var forwardScript []byte

// The files of a proxy in its folder: a socket, and the script that runs a command
// with the socket as its registry: node forward.cjs registry.sock PORT COMMAND…
const (
	SocketName = "registry.sock"
	ScriptName = "forward.cjs"
)

// A Proxy is the only way out of an install: a Unix socket in its folder, behind which is the
// package registry and nothing else.
type Proxy struct {
	dir        *os.File // the folder, open because the name of a socket must be short
	client     *client
	packuments *Packuments
	server     *http.Server
	served     chan struct{}
	fault      atomic.Pointer[error] // what last kept the registry from answering
}

// OpenProxy opens a proxy in a folder. It works until it is closed.
func OpenProxy(dir string, r Registry, packuments *Packuments) (*Proxy, error) {
	open, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("unix", fmt.Sprintf("/proc/self/fd/%d/%s", open.Fd(), SocketName))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, ScriptName), forwardScript, 0o644)
	}
	if err != nil {
		return nil, errors.Join(err, open.Close())
	}
	p := &Proxy{dir: open, client: r.open(), packuments: packuments, served: make(chan struct{})}
	p.server = &http.Server{Handler: p.handler()}
	go func() {
		defer close(p.served)
		_ = p.server.Serve(l)
	}()
	return p, nil
}

// Close ends all traffic and removes what the proxy put into its folder.
func (p *Proxy) Close() {
	_ = p.server.Close()
	<-p.served
	p.client.close()
	_ = os.Remove(filepath.Join(p.dir.Name(), SocketName))
	_ = os.Remove(filepath.Join(p.dir.Name(), ScriptName))
	_ = p.dir.Close()
}

// Err is the last failure of the registry, nil if it always answered.
func (p *Proxy) Err() error {
	if err := p.fault.Load(); err != nil {
		return *err
	}
	return nil
}

// RoundTrip asks the registry and follows redirects, which an install cannot: registries may
// keep files on another host.
func (p *Proxy) RoundTrip(r *http.Request) (*http.Response, error) {
	r.RequestURI = ""
	return p.client.http.Do(r)
}

// handler serves packuments as of the date and proxies tarballs.
func (p *Proxy) handler() http.Handler {
	tarballs := p.tarballProxy()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			http.Error(w, `{"error":"only reading is allowed"}`, http.StatusMethodNotAllowed)
		case strings.Contains(r.URL.Path, "/-/"):
			tarballs.ServeHTTP(w, r)
		default:
			p.servePackument(w, r)
		}
	})
}

// servePackument answers with a packument.
func (p *Proxy) servePackument(w http.ResponseWriter, r *http.Request) {
	b, err := p.packuments.get(r.Context(), p.client, strings.Trim(r.URL.Path, "/"))
	var status *statusError
	switch {
	case err == nil:
		w.Header().Set("Content-Type", "application/vnd.npm.install-v1+json")
		_, _ = w.Write(b)
	case errors.As(err, &status) && !errors.Is(err, ErrUnanswered):
		http.Error(w, `{"error":"not found"}`, status.code)
	case errors.As(err, &status):
		p.note(err)
		http.Error(w, `{"error":"the registry refuses"}`, status.code)
	default:
		p.refuse(w, r, err)
	}
}

func (p *Proxy) tarballProxy() http.Handler {
	return &httputil.ReverseProxy{
		Transport: p,
		ErrorLog:  log.New(io.Discard, "", 0),
		Rewrite: func(r *httputil.ProxyRequest) {
			base := p.client.base
			r.Out.URL.Path, r.Out.URL.RawPath = below(base, r.In.URL)
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = base.Scheme, base.Host, ""
			for _, name := range []string{"Authorization", "Cookie", "Npm-Session"} {
				r.Out.Header.Del(name)
			}
		},
		ModifyResponse: p.inspect,
		ErrorHandler:   p.refuse,
	}
}

// refuse answers in the place of a registry that does not.
func (p *Proxy) refuse(w http.ResponseWriter, _ *http.Request, err error) {
	if errors.Is(err, errTooBig) {
		http.Error(w, `{"error":"the package is too big"}`, http.StatusRequestEntityTooLarge)
		return
	}
	p.note(err)
	http.Error(w, `{"error":"the package registry does not answer"}`, http.StatusBadGateway)
}

// inspect notes failures of the registry and bounds the size of every answer.
func (p *Proxy) inspect(r *http.Response) error {
	if registryFailed(r.StatusCode) {
		p.note(fmt.Errorf("the registry says %s", r.Status))
	}
	if r.ContentLength > maxAnswer {
		return errTooBig
	}
	r.Body = bounded(r.Body)
	return nil
}

func (p *Proxy) note(err error) {
	if !errors.Is(err, context.Canceled) { // the install itself ended
		p.fault.Store(&err)
	}
}
