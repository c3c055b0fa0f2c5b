package server

import (
	"errors"
	"net/http"
	"sync"

	"vitrine"
	"vitrine/internal/server/intake"
)

// A Server answers trainers. Make it with [New], mount protocols of trainers with
// [Server.Mount], then [Server.Run] it.
type Server struct {
	settings Settings
	mux      *http.ServeMux
	meters   *meters
	tally    *tally
	groups   *groups
	// frames says in which evidence a screenshot lies. Addresses that the server gives
	// say it themselves; this is for those that are made of the hash alone.
	frames *recent[string]
	// seen are jobs that were metered: their answers come again.
	seen     *recent[struct{}]
	work     gate
	intake   *intake.Budget
	tokens   tokens
	batches  *batches
	sessions *sessions
}

// New makes a server. It serves nothing yet.
func New(s Settings) (*Server, error) {
	s = s.withDefaults()
	if len(s.Recipes) == 0 || s.Queue == nil || s.Blobs == nil || s.Batches == nil || s.Sessions == nil {
		return nil, vitrine.NewFault("server", vitrine.FaultUsage, errors.New("no recipe, no queue, no blobs or no place for batches and sessions"), "the server lacks what it needs")
	}
	srv := &Server{settings: s, mux: http.NewServeMux(), meters: newMeters(), tally: &tally{causes: map[vitrine.FaultCode]int{}}, groups: newGroups(), frames: newRecent[string](1 << 16), seen: newRecent[struct{}](1 << 16)}
	srv.tokens, srv.intake = newTokens(s.Tokens), intake.New(intake.Settings{Limit: s.BodyMemory, ClientLimit: s.ClientMemory})
	srv.settings.MaxBody = min(s.MaxBody, srv.intake.Largest())
	srv.batches, srv.sessions = newBatches(srv), newSessions(srv)
	srv.meters.registry.MustRegister(newCollector(srv))
	srv.routes()
	return srv, nil
}

// Mount adds the handler of a protocol below a path such as /slime/. The path is
// cut off before it is called.
func (s *Server) Mount(path string, h http.Handler) {
	s.mux.Handle(path, http.StripPrefix(path[:len(path)-1], orProblem(h)))
}

// Handler is the whole service, with its guards.
func (s *Server) Handler() http.Handler { return s.guard(http.HandlerFunc(s.dispatch)) }

// dispatch finds the handler, and meters it; what has none is a problem.
func (s *Server) dispatch(w http.ResponseWriter, r *http.Request) {
	_, pattern := s.mux.Handler(r)
	if pattern == "" {
		unknown(s.mux, r).Write(w)
		return
	}
	if r.Method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json") // nothing else is understood, and curl -d names another
	}
	s.meters.request(pattern, w, r, s.mux)
}

// orProblem answers with a problem where a protocol has no handler.
func orProblem(h http.Handler) http.Handler {
	mux, ok := h.(*http.ServeMux)
	if !ok {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern == "" {
			unknown(mux, r).Write(w)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// unknown is the answer to an address, or a method, that nothing serves.
func unknown(mux *http.ServeMux, r *http.Request) *Problem {
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		other := &http.Request{Method: method, URL: r.URL, Host: r.Host}
		if _, pattern := mux.Handler(other); pattern != "" {
			return problem(http.StatusMethodNotAllowed, "method_not_allowed", r.Method+" is of no use here", "use "+method)
		}
	}
	return notFound("such address: GET /openapi.json lists them")
}

// gate counts what is under way and, once it is shut, lets nothing new in.
type gate struct {
	mu    sync.Mutex
	count int
	shut  bool
	empty chan struct{} // closed when shut and empty
}

// Begin lets new work in, until the end was asked for: then the server waits until
// what was let in is done, which is when its answer was written. Requests are let in
// by the guard; what comes over a connection of its own asks for itself. An error is
// a *[Problem].
func (s *Server) Begin() (done func(), err error) {
	g := &s.work
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut {
		return nil, draining()
	}
	g.count++
	return g.leave, nil
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.count--; g.shut && g.count == 0 {
		close(g.empty)
	}
}

// close lets nothing new in and returns what is closed when the last has left.
func (g *gate) close() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.shut {
		g.shut, g.empty = true, make(chan struct{})
		if g.count == 0 {
			close(g.empty)
		}
	}
	return g.empty
}

func (g *gate) closed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.shut
}
