package parse

import "strings"

// tokenKind names the few marks that carry structure.
type tokenKind uint8

const (
	openThink tokenKind = iota
	closeThink
	openAnswer
	closeAnswer
	openArtifact // <webArtifact or <boltArtifact, up to its name
	closeArtifact
	openWebAction // <webAction, up to its name
	closeWebAction
	openBoltAction
	closeBoltAction
	openDocument // <!doctype html or <html at the start of a line
	closeDocument
	openComment // <!--
	fenceLine   // ``` or ~~~ with its info string
	tokenKinds  // how many there are
)

// A token is one mark: text[start:end]. An open tag with attributes ends after
// its name, since only the walker knows whether it is a tag or content.
type token struct {
	start, end int
	kind       tokenKind
	fence      fenceMark
}

// exact holds the tags that have no other form.
var exact = []struct {
	text string
	kind tokenKind
}{
	{"<think>", openThink}, {"</think>", closeThink},
	{"<answer>", openAnswer}, {"</answer>", closeAnswer},
	{"<!--", openComment},
}

// named holds the tags of a manifest by their name, of which attributes or white
// space may follow.
var named = []struct {
	text string
	kind tokenKind
}{
	{"<webArtifact", openArtifact}, {"<boltArtifact", openArtifact},
	{"<webAction", openWebAction}, {"<boltAction", openBoltAction},
	{"</webArtifact", closeArtifact}, {"</boltArtifact", closeArtifact},
	{"</webAction", closeWebAction}, {"</boltAction", closeBoltAction},
}

// lex finds every mark of the text in one pass. No mark lies inside another. The
// list is never nil.
func lex(text string) []token {
	toks := []token{}
	for i := 0; i < len(text); {
		var t token
		ok := false
		switch text[i] {
		case '<':
			t, ok = tagToken(text, i)
		case '`', '~':
			if startsLine(text, i, toks) {
				t, ok = fenceToken(text, i)
			}
			if !ok {
				i += runLength(text[i:])
				continue
			}
		}
		if !ok {
			i++
			continue
		}
		toks = append(toks, t)
		i = t.end
	}
	return toks
}

// tagToken reads the mark that begins with the < at position i, if one does. Its
// first letters sort out nearly all tags of a page.
func tagToken(text string, i int) (token, bool) {
	rest := text[i:]
	if len(rest) < len("<th") {
		return token{}, false
	}
	switch rest[1:3] {
	case "th", "/t", "an", "/a", "!-", "we", "/w", "bo", "/b":
		return structureToken(text, i)
	case "ht", "hT", "Ht", "HT", "!d", "!D", "/h", "/H":
		return documentToken(text, i)
	}
	return token{}, false
}

// structureToken reads a tag of the frame or of a manifest, or a comment.
func structureToken(text string, i int) (token, bool) {
	rest := text[i:]
	for _, e := range exact {
		if strings.HasPrefix(rest, e.text) {
			return token{start: i, end: i + len(e.text), kind: e.kind}, true
		}
	}
	for _, e := range named {
		if strings.HasPrefix(rest, e.text) {
			return namedToken(text, i, i+len(e.text), e.kind)
		}
	}
	return token{}, false
}

// namedToken ends a manifest tag: an open tag after its name, a close tag after
// its >.
func namedToken(text string, i, end int, kind tokenKind) (token, bool) {
	switch kind {
	case openArtifact, openWebAction, openBoltAction:
		return token{start: i, end: end, kind: kind}, endsName(text, end)
	}
	for end < len(text) && isSpace(text[end]) {
		end++
	}
	if end == len(text) || text[end] != '>' {
		return token{}, false
	}
	return token{start: i, end: end + 1, kind: kind}, true
}

// documentToken reads the begin or the end of a bare HTML document.
func documentToken(text string, i int) (token, bool) {
	rest := text[i:]
	switch {
	case hasFold(rest, "</html>"):
		return token{start: i, end: i + len("</html>"), kind: closeDocument}, true
	case startsDocument(rest) && startsLine(text, i, nil):
		return token{start: i, end: i + len("<html"), kind: openDocument}, true
	}
	return token{}, false
}

// startsDocument tells whether the text begins with an HTML document.
func startsDocument(text string) bool {
	return hasFold(text, "<!doctype html") || hasFold(text, "<html") && endsName(text, len("<html"))
}

// endsName tells whether a tag name is over at this position.
func endsName(text string, at int) bool {
	return at < len(text) && (isSpace(text[at]) || text[at] == '>' || text[at] == '/')
}

// startsLine tells whether only white space lies between the start of the line,
// or the frame tag that ends right before, and position i.
func startsLine(text string, i int, before []token) bool {
	for i > 0 && (text[i-1] == ' ' || text[i-1] == '\t') {
		i--
	}
	if i == 0 || text[i-1] == '\n' {
		return true
	}
	if len(before) == 0 {
		return false
	}
	last := before[len(before)-1]
	return last.end == i && last.kind <= closeAnswer
}
