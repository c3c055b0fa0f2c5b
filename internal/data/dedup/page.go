package dedup

import (
	"path"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"golang.org/x/net/html"

	"vitrine"
	"vitrine/internal/data/near"
	"vitrine/internal/markup"
)

// fewBigrams is below how many different tag bigrams the trees of pages are compared.
const fewBigrams = 10

// A page is what is compared of a site.
type page struct {
	dom  []near.Counted
	tree *near.Shape // for a page of few bigrams
	code []near.Counted
}

// readPage reads the files of a site.
func readPage(a *vitrine.Artifact) page {
	var p page
	var names []string
	var code strings.Builder
	var only *vitrine.File
	for i, f := range a.Files {
		switch loader, known := loaders[path.Ext(f.Path)]; {
		case isMarkup(f.Path):
			names = append(names, tagNames(f.Content)...)
			code.WriteString(minifiedPage(f.Content) + "\n")
			only = &a.Files[i]
		case known:
			if loader == api.LoaderTSX || loader == api.LoaderJSX {
				names = append(names, tagNames(f.Content)...)
			}
			code.WriteString(minified(f.Content, loader) + "\n")
		case path.Ext(f.Path) == ".py":
			code.WriteString(withoutHashes(f.Content) + "\n")
		}
	}
	p.dom, p.code = near.Bigrams(names), near.Tokens(code.String())
	if len(p.dom) > 0 && len(p.dom) < fewBigrams && only != nil {
		p.tree = shape(only.Content)
	}
	return p
}

func isMarkup(name string) bool {
	return slices.Contains([]string{".html", ".htm", ".svg", ".vue", ".svelte"}, path.Ext(name))
}

// loaders are how code is read, by the extension of its file.
var loaders = map[string]api.Loader{
	".js": api.LoaderJSX, ".mjs": api.LoaderJS, ".cjs": api.LoaderJS, ".jsx": api.LoaderJSX,
	".ts": api.LoaderTS, ".tsx": api.LoaderTSX, ".css": api.LoaderCSS,
}

// tagNames are the names of the opening tags in order.
func tagNames(source string) (names []string) {
	for t := range markup.Tags(source) {
		names = append(names, t.Data)
	}
	return names
}

// minified is code without comments and white space, with short names for what it
// declares itself; as it is where it cannot be read.
func minified(source string, loader api.Loader) string {
	made := api.Transform(source, api.TransformOptions{
		Loader: loader, Format: api.FormatESModule, LogLevel: api.LogLevelSilent, Charset: api.CharsetUTF8,
		MinifyIdentifiers: true, MinifySyntax: true, MinifyWhitespace: true, LegalComments: api.LegalCommentsNone,
	})
	if len(made.Errors) > 0 {
		return source
	}
	return string(made.Code)
}

// minifiedPage is a page without comments, with its scripts and styles minified.
func minifiedPage(source string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(source))
	within := ""
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			text := string(z.Text())
			switch within {
			case "script":
				text = minified(text, api.LoaderJSX)
			case "style":
				text = minified(text, api.LoaderCSS)
			}
			b.WriteString(text + " ")
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			within = t.Data
			b.WriteString("<" + t.Data)
			for _, a := range t.Attr {
				b.WriteString(" " + a.Key + "=" + a.Val)
			}
			b.WriteString("> ")
		case html.EndTagToken:
			within = ""
		}
	}
}

// withoutHashes is a program of Python without lines that are comments.
func withoutHashes(source string) string {
	var b strings.Builder
	for line := range strings.Lines(source) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// shape is the tree of a page's elements; nil where there is none or too large a one.
func shape(source string) *near.Shape {
	doc, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return nil // deeper than a parser goes
	}
	nodes := 0
	t := treeOf(doc, &nodes)
	if nodes > near.MaxTree {
		return nil
	}
	return near.NewShape(t)
}

func treeOf(n *html.Node, nodes *int) *near.Tree {
	t := &near.Tree{Name: n.Data}
	for c := n.FirstChild; c != nil && *nodes <= near.MaxTree; c = c.NextSibling {
		if c.Type == html.ElementNode {
			*nodes++
			t.Children = append(t.Children, treeOf(c, nodes))
		}
	}
	return t
}
