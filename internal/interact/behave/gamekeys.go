package behave

import (
	"context"

	"vitrine"
)

// keysTried are pairs of keys, those that mean nothing first.
var keysTried = [][]string{{"F8", "F9"}, {"F9", "F7"}, {"ArrowLeft", "ArrowUp"}, {"ArrowRight", "ArrowDown"}, {"ArrowUp", "ArrowRight"}}

// byKeys proves the same of games by keys whose state is where pieces lie, or which end
// soon without a move: what is seen is read right after the keys too, and a game that was
// lost while the page opened begins anew. Its negative control are keys that mean nothing.
func (p *prover) byKeys(ctx context.Context, start *place) answer {
	best := absent("no key has an effect")
	anew := append([]string{}, startWords...)
	for _, words := range [][]string{anew, append(anew, restartWords...)} {
		runs := [][2]string{}
		for _, keys := range keysTried {
			runs = append(runs, p.keyed(ctx, start, words, keys))
		}
		for i := range 2 { // right after the keys, and later
			idle, stray, a, b, c := runs[0][i], runs[1][i], runs[2][i], runs[3][i], runs[4][i]
			switch {
			case p.err != nil || p.spent || idle != stray: // the page is another each time, or shows what is pressed
			case a != idle && b != idle && a != b || a != idle && c != idle && a != c && b == idle:
				return works("the state follows from the keys of the player")
			case a != idle || b != idle:
				best = fails("two different moves lead to the same state")
			}
		}
	}
	return best
}

// keyed begins a game, presses keys without a rest and gives what is seen then and later.
func (p *prover) keyed(ctx context.Context, start *place, words, keys []string) (seen [2]string) {
	p.open(ctx, start)
	if p.err == nil && !p.spent {
		p.session.Brisk = true
		defer func() { p.session.Brisk = false }()
	}
	p.beginBy(ctx, words)
	for _, k := range keys {
		p.do(ctx, vitrine.Action{Kind: vitrine.ActPress, Text: k, MS: holdMS})
	}
	v := p.look(ctx)
	seen[0] = pieces(v)
	p.wait(ctx, 1500)
	v = p.look(ctx)
	seen[1] = pieces(v)
	return seen
}
