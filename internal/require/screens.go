package require

import (
	"regexp"
	"slices"

	"vitrine"
)

var (
	// onePage are words by which an instruction wants one page or one screen.
	onePage = regexp.MustCompile(`(?i)\b(?:one|single)[- ](?:page|screen|html|file|view)|\bin one (?:html )?(?:page|file|screen)|\blanding page|\bui component|\bcomponent\b|\bsvg\b|\bposter\b|\b(?:pricing|timetable|report|error|404|coming[- ]soon|thank[- ]you|product) page`)
	// manyPages are nouns of what one finds one's way in.
	manyPages = set("website site portal platform store shop system marketplace forum blog homepage websites application dashboard e-commerce")
	// stills are nouns of what is only looked at.
	stills = set("svg poster illustration logo icon infographic wallpaper drawing banner flyer painting")
	// sorts are nouns of things that a page has several of.
	sorts = set("service plan dish book product item event project course photo recipe article post class treatment room tour member price work news offer testimonial story lamp painting artwork album song film movie episode job property car flower cake drink tea coffee wine meal topping question tip exhibit exhibition collection sculpture speaker session destination package animal plant team match")
	// meets are words of those who want to be written to.
	meets = set("contact order reserve reservation book booking appointment enquiry inquiry hire rsvp subscribe register quote")
)

// defaults adds navigation where an instruction wants a site and not one screen, and
// where nothing else is asked for what its words name: several things are listed, who
// wants to be written to has a form.
func (g *gathering) defaults(main []token, pages []string, list []sentence) {
	if len(list) == 0 {
		return
	}
	asked, main := len(g.list), untitled(main)
	if named := len(pages) > 1 && speaksOfPages(list); named || g.wide(main, list) {
		cue := "default"
		if named {
			cue = "instruction"
		}
		g.merge(act{does: vitrine.BehaviorNav, quote: "(every site)"}, cue, suggested)
	}
	if asked == 0 && hasPhrase(basesOf(built(main)), transformers) { // of which no verb is one of ours
		g.merge(act{does: vitrine.BehaviorCalculate, quote: "(a tool makes something of what is entered)"}, "default", suggested)
		return
	}
	if asked > 0 || g.kind.oneScreen || has(stills, main) {
		return
	}
	several, meet := false, false
	for _, s := range list {
		for _, t := range untitled(s.tokens) {
			several = several || sorts[t.base] && (t.low != t.base || sameInPlural[t.low])
			meet = meet || meets[t.base]
		}
	}
	if several {
		g.merge(act{does: vitrine.BehaviorList, quote: "(a site that shows several things)"}, "default", suggested)
	}
	if meet {
		g.merge(act{does: vitrine.BehaviorSubmit, quote: "(a site that wants to be written to)"}, "default", 0.3)
	}
}

// untitled are tokens without the names of things, which are capitalised words after "titled", "called" or "named".
func untitled(toks []token) (rest []token) {
	for i := 0; i < len(toks); i++ {
		rest = append(rest, toks[i])
		named := namesTopic[toks[i].low]
		for named && i+1 < len(toks) && toks[i+1].text != toks[i+1].low {
			i++
		}
	}
	return rest
}

// built are the tokens of what is built, without whom it is for and what that is: "a site for Ada, a translator".
func built(main []token) []token {
	for i, t := range main {
		if t.low == "for" || t.mark && i+1 < len(main) && determiners[main[i+1].low] {
			return main[:i]
		}
	}
	return main
}

// Open reports whether an instruction leaves open what is to be done and what is to be shown: it wants a page, a
// site or the screen of a program, not a picture or a scene; none of its requirements is asked for; and it enumerates
// nothing ("lists Kiwi, Lemon and Pear").
func Open(instruction string) bool {
	for _, r := range Read(instruction, nil, "").Behaviors {
		if !slices.Equal(r.Cues, []string{"default"}) {
			return false
		}
	}
	list := sentences(bounded(instruction, maxInstruction))
	main := mainClause(list)
	return !has(stills, main) && slices.ContainsFunc(main, func(t token) bool { return manyPages[t.low] || screens[t.base] }) && !slices.ContainsFunc(list, enumerates)
}

// screens are nouns of what people look for their way around in, besides manyPages.
var screens = set("interface ui gui page webpage homepage app program software screen tool clone replica layout magazine newsletter portfolio resume site")

// formats are words of what a page is written in.
var formats = set("html css javascript js typescript react svg")

// showing are words behind which stands what a page has on it.
var showing = set("list lists show shows display displays contain contains has have with include includes including feature features namely")

// enumerates reports whether a sentence lists three things after a word of showing or a colon: two separators with an
// item of at most five words between them.
func enumerates(s sentence) bool {
	words, begun, shown := 0, false, false
	for i, t := range s.tokens {
		shown = shown || showing[t.low] || t.text == ":"
		switch {
		case t.text == "," || t.low == "and" || t.low == "or" || t.low == "&":
			if last := s.tokens[max(i-1, 0)].low; shown && begun && words > 0 && words <= 5 && !formats[last] && !adjectives[last] {
				return true
			}
			if words > 0 { // "a, and b" has one mark
				begun, words = true, 0
			}
		case t.mark:
			begun, words = false, 0
		default:
			words++
		}
	}
	return false
}

// transformers are nouns for sites that make something of what is entered.
const transformers = "tool|utility|counter|formatter|validator|encoder|decoder|estimator|analyzer|analyser|extractor|parser|minifier|beautifier|checker|highlighter|translator|cleaner|stripper"

// wide reports whether an instruction wants a site of several pages: it says so, and does
// not want one page or one screen.
func (g *gathering) wide(main []token, list []sentence) bool {
	if g.kind.oneScreen || has(stills, main) {
		return false
	}
	for _, s := range list {
		if onePage.MatchString(s.text) {
			return false
		}
	}
	if has(manyPages, main) {
		return true
	}
	for _, s := range list {
		for i, t := range s.tokens {
			if (t.low == "website" || t.low == "site" || t.low == "portal" || t.low == "homepage") && i > 0 && (s.tokens[i-1].low == "a" || s.tokens[i-1].low == "the" || i > 1 && s.tokens[i-2].low == "a") {
				return true
			}
		}
		if chineseSite.MatchString(s.text) {
			return true
		}
	}
	return false
}

// chineseSite are Chinese nouns for sites, whose words have no blanks between.
var chineseSite = regexp.MustCompile(`网站|平台|系统|商城|门户`)

func has(words map[string]bool, toks []token) bool {
	for _, t := range toks {
		if words[t.low] {
			return true
		}
	}
	return false
}

// speaksOfPages reports whether an instruction has the word "pages", or "menu".
func speaksOfPages(list []sentence) bool {
	for _, s := range list {
		for _, t := range s.tokens {
			if t.low == "pages" || t.low == "menu" || t.low == "homepage" {
				return true
			}
		}
	}
	return false
}
