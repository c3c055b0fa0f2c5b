package require

import "strings"

// toUsers are verbs of building at the beginning of a sentence that say what the site or its
// users do, where their object is no site and no part of its looks: "generate a password",
// "show all books".
var toUsers = set("show display generate choose select plan modify set transform list configure")

// told reports whether an imperative with a verb of building says what is done on the site
// and not what is to be built. In a list of functions, "add tasks" does.
func (r *reader) told(toks []token) bool {
	verb := toks[0].low
	if builds[verb] && known(verb) && (strings.Contains(toks[0].text, " ") || len(toks) > 1 && toks[1].low == "my") {
		return true // "jot down ideas", "add my books": nobody builds so
	}
	if makesRows[verb] && r.series {
		return true
	}
	if !toUsers[verb] && !(r.bullet && makesRows[verb]) || len(toks) == 1 && !r.bullet {
		return false
	}
	np, _ := nounPhrase(toks[1:])
	if len(np) == 0 {
		return len(toks) == 1 && verb != "show" && verb != "display"
	}
	for _, t := range np {
		if siteNouns[t.low] || siteNouns[t.base] || drawn[t.low] || looks[t.base] {
			return false
		}
	}
	if makesRows[verb] {
		last := np[len(np)-1]
		return np[0].low == "new" || !determiners[np[0].low] && last.low != last.base && !qualities[last.low] && !hasForm(np)
	}
	return true
}

// makesRows are verbs of building that in a list of functions are what users do.
var makesRows = set("add create write")

// looks are nouns for how a site looks and what it is made of.
var looks = set("color colour background font typography layout style design theme html code file component script css svg image logo headline header footer hero border shadow palette animation sentence name word paragraph art model version solution function program game template symbol project prototype standard demo component representation board clone replica look-alike")
