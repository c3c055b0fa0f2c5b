// Package markup finds the tags of a page as a browser's tokenizer does: none in comments,
// in scripts and in other text that is no HTML. It is pure and linear in time.
package markup

import (
	"iter"
	"strings"

	"golang.org/x/net/html"
)

// A Tag is an opening tag and where its text stands in the page. For script and style it
// reaches to the end of the element.
type Tag struct {
	html.Token        // with the name and the attributes in lower case, values unescaped
	Raw        string // the opening tag as it is written
	Inner      string // what a script or style element holds
	Start, End int    // offsets in the page, of the element for script and style
}

// Value is what an attribute says, empty if the tag has none of this name.
func (t Tag) Value(name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// Tags are the opening tags of a page in order. A tag that the end of the page cuts off is
// not one of them.
func Tags(page string) iter.Seq[Tag] {
	return func(yield func(Tag) bool) {
		z := html.NewTokenizer(strings.NewReader(page))
		end := 0
		next := func() (html.TokenType, string) {
			kind, start := z.Next(), end
			end += len(z.Raw())
			return kind, page[start:end]
		}
		kind, raw := next()
		for ; kind != html.ErrorToken; kind, raw = next() {
			if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
				continue
			}
			tag := Tag{Token: z.Token(), Raw: raw, Start: end - len(raw), End: end}
			switch tag.Data {
			case "noscript": // its tags are those of the page without scripts
				z.NextIsNotRawText()
			case "script", "style":
				for kind != html.EndTagToken && kind != html.ErrorToken {
					if kind, raw = next(); kind == html.TextToken {
						tag.Inner = raw
					}
				}
				tag.End = end
			}
			if !yield(tag) {
				return
			}
		}
	}
}
