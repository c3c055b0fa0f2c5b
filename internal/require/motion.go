package require

import "vitrine"

var (
	// drawn are words of sentences about something that is looked at.
	drawn = set("3d three-dimensional scene animation animated screensaver globe landscape world shader shaders simulation canvas")
	// stirring are words by which what is looked at moves, or answers.
	stirring = set("interactive interact interaction explore rotating spinning moving flying floating bouncing falling orbiting drifting swimming movement motion animation physics rotate zoom orbit spin")
)

// scenes adds what the main sentence says of something that is looked at and moves: an
// "interactive globe", "flying stars" of a screensaver. Where it has players, it is a
// game as well.
func (r *reader) scenes(main sentence) {
	if r.game {
		return
	}
	looked, moves, players := false, false, false
	for _, t := range main.tokens {
		looked = looked || drawn[t.low]
		moves = moves || stirring[t.low]
		players = players || t.low == "players" || t.low == "player"
	}
	if !looked || !moves {
		return
	}
	entity := ""
	for i, t := range main.tokens {
		if t.low == "of" && i > 0 && i < 12 {
			np, _ := nounPhrase(split(main.tokens[i+1:])[0].toks)
			entity = entityOf(np)
			break
		}
	}
	quote := bounded(main.text, 160)
	r.clause++
	r.acts = append(r.acts, act{does: vitrine.BehaviorScene, entity: entity, clause: r.clause, quote: quote, main: true})
	if players {
		r.acts = append(r.acts, act{does: vitrine.BehaviorGame, clause: r.clause, quote: quote, main: true})
	}
}

// passives are participles behind "should be" that ask for what a subject undergoes.
var passives = map[string]string{
	"displayed": "display", "shown": "show", "listed": "list", "filtered": "filter", "sorted": "sort", "searched": "search", "deleted": "delete", "removed": "delete",
	"edited": "edit", "added": "add", "created": "create", "uploaded": "upload", "downloaded": "download", "exported": "export", "dragged": "drag", "compared": "compare", "saved": "save",
	"marked": "mark", "booked": "book", "submitted": "submit", "viewed": "view", "browsed": "browse", "customized": "customize", "updated": "update", "rated": "rate",
	"shared": "share", "reordered": "reorder", "purchased": "purchase", "managed": "manage", "adjusted": "adjust", "toggled": "toggle", "calculated": "calculate", "voted": "vote",
}

// passive reads "results should be displayed, sorted and exported", with the subject in
// the item before. It reports whether an item is one.
func (r *reader) passive(items []item, i int) bool {
	it := items[i]
	if it.lead == leadVerb && len(it.toks) > 1 && it.toks[0].low == "be" && i > 0 {
		r.undergoes, _ = nounPhrase(items[i-1].toks)
	} else if it.lead != leadAnd {
		r.undergoes = nil
	}
	if len(r.undergoes) == 0 {
		return false
	}
	toks, _ := opened(it)
	if len(toks) == 0 || passives[toks[0].low] == "" {
		return false
	}
	r.flush(nil, nil)
	r.clause++
	r.keep(verbAt{passives[toks[0].low], r.clause}, r.undergoes, append(append([]token{}, r.undergoes...), toks[1:]...))
	return true
}
