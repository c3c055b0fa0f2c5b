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

// The files of a gate in its folder: a socket, and the script that runs a command
// with the socket as its registry: node forward.cjs registry.sock PORT COMMAND…
const (
	SocketName = "registry.sock"
	ScriptName = "forward.cjs"
)

// A Gate is the one way out of an install: a socket in its folder, with the
// package registry behind it and nothing else.
type Gate struct {
	dir        *os.File // the folder, open because the name of a socket must be short
	client     *client
	packuments *Packuments
	server     *http.Server
	served     chan struct{}
	fault      atomic.Pointer[error] // what last kept the registry from answering
}

// OpenGate puts a gate into a folder. It works until it is closed.
func OpenGate(dir string, r Registry, p *Packuments) (*Gate, error) {
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
	g := &Gate{dir: open, client: r.open(), packuments: p, served: make(chan struct{})}
	g.server = &http.Server{Handler: g.handler()}
	go func() {
		defer close(g.served)
		_ = g.server.Serve(l)
	}()
	return g, nil
}

// Close ends all traffic and removes what the gate put into its folder.
func (g *Gate) Close() {
	_ = g.server.Close()
	<-g.served
	g.client.close()
	_ = os.Remove(filepath.Join(g.dir.Name(), SocketName))
	_ = os.Remove(filepath.Join(g.dir.Name(), ScriptName))
	_ = g.dir.Close()
}

// Failed is what kept the registry from answering, nil if it did answer.
func (g *Gate) Failed() error {
	if err := g.fault.Load(); err != nil {
		return *err
	}
	return nil
}

// RoundTrip asks the registry. Where it sends us elsewhere, for its files may lie
// with somebody else, we follow: an install cannot.
func (g *Gate) RoundTrip(r *http.Request) (*http.Response, error) {
	r.RequestURI = ""
	return g.client.http.Do(r)
}

// handler answers what packages are as of the date, and passes on the rest.
func (g *Gate) handler() http.Handler {
	tarballs := g.proxy()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			http.Error(w, `{"error":"only reading is allowed"}`, http.StatusMethodNotAllowed)
		case strings.Contains(r.URL.Path, "/-/"):
			tarballs.ServeHTTP(w, r)
		default:
			g.describe(w, r)
		}
	})
}

// describe answers with a packument.
func (g *Gate) describe(w http.ResponseWriter, r *http.Request) {
	b, err := g.packuments.get(r.Context(), g.client, strings.Trim(r.URL.Path, "/"))
	var status *statusError
	switch {
	case err == nil:
		w.Header().Set("Content-Type", "application/vnd.npm.install-v1+json")
		_, _ = w.Write(b)
	case errors.As(err, &status) && !errors.Is(err, ErrUnanswered):
		http.Error(w, `{"error":"not found"}`, status.code)
	case errors.As(err, &status):
		g.note(err)
		http.Error(w, `{"error":"the registry refuses"}`, status.code)
	default:
		g.refuse(w, r, err)
	}
}

func (g *Gate) proxy() http.Handler {
	return &httputil.ReverseProxy{
		Transport: g,
		ErrorLog:  log.New(io.Discard, "", 0),
		Rewrite: func(r *httputil.ProxyRequest) {
			base := g.client.base
			r.Out.URL.Path, r.Out.URL.RawPath = below(base, r.In.URL)
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = base.Scheme, base.Host, ""
			for _, name := range []string{"Authorization", "Cookie", "Npm-Session"} {
				r.Out.Header.Del(name)
			}
		},
		ModifyResponse: g.inspect,
		ErrorHandler:   g.refuse,
	}
}

// refuse answers in the place of a registry that does not.
func (g *Gate) refuse(w http.ResponseWriter, _ *http.Request, err error) {
	if errors.Is(err, errTooBig) {
		http.Error(w, `{"error":"the package is too big"}`, http.StatusRequestEntityTooLarge)
		return
	}
	g.note(err)
	http.Error(w, `{"error":"the package registry does not answer"}`, http.StatusBadGateway)
}

// inspect notes answers that are the registry's failure and not the project's, and
// bounds all.
func (g *Gate) inspect(r *http.Response) error {
	if registryFailed(r.StatusCode) {
		g.note(fmt.Errorf("the registry says %s", r.Status))
	}
	if r.ContentLength > maxAnswer {
		return errTooBig
	}
	r.Body = bounded(r.Body)
	return nil
}

func (g *Gate) note(err error) {
	if !errors.Is(err, context.Canceled) { // the install itself ended
		g.fault.Store(&err)
	}
}
