package require

import "strings"

// fielding are list words behind which stand fields of what was named before.
var fielding = set("including include includes such e.g i.e namely : displaying")

// result reports whether an item says what comes of the one before: "…, creating a fine
// atmosphere".
func result(items []item, i int) bool {
	it := items[i]
	if it.lead != leadAnd || it.by != "," || len(it.toks) < 2 {
		return false
	}
	w := it.toks[0].low
	stem, ok := strings.CutSuffix(w, "ing")
	if !ok || len(stem) < 3 || ings[w] {
		return false
	}
	base := gerund(w)
	before := i > 0 && len(items[i-1].toks) > 0 && strings.HasSuffix(items[i-1].toks[0].low, "ing")
	return base == "" && !nounLike(it.toks) || builds[base] && !before && items[i-1].lead != leadGerund
}

// nounLike reports whether an unknown -ing form qualifies a noun: "moving trains" does not
// say what comes of something.
func nounLike(toks []token) bool { return len(toks) == 2 && !determiners[toks[1].low] }

// asks reports whether words end in a request to who builds the site.
func asks(toks []token) bool {
	if len(toks) == 0 {
		return false
	}
	switch toks[len(toks)-1].low {
	case "you", "me", "is", "want", "need", "asked", "like", "job":
		return true
	}
	return false
}

// addsEntries reports whether a user wants to add entries, "I want to add expenses", and not a part of the site,
// "I want to add a dark mode".
func addsEntries(before, toks []token) bool {
	last := before[len(before)-1].low
	np, _ := nounPhrase(toks[1:])
	if toks[0].low != "add" || last != "want" && last != "need" && last != "like" || len(np) == 0 || hasForm(np) {
		return false
	}
	head := np[len(np)-1]
	return head.low != head.base && !siteNouns[head.low] && !controls[head.low] && !qualities[head.low] || plurals[head.low]
}

// shows are list words behind which stands what a site shows.
var shows = set("highlighting showcasing displaying presenting listing showing exhibiting")
