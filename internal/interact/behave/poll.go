package behave

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// countsAgain is what a poll does that takes several votes of one person.
const countsAgain = "whoever has voted votes again, and that counts further"

var (
	voteWords   = []string{"vote", "submit vote", "cast vote", "投票"}
	takesBack   = regexp.MustCompile(`(?i)\b(back|undo|withdraw|remove|retract|revoke|change|cancel|clear|reset|view|results?)\b`)
	resultLabel = regexp.MustCompile(`(?i)\b(results?|statistics|stats|standings?|outcome|charts?)\b|结果|统计`)
)

// poll proves that a vote counts for the option that was chosen: from fresh states, what
// stands behind an option is more where that one was chosen than where another was.
func (p *prover) poll(ctx context.Context) answer {
	none := absent("nothing to take part in")
	for _, pl := range p.site.places {
		options := p.ballot(pl.view)
		if len(options) < 2 {
			continue
		}
		i := p.tokens.number(0, len(options)-1)
		j := (i + 1) % len(options)
		a, ok1 := p.castVote(ctx, pl, options, i)
		b, ok2 := p.castVote(ctx, pl, options, j)
		if !ok1 || !ok2 {
			continue
		}
		if !favours(a, b, i) || !favours(b, a, j) {
			none = fails("the result of the vote is the same whichever option is chosen")
			continue
		}
		if again, ok := p.votesOn(ctx, pl, options, j); ok && (favours(again, b, j) || favours(again, b, i) && !favours(b, again, j)) {
			return fails(countsAgain)
		}
		return works("a vote for %q counts for it, one for %q for that", clip(options[i].Name), clip(options[j].Name))
	}
	return none
}

// favours reports whether one of the numbers behind option k is more in a than in b.
func favours(a, b [][]float64, k int) bool {
	for m := range min(len(a[k]), len(b[k])) {
		if a[k][m] > b[k][m] {
			return true
		}
	}
	return false
}

// ballot are the options of the first poll of a view: radio buttons that belong together,
// in a view that has a button to vote.
func (p *prover) ballot(v *view) (all []vitrine.Control) {
	if !slices.ContainsFunc(v.Controls, votes) {
		return nil
	}
	group := ""
	for i, c := range v.Controls {
		of := cmp.Or(v.Facts[i].Group, upper(c.Path, 1))
		if c.Role == "radio" && (len(all) == 0 || of == group) && c.Name != "" {
			all, group = append(all, c), of
		}
	}
	if len(all) > 12 {
		return nil
	}
	return all
}

// votes reports whether a control sends a vote off.
func votes(c vitrine.Control) bool {
	return clickable(c) && c.Role != "radio" && matches(c.Name, voteWords) > 0 && !takesBack.MatchString(c.Name)
}

// castVote votes for an option from a fresh state and reads the numbers behind each.
func (p *prover) castVote(ctx context.Context, pl *place, options []vitrine.Control, k int) ([][]float64, bool) {
	if !p.vote(ctx, p.open(ctx, pl), options[k]) {
		return nil, false
	}
	return p.counted(ctx, options)
}

// counted are the numbers behind each option, where the page stands or where it shows results.
func (p *prover) counted(ctx context.Context, options []vitrine.Control) ([][]float64, bool) {
	if counts, ok := standing(p.look(ctx).survey.Face, options); ok {
		return counts, true
	}
	for _, to := range p.site.places {
		if len(to.way) != 1 || !resultLabel.MatchString(to.via.Name) {
			continue
		}
		if counts, ok := standing(p.visit(ctx, to).survey.Face, options); ok {
			return counts, true
		}
	}
	return nil, false
}

// votesOn votes for an option once more, from where the page stands or, where that shows
// results alone, back where the poll is. Not ok: the page does not offer it, or shows no
// numbers then.
func (p *prover) votesOn(ctx context.Context, pl *place, options []vitrine.Control, k int) ([][]float64, bool) {
	offered := func(v *view) bool {
		c, _, ok := v.control(options[k].Path)
		return ok && !off(c) && c.Name == options[k].Name
	}
	now := p.look(ctx)
	if !offered(now) {
		now = p.visit(ctx, pl)
	}
	if !offered(now) || !p.vote(ctx, now, options[k]) {
		return nil, false
	}
	return p.counted(ctx, options)
}

// vote chooses an option and sends it off, by the button next to it.
func (p *prover) vote(ctx context.Context, v *view, option vitrine.Control) bool {
	p.do(ctx, vitrine.Action{Kind: vitrine.ActCheck, Target: at(option.Path)})
	_, of, _ := v.control(option.Path)
	best, path := 0.0, ""
	now := p.look(ctx)
	for i, c := range now.Controls {
		if !votes(c) || off(c) {
			continue
		}
		score := 1 + matches(c.Name, voteWords)/1000
		if f := now.Facts[i]; f.Form != "" && f.Form == of.Form {
			score += 100
		}
		if score += float64(shared(option.Path, c.Path)); score > best {
			best, path = score, c.Path
		}
	}
	return path != "" && p.click(ctx, path).Failed == ""
}

// shared is how many steps two paths have in common from the start.
func shared(a, b string) (n int) {
	x, y := strings.Split(a, " > "), strings.Split(b, " > ")
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// standing are the numbers that stand behind the names of options: in the last text that
// names one, or in the two texts after it.
func standing(lines []string, options []vitrine.Control) (all [][]float64, ok bool) {
	named := make([]int, len(options))
	taken := map[int]bool{}
	for k, o := range options {
		best := 0
		named[k] = -1
		for i, line := range lines {
			if n := names(line, o.Name); n > 0 && n >= best {
				best, named[k] = n, i
			}
		}
		if named[k] < 0 {
			return nil, false
		}
		taken[named[k]] = true
	}
	for k, i := range named {
		line := lines[i]
		if rest, ok := strings.CutPrefix(strings.ToLower(line), strings.ToLower(options[k].Name)); ok {
			line = rest
		}
		n := numbers(line)
		for next := i + 1; len(n) == 0 && next <= i+2 && next < len(lines) && !taken[next]; next++ {
			n = numbers(lines[next])
		}
		if len(n) == 0 {
			return nil, false
		}
		all = append(all, n)
	}
	return all, true
}

// names says how well a line begins with the name of an option, or with the first words of
// it where more is told of it: the better, the more words; 0 where it does not. What more is
// told may follow without a space.
func names(line, option string) int {
	ask := wordsOf(option)
	have := wordsOf(line)
	n := 0
	for n < len(ask) && n < len(have) && ask[n] == have[n] {
		n++
	}
	if n == 0 || n < len(ask) && n < len(have) && !strings.ContainsAny(have[n][:1], "0123456789") {
		if text := strings.TrimSpace(line); len(text) > 2 && strings.HasPrefix(option, text) {
			return 1
		}
		return 0
	}
	return 2 * n
}
