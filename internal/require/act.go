package require

import (
	"strings"

	"vitrine"
)

// An act is one behaviour that a place of a text asks for.
type act struct {
	does   vitrine.Behavior
	rank   int    // among the behaviours of its verb: "manage" asks for the first foremost
	verb   string // base form; empty for a noun that names the behaviour
	entity string
	fields []string
	quote  string
	clause int  // acts of one verb with several objects have one clause
	main   bool // in the clause that says what to build
}

// manner is how the items of a sentence are being read.
type manner int

const (
	plain   manner = iota // nouns that name behaviours, and no verbs
	bases                 // base forms, as behind "users can"
	gerunds               // -ing forms, as behind "functionalities for"
	parts                 // fields of what was named before
)

// A reader gathers acts from the sentences of one text.
type reader struct {
	steps  bool // test cases, whose imperatives are addressed to who operates the site
	game   bool // a game: its verbs are moves
	chart  bool // charts: they are what is explored
	quiz   bool // a quiz: its answers are no replies
	scene  bool // a scene: its verbs are looks at it
	acts   []act
	clause int

	// Within a sentence:
	began   int // number of acts before it
	how     manner
	mute    bool   // in an enumeration of topics
	topic   bool   // in what a text is about
	denied  bool   // negated by "without" or "nobody can", with what follows by "or"
	that    bool   // in a relative clause, whose verbs are in the third person
	byForm  bool   // in what a form is for: "a form to order a loaf"
	bullet  bool   // an item of a list
	based   bool   // base forms were read before
	verb    string // of the last act
	shows   bool   // in what the site is to show
	blocked bool   // a preposition stands behind the last object: what follows belongs to it
	pending []verbAt

	series    bool    // it begins with a verb among others: "add, rename and delete beds"
	undergoes []token // subject of a passive
	thing     []token // object of the last verb
	managed   []token // what is managed, while the ways are read in which it is
	aside     bool    // these ways stand in brackets
}

// A verbAt is a verb whose object comes with a later one: "search and filter flats".
type verbAt struct {
	verb   string
	clause int
}

// maxActs bounds what is read from one text.
const maxActs = 400

// sentence reads one sentence.
func (r *reader) sentence(s sentence, main bool) {
	r.how, r.verb, r.shows, r.blocked, r.pending = plain, "", false, false, nil
	r.based, r.mute, r.topic, r.undergoes = false, false, false, nil
	r.bullet, r.that, r.denied, r.byForm = s.bullet, false, false, false
	r.thing, r.managed = nil, nil
	items := split(bidden(s.tokens))
	r.series = series(items, 0)
	from := len(r.acts)
	r.began = from
	for i := range items {
		if len(r.acts) > maxActs {
			break
		}
		subject := i+1 < len(items) && items[i+1].lead == leadVerb && items[i+1].by != "to" && !items[i+1].gap && !persons[items[i+1].by]
		r.item(items, i, subject)
	}
	r.flush(nil, nil)
	for i := from; i < len(r.acts); i++ {
		r.acts[i].main = main
	}
}

// item reads one item. A subject is followed by its verb, and is nothing's object.
func (r *reader) item(items []item, i int, subject bool) {
	it := items[i]
	toks, negative := opened(it)
	nobody := it.lead == leadVerb && i > 0 && endsIn(items[i-1].toks, "nobody")
	r.denied = nobody || it.lead == leadWithout || r.denied && it.lead == leadAnd && (it.by == "or" || it.by == "," && len(toks) < 3)
	if r.denied || negative {
		r.flush(nil, nil)
		r.how = plain
		return
	}
	r.mute = r.mute || it.by == "covering"
	r.that = it.lead == leadThat && it.by != "when" || r.that && it.lead == leadAnd
	r.byForm = (it.by == "to" || it.by == "for") && i > 0 && endsIn(items[i-1].toks, "form")
	if r.topic = it.lead == leadTopic || r.topic && (it.lead == leadAnd || it.lead == leadAside); r.topic {
		r.flush(nil, nil)
		r.how = plain
		return
	}
	if result(items, i) || i > 0 && it.by == "to" && asks(items[i-1].toks) && len(toks) > 0 && builds[toks[0].low] && !series(items, i) && !addsEntries(items[i-1].toks, toks) {
		r.flush(nil, nil)
		r.how, r.verb = plain, ""
		r.scan(toks)
		return
	}
	if r.more(it, toks) || r.managing(it, toks) {
		return
	}
	if r.own(it, toks) || r.passive(items, i) {
		return
	}
	verb, rest := r.verbOf(it, toks)
	if verb == "" && it.lead == leadAnd && it.by == "," && len(r.pending) > 0 { // "days to check off, a progress bar": the next thing of a list
		r.flush(nil, nil)
		r.verb = ""
	}
	switch {
	case verb != "" && !r.mute:
		if it.lead != leadAnd {
			r.flush(nil, nil)
		}
		r.act(verb, rest)
	case r.mute:
	case len(toks) == 0:
		if it.lead == leadVerb {
			r.how = bases
		}
	case it.lead == leadAnd && (r.how == bases || r.how == gerunds) && !subject && !r.blocked && r.verb != "" && !hasForm(toks) && !panels(toks):
		r.object(toks)
	case it.lead == leadAnd && r.how == parts && !subject:
		r.field(toks)
	case (it.lead == leadList && fielding[it.by] || it.lead == leadAside) && r.verb != "" && (r.how == bases || r.how == gerunds) && !features(items[i-1].toks):
		r.flush(nil, nil)
		r.how = parts
		r.field(toks)
	default:
		r.unverbed(it, toks, subject)
	}
}

func endsIn(toks []token, word string) bool { return len(toks) > 0 && toks[len(toks)-1].base == word }

// unverbed reads an item that has no verb and goes on with nothing before it.
func (r *reader) unverbed(it item, toks []token, subject bool) {
	if it.lead == leadAnd && panels(toks) {
		r.how, r.verb = plain, ""
	}
	if it.lead != leadAnd {
		r.flush(nil, nil)
		r.blocked = true
		if r.how = plain; it.lead == leadVerb {
			r.how, r.based = bases, true
		}
		if it.lead != leadThat {
			r.verb = ""
		}
		r.shows = it.lead == leadList && shows[it.by]
		r.clause++
	}
	r.nominal(toks)
	if r.shows && !subject {
		r.shown(toks)
	}
}

// opened are the tokens of an item without what opens it and says nothing, and whether it
// is denied.
func opened(it item) (rest []token, negative bool) {
	toks := it.toks
	for len(toks) > 0 {
		w := toks[0].low
		switch {
		case negatives[w]:
			return nil, true
		case w == "like" && it.by != "would" && (len(toks) == 1 || it.lead == leadVerb || it.lead == leadAnd && it.by != ","):
			return toks, false // a verb: "like and comment on posts"
		case fillers[w] || strings.HasSuffix(w, "ly") && w != "apply" && w != "reply" && w != "supply":
			toks = toks[1:]
		default:
			return toks, false
		}
	}
	return toks, false
}

// verbOf is the base form of the verb that an item begins with, with what stands behind it.
func (r *reader) verbOf(it item, toks []token) (verb string, rest []token) {
	if len(toks) == 0 {
		return "", nil
	}
	first := toks[0].low
	switch it.lead {
	case leadStart:
		switch {
		case r.steps && known(first), !r.steps && known(first) && !builds[first] && isVerb(toks), known(first) && r.told(toks):
			r.how = bases
			return first, toks[1:]
		}
		if base := gerund(first); base != "" && !nounGerund(toks, 0) {
			r.how = gerunds
			return base, toks[1:]
		}
		return "", nil
	case leadVerb:
		if known(first) {
			r.how = bases
			return first, toks[1:]
		}
	case leadList:
		if it.by == ":" && known(first) && (!builds[first] || first == "add") && !nouns[first] && isVerb(toks) {
			r.how = bases
			return first, toks[1:]
		}
	case leadAside:
		if known(first) && !builds[first] && !nouns[first] && isVerb(toks) {
			r.how = bases
			return first, toks[1:]
		}
	case leadThat:
		if base := third(first); base != "" && (!known(first) || isVerb(toks)) && it.by != "when" {
			r.how = bases
			return base, toks[1:]
		}
	case leadAnd:
		if base := third(first); base != "" && !known(first) && r.that && len(toks) > 1 && (determiners[toks[1].low] || several(toks[1:])) {
			r.how = bases
			return base, toks[1:]
		}
		if known(first) && len(r.pending) > 0 && len(toks) > 1 {
			return first, toks[1:]
		}
		if known(first) && isVerb(toks) && (r.how == bases || r.how != bases && r.based && len(toks) > 1 && (!nouns[first] || toks[1].low == "on")) {
			r.how = bases
			return first, toks[1:]
		}
	}
	if base := gerund(first); base != "" && it.lead != leadStart && (it.lead != leadAnd || len(toks) > 1 || !ings[first] || len(r.pending) > 0) && (it.lead == leadGerund || !nounGerund(toks, 0)) && !(it.lead == leadAnd && r.how == bases && len(toks) > 1 && toks[1].low != toks[1].base) {
		r.how = gerunds
		return base, toks[1:]
	}
	return "", nil
}

// act keeps a verb with its object; one without an object waits for the next.
func (r *reader) act(verb string, rest []token) {
	r.clause++
	r.verb, r.blocked = verb, false
	r.based = r.based || r.how == bases
	np, tail := nounPhrase(rest)
	r.thing = np
	r.pending = append(r.pending, verbAt{verb, r.clause})
	if len(np) == 0 && len(tail) == 0 && len(r.pending) < 8 {
		return
	}
	from := len(r.acts)
	r.flush(np, rest)
	if len(r.acts) == from {
		r.verb = ""
	}
	r.after(tail)
}

// object gives the last verb one more object.
func (r *reader) object(toks []token) {
	np, tail := nounPhrase(toks)
	if len(np) == 0 {
		return
	}
	r.keep(verbAt{r.verb, r.clause}, np, toks)
	r.after(tail)
}

// after reads what stands behind an object: nouns that name behaviours, and fields behind
// "with".
func (r *reader) after(tail []token) {
	if len(tail) == 0 {
		return
	}
	r.blocked = true
	r.scan(tail)
	for i, t := range tail {
		if t.low == "with" && i+1 < len(tail) && !hasForm(tail[i+1:]) {
			r.how = parts
			r.field(tail[i+1:])
			return
		}
	}
}

// flush gives the verbs that wait the object, which may be none.
func (r *reader) flush(np, line []token) {
	for i, v := range r.pending {
		if i+1 < len(r.pending) && len(line) > 0 && prepositions[line[0].low] && line[0].low != "for" {
			r.keep(v, nil, nil) // "posting, and browsing by topic": the topic is the last one's
			continue
		}
		r.keep(v, np, line)
	}
	r.pending = r.pending[:0]
}

// field notes a field of the last act.
func (r *reader) field(toks []token) {
	np, _ := nounPhrase(toks)
	name := entityOf(np)
	if name == "" || len(r.acts) == 0 {
		r.scanAll(toks, false)
		return
	}
	last := &r.acts[len(r.acts)-1]
	if len(last.fields) < 12 {
		last.fields = append(last.fields, name)
	}
	r.scanAll(toks, false)
}

// features reports whether what precedes a list are functions of the site, so that the
// list has behaviours and not fields.
func features(toks []token) bool {
	if len(toks) == 0 {
		return true
	}
	switch toks[len(toks)-1].base {
	case "feature", "functionality", "function", "option", "tool", "element", "component", "capability", "page", "section", "operation", "use":
		return true
	}
	return false
}
