package require

import (
	"strings"
)

// A lead is what stands before an item and says what may begin it.
type lead int

const (
	leadStart   lead = iota // the beginning of a sentence
	leadAnd                 // a comma, and, or
	leadVerb                // to, can, should, "users": a base form follows
	leadGerund              // for, by, of before an -ing form
	leadThat                // that, which, where, when
	leadList                // including, such as, featuring, a colon
	leadAside               // an opening bracket
	leadWithout             // without, instead of: what follows is not asked for
	leadTopic               // about: what a text is about, with all that is joined to it by "and"
)

// An item is a part of a sentence between two marks, conjunctions or anchors. By is the
// word that leads it, empty for marks.
type item struct {
	lead lead
	by   string
	toks []token
	gap  bool // a mark stands right before it
	// closed: a bracket that was opened before it is closed.
	closed bool
}

var (
	// participles are verbs of what a site does that stand right behind its noun.
	participles  = set("comparing contrasting calculating converting visualizing visualising simulating predicting")
	modals       = set("can could should must will may shall would able")
	conjoins     = set("and or plus then but and/or")
	thats        = set("that which who where when if so because whenever whose")
	prepGerunds  = set("for of by in on when while via through from with as about than into")
	beforeGerund = set("allow allows support supports enable enables involve involves like enjoy start keep")
	listWords    = set("including include includes included featuring features feature covering highlighting showcasing emphasizing emphasising incorporating offering providing supporting containing comprising displaying listing presenting showing exhibiting e.g i.e namely")
	structural   = set("include have provide offer support contain feature incorporate consist possess present integrate offers has has supports provides features includes contains consists requires")
	persons      = set("user users player players customer customers visitor visitors student students employee employees people person individuals individual buyers sellers administrator administrators admin admins human learners readers guests hosts clients members they you shoppers fans viewers everyone patients teachers managers staff friends team teams owner owners researchers scientists professionals homeowners travelers travellers i we one anyone everybody somebody nobody pupils parents doctors drivers landlords employers applicants organisers organizers moderators editors authors writers speakers nurses officers agents dealers tenants workers coaches listeners subscribers voters donors volunteers children kids adults families participants attendees passengers creators designers developers instructors tutors trainers candidates recruiters musicians collectors newcomers strangers operator operators committee")
	builds       = set("create build design develop implement make write generate code add include integrate provide set apply use configure program construct craft produce give show display define assign specify style choose select establish initialize declare color colour do have modify ensure enable allow let incorporate consider develop revamp recreate plan transform offer feature want need implementing creating crafting building designing developing making envisioning")
	fillers      = set("also then easily be able both either even just only simply further always now automatically the quickly first finally again directly actually additionally please help me us you to i'd like want i we would could need and their readily together")
	negatives    = set("not never no without don't doesn't shouldn't won't cannot can't isn't")
	prepositions = set("for of by in on with to from at via through into onto using based according about across between among under over during within around near per as like while against before after toward towards")
)

// split cuts a sentence into items. No token is in two items.
func split(toks []token) (items []item) {
	cur := item{lead: leadStart}
	cut := func(l lead, by string) {
		gap := by == "," || len(cur.toks) == 0 && cur.gap
		closed := by == ")" || len(cur.toks) == 0 && cur.closed
		if len(cur.toks) > 0 || cur.lead != leadAnd {
			items = append(items, cur)
		}
		cur = item{lead: l, by: by, gap: gap, closed: closed}
	}
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		switch {
		case t.low == "and" && i > 0 && i+1 < len(toks) && toks[i-1].low == "drag" && toks[i+1].low == "drop":
			cur.toks = append(cur.toks, t)
		case t.mark && t.low == ":" || t.low == "such" && next(toks, i) == "as":
			cut(leadList, t.low)
			if !t.mark {
				i++
			}
		case t.low == "step" && next(toks, i) == "by" && i+2 < len(toks) && toks[i+2].low == "step":
			i += 2 // how it is done
		case t.mark && t.low == "(":
			cut(leadAside, "")
		case t.mark || conjoins[t.low]:
			cut(leadAnd, t.low)
		case (t.low == "as" && next(toks, i) == "well") || (t.low == "along" || t.low == "together" || t.low == "complete") && next(toks, i) == "with":
			cut(leadAnd, "and")
			i++
		case t.low == "about" && topical(cur.toks):
			cut(leadTopic, "")
		case t.low == "without" || t.low == "instead":
			cut(leadWithout, t.low)
		case modals[t.low] || t.low == "to" && next(toks, i) != "the" && verbFollows(toks[i+1:]):
			cut(leadVerb, t.low)
		case thats[t.low]:
			cut(leadThat, t.low)
		case lets[t.low] && i+1 < len(toks) && (persons[toks[i+1].low] || toks[i+1].low == "me" || toks[i+1].low == "us") && i+2 < len(toks) && known(toks[i+2].low):
			cut(leadVerb, t.low)
			i++
		case t.low == "allowing" || t.low == "enabling" || t.low == "letting" || t.low == "helping":
			cut(leadThat, t.low)
		case (prepGerunds[t.low] || beforeGerund[t.low]) && i+1 < len(toks) && gerund(toks[i+1].low) != "" && !nounGerund(toks, i+1):
			cut(leadGerund, t.low)
		case participles[t.low] && i > 0 && i+1 < len(toks) && !toks[i-1].mark && !prepositions[toks[i-1].low] && (determiners[toks[i+1].low] || toks[i+1].low != toks[i+1].base):
			cut(leadGerund, "for") // "a chart comparing the prices"
			cur.toks = append(cur.toks, t)
		case listWords[t.low] && i > 0 || t.low == "focusing":
			cut(leadList, t.low)
		case persons[t.low] && i+1 < len(toks) && third(toks[i+1].low) != "" && (len(cur.toks) == 0 || ends2(cur.toks)):
			cut(leadVerb, t.low)
		default:
			cur.toks = append(cur.toks, t)
		}
	}
	return append(items, cur)
}

// lets are verbs behind which a person and a base form stand.
var lets = set("let lets letting")

// topical reports whether an item so far ends in a noun for something to be read, so that
// "about" leads what it is about.
func topical(toks []token) bool { return len(toks) > 0 && written[toks[len(toks)-1].base] }

// written are nouns for what is only read.
var written = set("page website site article essay text story poem blog post fact information book paragraph film column song headline homepage novel")

// bidden are the tokens of a sentence without what asks politely for something to be built:
// "could you create", "I want you to make".
func bidden(toks []token) []token {
	for i, t := range toks {
		if strongBuilds[t.low] {
			return toks[i:]
		}
		if !polite[t.low] || t.low == "i" && (next(toks, i) == "can" || next(toks, i) == "could") { // what the user can do
			break
		}
	}
	return toks
}

// polite are the words of such an opening.
var polite = set("could can would you please i i'd want need like to kindly help me")

// ends2 reports whether an item so far is a few words, so that a person behind it is a
// subject and no object.
func ends2(toks []token) bool {
	last := toks[len(toks)-1].low
	return len(toks) <= 2 || last == "as" || last == "while" || last == "let" || last == "lets" || last == "the" || strings.HasSuffix(last, "help") || strings.HasSuffix(last, "helps")
}

func next(toks []token, i int) string {
	if i+1 < len(toks) {
		return toks[i+1].low
	}
	return ""
}

// verbFollows reports whether a base form that the table or a list knows comes next, adverbs
// skipped.
func verbFollows(toks []token) bool {
	for i, t := range toks {
		if i == 3 {
			return false
		}
		if known(t.low) || builds[t.low] || structural[t.low] || t.low == "be" || t.low == "help" || t.low == "perform" || t.low == "learn" || t.low == "engage" {
			return true
		}
		if !strings.HasSuffix(t.low, "ly") && !fillers[t.low] {
			return false
		}
	}
	return false
}

func known(verb string) bool { return rulesOf[verb] != nil }

// gerund is the base form of a verb of the table that a word is the -ing form of, or empty.
func gerund(w string) string {
	stem, ok := strings.CutSuffix(w, "ing")
	if !ok || len(stem) < 2 || never[w] {
		return ""
	}
	for _, base := range []string{stem, stem + "e", stem[:len(stem)-1]} {
		if known(base) && (base != stem[:len(stem)-1] || stem[len(stem)-1] == stem[len(stem)-2]) {
			return base
		}
	}
	return ""
}

// never are -ing forms that are adjectives or prepositions far more often than verbs.
var never = set("computing loading engaging following existing gaming using including styling understanding networking working meeting outstanding charming opening closing")

// nounGerund reports whether an -ing form is an adjective or noun: "existing games", "by
// moving pieces" is none, "in rating charts" is.
func nounGerund(toks []token, i int) bool {
	if i > 0 && toks[i-1].low == "for" && i+2 < len(toks) && toks[i+2].low != toks[i+2].base && !siteNouns[toks[i+1].low] && toks[i+1].low != "system" {
		return false // "for booking airline tickets"
	}
	switch toks[i].low {
	case "booking", "trading", "betting", "reading", "rating", "listing", "training", "building", "racing", "streaming", "learning", "training-data":
		return i+1 < len(toks) && !toks[i+1].mark && toks[i+1].low == toks[i+1].base && !fillers[toks[i+1].low] && !prepositions[toks[i+1].low]
	case "viewing":
		return i+1 < len(toks) && (toks[i+1].base == "distance" || toks[i+1].base == "angle" || toks[i+1].base == "area")
	}
	return false
}

// third is the base form of a verb of the table in the third person, or empty.
func third(w string) string {
	if known(w) {
		return w
	}
	for _, end := range []string{"s", "es"} {
		if base, ok := strings.CutSuffix(w, end); ok && known(base) {
			return base
		}
	}
	if base, ok := strings.CutSuffix(w, "ies"); ok && known(base+"y") {
		return base + "y"
	}
	return ""
}

// nouns are words that the table knows as verbs and that texts have as nouns as often.
var nouns = set("shop reply search order rate book post review comment track record chat play report filter sort list rank query exhibit display show program schedule host plan message question vote stream print copy load trade bid exchange offer purchase design note log access register follow like react star request answer move challenge race test practice bookmark capture measure estimate format export import download upload preview style mix spin cast pick check update change result battle fight attack quiz watch contact click tap audit block clock transfer release scan bid")

// isVerb reports whether the first of the tokens is a base form and no noun: one that may
// be either is a verb where it is alone, or an object in the plural, a determiner or a
// preposition follows.
func isVerb(toks []token) bool {
	w := toks[0].low
	if !known(w) {
		return false
	}
	if !nouns[w] || len(toks) == 1 {
		return true
	}
	second := toks[1]
	switch second.base {
	case "record", "history", "log", "status", "result", "page", "type", "code", "section", "function", "feature":
		return false
	}
	switch {
	case prepositions[second.low], determiners[second.low], second.low != second.base, adjectives[second.low]:
		return true
	case len(toks) > 2 && toks[2].low != toks[2].base && !nouns[second.low]:
		return true
	}
	return !goods[w] && (second.base == "information" || second.base == "data" || second.base == "content")
}

// goods are nouns that name what information is about before they are verbs: "order
// information", "post content".
var goods = set("order purchase post book rate review comment message question bid trade stream contact offer load host")
