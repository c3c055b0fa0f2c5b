package require

import (
	"strings"

	"vitrine"
)

// nominal reads an item without a verb of its own: "a shopping cart", "product search".
func (r *reader) nominal(toks []token) { r.scanAll(toks, true) }

// scan reads the nouns of tokens that name behaviours.
func (r *reader) scan(toks []token) { r.scanAll(toks, true) }

// scanAll reads nouns that name behaviours; with shown also what is shown or managed.
func (r *reader) scanAll(toks []token, shown bool) {
	for i := 0; i < len(toks); i++ {
		if negatives[toks[i].low] {
			return
		}
		if base := gerund(toks[i].low); base != "" && i > 0 && (toks[i-1].low == "for" || toks[i-1].low == "of") {
			continue
		}
		if shown && i > 0 && r.deed(toks, i) {
			continue
		}
		if r.rowsOf(toks, i) {
			continue
		}
		if verb := controlOf(toks, i); verb != "" {
			r.clause++
			r.keep(verbAt{verb, r.clause}, nil, nil)
			i++
			continue
		}
		if p := formAt(toks, i); p != nil && !modifier(toks, i, len(p.words)) && !ofBrowser(toks, i) {
			r.named(toks, i, p)
			i += len(p.words) - 1
		}
	}
}

// ofBrowser reports whether a tab is one of the browser: it is closed, or said to be.
func ofBrowser(toks []token, i int) bool {
	if toks[i].base != "tab" || i == 0 {
		return false
	}
	before := toks[i-1].low
	if determiners[before] && i > 1 {
		before = toks[i-2].low
	}
	return before == "browser" || before == "close" || before == "closing" || before == "another" || toks[i-1].low == "another"
}

// hasForm reports whether one of the tokens begins a noun that names a behaviour.
func hasForm(toks []token) bool {
	for i := range toks {
		if p := formAt(toks, i); p != nil && !modifier(toks, i, len(p.words)) && i+len(p.words) == len(toks) {
			return true
		}
	}
	return false
}

// panels reports whether the head of a noun phrase names panels: "tabs for this week" are
// no second thing that is added.
func panels(toks []token) bool {
	np, _ := nounPhrase(toks)
	for i := range np {
		if p := formAt(np, i); p != nil && p.does[0] == vitrine.BehaviorPanels && i+len(p.words) == len(np) {
			return true
		}
	}
	return false
}

// rowsOf reads "a list of entries" as what is shown.
func (r *reader) rowsOf(toks []token, i int) bool {
	if !holders[toks[i].low] || i+2 >= len(toks) || toks[i+1].low != "of" || i == 0 || !determiners[toks[i-1].low] || i > 1 && toks[i-2].low != "with" {
		return false
	}
	np, _ := nounPhrase(toks[i+2:])
	entity := entityOf(np)
	if entity == "" || !several(np) || qualities[np[len(np)-1].low] || drawnParts[np[0].low] {
		return false
	}
	r.clause++
	r.acts = append(r.acts, act{does: vitrine.BehaviorList, entity: entity, clause: r.clause, quote: bounded(textOf(toks[i:]), 160)})
	return true
}

// holders are nouns for what rows stand in.
var holders = set("list grid gallery table timetable feed catalog catalogue")

// modifier reports whether a phrase only qualifies another noun: the chart of "chart
// library" does, the search of "search feature" does not.
func modifier(toks []token, i, n int) bool {
	if i+n >= len(toks) {
		return false
	}
	behind := toks[i+n]
	switch behind.base {
	case "function", "functionality", "feature", "option", "tool", "page", "section", "system", "capability", "interface", "form", "bar", "button", "menu", "process", "data", "record", "component", "module", "control", "panel", "experience", "widget", "area", "display", "platform", "service", "view", "part", "table":
		return behind.base == "data" || behind.base == "record" || behind.base == "service" || behind.base == "platform"
	}
	return !behind.mark && !prepositions[behind.low] && behind.low != "is" && behind.low != "are" && !strings.HasSuffix(behind.low, "ly") && formStart(behind) && toks[i].low == toks[i].base && n == 1
}

// formStart reports whether a token may go on with a noun phrase.
func formStart(t token) bool { return !t.mark && !determiners[t.low] && !persons[t.low] }

// named notes the behaviour of a phrase at a place, with the words before it as its thing.
func (r *reader) named(toks []token, i int, p *phrase) {
	from := i
	for from > 0 && i-from < 3 && !toks[from-1].mark && !prepositions[toks[from-1].low] && !determiners[toks[from-1].low] && !known(toks[from-1].low) && !structural[toks[from-1].low] && !builds[toks[from-1].low] {
		from--
	}
	entity := entityOf(toks[from:i])
	if entity == "" && i+len(p.words)+1 < len(toks) && (toks[i+len(p.words)].low == "of" || toks[i+len(p.words)].low == "for" || toks[i+len(p.words)].low == "on") {
		np, _ := nounPhrase(toks[i+len(p.words)+1:])
		entity = entityOf(np)
	}
	if behind := i + len(p.words); p.does[0] == vitrine.BehaviorNav && behind+1 < len(toks) && toks[behind].low == "through" && !has(manyPages, toks[behind:]) {
		return // through what is on one screen
	}
	if last := toks[i+len(p.words)-1]; p.does[0] == vitrine.BehaviorList && from > 0 && onlyOne[toks[from-1].low] && last.base == "card" && last.low == last.base {
		return // "a product card" is one thing
	}
	r.clause++
	for rank, b := range p.does {
		if b == vitrine.BehaviorGame && !r.game || r.scene && b == vitrine.BehaviorLive || r.chart && b == vitrine.BehaviorReply || r.game && (b == vitrine.BehaviorLive || b == vitrine.BehaviorScene || b == vitrine.BehaviorCustomize) {
			continue
		}
		if b == vitrine.BehaviorScene {
			entity = ""
		}
		r.acts = append(r.acts, act{does: b, rank: rank, entity: entity, clause: r.clause, quote: bounded(textOf(toks[from:min(len(toks), i+len(p.words))]), 160)})
	}
}

// onlyOne are words before a thing of which there is one.
var onlyOne = set("a an one single")

// deed reads a noun of action with its thing before it: "client management", "order
// tracking", "post creation".
func (r *reader) deed(toks []token, i int) bool {
	verb := deeds[toks[i].low]
	if i+1 < len(toks) && toks[i].low == "management" && !manages(toks[i+1]) {
		verb = ""
	}
	if toks[i].low == "editing" && i+1 < len(toks) {
		verb = ""
	}
	if p := formAt(toks, i); p != nil && len(p.words) > 1 {
		verb = ""
	}
	if verb == "" || r.steps && i+1 < len(toks) && (toks[i+1].base == "section" || toks[i+1].base == "page") || formAt(toks, i-1) != nil || prepositions[toks[i-1].low] || determiners[toks[i-1].low] || adjectives[toks[i-1].low] {
		return false
	}
	from := max(0, i-2)
	for from < i-1 && (prepositions[toks[from].low] || determiners[toks[from].low] || toks[from].mark || structural[toks[from].low] || builds[toks[from].low] || known(toks[from].low)) {
		from++
	}
	r.clause++
	r.keep(verbAt{verb, r.clause}, toks[from:i], toks[from:i+1])
	return true
}

// manages reports whether management before this word is still something to do, as in
// "client management system".
func manages(behind token) bool {
	switch behind.base {
	case "system", "function", "functionality", "feature", "capability", "tool", "module", "platform", "website", "application", "app", "dashboard", "section", "page", "interface", "site", "task", "option":
		return true
	}
	return behind.mark || prepositions[behind.low]
}

// deeds are nouns of action that stand behind their thing, with their verbs.
var deeds = map[string]string{
	"management": "manage", "tracking": "track", "creation": "create", "monitoring": "monitor", "submission": "submit",
	"selection": "select", "customization": "customize", "comparison": "compare", "showcase": "showcase",
	"upload": "upload", "uploads": "upload", "booking": "book", "bookings": "book", "search": "search",
	"visualization": "visualize", "analysis": "analyze", "modification": "modify", "editing": "edit", "sharing": "share",
	"registration": "register", "recording": "record", "sending": "send", "purchase": "purchase", "prediction": "predict",
	"display": "display", "listings": "list", "listing": "list", "updates": "browse", "collection": "browse",
	"recommendations": "browse", "verification": "verify", "confirmation": "confirm", "enrollment": "enroll", "history": "view",
}

// drawnParts are what grids of drawings are made of.
var drawnParts = set("points cells pixels dots squares particles nodes vertices")

// qualities are plurals that no list of rows shows.
var qualities = set("sections features feature details benefits functions elements effects graphics animations values skills trends insights aspects visuals controls mechanics textures interactions experiences options tools capabilities functionalities movements colors colours patterns angles strategies layouts findings shadows principles metrics statistics charts graphs strengths vibes qualities contents advancements specifications fonts parts views points cells pixels dots squares particles nodes vertices")

// shownOnce are nouns in the singular for several things that are shown.
var shownOnce = set("portfolio menu collection catalog catalogue inventory schedule news")

// shown notes a list of what a site showcases, where that is a plural: "highlighting its
// services and special offers".
func (r *reader) shown(toks []token) {
	np, _ := nounPhrase(toks)
	if len(np) == 0 || hasForm(np) || r.scene || r.chart {
		return
	}
	last := np[len(np)-1]
	if entity := entityOf(np); entity != "" && (last.low != last.base && !qualities[last.low] || shownOnce[last.low]) {
		r.acts = append(r.acts, act{does: vitrine.BehaviorList, verb: "showcase", entity: entity, clause: r.clause, quote: quoted("", np)})
	}
}
