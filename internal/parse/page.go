package parse

import (
	"slices"
	"strings"

	"vitrine/internal/markup"
)

// indexFile is where a page goes.
const indexFile = "index.html"

func isHTML(lang string) bool { return lang == "html" || lang == "htm" || lang == "xhtml" }

// isMarkup tells the languages under which models fence HTML, and the missing one.
func isMarkup(lang string) bool {
	return isHTML(lang) || lang == "" || lang == "xml" || lang == "markup" || lang == "text" || lang == "plaintext"
}

// fencedPage takes the first html block, or else the first block of any language
// that holds a document (AesCoder §4.1).
func fencedPage(r *region, n *notes) *draft {
	i := slices.IndexFunc(r.blocks, func(b block) bool { return isHTML(b.lang) && holdsMarkup(b.raw) })
	if i < 0 {
		i = slices.IndexFunc(r.blocks, holdsDocument)
	}
	if i < 0 {
		return nil
	}
	html := r.blocks[i].content()
	if !r.blocks[i].closed {
		n.add("truncated_fence", "the fence of the page is never closed")
	}
	html = withoutTail(html, r.blocks[i].closed)
	d := &draft{files: []draftFile{{indexFile, html}}}
	d.attach(html, r.blocks, i, n)
	return d
}

// loosePage takes the whole text as HTML (AesCoder §4.1), if it has any element.
func loosePage(r *region, _ *notes) *draft {
	if !holdsMarkup(r.loose()) {
		return nil
	}
	return &draft{files: []draftFile{{indexFile, strings.TrimSpace(r.text)}}}
}

// holdsDocument tells whether a block holds a whole HTML document. In program
// code, which may print one, it must be all there is.
func holdsDocument(b block) bool {
	if startsDocument(strings.TrimSpace(b.raw)) {
		return true
	}
	if !isMarkup(b.lang) {
		return false
	}
	for rest := b.raw; ; {
		i := strings.IndexByte(rest, '<')
		if i < 0 {
			return false
		}
		if rest = rest[i:]; startsDocument(rest) {
			return true
		}
		rest = rest[1:]
	}
}

// withoutTail cuts what follows </html> and is none of the page: all text behind
// an unclosed fence, and a fence that was closed on the last line of the code.
func withoutTail(html string, closed bool) string {
	end := lastDocumentEnd(html)
	if end < 0 {
		return html
	}
	tail := strings.TrimSpace(html[end:])
	if strings.HasPrefix(tail, "```") || !closed && tail != "" && tail[0] != '<' {
		return html[:end]
	}
	return html
}

// lastDocumentEnd returns the position after the last </html>, or -1.
func lastDocumentEnd(html string) int {
	for end := len(html); ; {
		i := strings.LastIndex(html[:end], "</")
		if i < 0 {
			return -1
		}
		if hasFold(html[i:], "</html>") {
			return i + len("</html>")
		}
		end = i
	}
}

// attach puts further css and js blocks where the page looks for them: the first
// css block into the first style sheet it links and no block gave yet, and so on.
// A page that links none is complete as it is (most repeat parts of themselves to
// explain them), so that the blocks left over are dropped.
func (d *draft) attach(html string, blocks []block, page int, n *notes) {
	var css, js []string
	dropped := 0
	for i, b := range blocks {
		switch {
		case i == page:
		case b.lang == "css":
			css = append(css, b.content())
		case b.lang == "js" || b.lang == "javascript" || b.lang == "mjs":
			js = append(js, b.content())
		case isHTML(b.lang):
			dropped++
		}
	}
	if len(css) > 0 {
		dropped += d.fill(references(html, "link", "href", "css"), css)
	}
	if len(js) > 0 {
		dropped += d.fill(references(html, "script", "src", "js"), js)
	}
	if dropped > 0 {
		n.add("extra_block", "%d more blocks of html, css or js belong to no file of the page", dropped)
	}
}

// fill gives each file its content, and returns how many contents are left over.
func (d *draft) fill(files, contents []string) int {
	n := min(len(files), len(contents))
	for i := range n {
		d.files = append(d.files, draftFile{files[i], contents[i]})
	}
	return len(contents) - n
}

// references lists the files with this ending that the tags of a page name, each
// once, in order. What lies on another host is not one of them.
func references(html, name, attribute, ending string) []string {
	var files []string
	seen := map[string]bool{}
	for tag := range markup.Tags(html) {
		if tag.Data != name {
			continue
		}
		file, _, _ := strings.Cut(tag.Value(attribute), "?")
		clean, why := cleanPath(file)
		if why == "" && strings.HasSuffix(clean, ending) && !strings.Contains(file, "//") && !seen[clean] {
			seen[clean] = true
			files = append(files, clean)
		}
	}
	return files
}
