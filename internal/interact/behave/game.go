package behave

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

var (
	startWords   = []string{"start", "play", "new game", "start game", "begin", "play game", "开始", "开始游戏"}
	restartWords = []string{"restart", "new game", "reset", "play again", "start over", "try again", "replay", "重新开始"}
)

// game proves that what happens depends on what the player does: with the same clock and
// the same chance, different moves lead to different states, and either differs from no
// move at all; a new game brings the first state back; tic-tac-toe, pairs and Minesweeper
// follow their rules. It cheats who shows an animation, a score that rises by itself, the
// same effect for any input, what was pressed, what a page does when it is scrolled, or a
// drawing that is another one each time. (Relation 19.)
func game(ctx context.Context, p *prover) answer {
	start := p.site.places[0]
	idle := p.play(ctx, start, nil)
	again := p.play(ctx, start, nil)
	shows := state
	if shows(again) != shows(idle) { // what is drawn differs from run to run, and tells nothing
		shows = textState
	}
	best := absent("nothing to play with: no key, no board and no drawing area has an effect")
	for _, moves := range p.moves(ctx, start) {
		shown := shows
		if moves[0][0].Kind == vitrine.ActClick && again.survey.Tiles == idle.survey.Tiles {
			shown = pieces
		}
		still, a, b := shown(idle), shown(p.play(ctx, start, moves[0])), shown(p.play(ctx, start, moves[1]))
		switch {
		case a == still && b == still:
			continue
		case a == b:
			best = fails("two different moves lead to the same state")
			continue
		case a == still || b == still:
			best = fails("one of two moves has no effect")
		}
		if moves[0][0].Kind == vitrine.ActPress && p.echoes(ctx, start, shown) {
			return fails("keys that mean nothing in a game have the effect of moves")
		}
		if one := len(moves[0]) != len(moves[1]); one && shown(p.play(ctx, start, []vitrine.Action{{Kind: vitrine.ActPress, Text: "F8", MS: holdMS}})) != still {
			continue // any key is a move
		}
		if why := p.negative(ctx, start, moves[0][0].Kind, shown, still, a == still || b == still); why != "" {
			best = fails("%s", why)
			continue
		}
		if why := p.againstRules(ctx, start); why != "" {
			return fails("%s", why)
		}
		return p.newGame(ctx, start, moves[0])
	}
	if a := p.byKeys(ctx, start); rank(a.verdict) > rank(best.verdict) {
		best = a
	}
	if best.verdict == vitrine.VerdictWorks {
		if why := p.againstRules(ctx, start); why != "" {
			return fails("%s", why)
		}
	}
	return best
}

// negative says which negative control of moves has an effect; empty for none. Where one of
// two keys has no effect it is scrolling, which arrow keys do by themselves; of clicks it is one
// where nothing is.
func (p *prover) negative(ctx context.Context, start *place, kind vitrine.ActionKind, shows func(*view) string, still string, oneSided bool) string {
	does := func(a vitrine.Action) bool { return shows(p.play(ctx, start, []vitrine.Action{a})) != still }
	switch {
	case kind == vitrine.ActPress && oneSided && does(vitrine.Action{Kind: vitrine.ActScroll, DY: scrolledPX}):
		return "what keys change, scrolling changes, too"
	case kind == vitrine.ActClick && does(vitrine.Action{Kind: vitrine.ActClick, Target: nowhere()}):
		return "a click where nothing is has the effect of a move"
	}
	return ""
}

// scrolledPX is by how much a key scrolls a page.
const scrolledPX = 40

// nowhere is a point of the window where hardly any page has something.
func nowhere() *vitrine.Target { return &vitrine.Target{Point: []vitrine.Coord{998, 996}} }

// echoes is the negative control of moves by keys: two keys that no game knows must not
// lead to different states, as they do where what is pressed is merely shown.
func (p *prover) echoes(ctx context.Context, start *place, shows func(*view) string) bool {
	stray := func(keys ...string) string {
		var all []vitrine.Action
		for _, k := range keys {
			all = append(all, vitrine.Action{Kind: vitrine.ActPress, Text: k, MS: holdMS})
		}
		return shows(p.play(ctx, start, all))
	}
	one := stray("F8", "F9")
	return one != stray("F9", "F7") && p.err == nil && !p.spent
}

// newGame proves that a new game begins as the first one did.
func (p *prover) newGame(ctx context.Context, start *place, moves []vitrine.Action) answer {
	hits := p.find(restartWords, nil)
	if len(hits) == 0 {
		return works("the state follows from the moves of the player")
	}
	v := p.begin(ctx, start)
	first := board(v)
	for _, a := range moves {
		p.do(ctx, a)
	}
	moved := p.look(ctx)
	for _, c := range moved.Controls {
		if clickable(c) && !off(c) && matches(c.Name, restartWords) > 60 {
			p.click(ctx, c.Path)
			if again := board(p.look(ctx)); board(moved) != first && again == board(moved) {
				return fails("a new game leaves the board as it was")
			}
			break
		}
	}
	return works("the state follows from the moves of the player, and a new game begins as the first")
}

// begin opens a game and starts it, where it has a button for that.
func (p *prover) begin(ctx context.Context, start *place) *view {
	p.open(ctx, start)
	return p.beginBy(ctx, startWords)
}

// beginBy starts a game by the control that is labelled most like it, if there is one.
func (p *prover) beginBy(ctx context.Context, words []string) *view {
	v := p.nameFirst(ctx, p.look(ctx))
	best, path := 0.0, ""
	for _, c := range v.Controls {
		if s := matches(c.Name, words); clickable(c) && !off(c) && s > best && s > 60 {
			best, path = s, c.Path
		}
	}
	if path != "" {
		p.click(ctx, path)
		v = p.look(ctx)
	}
	return v
}

// play begins a game, makes the moves and gives what they lead to. Each run takes the same
// page time.
func (p *prover) play(ctx context.Context, start *place, moves []vitrine.Action) *view {
	p.begin(ctx, start)
	used := 0
	for _, a := range moves {
		used += p.do(ctx, a).PageMS
	}
	if len(moves) > 0 && moves[0].Kind == vitrine.ActClick { // what is below the pointer looks otherwise
		used += p.do(ctx, vitrine.Action{Kind: vitrine.ActHover, Target: nowhere()}).PageMS
	}
	p.wait(ctx, max(4500-used, 100))
	return p.look(ctx)
}

// state is all of a page that a player could notice.
func state(v *view) string { return textState(v) + board(v) }

// pieces is the state with what lies on a board that is made of plain elements.
func pieces(v *view) string { return state(v) + v.survey.Tiles }

// textState is the text of a page without its drawings, and without what the browser changes by
// itself: what was typed, ticked or chosen in fields, and how far the page is scrolled, as
// arrow keys do, on which the order of the controls depends.
func textState(v *view) string {
	var controls []string
	for _, c := range v.Controls {
		text := c.Path + " " + c.Name
		if !textField(c) && c.Tag != "input" && c.Tag != "select" {
			text += " " + c.Value + " " + strings.Join(slices.DeleteFunc(slices.Clone(c.States), func(s string) bool { return s == "focused" }), ",")
		}
		controls = append(controls, text)
	}
	slices.Sort(controls)
	return strings.Join(append(slices.Clone(v.survey.Lines), controls...), "\n")
}

// board is what the fields of a board and the drawing areas show.
func board(v *view) string {
	var b strings.Builder
	for _, c := range v.survey.Canvases {
		b.WriteString(c.Sum + " ")
	}
	for _, g := range v.survey.Groups {
		for _, r := range g.Rows {
			fmt.Fprintf(&b, "%s|%s|%s|%d\n", r.Path, r.Text, r.Look, r.Pictures)
		}
	}
	return b.String()
}

// holdMS is for how long a key is held down, in page time: as long as a person's tap that
// moves something on the screen.
const holdMS = 180

// moves are pairs of different moves, the likeliest first: on fields of a board, by arrow
// keys, on the drawing area.
func (p *prover) moves(ctx context.Context, start *place) (pairs [][2][]vitrine.Action) {
	v := p.begin(ctx, start)
	if cells := cells(v); len(cells) >= 4 {
		click := func(i int) vitrine.Action {
			return vitrine.Action{Kind: vitrine.ActClick, Target: at(cells[i%len(cells)])}
		}
		i := p.tokens.number(0, len(cells)-1)
		pairs = append(pairs, [2][]vitrine.Action{{click(i)}, {click(i + 1)}}, [2][]vitrine.Action{{click(i), click(i + 2)}, {click(i + 1), click(i + 3)}})
	}
	press := func(key string) vitrine.Action { return vitrine.Action{Kind: vitrine.ActPress, Text: key, MS: holdMS} }
	if oneButton.MatchString(strings.Join([]string{p.need.Quote, p.need.Entity, v.survey.Title}, " ")) {
		pairs = append(pairs, [2][]vitrine.Action{{press("Space")}, {press("Space"), press("Space")}})
	}
	pairs = append(pairs, [2][]vitrine.Action{{press("ArrowLeft"), press("ArrowUp")}, {press("ArrowRight"), press("ArrowDown")}})
	pairs = append(pairs, [2][]vitrine.Action{{press("e"), press("a")}, {press("z"), press("q")}})
	pairs = append(pairs, words(v)...)
	for _, c := range v.Controls {
		if c.Tag == "canvas" {
			drag := func(dx, dy float64) vitrine.Action {
				return vitrine.Action{Kind: vitrine.ActDrag, Target: at(c.Path), DX: dx, DY: dy}
			}
			pairs = append(pairs, [2][]vitrine.Action{{drag(-80, -40)}, {drag(80, 40)}})
			break
		}
	}
	if buttons := buttons(v); len(buttons) >= 2 {
		pairs = append(pairs, [2][]vitrine.Action{{{Kind: vitrine.ActClick, Target: at(buttons[0])}}, {{Kind: vitrine.ActClick, Target: at(buttons[1])}}})
	}
	return pairs
}

// oneButton names games in which every move is the same, and when it is made matters.
var oneButton = regexp.MustCompile(`(?i)\bflappy\b|\bone[- ](button|key|tap)\b|\b(endless|infinite) runner\b|\bdino(saur)?\b|\bbird\b.*\b(flap\w*|pipes)\b`)

// words are pairs of moves of games by typing: a word that the page shows, and one that it
// does not, in the field of the page.
func words(v *view) (pairs [][2][]vitrine.Action) {
	field := slices.IndexFunc(v.Controls, func(c vitrine.Control) bool { return textField(c) && !off(c) && !c.Covered })
	if field < 0 {
		return nil
	}
	typed := func(word string) []vitrine.Action {
		return []vitrine.Action{{Kind: vitrine.ActType, Target: at(v.Controls[field].Path), Text: word}}
	}
	for _, line := range v.survey.Lines {
		if line = strings.TrimSpace(line); len(pairs) < 4 && shownWord.MatchString(line) {
			pairs = append(pairs, [2][]vitrine.Action{typed(line), typed(line[1:] + "x")})
		}
	}
	return pairs
}

// shownWord is a line of one word, as games by typing show what is to be typed.
var shownWord = regexp.MustCompile(`^\p{Ll}{3,}$`)

// cells are the fields of a board: the most controls of one kind and size. Native
// controls, such as checkboxes, are not.
func cells(v *view) []string {
	sorts, best := map[string][]string{}, ""
	for _, c := range v.Controls {
		if !clickable(c) || off(c) || c.Covered || len(c.Name) > 3 && c.Role == "link" || c.Tag == "input" || c.Tag == "label" || c.Tag == "summary" {
			continue
		}
		key := fmt.Sprintf("%s %s %.0f %.0f", c.Role, c.Tag, c.Box.W, c.Box.H)
		if sorts[key] = append(sorts[key], c.Path); len(sorts[key]) > len(sorts[best]) || len(sorts[key]) == len(sorts[best]) && key < best {
			best = key
		}
	}
	return sorts[best]
}

// buttons are those that do not start a game over.
func buttons(v *view) (all []string) {
	for _, c := range v.Controls {
		if c.Role == "button" && !off(c) && !c.Covered && matches(c.Name, restartWords) < 60 && matches(c.Name, startWords) < 60 {
			all = append(all, c.Path)
		}
	}
	return all
}
