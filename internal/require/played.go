package require

import (
	"regexp"
	"slices"

	"vitrine"
)

// rulesOfGames are words of the rules of games, of which two different ones make a text
// without a noun for its site the description of a game.
var rulesOfGames = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\b(players?|opponents?|enem(y|ies)|monsters?|heroe?s?|spaceship|paddle|dealer|dinosaur|asteroids?|zombies?|aliens?)\b`),
	regexp.MustCompile(`(?i)\b(steers?|shoots?|dodges?|avoids?|jumps? over|flaps?|catch(es)?|guess(es)?|flip (two|over)|takes? turns|fights?|defeats?|smash(es)?|explodes?|vanish(es)?|get through)\b`),
	regexp.MustCompile(`(?i)\b(wins?|los(e|es)|lives|high ?score|score|levels?|game over|tries|misses|three strikes|points|rounds|in a row|it's over|stay open)\b`),
	regexp.MustCompile(`(?i)\b(arrow keys|wasd|space ?bar|space to fire|balloons?|obstacles|spikes|pipes|cact(us|i)|coins|waves of|falling|discs|dice|deck)\b`),
}

// played reports whether the first sentences of a text tell the rules of a game.
func played(list []sentence, main []token) bool {
	if has(manyPages, main) || has(drawn, main) || has(siteNouns, main) {
		return false
	}
	list = list[:min(len(list), 3)]
	if slices.ContainsFunc(list, func(s sentence) bool { return has(contests, s.tokens) }) {
		return false
	}
	n := 0
	for _, rule := range rulesOfGames {
		for _, s := range list {
			if rule.MatchString(s.text) {
				n++
				break
			}
		}
	}
	return n >= 2
}

// contests are words of sites that record results of games played elsewhere.
var contests = set("league tournament standings fixtures")

// gameKind is the kind of a game that has no name.
var gameKind = kind{nouns: "game", does: is(vitrine.BehaviorGame), oneScreen: true}
