package server

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"vitrine"
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
		who, p := s.admit(r, origins)
		if p != nil {
			p.Write(w)
			return
		}
		r = r.WithContext(context.WithValue(r.Context(), ownerKey{}, who))
		r.Body = http.MaxBytesReader(w, r.Body, s.settings.MaxBody)
		if r.Method == http.MethodPost { // all work comes so
			s.take(w, r, next)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// take serves a request for work: once its body is there, and within the memory for
// bodies until it is answered.
func (s *Server) take(w http.ResponseWriter, r *http.Request, next http.Handler) {
	body, p := s.receive(w, r)
	if p != nil {
		p.Write(w)
		return
	}
	defer body.Close()
	done, err := s.Begin()
	if err != nil {
		Fail(w, err)
		return
	}
	defer done()
	next.ServeHTTP(w, r)
}

// harden sets what keeps a browser from taking an answer for more than data.
func harden(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
}

// admit says who sends a request that may be served, or why it may not.
func (s *Server) admit(r *http.Request, origins *http.CrossOriginProtection) (owner string, p *Problem) {
	if len(s.tokens) == 0 && !s.knows(r.Host) {
		return "", problem(http.StatusMisdirectedRequest, codeForbidden, fmt.Sprintf("this server is not called %.100q", r.Host),
			"call it by 127.0.0.1 or localhost, or start it with --trusted-host NAME")
	}
	if err := origins.Check(r); err != nil || !s.sameOrigin(r) {
		return "", problem(http.StatusForbidden, codeForbidden, "the request comes from a page of another origin", "start the server with --trusted-origin to let it in")
	}
	token := s.tokens.find(given(r))
	if len(s.tokens) > 0 && token == nil && !slices.Contains(open, r.URL.Path) {
		return "", problem(http.StatusUnauthorized, codeUnauthorized, "the token is missing or wrong", "send the header Authorization: Bearer TOKEN, or the token as the password of the URL")
	}
	if r.ContentLength > s.settings.MaxBody {
		return "", problem(http.StatusRequestEntityTooLarge, codeTooLarge, fmt.Sprintf("the request has %d MB", r.ContentLength>>20), fmt.Sprintf("send at most %d MB", s.settings.MaxBody>>20))
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return "", problem(http.StatusUnsupportedMediaType, string(vitrine.FaultInvalidInput), fmt.Sprintf("the body is compressed: %.100q", encoding), "send it as it is")
	}
	if token != nil && len(s.tokens) > 1 {
		return token.owner, nil
	}
	return address(r.RemoteAddr), nil
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
