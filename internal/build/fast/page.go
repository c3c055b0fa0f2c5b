package fast

import (
	"encoding/json"
	"fmt"
	"html"
	"path"
	"regexp"
	"slices"
	"strings"
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
	for rest := source; rest != ""; {
		at := element.FindStringSubmatchIndex(rest)
		if at == nil {
			out.WriteString(rest)
			break
		}
		out.WriteString(rest[:at[0]])
		text := rest[at[0]:at[1]]
		rest = rest[at[1]:]
		if text == openComment {
			inside, after, closed := strings.Cut(rest, closeComment)
			if closed {
				text, rest = text+inside+closeComment, after
			}
			out.WriteString(text)
			continue
		}
		t := readTag(text)
		if t.name == "script" || t.name == "style" {
			end := len(rest)
			if m := regexp.MustCompile("(?i)</" + t.name + `\s*>`).FindStringIndex(rest); m != nil {
				t.body, end = rest[:m[0]], m[1]
				t.end = rest[m[0]:m[1]]
			}
			rest = rest[end:]
		}
		text, err := p.takeTag(pg, t)
		if err != nil {
			return nil, err
		}
		out.WriteString(text)
	}
	pg.text = out.String()
	return pg, nil
}

const openComment, closeComment = "<!--", "-->"

// element finds where comments begin, and opening tags. The end of a comment is no part
// of it: each one that has none would be read to the end of the page.
var element = regexp.MustCompile(`(?s)<!--|<[A-Za-z][A-Za-z0-9-]*(?:\s+(?:[^\s"'>=/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?|/))*\s*/?>`)

var attribute = regexp.MustCompile(`(?s)([^\s"'>=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?`)

// A tag is an opening tag as it is written, with its text where that is no HTML.
type tag struct {
	name, raw, body, end string
	attrs                []attr
}

type attr struct {
	name, value string
	from, to    int // of the value in the tag, with its quotes
}

func readTag(raw string) tag {
	t := tag{raw: raw}
	for i, m := range attribute.FindAllStringSubmatchIndex(raw[1:], -1) {
		name := strings.ToLower(raw[1+m[2] : 1+m[3]])
		if i == 0 {
			t.name = name
			continue
		}
		a := attr{name: name}
		for g := 4; g <= 8; g += 2 {
			if m[g] >= 0 {
				a.from, a.to = 1+m[g], 1+m[g+1]
				a.value = html.UnescapeString(raw[a.from:a.to])
			}
		}
		t.attrs = append(t.attrs, a)
	}
	return t
}

func (t tag) attr(name string) string {
	for _, a := range t.attrs {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// takeTag returns what stays in the page of a tag.
func (p *work) takeTag(pg *page, t tag) (string, error) {
	switch {
	case t.name == "script":
		return p.takeScript(pg, t)
	case t.name == "style" && (directives.MatchString(t.body) || strings.Contains(t.body, "@import")):
		return "", cannot(CannotHTML, "a style element with imports or Tailwind in index.html")
	case t.name == "base":
		return "", cannot(CannotHTML, "a base element in index.html")
	case t.name == "link" && t.attr("rel") == "stylesheet" && p.own(t.attr("href")) != "":
		pg.imports = append(pg.imports, "/"+p.own(t.attr("href")))
		return "", nil
	}
	raw, err := p.readdress(t)
	return raw + t.body + t.end, err
}

// takeScript takes the scripts that are bundled.
func (p *work) takeScript(pg *page, t tag) (string, error) {
	src, kind := t.attr("src"), t.attr("type")
	_, public := p.public(src)
	switch {
	case kind == "importmap":
		return "", cannot(CannotHTML, "an import map in index.html")
	case kind != "module" || isRemote(src) || src != "" && public:
		raw, err := p.readdress(t)
		return raw + t.body + t.end, err
	case src == "":
		name := fmt.Sprintf("index.html-%d.js", len(pg.inline))
		pg.inline[name], p.files[name] = t.body, t.body
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
func (p *work) readdress(t tag) (string, error) {
	names := addressed[t.name]
	for i := len(t.attrs) - 1; i >= 0; i-- { // from the end: places before stay
		a := t.attrs[i]
		if !slices.Contains(names, a.name) || a.value == "" || isRemote(a.value) {
			continue
		}
		plain, rest := strings.TrimPrefix(a.value, "/"), ""
		if i := strings.IndexAny(plain, "?#"); i >= 0 {
			plain, rest = plain[:i], plain[i:]
		}
		address := ""
		if _, public := p.public(plain); public && strings.HasPrefix(a.value, "/") {
			address = p.config.publicURL(plain) + rest
		} else if own := p.own(a.value); own != "" && t.name != "script" {
			address = p.address(own, p.files[own], p.config.publicURL("assets")+"/")
		}
		if err := p.grow(len(address)); err != nil {
			return "", err
		}
		if address != "" {
			t.raw = t.raw[:a.from] + html.EscapeString(address) + t.raw[a.to:]
		}
	}
	return t.raw, nil
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
)

// with is the page with tags put at the end of its head.
func (pg *page) with(tags string) string {
	for _, place := range []*regexp.Regexp{endOfHead, startBody} {
		if at := place.FindStringIndex(pg.text); at != nil {
			return pg.text[:at[0]] + tags + pg.text[at[0]:]
		}
	}
	return tags + pg.text
}
