package parse

import "strings"

// itemKind names what the walker meets outside of literal content.
type itemKind uint8

const (
	itemTag      itemKind = iota // a frame tag or the end of a manifest: see item.token
	itemArtifact                 // the open tag of a manifest
	itemAction                   // an action with its content
	itemBlock                    // a fenced block
	itemDocument                 // a bare HTML document
)

// An item is one piece of the frame, or one literal content as a whole. An
// unclosed content reaches to the end of the text; the walker goes on behind its
// open tag then, since what follows may be the frame's.
type item struct {
	kind       itemKind
	token      tokenKind // of an itemTag
	start, end int
	tag        tag    // of an artifact or action
	content    string // of an action
	block      block
	closed     bool
}

// A walker steps through the items of a text, each token once.
type walker struct {
	text      string
	toks      []token
	i         int
	following [tokenKinds]int    // for nextOf
	endless   map[fenceMark]bool // fences that no line closes any more
	wrap      fenceMark          // the fence around a manifest or around the frame
	wrapped   bool               // whether there is one
	inside    bool               // an artifact, where comments hide what they hold
	comments  bool               // whether some comment may still end
	malformed int                // tags that were not well formed
}

// newWalker makes a walker of a text and its tokens.
func newWalker(text string, toks []token) *walker {
	w := &walker{text: text, toks: toks, endless: map[fenceMark]bool{}, comments: true}
	for k := range w.following {
		w.following[k] = -1
	}
	return w
}

// next returns the next item.
func (w *walker) next() (item, bool) {
	for w.i < len(w.toks) {
		var it item
		ok := true
		t := w.toks[w.i]
		switch t.kind {
		case fenceLine:
			it, ok = w.fence(t)
		case openArtifact:
			it, ok = w.artifact(t)
		case openWebAction, openBoltAction:
			it, ok = w.action(t)
		case openDocument:
			it, ok = w.document(t)
		case openComment:
			w.comment(t)
			ok = false
		default:
			w.i++
			w.inside = w.inside && t.kind != closeArtifact
			it = item{kind: itemTag, token: t.kind, start: t.start, end: t.end}
		}
		if ok {
			return it, true
		}
	}
	return item{}, false
}

// nextOf returns the index of the first token of this kind from index from on, or
// the number of tokens. Since from only grows, all calls together look at each
// token once per kind.
func (w *walker) nextOf(kind tokenKind, from int) int {
	if w.following[kind] >= from {
		return w.following[kind]
	}
	for from < len(w.toks) && w.toks[from].kind != kind {
		from++
	}
	w.following[kind] = from
	return from
}

// skipTo moves on to the first token at or behind a position.
func (w *walker) skipTo(pos int) {
	for w.i < len(w.toks) && w.toks[w.i].start < pos {
		w.i++
	}
}

// fence steps over a fenced block. A fence around a manifest or around the frame
// is transparent: only its lines are dropped.
func (w *walker) fence(t token) (item, bool) {
	if w.wrapped && w.wrap.closes(t.fence) {
		w.wrapped = false
		w.i++
		return item{}, false
	}
	if w.transparent() {
		w.wrap, w.wrapped = t.fence, true
		w.i++
		return item{}, false
	}
	end := w.fenceEnd(t.fence)
	if end < 0 {
		w.i++
		b := newBlock(w.text, t, len(w.text), len(w.text), false)
		return item{kind: itemBlock, start: b.start, end: b.end, block: b}, true
	}
	b := newBlock(w.text, t, w.toks[end].start, w.toks[end].end, true)
	w.i = end + 1
	return item{kind: itemBlock, start: b.start, end: b.end, block: b, closed: true}, true
}

// fenceEnd returns the index of the line that closes the fence at w.i, or -1. A
// search in vain is remembered, so that there are few of them.
func (w *walker) fenceEnd(m fenceMark) int {
	m.bare = false
	if w.endless[m] {
		return -1
	}
	for i := w.i + 1; i < len(w.toks); i++ {
		if w.toks[i].kind == fenceLine && m.closes(w.toks[i].fence) {
			return i
		}
	}
	w.endless[m] = true
	return -1
}

// transparent tells whether the fence at w.i holds a manifest, before which there
// may be comments, or the frame itself.
func (w *walker) transparent() bool {
	for i := w.i + 1; i < len(w.toks); i++ {
		switch t := w.toks[i]; t.kind {
		case openComment:
		case openArtifact:
			return true
		case openThink, openAnswer:
			return i == w.i+1 && blank(w.text[w.toks[w.i].end:t.start])
		default:
			return false
		}
	}
	return false
}

func (w *walker) artifact(t token) (item, bool) {
	tag, end, ok := readTag(w.text, t.end)
	w.i++
	w.skipTo(end)
	if !ok {
		w.malformed++
		return item{}, false
	}
	w.inside = !tag.selfClosing
	return item{kind: itemArtifact, start: t.start, end: end, tag: tag}, true
}

// action reads an action to the first close tag of its own family; only if there
// is none does one of the other family do.
func (w *walker) action(t token) (item, bool) {
	tag, end, ok := readTag(w.text, t.end)
	w.i++
	w.skipTo(end)
	if !ok {
		w.malformed++
		return item{}, false
	}
	it := item{kind: itemAction, start: t.start, end: end, tag: tag, closed: true}
	if tag.selfClosing {
		return it, true
	}
	own, other := closeWebAction, closeBoltAction
	if t.kind == openBoltAction {
		own, other = other, own
	}
	last := w.nextOf(own, w.i)
	if last == len(w.toks) {
		last = w.nextOf(other, w.i)
	}
	if last == len(w.toks) {
		it.content, it.end, it.closed = w.text[end:], len(w.text), false
		return it, true
	}
	it.content, it.end = w.text[end:w.toks[last].start], w.toks[last].end
	w.i = last + 1
	return it, true
}

func (w *walker) document(t token) (item, bool) {
	last := w.nextOf(closeDocument, w.i)
	if last == len(w.toks) {
		w.i++
		return item{}, false
	}
	w.i = last + 1
	return item{kind: itemDocument, start: t.start, end: w.toks[last].end, closed: true}, true
}

// comment steps over a comment between the actions of a manifest. Elsewhere it is
// text like any other.
func (w *walker) comment(t token) {
	w.i++
	if !w.inside || !w.comments {
		return
	}
	length := strings.Index(w.text[t.end:], "-->")
	if length < 0 {
		w.comments = false
		return
	}
	w.skipTo(t.end + length)
}
