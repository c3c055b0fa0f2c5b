package require

import (
	"slices"
	"strings"

	"vitrine"
)

// doing are the behaviours of a verb with what stands behind it, on this kind of site.
func (r *reader) doing(verb string, line []token) []vitrine.Behavior {
	if len(line) == 0 && unfolds[verb] {
		return is(vitrine.BehaviorPanels)
	}
	does := doesOf(verb, line)
	switch {
	case r.byForm && len(does) == 1 && does[0] == vitrine.BehaviorCart:
		return is(vitrine.BehaviorSubmit)
	case r.game && (verb == "explore" || verb == "interact" || verb == "find" || verb == "visit" || verb == "discover"):
		return nil
	case verb == "move" && !r.game && (hasPhrase(basesOf(line), "card|task") || len(r.acts) > r.began && r.acts[len(r.acts)-1].does == vitrine.BehaviorDrag):
		return is(vitrine.BehaviorDrag)
	case len(does) == 0 || does[0] == vitrine.BehaviorGame && !r.game && !plays[verb]:
		return nil
	case r.game && (verb == "select" || verb == "choose" || verb == "pick") && does[0] == vitrine.BehaviorCustomize:
		return does
	case r.game && does[0] == vitrine.BehaviorSetting && (verb != "control" || hasPhrase(basesOf(line), "setting|speed|volume|difficulty")):
		return does
	case r.game && moves[verb]:
		return is(vitrine.BehaviorGame)
	case r.chart && verb == "explore":
		return is(vitrine.BehaviorChart)
	case r.quiz && verb == "answer":
		return is(vitrine.BehaviorQuiz)
	case does[0] == vitrine.BehaviorQuiz && verb == "submit" && !r.quiz:
		return is(vitrine.BehaviorReply)
	case r.scene && does[0] == vitrine.BehaviorList && (verb == "display" || verb == "show" || verb == "showcase" || verb == "present"):
		return nil
	case r.scene && (verb == "explore" || verb == "interact" || verb == "view" || verb == "discover" || verb == "examine" || verb == "manipulate" || verb == "spin" || verb == "rotate" || verb == "turn" || verb == "solve" || verb == "see"):
		return is(vitrine.BehaviorScene)
	}
	return does
}

// unfolds are verbs of what opens by itself: "questions that open and close".
var unfolds = set("open close expand collapse unfold fold")

// plays are verbs of games that say so on any site.
var plays = set("play create start begin launch new restart move merge undo resign")

// moves are verbs that are moves where the site is a game.
var moves = set("move set rotate arrange navigate drag control solve answer attack build place match select choose pick switch turn add remove explore spin deal draw complete buy sell trade plan raise test measure launch click match put drop simulate learn press hover click tap control")

// keep notes the behaviours of a verb with an object.
func (r *reader) keep(v verbAt, np, line []token) {
	does := r.doing(v.verb, line)
	if slices.ContainsFunc(np, func(t token) bool { return negatives[t.low] }) { // "takes no more bids", "not always everybody"
		return
	}
	entity := entityOf(np)
	if entity == "" && len(np) > 0 && np[0].low == "them" && (len(does) == 0 || does[0] != vitrine.BehaviorCreate) {
		entity = r.lastEntity()
	}
	last := ""
	if len(np) > 0 {
		last = np[len(np)-1].low
	}
	if siteNouns[last] && len(does) > 0 && (shownVerbs[v.verb] || does[0] == vitrine.BehaviorCreate) && entity != "" {
		return
	}
	if len(does) > 1 && businesses[last] || len(np) == 0 && (shownVerbs[v.verb] || v.verb == "switch") {
		return
	}
	if len(does) == 1 && does[0] == vitrine.BehaviorList && len(np) > 0 && !several(np) {
		if does = nil; v.verb == "view" {
			does = is(vitrine.BehaviorDetail)
		}
	}
	if (v.verb == "take" || v.verb == "ask") && len(does) == 1 && does[0] == vitrine.BehaviorSubmit {
		r.acts = append(r.acts, act{does: does[0], fields: []string{entity}, clause: v.clause, quote: quoted(v.verb, line)})
		return
	}
	for rank, b := range does {
		r.acts = append(r.acts, act{does: b, rank: rank, verb: v.verb, entity: entity, clause: v.clause, quote: quoted(v.verb, line)})
	}
	if len(does) == 0 && v.verb != "close" { // a tab or a window that is closed
		r.scan(np)
	}
}

// lastEntity is what "them" refers to in a sentence: "add habits, tick them off".
func (r *reader) lastEntity() string {
	for i := len(r.acts) - 1; i >= r.began; i-- {
		if r.acts[i].entity != "" {
			return r.acts[i].entity
		}
	}
	return ""
}

// businesses are what one manages by the site as a whole.
var businesses = set("business shop store company website platform relationship operation process system hospital restaurant content community clinic practice hotel school university college gym warehouse farm salon cafe café pharmacy museum hostel")

// several reports whether a noun phrase is of many things: its last word, or the one
// before "of", is a plural or a collective.
func several(np []token) bool {
	for i, t := range np {
		if t.low == "every" || t.low == "each" {
			return true
		}
		if i+1 < len(np) && np[i+1].low != "of" {
			continue
		}
		if t.low != t.base || plurals[t.low] || collective[t.base] {
			return true
		}
	}
	return false
}

// plurals are words that are the same in the plural and mean several things far more often.
var plurals = set("news series species sales")

// collective are nouns in the singular for many things.
var collective = set("information data content inventory catalog catalogue menu list collection news stock portfolio gallery feed range variety selection history table library media equipment merchandise research work performance grid schedule calendar timetable directory announcement")

func quoted(verb string, line []token) string {
	return bounded(strings.TrimSpace(verb+" "+textOf(line)), 160)
}
