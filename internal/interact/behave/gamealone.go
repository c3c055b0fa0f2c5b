package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// An unattended game is one that goes on by itself, and is lost by who does nothing.
type unattended struct {
	keys  []string // with which it is lost at another moment, or never
	score bool     // of an opponent, which rises
	moves bool     // it need not be lost soon: the keys must steer what moves
}

// soonMS and laterMS are the times between two looks at a game that is left alone, 38 seconds in
// all: most games are lost within seconds.
var (
	soonMS  = slices.Concat(slices.Repeat([]int{500}, 8), slices.Repeat([]int{1000}, 10))
	laterMS = slices.Repeat([]int{4000}, 6)
)

// starts are acts that begin a game, besides a button for it.
func (v *view) starts() [][]vitrine.Action {
	press := func(key string, ms int) []vitrine.Action {
		return []vitrine.Action{{Kind: vitrine.ActPress, Text: key, MS: ms}}
	}
	click := vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Point: []vitrine.Coord{500, 500}}}
	for _, c := range v.Controls {
		if c.Tag == "canvas" {
			click.Target = at(c.Path)
			break
		}
	}
	return [][]vitrine.Action{nil, press("Space", 0), {click}, press("Enter", 0), press("ArrowRight", 0), press("ArrowUp", 600)}
}

// A playthrough is one game that is watched from its start.
type playthrough struct {
	views []*view
	lost  int  // the look at which something was lost; -1 for none
	moved int  // how often it changed
	score bool // see [unattended]
}

// beginWith begins a game and carries out what else starts it, without waiting in between.
func (p *prover) beginWith(ctx context.Context, start *place, acts []vitrine.Action) {
	p.begin(ctx, start)
	if p.err == nil && !p.spent {
		p.session.Brisk = true
		defer func() { p.session.Brisk = false }()
	}
	for _, a := range acts {
		p.do(ctx, a)
	}
}

// watch looks at a game at the given times until something is lost, and no further than until, if
// that is given. Before each look the player presses the next one of the keys, if there are any.
func (p *prover) watch(ctx context.Context, c *playthrough, times []int, keys []string, until int) {
	if len(c.views) == 0 {
		c.views, c.lost = []*view{p.look(ctx)}, -1
	}
	for _, ms := range times {
		if c.lost >= 0 || p.err != nil || p.spent || until > 0 && len(c.views) > until {
			return
		}
		used := 0
		if len(keys) > 0 && keys[len(c.views)%len(keys)] != "" {
			used = p.tap(ctx, keys[len(c.views)%len(keys)])
		}
		step := p.wait(ctx, max(ms-used, 10))
		c.views = append(c.views, p.look(ctx))
		if n := len(c.views); pieces(c.views[n-1]) != pieces(c.views[n-2]) {
			c.moved++
		}
		if c.loses(step) {
			c.lost = len(c.views) - 1
		}
	}
}

// tap presses a key for a moment and gives the page time that passed.
func (p *prover) tap(ctx context.Context, key string) int {
	if p.err == nil && !p.spent {
		p.session.Brisk = true
		defer func() { p.session.Brisk = false }()
	}
	return p.do(ctx, vitrine.Action{Kind: vitrine.ActPress, Text: key, MS: 60}).PageMS
}

// loses reports whether the last look shows that the game is over or that something was lost.
func (c *playthrough) loses(step vitrine.Step) bool {
	now, first := c.views[len(c.views)-1], c.views[0]
	if len(step.Effect.Dialogs) > 0 {
		return true
	}
	known := map[string]bool{}
	for _, line := range first.bareTexts() {
		known[line] = true
	}
	for _, line := range now.bareTexts() {
		if !known[line] && overGame.MatchString(line) {
			return true
		}
	}
	if c.moved >= 2 && len(c.views) > 4 { // it has come to rest
		same := func(i int) bool { return pieces(c.views[len(c.views)-i]) == pieces(now) }
		if same(2) && same(3) && same(4) {
			return true
		}
	}
	return c.counts()
}

// bareTexts are the texts of a view without numbers: its lines, the names of its buttons and what
// is written on its canvases.
func (v *view) bareTexts() (all []string) {
	for _, c := range v.Controls {
		if c.Role == "button" {
			all = append(all, bareText(c.Name))
		}
	}
	for _, line := range slices.Concat(v.survey.Lines, v.survey.Written) {
		all = append(all, bareText(line))
	}
	return all
}

func bareText(text string) string { return flat(numeral.ReplaceAllString(text, "")) }

var overGame = regexp.MustCompile(`(?i)\b(game over|los[te]|lose|lost|dead|died|crash\w*|(try|play) again|restart|new game|respawn\w*|defeated|destroyed|wins?|won|time'?s up)\b|结束|失败|重新|再来|再试|开始|输`)

// counts reports whether a number went down that had not before, as lives do, and points that
// are lost, or the score of an opponent rose that had rested; a countdown goes down all the time.
func (c *playthrough) counts() bool {
	n := len(c.views)
	if n < 4 {
		return false
	}
	read := func(v *view) map[string][]float64 {
		all := map[string][]float64{}
		for _, line := range slices.Concat(v.survey.Lines, v.survey.Written) {
			if nums := numbers(line); len(nums) > 0 {
				key := bareText(line)
				all[key] = append(all[key], nums...)
			}
			if hearts := strings.Count(line, "❤") + strings.Count(line, "♥") + strings.Count(line, "💖"); hearts > 0 {
				all["♥"] = append(all["♥"], float64(hearts))
			}
		}
		return all
	}
	now, last, before, first := read(c.views[n-1]), read(c.views[n-2]), read(c.views[n-3]), read(c.views[n-4])
	for key, is := range now {
		was, b, a := last[key], before[key], first[key]
		if len(was) != len(is) || len(b) != len(is) || len(a) != len(is) {
			continue
		}
		for i := range is {
			if is[i] < was[i] && was[i] >= b[i] && b[i] >= a[i] || c.score && is[i] > was[i] && was[i] == b[i] && b[i] == a[i] {
				return true
			}
		}
	}
	return false
}

// broken says what is against a game that goes on by itself and is lost by who does nothing.
func (g unattended) broken(p *prover, ctx context.Context, start *place) string {
	if p.site.against != "" {
		return p.site.against
	}
	moving := 0
	known := map[string]bool{}
	for _, acts := range p.begin(ctx, start).starts() {
		c := &playthrough{score: g.score}
		p.beginWith(ctx, start, acts)
		p.watch(ctx, c, soonMS[:6], nil, 0)
		key := pieces(c.views[len(c.views)-1])
		if c.moved < 2 && c.lost < 0 || known[key] {
			continue
		}
		if known[key] = true; g.moves {
			return p.steered(ctx, start, acts, g)
		}
		if p.watch(ctx, c, slices.Concat(soonMS[6:], laterMS), nil, 0); c.lost >= 0 {
			return p.played(ctx, start, acts, c, g)
		}
		if moving++; moving == 2 { // the screen before the game may move as well
			break
		}
	}
	if moving == 0 {
		return p.against("nothing goes on by itself")
	}
	return p.against("nothing is lost by who does nothing")
}

// against is what was found against a game, unless the try has ended before. Nothing of it is
// drawn, so that a second try would find the same.
func (p *prover) against(why string) string {
	if p.err != nil || p.spent {
		return ""
	}
	p.site.against = why
	return why
}

// steered says that keys do not steer what moves: at the same moments it is as after keys that
// mean nothing.
func (p *prover) steered(ctx context.Context, start *place, acts []vitrine.Action, g unattended) string {
	stray, c := &playthrough{}, &playthrough{}
	p.beginWith(ctx, start, acts)
	p.watch(ctx, stray, soonMS[:6], []string{"F8", "F9"}, 0)
	p.beginWith(ctx, start, acts)
	p.watch(ctx, c, soonMS[:6], g.keys, 0)
	for i := range min(len(c.views), len(stray.views)) {
		if pieces(c.views[i]) != pieces(stray.views[i]) {
			return ""
		}
	}
	return p.against("no key steers what moves")
}

// played says that who plays loses at the same moment as who does not.
func (p *prover) played(ctx context.Context, start *place, acts []vitrine.Action, idle *playthrough, g unattended) string {
	if len(g.keys) == 0 {
		return ""
	}
	for _, keys := range [][]string{g.keys, append([]string{""}, g.keys...)} {
		c := &playthrough{score: g.score}
		p.beginWith(ctx, start, acts)
		p.watch(ctx, c, slices.Concat(soonMS, laterMS), keys, idle.lost)
		if c.lost != idle.lost || p.err != nil || p.spent {
			return ""
		}
	}
	return p.against("it is lost at the same moment by who plays and by who does not")
}
