package require

import (
	"regexp"
	"slices"

	"vitrine"
)

var (
	// drawn are words of sentences about something that is looked at.
	drawn = set("3d three-dimensional three.js threejs webgl terrain walkthrough scene animation animated screensaver globe landscape world shader shaders simulation canvas")
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

var (
	// carried are things that are dragged from one place to another, in a scene or not.
	carried = regexp.MustCompile(`(?i)\b(cards?|tasks?|items?|lists?|rows?|columns?|files?|tiles?|pieces?|elements?|blocks?|widgets?|nodes?|events?)\b`)
	// resistance is drag as a force.
	resistance = regexp.MustCompile(`(?i)\b(and|air|fluid|with) drag\b|\bdrag (physics|force|coefficient|model)`)
)

// draggedScene has what is dragged on a site that is a scene, such as its camera or a cloth, asked of the scene: nothing there is
// moved from one place of the page to another.
func (g *gathering) draggedScene() {
	scene := slices.IndexFunc(g.list, func(q *vitrine.Requirement) bool { return q.Behavior == vitrine.BehaviorScene })
	drag := slices.IndexFunc(g.list, func(q *vitrine.Requirement) bool { return q.Behavior == vitrine.BehaviorDrag })
	main := g.known && len(g.kind.does) > 0 && (g.kind.does[0] == vitrine.BehaviorScene || g.kind.does[0] == vitrine.BehaviorLive)
	if scene < 0 || drag < 0 || !main && !g.main[scene] || carried.MatchString(g.list[drag].Quote+" "+g.list[drag].Entity) {
		return
	}
	if q := g.list[drag].Quote; !resistance.MatchString(q) && len(q) > len("drag") {
		g.list[scene].Quote = bounded(g.list[scene].Quote+"; "+q, 160)
	}
	g.drop(drag)
}
