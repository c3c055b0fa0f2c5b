package parse

import "strings"

// A region is a stretch of the output that may hold a website: the answer, or all
// that is not reasoning.
type region struct {
	text      string
	toks      []token     // of the text, if they are known already
	manifests []*manifest // those that hold a file
	blocks    []block     // fenced blocks outside of manifests
	malformed int
	read      bool
}

// A manifest is one <webArtifact> with its actions. Actions that stand outside of
// any make one without id and title.
type manifest struct {
	tag     tag
	actions []item
	files   int
	closed  bool
}

// scan collects, once, what the frame of the text holds. Of the fences that never
// close only the first counts: each of them reaches to the end of the text.
func (r *region) scan() {
	if r.read {
		return
	}
	r.read = true
	if r.toks == nil {
		r.toks = lex(r.text)
	}
	w := newWalker(r.text, r.toks)
	s := manifestScan{region: r}
	unclosed := false
	for it, ok := w.next(); ok; it, ok = w.next() {
		switch {
		case it.kind != itemBlock:
			s.take(it)
		case it.closed && blank(it.block.raw), !it.closed && unclosed:
		default:
			unclosed = unclosed || !it.closed
			r.blocks = append(r.blocks, it.block)
		}
	}
	s.finish(false)
	r.malformed = w.malformed
}

// A manifestScan puts actions together to manifests.
type manifestScan struct {
	*region
	current *manifest
	cut     bool // an unclosed action has taken all that follows
}

func (s *manifestScan) take(it item) {
	switch {
	case s.cut:
	case it.kind == itemArtifact:
		s.finish(false)
		s.current = &manifest{tag: it.tag}
	case it.kind == itemAction:
		if s.current == nil {
			s.current = &manifest{}
		}
		s.current.add(it)
		s.cut = !it.closed
	case it.kind == itemTag && it.token == closeArtifact:
		s.finish(true)
	}
}

// finish ends the current manifest. One without a file is no website.
func (s *manifestScan) finish(closed bool) {
	if m := s.current; m != nil && m.files > 0 {
		m.closed = closed
		s.manifests = append(s.manifests, m)
	}
	s.current = nil
}

func (m *manifest) add(it item) {
	m.actions = append(m.actions, it)
	if actionType(it.tag) == "file" {
		m.files++
	}
}

// actionType returns the type of an action; one without a type but with a path is
// a file.
func actionType(t tag) string {
	kind := strings.ToLower(t.value("type"))
	if _, ok := t.get("filePath"); ok && kind == "" {
		return "file"
	}
	return kind
}

// manifest returns the one that counts: the first closed one, else the first.
func (r *region) manifest() *manifest {
	for _, m := range r.manifests {
		if m.closed {
			return m
		}
	}
	if len(r.manifests) > 0 {
		return r.manifests[0]
	}
	return nil
}

// loose returns the text without its fenced code. Fences that name no language,
// or a markup language, are kept: they are text of a page as good as any.
func (r *region) loose() string {
	var pieces []string
	from := 0
	for _, b := range r.blocks {
		if b.start < from || isMarkup(b.lang) {
			continue
		}
		pieces = append(pieces, r.text[from:b.start])
		from = b.end
	}
	if from == 0 {
		return r.text
	}
	return strings.Join(append(pieces, r.text[from:]), "\n")
}
