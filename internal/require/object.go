package require

import "strings"

var (
	determiners = set("a an the them it their its his her our your my any all each every some this that these those more other others another own both several many various multiple different certain particular specific most such one two three four five six")
	// adjectives are words that say nothing of what a thing is.
	adjectives = set("new existing own detailed available current past previous latest recent various different relevant related specific important interactive real-time live popular top favorite favourite custom customized personalized unique upcoming open closed selected main basic key simple easy intuitive clear clean modern sleek engaging dynamic beautiful stunning visual online digital virtual comprehensive complete full entire whole quick fast smooth seamless user-friendly responsive large small high low best good great free paid individual general additional further certain total overall daily weekly monthly yearly annual future possible suitable desired preferred high-quality concise short long first second next last identical corresponding actual valid historical regular special exciting innovative creative fun easy-to-use featured sample nearby local global public private secure safe anonymous automatic manual common frequent frequently asked raw finished old")
	// wrappers are nouns that stand before "of" and the thing itself.
	wrappers = set("track list variety range collection number set type kind copy portion detail details array selection lists types series summary history overview page view group wide records information status form")
	// trailers are nouns behind the thing itself.
	trailers = set("information data detail record function functionality feature item list page section entry content info system option record module setting account overview")
)

// nounPhrase are the tokens of an object: what stands behind a verb up to a preposition
// other than one right behind the verb, and "of".
func nounPhrase(toks []token) (phrase []token, rest []token) {
	for i, t := range toks {
		switch {
		case i == 0 && prepositions[t.low]:
			continue
		case t.low == "of":
		case prepositions[t.low] || subjects[t.low] || t.low == "is" || t.low == "are" || t.low == "has":
			return phrase, toks[i:]
		}
		phrase = append(phrase, t)
	}
	return phrase, nil
}

// entityOf is the thing that a noun phrase names, in the singular and at most two words:
// "a list of the available game rooms" is a game room. Empty where it names none.
func entityOf(phrase []token) string {
	for i, t := range phrase {
		if t.low == "of" {
			if i > 0 && wrappers[phrase[i-1].base] && i+1 < len(phrase) {
				return entityOf(phrase[i+1:])
			}
			phrase = phrase[:i]
			break
		}
	}
	var words []string
	for i, t := range phrase {
		if t.mark || determiners[t.low] || adjectives[t.low] || persons[t.low] && len(phrase) > 1 && !(i+1 == len(phrase) && len(words) == 0) || strings.HasSuffix(t.low, "ly") || fillers[t.low] || attribute(t.low) || t.low == "drop" || t.low == "off" || t.low == "out" || t.low == "etc" || later[t.low] || numerals[t.low] > 0 || t.low[0] >= '0' && t.low[0] <= '9' && len(t.low) < 4 && t.low != "3d" {
			continue
		}
		words = append(words, t.base)
	}
	for len(words) > 1 && trailers[words[len(words)-1]] && !qualifies(words[len(words)-2]) {
		words = words[:len(words)-1]
	}
	if len(words) > 2 {
		words = words[len(words)-2:]
	}
	name := strings.Join(words, " ")
	if len(name) > 40 || name == "it" || name == "what" || name == "everything" || name == "one" || name == "them" || name == "us" {
		return ""
	}
	return name
}

// later are adverbs behind an object.
var later = set("later again afterwards anytime anyway anymore too right away there here left left/right")

// subjects begin a clause of their own: "the films you've watched".
var subjects = set("they they're they've you you've you're we we've i i've he she it's")

// ings are nouns in -ing that may name a thing.
var ings = set("booking listing training meeting building recording setting rating pricing spending painting drawing wedding ring king string thing clothing spring wing earring trading bidding meetings")

// attribute reports whether a word is an adjective by its form: "captivating", "AI-powered".
func attribute(w string) bool {
	return strings.HasSuffix(w, "ing") && !ings[w] || strings.HasSuffix(w, "-powered") || strings.HasSuffix(w, "-themed") || strings.HasSuffix(w, "-style")
}

// qualifies reports whether a word is an adjective by its end: "financial", "basic".
func qualifies(w string) bool {
	return len(w) > 5 && (strings.HasSuffix(w, "al") || strings.HasSuffix(w, "ic") || strings.HasSuffix(w, "ive"))
}

// headOf is the last word of an entity.
func headOf(entity string) string {
	return entity[strings.LastIndexByte(entity, ' ')+1:]
}

// alike reports whether two entities may be the same: one is empty, or one's last word is
// a word of the other.
func alike(a, b string) bool {
	return a == "" || b == "" || a == b || headOf(a) == headOf(b) || strings.Contains(" "+a+" ", " "+headOf(b)+" ") || strings.Contains(" "+b+" ", " "+headOf(a)+" ")
}

// words are the texts of tokens with blanks between.
func textOf(toks []token) string {
	var parts []string
	for _, t := range toks {
		parts = append(parts, t.text)
	}
	return strings.Join(parts, " ")
}
