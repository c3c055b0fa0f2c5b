package require

import (
	"slices"

	"vitrine"
)

// managing reads how something is managed, where the text says so: "manage loans by extending
// or returning them", "manage appointments (complete, reschedule, or cancel)". What it says
// then takes the place of what managing asks for in general, and is done to what is managed.
func (r *reader) managing(it item, toks []token) bool {
	if r.verb != "manage" || len(toks) == 0 || len(r.managed) > 0 || it.lead != leadAside && it.by != "by" {
		return false
	}
	verb := toks[0].low
	if it.lead == leadGerund {
		verb = gerund(verb)
	}
	if !known(verb) || it.lead == leadAside && nouns[verb] && (len(toks) == 1 || !isVerb(toks)) {
		return false
	}
	does := wayOf(verb, r.thing, toks[1:])
	if does == "" {
		return false
	}
	from := len(r.acts)
	for from > 0 && r.acts[from-1].verb == "manage" && r.acts[from-1].clause == r.clause {
		from--
	}
	if from == len(r.acts) {
		return false // what is managed asks for something else
	}
	r.acts = slices.Delete(r.acts, from, len(r.acts))
	r.managed, r.pending = r.thing, nil
	r.aside = it.lead == leadAside
	r.way(does, verb, toks[1:])
	return true
}

// way keeps one of the ways in which something is managed.
func (r *reader) way(does vitrine.Behavior, verb string, rest []token) {
	r.clause++
	r.how = bases
	r.acts = append(r.acts, act{does: does, verb: verb, entity: entityOf(r.managed), clause: r.clause, quote: quoted(verb, append(slices.Clone(rest), r.managed...))})
}

// wayOf is the behavior of a verb that says how a thing is managed, or empty if the verb does not
// manage it. Changing a part of a thing edits the thing.
func wayOf(verb string, thing, rest []token) vitrine.Behavior {
	if verb == "order" {
		return "" // "order again" makes another
	}
	if does := doesOf(verb, append(slices.Clone(thing), rest...)); len(does) == 1 && ways[does[0]] {
		return does[0]
	}
	switch verb {
	case "change", "adjust", "update", "modify":
		return vitrine.BehaviorEdit
	}
	return ""
}

// ways are the behaviours by which one thing among many is managed.
var ways = map[vitrine.Behavior]bool{vitrine.BehaviorCreate: true, vitrine.BehaviorEdit: true, vitrine.BehaviorDelete: true, vitrine.BehaviorStatus: true, vitrine.BehaviorReply: true}

// more reads one more way in which something is managed. It reports whether an item is one.
func (r *reader) more(it item, toks []token) bool {
	if len(r.managed) == 0 {
		return false
	}
	if it.lead != leadAnd || it.closed || len(toks) == 0 {
		if r.managed = nil; it.closed { // "(add, edit) and orders": one thing more that is managed
			r.verb = "manage"
		}
		return false
	}
	verb := toks[0].low
	if base := gerund(verb); base != "" {
		verb = base
	} else if !r.aside { // ", and view statistics" goes on with what users can do
		r.managed, r.how, r.verb = nil, bases, ""
		return false
	}
	if !known(verb) {
		return true
	}
	does := wayOf(verb, r.managed, toks[1:])
	if does == "" {
		r.managed, r.verb = nil, ""
		return false
	}
	r.way(does, verb, toks[1:])
	return true
}
