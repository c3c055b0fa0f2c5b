package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"vitrine"
)

// How large the JSON of a request may become in memory, where an empty object takes
// some hundred times its bytes.
const (
	maxDepth  = 64
	maxNodes  = 1 << 18 // objects and lists
	maxValues = 1 << 21 // of all of them
)

// open are the paths that need no token: they tell nothing but that the service
// lives.
var open = []string{"/healthz", "/readyz"}

// guard lets in only requests that may be meant for us: for the name of this
// server, from a page of its own if from a page at all, with the token, and of a
// bounded size.
func (s *Server) guard(next http.Handler) http.Handler {
	origins := http.NewCrossOriginProtection()
	for _, o := range s.settings.Origins {
		if err := origins.AddTrustedOrigin(o); err != nil {
			s.settings.Log.Warn("an origin cannot be trusted", "origin", o, "error", err)
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		harden(w.Header())
		if p := s.refuse(r, origins); p != nil {
			p.Write(w)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, s.settings.MaxBody)
		if r.Method == http.MethodPost { // all work comes so
			done, err := s.Begin()
			if err != nil {
				_, _ = io.Copy(io.Discard, r.Body) // many clients listen only when they have said all
				Fail(w, err)
				return
			}
			defer done()
		}
		next.ServeHTTP(w, r)
	})
}

// harden sets what keeps a browser from taking an answer for more than data.
func harden(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
}

func (s *Server) refuse(r *http.Request, origins *http.CrossOriginProtection) *Problem {
	if s.settings.Token == "" && !s.knows(r.Host) {
		return problem(http.StatusMisdirectedRequest, codeForbidden, fmt.Sprintf("this server is not called %.100q", r.Host),
			"call it by 127.0.0.1 or localhost, or start it with --trusted-host NAME")
	}
	if err := origins.Check(r); err != nil || !s.sameOrigin(r) {
		return problem(http.StatusForbidden, codeForbidden, "the request comes from a page of another origin", "start the server with --trusted-origin to let it in")
	}
	if s.settings.Token != "" && !slices.Contains(open, r.URL.Path) && !s.hasToken(r) {
		return problem(http.StatusUnauthorized, codeUnauthorized, "the token is missing or wrong", "send the header Authorization: Bearer TOKEN, or the token as the password of the URL")
	}
	if r.ContentLength > s.settings.MaxBody {
		return problem(http.StatusRequestEntityTooLarge, codeTooLarge, fmt.Sprintf("the request has %d MB", r.ContentLength>>20), fmt.Sprintf("send at most %d MB", s.settings.MaxBody>>20))
	}
	return nil
}

// knows reports whether a Host header names this server. A page that has its own
// name point here sends that name.
func (s *Server) knows(host string) bool {
	name := strings.ToLower(host)
	if h, _, err := net.SplitHostPort(name); err == nil {
		name = h
	}
	ip, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return name == "localhost" || err == nil && ip.IsLoopback() || slices.Contains(s.settings.Hosts, name)
}

// sameOrigin refuses pages of other origins, also where they only read.
func (s *Server) sameOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || slices.Contains(s.settings.Origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host == r.Host
}

// hasToken takes the token as a bearer, as the key that ORS clients send, or as the
// password of a user, which is what clients make of one in a URL, and browsers of a
// form.
func (s *Server) hasToken(r *http.Request) bool {
	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		_, given, ok = r.BasicAuth()
	}
	if !ok {
		given = r.Header.Get("X-API-Key")
	}
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.settings.Token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// Decode reads the JSON body of a request, bounded in size and depth. An error is
// a *[Problem].
func Decode(r *http.Request, v any) error {
	body, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	var slow net.Error
	switch {
	case errors.As(err, &large):
		return problem(http.StatusRequestEntityTooLarge, codeTooLarge, fmt.Sprintf("the request is larger than %d MB", large.Limit>>20), "send less at once")
	case errors.As(err, &slow) && slow.Timeout():
		return problem(http.StatusRequestTimeout, codeTimeout, "the request took too long to come", "")
	case err != nil:
		return problem(http.StatusBadRequest, string(vitrine.FaultInvalidInput), "the request broke off", "")
	}
	if err := unmarshal(body, v); err != nil {
		return problem(http.StatusUnprocessableEntity, string(vitrine.FaultInvalidInput), err.Error(), "")
	}
	return nil
}

// unmarshal reads JSON that is neither nested too deep nor of too many pieces.
func unmarshal(data []byte, v any) error {
	if err := bounded(data); err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

// bounded looks at JSON without keeping anything of it.
func bounded(data []byte) error {
	depth, nodes, values, quoted := 0, 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
			nodes++
		case c == ']' || c == '}':
			depth--
		case c == ',':
			values++
		}
		switch {
		case depth > maxDepth:
			return fmt.Errorf("the JSON is nested deeper than %d", maxDepth)
		case nodes > maxNodes:
			return fmt.Errorf("the JSON has more than %d objects and lists: send less at once", maxNodes)
		case values > maxValues:
			return fmt.Errorf("the JSON has more than %d values: send less at once", maxValues)
		}
	}
	return nil
}

// Client names who sends a request by its address, without the port.
func Client(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return address
}
