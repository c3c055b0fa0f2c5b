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
