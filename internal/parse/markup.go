package parse

import "strings"

// elements are the HTML elements (and svg) whose open tag makes a text a page.
// List<string> and a <T> in prose are none.
var elements = makeElements(`a abbr address article aside audio b blockquote body br button canvas caption center cite
	code col dd details dialog div dl dt em embed fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 head
	header hr html i iframe img input kbd label legend li link main map mark menu meta meter nav noscript object ol
	optgroup option output p picture pre progress q s samp script section select small source span strong style sub
	summary sup svg table tbody td template textarea tfoot th thead time title tr tt u ul var video`)

func makeElements(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

// holdsMarkup tells whether a text has the open tag of any HTML element, or a
// doctype.
func holdsMarkup(text string) bool {
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			return false
		}
		text = text[i+1:]
		if elements[tagName(text)] || hasFold(text, "!doctype html") {
			return true
		}
	}
}

// tagName returns the name of a tag, in lower case, that begins right after its
// <; or nothing, if it is too long for an element or is not ended as one.
func tagName(text string) string {
	const longest = 10 // blockquote, figcaption
	var name [longest]byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case i > 0 && endsName(text, i):
			return string(name[:i])
		case i < longest && (isLetter(c) || i > 0 && '0' <= c && c <= '9'):
			name[i] = c | 0x20
		default:
			return ""
		}
	}
	return ""
}
