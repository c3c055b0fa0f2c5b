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
		ofA := p.castVote(ctx, pl, options, i)
		ofB := p.castVote(ctx, pl, options, j)
		if len(ofA) == 0 || len(ofB) == 0 {
			continue
		}
		where := ""
		for _, at := range sortedKeys(ofA) {
			if a, b := ofA[at], ofB[at]; b != nil && favours(a, b, i) && favours(b, a, j) {
				where = at
			}
		}
		if where == "" {
			none = fails("the result of the vote is the same whichever option is chosen")
			continue
		}
		b := ofB[where]
		if again := p.votesOn(ctx, pl, options, j)[where]; again != nil && (favours(again, b, j) || favours(again, b, i) && !favours(b, again, j)) {
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
func (p *prover) castVote(ctx context.Context, pl *place, options []vitrine.Control, k int) map[string][][]float64 {
	if !p.vote(ctx, p.open(ctx, pl), options[k]) {
		return nil
	}
	return p.counted(ctx, options)
}

// counted are the numbers behind each option, by where they stand: on the page as it is, behind its link to
// the results of this poll, or else at the first place of the site that is named as results.
func (p *prover) counted(ctx context.Context, options []vitrine.Control) map[string][][]float64 {
	counts := map[string][][]float64{}
	read := func(where string, v *view) bool {
		n, ok := standing(v.survey.Face, options)
		if ok {
			counts[where] = n
		}
		return ok
	}
	now := p.look(ctx)
	read("here", now)
	for i, c := range now.Controls {
		if clickable(c) && !off(c) && !c.Covered && resultLabel.MatchString(c.Name) && now.Facts[i].Region != "nav" && now.Facts[i].Region != "header" && now.Facts[i].Region != "footer" {
			p.click(ctx, c.Path)
			read("behind the link", p.look(ctx))
			return counts
		}
	}
	if len(counts) > 0 {
		return counts
	}
	for _, to := range p.site.places {
		if len(to.way) == 1 && resultLabel.MatchString(to.via.Name) && read("elsewhere", p.visit(ctx, to)) {
			break
		}
	}
	return counts
}

// votesOn votes for an option once more, from where the page stands or, where that shows
// results alone, back where the poll is. Nothing: the page does not offer it, or shows no
// numbers then.
func (p *prover) votesOn(ctx context.Context, pl *place, options []vitrine.Control, k int) map[string][][]float64 {
	offered := func(v *view) bool {
		c, _, ok := v.control(options[k].Path)
		return ok && !off(c) && c.Name == options[k].Name
	}
	now := p.look(ctx)
	if !offered(now) {
		now = p.visit(ctx, pl)
	}
	if !offered(now) || !p.vote(ctx, now, options[k]) {
		return nil
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

// standing are the numbers that stand behind the names of options: in the text that names one best, or in
// the two texts after it; of several such texts the last of those counts whose numbers are nearest.
func standing(lines []string, options []vitrine.Control) (all [][]float64, ok bool) {
	naming := func(line string) bool {
		return slices.ContainsFunc(options, func(o vitrine.Control) bool { return names(line, o.Name) > 0 })
	}
	for _, o := range options {
		best, apart, of := 0, 3, []float64(nil)
		for i, line := range lines {
			n := names(line, o.Name)
			if n == 0 || n < best {
				continue
			}
			if rest, ok := strings.CutPrefix(strings.ToLower(line), strings.ToLower(o.Name)); ok {
				line = rest
			}
			behind, far := numbers(line), 0
			for next := i + 1; len(behind) == 0 && next <= i+2 && next < len(lines) && !naming(lines[next]); next++ {
				behind, far = numbers(lines[next]), next-i
			}
			if n > best || len(behind) > 0 && far <= apart {
				best, apart, of = n, far, behind
			}
		}
		if len(of) == 0 {
			return nil, false
		}
		all = append(all, of)
	}
	return all, true
}

// letteredOption are options that a letter or a number stands before.
var letteredOption = regexp.MustCompile(`^[A-Za-z0-9][.):]? `)

// names says how well a line begins with the name of an option, or with the first words of
// it where more is told of it: the better, the more words; 0 where it does not. What more is
// told may follow without a space.
func names(line, option string) int {
	if _, bare, ok := strings.Cut(option, " "); ok && letteredOption.MatchString(option) {
		if n := names(line, bare); n > 0 {
			return n
		}
	}
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
