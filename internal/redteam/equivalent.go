package redteam

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"
	"golang.org/x/net/html"
)

// equivalents are pages that do and show the same and are written differently.
var equivalents = []Operator{
	{Name: "same-printed", Kind: Equivalent, Says: "scripts are printed again from their syntax trees", of: all, apply: reprint},
	{Name: "same-spaced", Kind: Equivalent, Says: "comments and white space are added where they show nothing", of: all, apply: addSpace},
	{Name: "same-attributes", Kind: Equivalent, Says: "attributes stand in another order", of: all, apply: shuffleAttributes},
	{Name: "same-locals", Kind: Equivalent, Says: "local variables have other names", of: all, apply: renameLocals},
	{Name: "same-classes", Kind: Equivalent, Says: "classes have other names, in styles and tags alike", of: all, apply: renameClasses},
}

// reprint counts each program as a place.
func reprint(m *mutation) {
	m.eachCode(func(c *code) { m.hit() })
}

// addSpace adds a comment to each program and each style sheet, and one after the doctype.
func addSpace(m *mutation) {
	for _, p := range m.pieces {
		if p.kind != html.TextToken || p.within != "style" || !m.hit() {
			continue
		}
		p.raw = "\n/* styles */\n\n" + p.raw + "\n\n"
	}
	m.eachCode(func(c *code) {
		if m.hit() {
			c.prefix, c.suffix = "/* begins */ ", " /* ends */"
		}
	})
	for i, p := range m.pieces {
		if p.tag.Data == "head" && p.kind == html.StartTagToken && m.hit() {
			note := &piece{kind: html.CommentToken, raw: "\n<!-- what stands here is not shown -->\n\n"}
			m.pieces = slices.Insert(m.pieces, i+1, note)
			break
		}
	}
}

// shuffleAttributes draws an order for the attributes of each tag that has several.
func shuffleAttributes(m *mutation) {
	random := rand.New(rand.NewPCG(m.seed, 3))
	for _, p := range m.tags() {
		if len(p.tag.Attr) < 2 || !distinct(p.tag.Attr) || !m.hit() {
			continue
		}
		before := slices.Clone(p.tag.Attr)
		random.Shuffle(len(p.tag.Attr), func(i, j int) { p.tag.Attr[i], p.tag.Attr[j] = p.tag.Attr[j], p.tag.Attr[i] })
		p.changed = true
		for _, c := range m.codes {
			if c.piece == p && c.attribute > 0 {
				c.attribute = 1 + slices.Index(p.tag.Attr, before[c.attribute-1])
			}
		}
	}
}

// distinct says whether each attribute has a name of its own: of two the first counts.
func distinct(attributes []html.Attribute) bool {
	for i, a := range attributes {
		if isAttribute(attributes[:i], a.Key) || a.Namespace != "" {
			return false
		}
	}
	return true
}

// renameLocals renames what functions declare, in programs that do not make code from
// text.
func renameLocals(m *mutation) {
	m.eachCode(func(c *code) {
		if c.attribute > 0 || dynamic.MatchString(c.source) {
			return
		}
		renamed := map[*js.Var]string{}
		walk{node: func(n any) {
			switch f := n.(type) {
			case *js.FuncDecl:
				renameDeclared(m, &f.Body.Scope, renamed)
			case *js.ArrowFunc:
				renameDeclared(m, &f.Body.Scope, renamed)
			case *js.MethodDecl:
				renameDeclared(m, &f.Body.Scope, renamed)
			}
		}}.over(c.tree)
		walk{name: func(v *js.Var) {
			root := v
			for root.Link != nil {
				root = root.Link
			}
			if name, ok := renamed[root]; ok {
				v.Data = []byte(name) // shorthand properties are printed by it
			}
		}}.over(c.tree)
		for v, name := range renamed {
			v.Data = []byte(name)
		}
	})
}

// dynamic is code that is made of text, or that names variables from outside.
var dynamic = regexp.MustCompile(`\b(eval|with|Function)\s*\(|\barguments\b`)

func renameDeclared(m *mutation, s *js.Scope, renamed map[*js.Var]string) {
	for _, v := range s.Declared {
		if v.Decl != js.ExprDecl && v.Link == nil && m.hit() {
			renamed[v] = fmt.Sprintf("%s_v%d", v.Data, len(renamed))
		}
	}
}

// classInSheet is a class in a selector.
var classInSheet = regexp.MustCompile(`\.(-?[_a-zA-Z][\w-]*)`)

// renameClasses renames classes that stand in a sheet and in tags, and that no script and
// no selector of another kind could mean.
func renameClasses(m *mutation) {
	sheets, scripts := m.inside("style"), m.inside("script")
	if strings.Contains(sheets, "[class") || strings.Contains(sheets, `\`) || m.loadsOthers() {
		return
	}
	for _, c := range m.codes {
		scripts += c.source + "\n"
	}
	renamed := map[string]string{}
	for _, found := range classInSheet.FindAllStringSubmatch(selectors(sheets), -1) {
		name := found[1]
		if _, known := renamed[name]; !known && !strings.Contains(scripts, name) && m.hit() {
			renamed[name] = fmt.Sprintf("k%d-%s", len(renamed), name)
		}
	}
	if len(renamed) == 0 {
		return
	}
	for _, p := range m.pieces {
		if p.kind == html.TextToken && p.within == "style" {
			p.raw = inSelectors(p.raw, func(selector string) string {
				return classInSheet.ReplaceAllStringFunc(selector, func(s string) string {
					if to, ok := renamed[s[1:]]; ok {
						return "." + to
					}
					return s
				})
			})
		}
		for i, a := range p.tag.Attr {
			if p.opens() && a.Key == "class" {
				p.tag.Attr[i].Val = renameWords(a.Val, renamed)
				p.changed = true
			}
		}
	}
}

// loadsOthers says whether the page has style sheets or scripts of other files.
func (d *document) loadsOthers() bool {
	return slices.ContainsFunc(d.tags(), func(p *piece) bool {
		return p.tag.Data == "link" && strings.Contains(p.value("rel"), "stylesheet") || p.tag.Data == "script" && p.value("src") != ""
	})
}

func renameWords(list string, renamed map[string]string) string {
	words := strings.Fields(list)
	for i, w := range words {
		if to, ok := renamed[w]; ok {
			words[i] = to
		}
	}
	return strings.Join(words, " ")
}

// selectors are the parts of a style sheet before braces.
func selectors(sheet string) string {
	var b strings.Builder
	inSelectors(sheet, func(s string) string { b.WriteString(s + "\n"); return s })
	return b.String()
}

// beforeBrace is what stands between braces or semicolons and the next opening brace.
var beforeBrace = regexp.MustCompile(`[^{};]*\{`)

func inSelectors(sheet string, change func(string) string) string {
	return beforeBrace.ReplaceAllStringFunc(sheet, func(s string) string {
		if strings.HasPrefix(strings.TrimSpace(s), "@") {
			return s
		}
		return change(s)
	})
}
