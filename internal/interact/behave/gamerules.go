package behave

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// gameRules are games that everybody knows, by the words that name them, and what proves that
// one is played by its rules: it says what is against them, and nothing where the board cannot
// be read.
var gameRules = []struct {
	name   *regexp.Regexp
	broken func(*prover, context.Context, *place) string
}{
	{regexp.MustCompile(`(?i)\btic[- ]?tac[- ]?toe\b|\bnoughts and crosses\b|井字棋|井字游戏`), (*prover).noughts},
	{regexp.MustCompile(`(?i)\bmemory\b|\bconcentration\b|\bmatching (cards|pairs|tiles|game)\b|\bfind (the|all) pairs\b|\b(card|pair|tile)s? match\w*\b|记忆|翻牌`), (*prover).pairs},
	{regexp.MustCompile(`(?i)\bmine ?sweeper\b|扫雷`), (*prover).mines},
	{regexp.MustCompile(`(?i)\brock\W+paper\W+scissors?\b|石头剪刀布`), (*prover).hands},
	{regexp.MustCompile(`(?i)\bchess\b|国际象棋`), squares{32, 100, 7}.broken},
	{regexp.MustCompile(`(?i)\b(draughts|checkers|chequers)\b`), squares{24, 120, 7}.broken},
	{regexp.MustCompile(`(?i)\b(othello|reversi)\b|黑白棋`), squares{64, 100, 7}.broken},
	{regexp.MustCompile(`(?i)\bsudoku\b|数独`), squares{81, 120, 8}.broken},
	{regexp.MustCompile(`\b2048\b`), squares{16, 36, 3}.broken},
	{regexp.MustCompile(`(?i)\bconnect[- ]?(four|4)\b|\bfour in a row\b|四子棋`), squares{42, 63, 0}.broken},
	{regexp.MustCompile(`(?i)\bgomoku\b|五子棋|围棋`), squares{81, 450, 9}.broken},
	{regexp.MustCompile(`(?i)\b(snake|worm) game\b|\bsnake\b|贪吃蛇`), unattended{keys: []string{"ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight"}}.broken},
	{regexp.MustCompile(`(?i)\btetris\b|俄罗斯方块`), unattended{keys: []string{"ArrowLeft", "ArrowDown"}, moves: true}.broken},
	{regexp.MustCompile(`(?i)\bflappy\b`), unattended{keys: []string{"Space"}}.broken},
	{regexp.MustCompile(`(?i)\b(endless|infinite) runner\b|\bdino(saur)? (game|run\w*)\b|跑酷`), unattended{keys: []string{"Space"}}.broken},
	{regexp.MustCompile(`(?i)\bbreakout\b|\barkanoid\b|\bbrick[- ]?break\w*\b|打砖块`), unattended{}.broken},
	{regexp.MustCompile(`(?i)\b(ping[- ]?)?pong\b`), unattended{score: true}.broken},
	{regexp.MustCompile(`(?i)\bspace (invaders|shooter)\b|\bshoot ?'?em ?up\b|飞机大战`), unattended{}.broken},
	{regexp.MustCompile(`(?i)\basteroids\b`), unattended{}.broken},
	{regexp.MustCompile(`(?i)\bpac-?man\b|吃豆人`), unattended{}.broken},
	{regexp.MustCompile(`(?i)\bwhack-a-mole\b|打地鼠`), unattended{}.broken},
	{regexp.MustCompile(`(?i)\bracing\b|\bcar race\b|赛车`), unattended{keys: []string{"ArrowUp", "ArrowLeft"}, moves: true}.broken},
	{regexp.MustCompile(`(?i)\bplatformer\b|\b(super )?mario\b`), (*prover).jumps},
}

// otherRules are words of games that have a known one in their name and rules of their own.
var otherRules = regexp.MustCompile(`(?i)\bladders?\b|\bbetting\b|\btyping\b|\bchinese (checkers|chequers)\b|\bquiz\b|\bmanager\b|\bwrap\w*|\bthrough (the )?walls\b`)

// againstRules says what is against the rules of the game that is asked for, or that the page
// calls itself where none is. A game that answers to moves may still be none: the rules of these
// are known to whoever asks for them. (Test oracles from specifications that everybody knows, as
// in the hand-written tests of ArtifactsBench's games.) Where several are named, any may be meant.
func (p *prover) againstRules(ctx context.Context, start *place) string {
	if otherRules.MatchString(p.need.Quote + "\n" + p.need.Entity) {
		return ""
	}
	own := append([]string{start.view.survey.Title}, top(start.view.survey.Lines, 8)...)
	for _, about := range []string{p.need.Quote + "\n" + p.need.Entity, strings.Join(own, "\n")} {
		var named []func(*prover, context.Context, *place) string
		for _, g := range gameRules {
			if g.name.MatchString(about) {
				named = append(named, g.broken)
			}
		}
		switch len(named) {
		case 0:
		case 1:
			return named[0](p, ctx, start)
		default:
			return ""
		}
	}
	return ""
}

// field is the text that the field at a path shows.
func (v *view) field(path string) string {
	c, _, _ := v.control(path)
	for _, g := range v.survey.Groups {
		for _, r := range g.Rows {
			if r.Path == path {
				return cmp.Or(r.Text, c.Name)
			}
		}
	}
	return c.Name
}

// turned reports whether a field shows another text than before, or, where it is a row of a
// list in both views, is of other classes.
func (v *view) turned(before *view, path string) bool {
	look := func(v *view) (string, bool) {
		for _, g := range v.survey.Groups {
			for _, r := range g.Rows {
				if r.Path == path {
					return r.Look, true
				}
			}
		}
		return "", false
	}
	now, known := look(v)
	was, knew := look(before)
	return v.field(path) != before.field(path) || known && knew && now != was
}

// grid are the fields of a board, row by row.
func (v *view) grid() []string {
	all := cells(v)
	slices.SortStableFunc(all, func(a, b string) int {
		x, _, _ := v.control(a)
		y, _, _ := v.control(b)
		return cmp.Or(cmp.Compare(x.Box.Y, y.Box.Y), cmp.Compare(x.Box.X, y.Box.X))
	})
	return all
}

var (
	wonGame  = regexp.MustCompile(`(?i)\b(win|wins|won|winner|victory|congratulations|game over)\b|胜|赢|恭喜`)
	lostGame = regexp.MustCompile(`(?i)\b(game over|los[te]|lose|lost|boom|exploded?|hit a mine|try again|dead|died)\b|游戏结束|踩到|失败`)
	mineSign = regexp.MustCompile(`💥|💣`)
)

// says reports whether a page shows or says, after an act, a text that it did not show before.
func says(before, after *view, step vitrine.Step, what *regexp.Regexp) bool {
	for _, d := range step.Effect.Dialogs {
		if what.MatchString(d.Text) {
			return true
		}
	}
	return slices.ContainsFunc(slices.Concat(step.Effect.Appeared, after.fresh(before)), what.MatchString)
}

// anew is says for a page with a clock or a counter, which make a text no other one: what is new
// stands in the field that was clicked, or in a text that differs in more than numbers.
func anew(before, after *view, step vitrine.Step, path string, what *regexp.Regexp) bool {
	bare := func(text string) string { return flat(numeral.ReplaceAllString(text, "")) }
	var old []string
	for _, line := range before.survey.Lines {
		old = append(old, bare(line))
	}
	field := after.field(path)
	return what.MatchString(field) && !what.MatchString(before.field(path)) ||
		slices.ContainsFunc(step.Effect.Dialogs, func(d vitrine.Dialog) bool { return what.MatchString(d.Text) }) ||
		slices.ContainsFunc(after.survey.Lines, func(line string) bool {
			return what.MatchString(line) && !slices.Contains(old, bare(line))
		}) ||
		slices.ContainsFunc(step.Effect.Appeared, func(text string) bool { // may be a part of a line
			return what.MatchString(text) && !slices.ContainsFunc(old, func(line string) bool { return strings.Contains(line, bare(text)) })
		})
}

// noughts proves tic-tac-toe: the turn goes to the other player, what is taken stays, and three
// in a row end the game.
func (p *prover) noughts(ctx context.Context, start *place) string {
	first := p.begin(ctx, start)
	c := first.grid()
	if len(c) != 9 {
		return ""
	}
	p.click(ctx, c[0])
	p.wait(ctx, 1500) // for an opponent to answer
	one := p.look(ctx)
	mark := one.field(c[0])
	if mark == "" || mark == first.field(c[0]) {
		return ""
	}
	for _, other := range c[1:] {
		if now := one.field(other); now == mark && now != first.field(other) {
			return "both players have the same mark"
		} else if now != first.field(other) {
			return "" // who plays against the page cannot choose how it ends
		}
	}
	p.click(ctx, c[3])
	switch p.look(ctx).field(c[3]) {
	case first.field(c[3]):
		return ""
	case mark:
		return "the turn does not go to the other player"
	}
	p.click(ctx, c[0])
	if p.look(ctx).field(c[0]) != mark {
		return "a field that is taken can be taken again"
	}
	p.click(ctx, c[1])
	if p.look(ctx).field(c[1]) != mark {
		return "a field that is taken can be taken again, and the turn is lost"
	}
	p.click(ctx, c[4])
	before := p.look(ctx)
	step := p.click(ctx, c[2])
	after := p.look(ctx)
	if p.spent || p.err != nil || after.field(c[2]) != mark {
		return ""
	}
	if p.wait(ctx, 1500); !says(before, after, step, wonGame) && !says(before, p.look(ctx), vitrine.Step{}, wonGame) {
		p.click(ctx, c[8])
		if p.look(ctx).field(c[8]) != after.field(c[8]) {
			return "three in a row do not end the game"
		}
		return ""
	}
	return p.threes(ctx, start, c, mark)
}

// threes proves that three in a column and in the diagonals win at tic-tac-toe.
func (p *prover) threes(ctx context.Context, start *place, c []string, mark string) string {
	for _, line := range [][5]int{{2, 0, 4, 1, 6}, {0, 1, 4, 2, 8}, {1, 0, 4, 2, 7}} { // both players' moves in turn
		p.begin(ctx, start)
		var before *view
		var step vitrine.Step
		for _, i := range line {
			before = p.look(ctx)
			step = p.click(ctx, c[i])
		}
		p.wait(ctx, 1500)
		if now := p.look(ctx); p.err == nil && !p.spent && now.field(c[line[4]]) == mark && !says(before, now, step, wonGame) {
			return "three in a column or a diagonal are not won"
		}
	}
	return ""
}

// pairs proves a game of pairs: two cards that differ are turned back, two alike stay.
func (p *prover) pairs(ctx context.Context, start *place) string {
	closed := p.begin(ctx, start)
	c := closed.grid()
	if len(c) < 6 || len(c)%2 != 0 {
		return ""
	}
	from := p.tokens.number(0, len(c)-1)
	for try := range 3 { // two that differ are among them
		one, other, next := c[(from+2*try)%len(c)], c[(from+2*try+1)%len(c)], c[(from+2*try+2)%len(c)]
		p.click(ctx, one)
		a := p.look(ctx)
		p.click(ctx, other)
		b := p.look(ctx)
		if !a.turned(closed, one) || !b.turned(closed, other) || a.field(one) == "" || b.field(other) == "" {
			return ""
		}
		p.wait(ctx, 4000)
		stay := func(v *view) bool { return v.turned(closed, one) && v.turned(closed, other) }
		later := p.look(ctx)
		if a.field(one) == b.field(other) {
			if _, _, there := later.control(one); there && !later.turned(closed, one) && !later.turned(closed, other) {
				return "two cards that are alike are turned back"
			}
			continue
		}
		if stay(later) {
			p.click(ctx, next) // some turn them back when another one is opened
			p.wait(ctx, 2000)
			if stay(p.look(ctx)) && p.err == nil && !p.spent {
				return "two cards that differ stay open"
			}
		}
		return ""
	}
	return ""
}

// mines proves Minesweeper: who opens one field after the other meets a mine, which ends the
// game, before all are open.
func (p *prover) mines(ctx context.Context, start *place) string {
	c := p.begin(ctx, start).grid()
	if len(c) < 25 {
		return squares{25, 1000, 4}.broken(p, ctx, start)
	}
	order := make([]int, len(c))
	for i := range order {
		order[i] = i
		j := p.tokens.number(0, i)
		order[i], order[j] = order[j], order[i]
	}
	idle, struck := 0, false
	for _, k := range order {
		before := p.look(ctx)
		step := p.click(ctx, c[k])
		after := p.look(ctx)
		switch {
		case p.err != nil || p.spent || idle > 24 || struck && idle > 4 || says(before, after, step, lostGame): // it has ended, whatever it said
			return ""
		case struck && after.field(c[k]) != before.field(c[k]):
			return "who meets a mine goes on opening fields"
		case anew(before, after, step, c[k], mineSign):
			struck, idle = true, 0
		case anew(before, after, step, c[k], wonGame):
			return "every field can be opened, and no mine ends the game"
		case step.Failed != "" || after.field(c[k]) == before.field(c[k]) && step.Effect.Attrs == 0:
			idle++
		default:
			idle = 0
		}
	}
	return ""
}
