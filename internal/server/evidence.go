package server

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"vitrine/internal/blob"
)

// maxBundle bounds an evidence folder, unpacked.
const maxBundle = 512 << 20

// handleEvidence gives one file of an evidence folder, or the list of its files.
func (s *Server) handleEvidence(w http.ResponseWriter, r *http.Request) {
	hash, name := r.PathValue("hash"), r.PathValue("file")
	bundle, err := s.bundle(r.Context(), hash)
	if err == nil && name == "" {
		var names []string
		if names, err = blob.Names(bundle, maxBundle); err == nil {
			immutable(w, hash)
			writeJSON(w, http.StatusOK, map[string]any{"files": names})
			return
		}
	}
	var data []byte
	if err == nil {
		data, err = blob.Read(bundle, name, maxBundle)
	}
	if err != nil {
		gone(err).Write(w)
		return
	}
	send(w, r, hash+"/"+name, contentType(name), data)
}

// handleFrame gives a screenshot by the hash of its bytes.
func (s *Server) handleFrame(w http.ResponseWriter, r *http.Request) {
	frame, isPNG := strings.CutSuffix(r.PathValue("name"), ".png")
	if !isPNG {
		gone(nil).Write(w)
		return
	}
	data, err := s.frame(r.Context(), frame, r.URL.Query().Get("of"))
	if err != nil {
		problemOf(err).Write(w)
		return
	}
	send(w, r, frame, "image/png", data)
}

// frame finds a screenshot in its evidence, which the server remembers for a while.
func (s *Server) frame(ctx context.Context, hash, evidence string) ([]byte, error) {
	if evidence == "" {
		evidence = s.frames.get(hash)
	}
	bundle, err := s.bundle(ctx, evidence)
	var data []byte
	if err == nil {
		data, err = findFrame(bundle, hash)
	}
	if err != nil {
		return nil, gone(err)
	}
	return data, nil
}

// findFrame looks for the file with these bytes among the frames.
func findFrame(bundle []byte, frame string) ([]byte, error) {
	names, err := blob.Names(bundle, maxBundle)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !strings.HasPrefix(name, "frames/") {
			continue
		}
		if data, err := blob.Read(bundle, name, maxBundle); err == nil && blob.Hash(data) == frame {
			return data, nil
		}
	}
	return nil, blob.ErrNotFound
}

func (s *Server) bundle(ctx context.Context, hash string) ([]byte, error) {
	return s.settings.Blobs.Get(ctx, hash)
}

// gone is what a client hears of evidence that is not there.
func gone(err error) *Problem {
	if err == nil || errors.Is(err, blob.ErrNotFound) {
		p := notFound("such evidence, or no longer")
		p.Fix = "score the output again: evidence is kept for a while only"
		return p
	}
	return problemOf(err)
}

// immutable says that a name stands for these bytes for ever.
func immutable(w http.ResponseWriter, name string) {
	w.Header().Set("ETag", strconv.Quote(name))
	w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
}

// send answers with bytes that a browser takes for no page.
func send(w http.ResponseWriter, r *http.Request, name, kind string, data []byte) {
	immutable(w, name)
	if match := r.Header.Get("If-None-Match"); match != "" && strings.Contains(match, w.Header().Get("ETag")) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data) // who asked may be gone
}

// contentType is that of data; what could be a page is text.
func contentType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".png", ".json", ".webp", ".jpg":
		return mime.TypeByExtension(ext)
	case ".jsonl":
		return "application/jsonl"
	}
	return "text/plain; charset=utf-8"
}
