package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var joinWords = []string{"like", "join", "follow", "vote", "upvote", "favorite", "favourite", "bookmark", "enroll", "participate", "rate", "star", "subscribe", "rsvp", "register", "attend", "interested", "wishlist", "love", "react", "点赞", "收藏", "关注", "报名", "投票"}

// ownList names a list of a person to which things are added, listWords are labels of what adds them.
var (
	ownList   = regexp.MustCompile(`(?i)\b(add|save|put)\b.*\bto (my|their|your) (own |personal )?(agenda|plan|schedule|itinerary|programme)\b`)
	listWords = []string{"add to agenda", "add to my agenda", "add to plan", "add to my plan", "add to schedule", "add to my schedule", "add to itinerary", "add to programme", "add", "save", "bookmark", "+"}
)

// runsVote are labels by which a vote as a whole begins or ends.
var runsVote = regexp.MustCompile(`(?i)^\W*(close|end|stop|finish|re-?open|open|start|lock) (the )?(voting|votes?|polls?|sign-?ups?|registration)\b`)

// join proves that a person takes part in one thing, once: its control turns into another
// state that lasts, or its number moves by one, and no other row changes; the second time
// takes that back or is refused, and never counts further. Of a poll, the choice counts
// for the chosen option; of stars, another one shows another rating. It cheats who counts
// every click, or shows a message. (Relation 23.)
func join(ctx context.Context, p *prover) answer {
	words := p.labels(joinWords)
	if ownList.MatchString(p.need.Quote) { // a vote elsewhere adds nothing to it
		words = listWords
	}
	best := p.poll(ctx)
	if best.verdict != vitrine.VerdictAbsent { // what leads to a poll takes no part in it
		return best
	}
	ways := func(v *view) []rowAct {
		own := slices.DeleteFunc(p.joinActs(v, []string{p.need.Verb}), func(a rowAct) bool { return a.score < 60 })
		if len(own) > 0 && !ownList.MatchString(p.need.Quote) { // "follow", where there are likes, too
			return own
		}
		return p.joinActs(v, words)
	}
	a := p.onRows(ctx, best, ways, func(v *view, acts []rowAct) answer {
		act := acts[p.tokens.number(0, len(acts)-1)]
		if stars := starsOf(v, act); len(stars) > 2 {
			return p.rates(ctx, v, stars)
		}
		return p.takesPart(ctx, act)
	})
	if rank(a.verdict) > rank(best.verdict) {
		best = a
	}
	if best.verdict == vitrine.VerdictWorks {
		return best
	}
	if a := p.ratesShown(ctx); rank(a.verdict) > rank(best.verdict) {
		best = a
	}
	if best.verdict == vitrine.VerdictWorks {
		return best
	}
	if a := p.joinOpened(ctx, words); rank(a.verdict) > rank(best.verdict) {
		best = a
	}
	if best.verdict != vitrine.VerdictAbsent {
		return best
	}
	alone := slices.DeleteFunc(p.find(words, local), func(h hit) bool { // what is chosen among others is an option
		return runsVote.MatchString(h.control.Name) || slices.ContainsFunc(h.place.choosers(), func(ch chooser) bool {
			return len(ch.options) > 2 && slices.ContainsFunc(ch.options, func(o option) bool { return o.path == h.control.Path })
		})
	})
	return bestOf(alone, 3, best, func(h hit) answer {
		v := p.open(ctx, h.place)
		c, _, ok := v.control(h.control.Path)
		if !ok {
			return fails("%q is not there when the page is opened again", h.control.Name)
		}
		return p.takesPart(ctx, rowAct{row: -1, control: c})
	})
}

// local keeps what is labelled by a few words and leads to no other view.
func local(c vitrine.Control, f interact.Facts) bool {
	return brief(c, f) && c.Tag != "summary" && (c.Role != "link" || strings.HasSuffix(f.Href, "#") || strings.HasPrefix(f.Href, "javascript:") || f.Href == "")
}

// joinActs are the controls of rows by which a person takes part; of several in a row that
// are named alike, all.
func (p *prover) joinActs(v *view, words []string) []rowAct {
	return slices.DeleteFunc(short(p.site.rowControls(v, words)), func(a rowAct) bool {
		return a.control.Role == "link" || a.control.Tag == "summary" || runsVote.MatchString(a.control.Name) || a.score < 25 // what unfolds is no vote
	})
}

// part is what can be told of taking part in something.
type part struct {
	there   bool
	control string // name without numbers, states, look
	numbers []float64
}

func (p *prover) part(v *view, act rowAct) part {
	c, f, ok := v.control(act.control.Path)
	var out part
	text := ""
	if act.row >= 0 {
		g, i, found := act.again(v)
		if !found {
			return out
		}
		text = strings.Join(g.Rows[i].Cells, "\n")
		if g.Path != act.group.Path || i != act.row { // sorted into another place
			path, _ := act.pathIn(v, act.control.Path)
			c, f, ok = v.control(path)
		}
	} else {
		text = strings.Join(v.survey.Lines, "\n")
	}
	out.there = ok
	out.numbers = numbers(text)
	if ok {
		states := slices.DeleteFunc(slices.Clone(c.States), func(s string) bool { return s == "focused" })
		out.control = strings.Join([]string{masked(c.Name, nil), strings.Join(states, " "), passing.ReplaceAllString(f.Look, "")}, "|")
	}
	return out
}

// moved is by how much one of the numbers moved; 0 where none or several did.
func (a part) moved(b part) (by float64) {
	if len(a.numbers) != len(b.numbers) {
		return 0
	}
	for i := range a.numbers {
		if d := b.numbers[i] - a.numbers[i]; d != 0 {
			if by != 0 && by != d {
				return 0
			}
			by = d
		}
	}
	return by
}

func (p *prover) takesPart(ctx context.Context, act rowAct) answer {
	p.aside(ctx)
	v := p.look(ctx)
	before := p.part(v, act)
	step := p.click(ctx, act.control.Path)
	if step.Failed != "" {
		return fails("%q cannot be operated: %s", act.control.Name, step.Failed)
	}
	clicked := p.look(ctx)
	if once := p.part(clicked, act); once.there && once.control == before.control && before.moved(once) == 0 {
		p.confirm(ctx, clicked, v, p.labels(joinWords))
	}
	p.wait(ctx, 4000)
	after := p.look(ctx)
	once := p.part(after, act)
	by := before.moved(once)
	if act.row < 0 && by != 1 && by != -1 {
		by = 0
	}
	switch {
	case by == 0 && once.there && once.control == before.control:
		return fails("%q changes nothing that lasts", act.control.Name)
	case by == 0 && !once.there && len(after.fresh(v)) == 0:
		return fails("%q goes, and nothing says why", act.control.Name)
	case by > 1 || by < -1:
		return fails("%q moves its number by %g", act.control.Name, by)
	}
	if act.row >= 0 {
		if n, text := act.othersChanged(v, after); n > 0 {
			return fails("another row changes too: %s", clip(text))
		}
	}
	if c, _, ok := after.control(act.control.Path); !ok || off(c) || !once.there {
		return works("%q takes part once: it is not offered a second time", act.control.Name)
	}
	p.click(ctx, act.control.Path)
	p.wait(ctx, 2000)
	twice := p.part(p.look(ctx), act)
	if total := before.moved(twice); total*by > by*by || by != 0 && total != 0 && total != by {
		return fails("%q counts every click: %+g, then %+g", act.control.Name, by, total)
	}
	if by == 0 {
		return works("%q turns into another state", act.control.Name)
	}
	return works("%q moves the number by %+g, a second time does not count further", act.control.Name, by)
}

// joinOpened takes part in what stands behind a row: rows are opened until one shows the
// steps of a rating, or rows of its own with a control for it, such as answers.
func (p *prover) joinOpened(ctx context.Context, words []string) answer {
	for _, pl := range top(p.site.places, 2) {
		for _, act := range top(sameList(p.openActs(pl.view)), 3) {
			before := p.open(ctx, pl)
			if step := p.click(ctx, act.control.Path); step.Failed != "" {
				break
			}
			open := p.look(ctx)
			if sameControls(before, open) {
				break
			}
			if stars := starsSideBySide(open); len(stars) > 2 {
				return p.rates(ctx, open, stars)
			}
			acts := slices.DeleteFunc(p.joinActs(open, words), func(a rowAct) bool {
				_, _, known := before.control(a.control.Path)
				return known
			})
			if len(acts) > 0 {
				return p.takesPart(ctx, acts[0])
			}
		}
	}
	return absent("nothing to take part in")
}

// rateAsked are words of requirements for a rating.
var rateAsked = regexp.MustCompile(`(?i)\b(rat(e|es|ing|ings)|stars?)\b|评分|星级`)

// ratesShown gives a rating where a view shows its steps, whatever they are called, as "3 of 5".
func (p *prover) ratesShown(ctx context.Context) answer {
	for _, pl := range p.site.places {
		if stars := starsSideBySide(pl.view); len(stars) > 2 && rateAsked.MatchString(p.need.Quote) {
			return p.rates(ctx, p.open(ctx, pl), stars)
		}
	}
	return absent("nothing to take part in")
}

// starsSideBySide are the steps of the first rating of a view.
func starsSideBySide(v *view) []string {
	var boxes []string
	stars := map[string][]string{}
	for _, c := range v.Controls {
		if isStar(c.Name) && !c.Covered {
			box := upper(c.Path, 1)
			if stars[box] == nil {
				boxes = append(boxes, box)
			}
			stars[box] = append(stars[box], c.Path)
		}
	}
	for _, box := range boxes {
		if len(stars[box]) > 2 {
			slices.Sort(stars[box])
			return stars[box]
		}
	}
	return nil
}

// starsOf are the controls in the row, or the group, of one that stand for the steps of a
// rating.
func starsOf(v *view, act rowAct) (stars []string) {
	paths := act.group.Rows[act.row].Controls
	if len(paths) < 3 {
		paths = nil
		for _, r := range act.group.Rows {
			paths = append(paths, r.Controls...)
		}
	}
	for _, path := range paths {
		if c, _, ok := v.control(path); ok && isStar(c.Name) {
			stars = append(stars, path)
		}
	}
	return stars
}

func isStar(name string) bool {
	counted := slices.Contains(stems(wordsOf(name)), "star") && numeral.MatchString(name)
	return counted || slices.Contains([]string{"★", "☆", "⭐"}, strings.TrimSpace(name)) || rateLabel.MatchString(name)
}

// rateLabel is the name of one step of a rating.
var rateLabel = regexp.MustCompile(`(?i)^rate \d+( (of|out of|/) \d+)?( stars?)?$|^\d+ (of|out of|/) \d+ stars?$|^\d (of|out of|/) (5|10)$`)

// rates proves that the steps of a rating show different ratings.
func (p *prover) rates(ctx context.Context, v *view, stars []string) answer {
	look := func(v *view) (all string) {
		for _, path := range stars {
			c, f, _ := v.control(path)
			all += c.Name + strings.Join(slices.DeleteFunc(slices.Clone(c.States), func(s string) bool { return s == "focused" }), " ") + f.Look + ";"
		}
		return all + strings.Join(v.survey.Lines, "\n")
	}
	high, low := len(stars)-1-p.tokens.number(0, 1), p.tokens.number(0, 1)
	seen := []string{look(v)}
	for _, i := range []int{high, low} {
		p.click(ctx, stars[i])
		// The pointer leaves; a click where nothing is could close what holds them.
		p.do(ctx, vitrine.Action{Kind: vitrine.ActHover, Target: nowhere()})
		p.wait(ctx, 3000)
		seen = append(seen, look(p.look(ctx)))
	}
	if seen[0] == seen[1] || seen[1] == seen[2] {
		return fails("a rating of %d and one of %d show the same", high+1, low+1)
	}
	return works("ratings of %d and %d of %d show different states", high+1, low+1, len(stars))
}
