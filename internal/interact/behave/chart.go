package behave

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var chartWords = []string{"range", "period", "metric", "chart type", "7d", "1m", "1y", "week", "month", "year", "day", "daily", "weekly", "monthly", "chart", "line", "bar", "pie", "legend", "data", "refresh", "update"}

// chart proves that a drawing stands for data: an option redraws it, another one otherwise,
// the first one again as at first; or an entry of a new amount redraws it and nothing does
// without one; or a vote does, and one for another option otherwise. Bars of plain elements
// are a drawing where their lengths follow the numbers beside them. It cheats who shows a
// picture, or redraws at random. (Relation 17.)
func chart(ctx context.Context, p *prover) answer {
	var with []*place
	for _, pl := range p.site.places {
		if charted(pl.view) {
			with = append(with, pl)
		}
	}
	if a := p.chartOfVote(ctx, with); a.verdict == vitrine.VerdictWorks {
		return a
	}
	if len(with) == 0 {
		return absent("no drawing of shapes or pixels is shown")
	}
	best := fails("nothing changes what the chart shows")
	words := p.labels(chartWords)
	score := func(ch chooser) float64 {
		if !slices.Contains(with, ch.place) || ch.region == "footer" {
			return 0
		}
		most := 10 + matches(ch.label, words)
		for _, o := range ch.options {
			most = max(most, 10+matches(o.label, words), 10+matches(o.label, p.need.Values))
		}
		return most
	}
	for _, ch := range top(p.ranked(score), 5) {
		a := p.chartBy(ctx, ch)
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		if ch.score > 40 {
			best = a
		}
	}
	if a := p.chartOfEntry(ctx, with[0]); a.verdict == vitrine.VerdictWorks {
		return a
	}
	if a := p.chartPointed(ctx, with[0]); a.verdict == vitrine.VerdictWorks {
		return a
	}
	if p.need.Shown {
		return p.chartShown(ctx, with[0])
	}
	return best
}

// charted reports whether a view draws: enough shapes, a line of some corners, a canvas of some
// size, or bars of plain elements that follow data.
func charted(v *view) bool {
	large := func(c interact.Canvas) bool { return c.Box.W*c.Box.H > 8000 }
	line := func(d interact.Drawing) bool { return d.Marks >= 3 }
	return v.survey.Shapes >= 4 || slices.ContainsFunc(v.survey.Drawings, line) || barred(v) || slices.ContainsFunc(v.survey.Canvases, large)
}

// barred reports whether three or more bars of plain elements differ in length as one of
// the numbers of their rows does.
func barred(v *view) bool {
	lists := map[string][]interact.Gauge{}
	for _, g := range v.survey.Gauges {
		lists[g.List] = append(lists[g.List], g)
	}
	n := 0
	for _, all := range lists {
		differ := slices.ContainsFunc(all, func(g interact.Gauge) bool { return g.Length != all[0].Length })
		if differ && (follow(all, false) || follow(all, true)) {
			n += len(all)
		}
	}
	return n >= 3
}

// follow reports whether there is a number in the rows of bars, counted from the start or
// from the end, that is never less where the bar is longer.
func follow(all []interact.Gauge, fromEnd bool) bool {
	var rows [][]float64
	least := 12
	for _, g := range all {
		n := numbers(strings.Join(g.Texts, "\n"))
		if fromEnd {
			slices.Reverse(n)
		}
		rows, least = append(rows, n), min(least, len(n))
	}
	for k := range least {
		ok := true
		for i, a := range all {
			for j, b := range all {
				ok = ok && (a.Length <= b.Length+0.2 || rows[i][k] >= rows[j][k])
			}
		}
		if ok {
			return true
		}
	}
	return false
}

// charting is what the drawings of a view show.
func charting(v *view) string { return drawn(v) + strings.Join(v.bars(), "\n") }

// bars are the texts of the rows of the bars of a view, with their lengths.
func (v *view) bars() (all []string) {
	for _, g := range v.survey.Gauges {
		all = append(append(all, g.Texts...), fmt.Sprint(g.Length))
	}
	return all
}

func (p *prover) chartBy(ctx context.Context, ch chooser) answer {
	p.open(ctx, ch.place)
	options := top(p.shuffled(ch.options), 3)
	if len(options) < 2 {
		return p.toggled(ctx, options[0])
	}
	seen := map[string]bool{}
	first := ""
	for i, o := range options {
		p.pick(ctx, ch, o)
		p.wait(ctx, 1500)
		v := p.look(ctx)
		if !charted(v) {
			return fails("%q leaves no chart", o.label)
		}
		if i == 0 {
			first = charting(v)
		}
		seen[charting(v)] = true
	}
	if len(seen) < len(options) {
		return fails("%s show the same chart", strings.Join(top(ch.labels(), 3), ", "))
	}
	p.pick(ctx, ch, options[0])
	p.wait(ctx, 1500)
	if charting(p.look(ctx)) != first {
		return fails("%q shows another chart the second time", options[0].label)
	}
	return works("%d options draw charts of their own, the first one again the first", len(options))
}

// toggled proves that a single box changes the chart and changes it back.
func (p *prover) toggled(ctx context.Context, o option) answer {
	p.wait(ctx, 1500)
	first := charting(p.look(ctx))
	p.click(ctx, o.path)
	p.wait(ctx, 1500)
	second := charting(p.look(ctx))
	p.click(ctx, o.path)
	p.wait(ctx, 1500)
	if first == second || charting(p.look(ctx)) != first {
		return fails("%q does not change the chart and change it back", o.label)
	}
	return works("%q changes the chart, and back", o.label)
}

// chartOfEntry proves that an entry redraws the chart, and time alone does not.
func (p *prover) chartOfEntry(ctx context.Context, pl *place) answer {
	for _, h := range top(p.forms(p.labels(createWords)), 2) {
		p.open(ctx, pl)
		p.wait(ctx, 1500)
		first := charting(p.look(ctx))
		p.wait(ctx, 1500)
		if charting(p.look(ctx)) != first {
			return fails("the chart changes by itself")
		}
		v := p.open(ctx, h.place)
		_, _, why := p.enterAt(ctx, v, h, createWords)
		if why != "" && !strings.Contains(why, "nowhere") {
			continue
		}
		p.visit(ctx, pl)
		p.wait(ctx, 1500)
		if v := p.look(ctx); charted(v) && charting(v) != first {
			return works("an entry changes the chart, time alone does not")
		}
	}
	return fails("no entry changes the chart")
}

// chartOfVote proves that a vote is drawn, longer or more for the option than a vote for
// another one, and that time alone redraws nothing. The chart may show only after the vote.
func (p *prover) chartOfVote(ctx context.Context, with []*place) answer {
	for _, pl := range p.site.places {
		options := p.ballot(pl.view)
		if len(options) < 2 {
			continue
		}
		i := p.tokens.number(0, len(options)-1)
		j := (i + 1) % len(options)
		one, why := p.drawnVote(ctx, pl, options[i], with)
		if why != "" {
			return fails("%s", why)
		}
		other, why := p.drawnVote(ctx, pl, options[j], with)
		if why != "" {
			return fails("%s", why)
		}
		a, ok1 := standing(one.bars(), options)
		b, ok2 := standing(other.bars(), options)
		if ok1 && ok2 && (!favours(a, b, i) || !favours(b, a, j)) || (!ok1 || !ok2) && drawn(one) == drawn(other) {
			return fails("the chart is the same whichever option is voted for")
		}
		return works("a vote for %q is drawn, one for %q otherwise, and time alone redraws nothing", clip(options[i].Name), clip(options[j].Name))
	}
	return absent("nothing to vote for")
}

// drawnVote votes from a fresh state and gives the view with what is drawn then, where the
// page stands or at one of the places with charts. Why says why there is none.
func (p *prover) drawnVote(ctx context.Context, pl *place, option vitrine.Control, with []*place) (v *view, why string) {
	if !p.vote(ctx, p.open(ctx, pl), option) {
		return nil, "no vote can be sent off"
	}
	for _, to := range append([]*place{nil}, top(with, 2)...) {
		if to != nil {
			p.visit(ctx, to)
		}
		p.wait(ctx, 1500)
		if v = p.look(ctx); !charted(v) {
			continue
		}
		p.wait(ctx, 1500)
		if charting(p.look(ctx)) != charting(v) {
			return nil, "the chart changes by itself"
		}
		return v, ""
	}
	return nil, "no chart shows what was voted for"
}
