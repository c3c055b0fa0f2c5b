package require

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vitrine"
)

// maxListed bounds each list of what is static.
const maxListed = 40

var (
	quotes   = regexp.MustCompile(`["“]([^"“”\n]{1,80})["”]|「([^」\n]{1,80})」`)
	likeness = regexp.MustCompile(`\b(?i:similar to|inspired by|resembl\w+|reminiscent of|clone of|replica of|duplicate of|version of|in the style of|-style|styled like|mimics?|just like|akin to|drawing inspiration from)\s+(?:the\s+)?([A-Z][\w.&'-]*(?:\s+[A-Z0-9][\w.&'-]*){0,3})`)
	praise   = regexp.MustCompile(`(?i)\b(?:user-friendly|intuitive|seamless|stunning|beautiful|captivating|engaging|immersive|visually appealing|modern|sleek|elegant|eye-catching|attractive|realistic|lifelike|professional|minimalist|satisfying|delightful|high-quality)\b`)
	native   = regexp.MustCompile(`(?i)\b(?:android|ios app|ios native|react native|electron(?:\.js)?|flutter|pyside\d?|wechat mini[- ]?program|mini-program|uni-?app|swiftui|spfx|desktop app(?:lication)?)\b`)
	subject  = regexp.MustCompile(`(?i)\b(?:3d|three-dimensional)\s+(?:model|representation|version|scene|animation|design|environment)\s+of\s+(?:an?\s+|the\s+)?[\w' -]{3,50}`)
)

// readStatic reads what needs no operation: colours, texts, numbers, pages, and what
// cannot be checked.
func readStatic(q *vitrine.Requirements, text string, list []sentence) {
	for _, m := range quotes.FindAllStringSubmatch(text, maxListed) {
		if t := strings.TrimSpace(strings.Trim(m[1]+m[2], ",. ")); t != "" && !slices.Contains(q.Texts, t) {
			q.Texts = append(q.Texts, t)
		}
	}
	for _, s := range list {
		for _, d := range demandsOf(s) {
			if len(q.Colors) < maxListed && !slices.Contains(q.Colors, d) {
				q.Colors = append(q.Colors, d)
			}
		}
		q.Counts = append(q.Counts, countsOf(s.tokens)...)
		q.Pages = union(q.Pages, pagesOf(s.tokens), maxListed)
	}
	q.Counts = q.Counts[:min(len(q.Counts), maxListed)]
	for _, re := range []*regexp.Regexp{likeness, subject, native, praise} {
		for _, m := range re.FindAllString(text, maxListed) {
			q.Unchecked = union(q.Unchecked, []string{strings.TrimSpace(m)}, maxListed)
		}
	}
}

var (
	numerals = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "dozen": 12, "twenty": 20, "hundred": 100}
	units    = set("hour minute second day week month year percent px pixel time degree point km mile meter usd dollar fps level way")
)

// countsOf are numbers with the things they count: "12 products".
func countsOf(toks []token) (counts []vitrine.Count) {
	for i, t := range toks {
		n, ok := numerals[t.low]
		if !ok {
			var err error
			if n, err = strconv.Atoi(strings.ReplaceAll(strings.TrimSuffix(t.low, "+"), ",", "")); err != nil || n < 2 || n > 5000 || n > 1900 && n < 2100 {
				continue
			}
		}
		for j := i + 1; j < min(i+4, len(toks)) && !toks[j].mark && !prepositions[toks[j].low]; j++ {
			if w := toks[j]; w.low != w.base && !units[w.base] {
				counts = append(counts, vitrine.Count{N: n, What: strings.TrimSpace(basesOf(toks[i+1 : j+1]))})
				break
			} else if units[w.base] {
				break
			}
		}
	}
	return counts
}

// pagesOf are the pages and sections that a sentence enumerates behind a word such as
// "pages, including", or names as "the ranking page".
func pagesOf(toks []token) (pages []string) {
	listing := false
	items := split(toks)
	for i, it := range items {
		np, tail := nounPhrase(it.toks)
		if it.lead != leadAnd && it.lead != leadList {
			listing = false
		}
		if it.lead == leadList && i > 0 && endsInPages(items[:i]) {
			listing = true
		}
		if len(it.toks) > 0 && it.toks[0].low == "about" {
			np = it.toks
		}
		name := pageName(np)
		last := len(np) > 0 && (np[len(np)-1].base == "page" || np[len(np)-1].base == "homepage")
		switch {
		case name == "":
		case listing, last && len(np) > 1 && len(np) < 5 && it.lead == leadAnd, last && np[len(np)-1].base == "homepage" && it.lead != leadStart:
			pages = append(pages, name)
		}
		if len(tail) > 0 && tail[0].low == "for" && len(np) > 0 && (np[len(np)-1].base == "section" || np[len(np)-1].base == "page") {
			if n := pageName(tail[1:]); n != "" && np[len(np)-1].low != np[len(np)-1].base {
				pages, listing = append(pages, n), true
			}
		}
	}
	return pages
}

// endsInPages reports whether what precedes a list speaks of pages or sections.
func endsInPages(items []item) bool {
	for i := len(items) - 1; i >= 0 && i >= len(items)-2; i-- {
		for _, t := range items[i].toks {
			if t.low == "pages" || t.low == "sections" || t.low == "tabs" {
				return true
			}
		}
		if len(items[i].toks) > 0 {
			return false
		}
	}
	return false
}

// pageName is a page's name as a menu would have it.
func pageName(np []token) string {
	var words []string
	for _, t := range np {
		if !determiners[t.low] || t.low == "our" {
			words = append(words, t.low)
		}
	}
	name := strings.Join(words, " ")
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, " page"), " section"), " pages")
	if name == "page" || name == "section" || name == "website" || len(name) > 40 || len(words) > 5 || name == "etc" || name == "more" {
		return ""
	}
	return name
}

// entitiesOf are the things that are acted on, with fields that the acts or a sentence of
// its own give: "each product has a name, a price and an image".
func entitiesOf(g *gathering, list []sentence) []vitrine.Entity {
	things := []vitrine.Entity{}
	add := func(name string, fields []string) {
		if name == "" || len(things) >= maxListed {
			return
		}
		for i := range things {
			if things[i].Name == name || headOf(things[i].Name) == name {
				things[i].Fields = union(things[i].Fields, fields, 12)
				return
			}
		}
		things = append(things, vitrine.Entity{Name: name, Fields: fields})
	}
	for _, q := range g.list {
		if q.Behavior == vitrine.BehaviorOrder || q.Behavior == vitrine.BehaviorFilter || q.Behavior == vitrine.BehaviorSearch {
			add(q.Entity, nil) // by what rows are sorted, as "newest", is nothing that they have
			continue
		}
		add(q.Entity, q.Fields)
	}
	for _, s := range list {
		if name, fields := fieldsOf(s.tokens); len(fields) > 1 {
			add(name, fields)
		}
	}
	return things
}

// fieldsOf reads "reports should include x, y and z", "each product has x, y and z",
// "products with x, y and z".
func fieldsOf(toks []token) (name string, fields []string) {
	for i, t := range toks {
		if i == 0 || !(t.low == "include" || t.low == "includes" || t.low == "have" || t.low == "has" || t.low == "with" || t.low == "display" || t.low == "including" || t.low == "contains") {
			continue
		}
		before := i
		for before > 0 && (modals[toks[before-1].low] || toks[before-1].mark || fillers[toks[before-1].low] || toks[before-1].low == "each") {
			before--
		}
		from := max(0, before-3)
		for k := before - 1; k >= from; k-- {
			if toks[k].mark || prepositions[toks[k].low] || determiners[toks[k].low] {
				from = k + 1
				break
			}
		}
		for from < before && (builds[toks[from].low] || numerals[toks[from].low] > 0) {
			from++
		}
		name = entityOf(toks[from:before])
		if name == "" || siteNouns[headOf(name)] {
			continue
		}
		for _, it := range split(toks[i+1:]) {
			if it.lead != leadStart && it.lead != leadAnd {
				break
			}
			np, tail := nounPhrase(it.toks)
			if f := entityOf(np); f != "" && f != "more" && f != "etc" {
				fields = append(fields, f)
			}
			if len(tail) > 0 && it.lead != leadStart {
				break
			}
		}
		return name, fields[:min(len(fields), 12)]
	}
	return "", nil
}

// siteNouns are nouns for the site itself.
var siteNouns = set("website site application app platform page webpage system interface dashboard game homepage design tool portal store feature functionality program")
