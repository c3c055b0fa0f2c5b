package redteam

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// A document is a page as a browser's tokenizer reads it. What is not changed is written
// again as it was, byte by byte.
type document struct {
	pieces []*piece
	codes  []*code
}

// A piece is a tag, a text, a comment or a doctype.
type piece struct {
	kind    html.TokenType
	raw     string
	tag     html.Token // with the name and the attributes in lower case, for tags
	within  string     // name of the element for the text of script and style
	changed bool       // the tag is written from its attributes
}

// read splits a page. Every page can be read.
func read(page string) *document {
	d := &document{}
	z := html.NewTokenizer(strings.NewReader(page))
	within, length := "", 0
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		p := &piece{kind: kind, raw: string(z.Raw()), within: within}
		length += len(p.raw)
		if p.isTag() {
			p.tag = z.Token()
			within = ""
		}
		if kind == html.StartTagToken {
			switch p.tag.Data {
			case "noscript":
				z.NextIsNotRawText()
			case "script", "style":
				within = p.tag.Data
			}
		}
		d.add(p)
	}
	if length < len(page) {
		d.pieces = append(d.pieces, &piece{kind: html.TextToken, raw: page[length:]})
	}
	return d
}

// add appends a piece with the code in it.
func (d *document) add(p *piece) {
	if p.kind == html.TextToken && p.within == "script" && isScript(d.pieces[len(d.pieces)-1].tag) {
		d.codes = append(d.codes, &code{source: p.raw, piece: p})
	}
	d.pieces = append(d.pieces, p)
	if !p.opens() {
		return
	}
	for i, a := range p.tag.Attr {
		if isUserEvent(a.Key) {
			d.codes = append(d.codes, &code{source: a.Val, piece: p, attribute: i + 1})
		}
	}
}

// String writes the page.
func (d *document) String() string {
	for _, c := range d.codes {
		c.store()
	}
	var b strings.Builder
	for _, p := range d.pieces {
		b.WriteString(p.text())
	}
	return b.String()
}

// tags are the opening tags, in order.
func (d *document) tags() (all []*piece) {
	for _, p := range d.pieces {
		if p.opens() {
			all = append(all, p)
		}
	}
	return all
}

// inside is the text of all scripts or of all styles.
func (d *document) inside(name string) string {
	var b strings.Builder
	for _, p := range d.pieces {
		if p.kind == html.TextToken && p.within == name {
			b.WriteString(p.raw + "\n")
		}
	}
	return b.String()
}

// void are the elements without an end tag.
var void = []string{"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}

// element is the index after the last piece of the element that begins at i, or 0 if its
// end tag is missing.
func (d *document) element(i int) int {
	name := d.pieces[i].tag.Data
	if d.pieces[i].kind == html.SelfClosingTagToken || slices.Contains(void, name) {
		return i + 1
	}
	depth := 0
	for j, p := range d.pieces[i:] {
		switch {
		case p.tag.Data != name:
		case p.kind == html.StartTagToken:
			depth++
		case p.kind == html.EndTagToken:
			if depth--; depth == 0 {
				return i + j + 1
			}
		}
	}
	return 0
}

// remove takes pieces and the code in them out of the page.
func (d *document) remove(from, to int) {
	gone := d.pieces[from:to]
	d.codes = slices.DeleteFunc(d.codes, func(c *code) bool { return slices.Contains(gone, c.piece) })
	d.pieces = slices.Delete(d.pieces, from, to)
}

func (p *piece) isTag() bool {
	return p.kind == html.StartTagToken || p.kind == html.EndTagToken || p.kind == html.SelfClosingTagToken
}

func (p *piece) opens() bool {
	return p.kind == html.StartTagToken || p.kind == html.SelfClosingTagToken
}

// value is what an attribute says, empty if there is none of this name.
func (p *piece) value(name string) string {
	for _, a := range p.tag.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

var attributeEscapes = strings.NewReplacer("&", "&amp;", `"`, "&quot;")

// text is the piece as it stands in the page.
func (p *piece) text() string {
	if !p.changed {
		return p.raw
	}
	var b strings.Builder
	b.WriteString("<" + p.tag.Data)
	for _, a := range p.tag.Attr {
		b.WriteString(" " + a.Key + `="` + attributeEscapes.Replace(a.Val) + `"`)
	}
	if p.kind == html.SelfClosingTagToken {
		b.WriteString(" /")
	}
	b.WriteString(">")
	return b.String()
}

// isScript says whether a script element holds JavaScript that runs as it stands.
func isScript(tag html.Token) bool {
	for _, a := range tag.Attr {
		if a.Key == "src" {
			return false
		}
		if a.Key == "type" {
			kind := strings.ToLower(strings.TrimSpace(a.Val))
			return kind == "" || kind == "module" || strings.HasSuffix(kind, "/javascript") || strings.HasSuffix(kind, "/ecmascript")
		}
	}
	return true
}
