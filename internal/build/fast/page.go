package fast

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/markup"
)

// page is index.html, split where a build writes into it.
type page struct {
	text    string            // without what was bundled
	imports []string          // scripts and stylesheets, in the order of the page
	inline  map[string]string // module scripts written in the page, as files beside it
}

var envInPage = regexp.MustCompile(`%([A-Za-z_][A-Za-z0-9_]*)%`)

// addressed are the attributes that name a file.
var addressed = map[string][]string{
	"script": {"src"},
	"link":   {"href"}, "img": {"src"}, "video": {"src", "poster"}, "audio": {"src"}, "source": {"src"}, "image": {"href", "xlink:href"}, "use": {"href", "xlink:href"},
}

// readPage takes the module scripts and stylesheets of the project out of
// index.html and puts addresses and variables into it.
func (p *work) readPage(source string) (*page, error) {
	source = envInPage.ReplaceAllStringFunc(source, func(text string) string {
		var value any
		if raw, ok := p.defines["import.meta.env."+strings.Trim(text, "%")]; ok && json.Unmarshal([]byte(raw), &value) == nil {
			return fmt.Sprint(value)
		}
		return text
	})
	pg := &page{inline: map[string]string{}}
	var out strings.Builder
	done := 0
	for t := range markup.Tags(source) {
		text, err := p.takeTag(pg, t, source[t.Start+len(t.Raw):t.End])
		if err != nil {
			return nil, err
		}
		out.WriteString(source[done:t.Start] + text)
		done = t.End
	}
	pg.text = out.String() + source[done:]
	return pg, nil
}

// takeTag returns what stays in the page of a tag and of what is behind it: the rest of
// a script or style element.
func (p *work) takeTag(pg *page, t markup.Tag, behind string) (string, error) {
	switch {
	case t.Data == "script":
		return p.takeScript(pg, t, behind)
	case t.Data == "style" && (directives.MatchString(t.Inner) || strings.Contains(t.Inner, "@import")):
		return "", cannot(CannotHTML, "a style element with imports or Tailwind in index.html")
	case t.Data == "base":
		return "", cannot(CannotHTML, "a base element in index.html")
	case t.Data == "link" && t.Value("rel") == "stylesheet" && p.own(t.Value("href")) != "":
		pg.imports = append(pg.imports, "/"+p.own(t.Value("href")))
		return "", nil
	}
	raw, err := p.readdress(t)
	return raw + behind, err
}

// takeScript takes the scripts that are bundled.
func (p *work) takeScript(pg *page, t markup.Tag, behind string) (string, error) {
	src, kind := t.Value("src"), t.Value("type")
	_, public := p.public(src)
	switch {
	case kind == "importmap":
		return "", cannot(CannotHTML, "an import map in index.html")
	case kind != "module" || isRemote(src) || src != "" && public:
		raw, err := p.readdress(t)
		return raw + behind, err
	case src == "":
		name := fmt.Sprintf("index.html-%d.js", len(pg.inline))
		pg.inline[name], p.files[name] = t.Inner, t.Inner
		pg.imports = append(pg.imports, "/"+name)
		return "", nil
	}
	src, _, _ = strings.Cut(src, "?")
	if !strings.HasPrefix(src, "/") && !strings.HasPrefix(src, ".") {
		src = "./" + src
	}
	pg.imports = append(pg.imports, src)
	return "", nil
}

// own is the file of the project that an address in the page names, empty if it
// names none.
func (p *work) own(address string) string {
	if address == "" || isRemote(address) {
		return ""
	}
	address, _, _ = strings.Cut(address, "?")
	if _, public := p.public(address); public {
		return ""
	}
	name := path.Clean(strings.TrimPrefix(address, "/"))
	if _, ok := p.files[name]; ok {
		return name
	}
	return ""
}

// readdress writes a tag with the addresses that the site has.
func (p *work) readdress(t markup.Tag) (string, error) {
	names, changed := addressed[t.Data], false
	for i, a := range t.Attr {
		if !slices.Contains(names, a.Key) || a.Val == "" || isRemote(a.Val) {
			continue
		}
		plain, rest := strings.TrimPrefix(a.Val, "/"), ""
		if i := strings.IndexAny(plain, "?#"); i >= 0 {
			plain, rest = plain[:i], plain[i:]
		}
		address := ""
		if _, public := p.public(plain); public && strings.HasPrefix(a.Val, "/") {
			address = p.config.publicURL(plain) + rest
		} else if own := p.own(a.Val); own != "" && t.Data != "script" {
			address = p.address(own, p.files[own], p.config.publicURL("assets")+"/")
		}
		if err := p.grow(len(address)); err != nil {
			return "", err
		}
		if address != "" {
			t.Attr[i].Val, changed = address, true
		}
	}
	if !changed {
		return t.Raw, nil
	}
	return t.String(), nil
}

// entry is the script that imports what the page names.
func (pg *page) entry() string {
	var b strings.Builder
	for _, name := range pg.imports {
		fmt.Fprintf(&b, "import %s;\n", quoted(name))
	}
	return b.String()
}

var (
	endOfHead = regexp.MustCompile(`(?i)</head\s*>`)
	startBody = regexp.MustCompile(`(?i)<body\b`)
	startHTML = regexp.MustCompile(`(?i)<html[^>]*>`)
	doctype   = regexp.MustCompile(`(?i)<!doctype html>`)
)

// with is the page with tags put where Vite does, by what the text says and be it in a
// comment: at the end of the head, before the body, or behind what begins a page.
func (pg *page) with(tags string) string {
	for i, place := range []*regexp.Regexp{endOfHead, startBody, startHTML, doctype} {
		if at := place.FindStringIndex(pg.text); at != nil {
			here := at[i/2] // the first two are before the match
			return pg.text[:here] + tags + pg.text[here:]
		}
	}
	return tags + pg.text
}
