package server

import (
	"encoding/json"
	"mime"
	"net/http"
	"path"
	"strings"

	"vitrine"
	"vitrine/internal/blob"
)

// pagesPolicy lets a page that a model wrote run its scripts in an origin of its
// own that nothing else shares, and reach no network.
const pagesPolicy = "sandbox allow-scripts; default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// Pages is the second origin: pages that models wrote, as they wrote them,
// and nothing else. It has no token, since it must not share one with hostile
// pages; who knows the hash of an evidence folder may see its page.
func (s *Server) Pages() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{hash}/{file...}", s.handlePage)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		harden(w.Header())
		if len(s.tokens) == 0 && !s.knows(r.Host) {
			problem(http.StatusMisdirectedRequest, codeForbidden, "this server has another name", "").Write(w)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func (s *Server) handlePage(w http.ResponseWriter, r *http.Request) {
	bundle, err := s.bundle(r.Context(), r.PathValue("hash"))
	var raw []byte
	if err == nil {
		raw, err = blob.Read(bundle, "artifact.json", maxBundle)
	}
	var a vitrine.Artifact
	if err == nil {
		err = json.Unmarshal(raw, &a)
	}
	if err != nil {
		gone(err).Write(w)
		return
	}
	name := r.PathValue("file")
	if name == "" {
		name = index(&a)
	}
	content, there := a.File(name)
	if !there || a.Kind != vitrine.KindPage && a.Kind != vitrine.KindSVG {
		notFound("page to be shown live: only what needs no build is").Write(w)
		return
	}
	w.Header().Set("Content-Security-Policy", pagesPolicy)
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin") // a page in the sandbox has no origin, also for its own files
	send(w, r, r.PathValue("hash")+"/live/"+name, liveType(name), []byte(content))
}

// index is the file that stands for the whole site.
func index(a *vitrine.Artifact) string {
	if _, there := a.File("index.html"); there || len(a.Files) == 0 {
		return "index.html"
	}
	return a.Files[0].Path
}

func liveType(name string) string {
	if t := mime.TypeByExtension(strings.ToLower(path.Ext(name))); t != "" {
		return t
	}
	return "text/plain; charset=utf-8"
}
