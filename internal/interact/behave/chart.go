package behave

import (
	"context"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var chartWords = []string{"range", "period", "metric", "chart type", "7d", "1m", "1y", "week", "month", "year", "day", "daily", "weekly", "monthly", "chart", "line", "bar", "pie", "legend", "data", "refresh", "update"}

// chart proves that a drawing stands for data: an option redraws it, another one otherwise,
// the first one again as at first; or an entry of a new amount redraws it and nothing does
// without one. It cheats who shows a picture, or redraws at random. (Relation 17.)
func chart(ctx context.Context, p *prover) answer {
	var with []*place
	for _, pl := range p.site.places {
		if charted(pl.view) {
			with = append(with, pl)
		}
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
	return best
}

// charted reports whether a view draws: enough shapes, or a canvas of some size.
func charted(v *view) bool {
	return v.survey.Shapes >= 4 || slices.ContainsFunc(v.survey.Canvases, func(c interact.Canvas) bool { return c.Box.W*c.Box.H > 8000 })
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
			first = drawn(v)
		}
		seen[drawn(v)] = true
	}
	if len(seen) < len(options) {
		return fails("%s show the same chart", strings.Join(top(ch.labels(), 3), ", "))
	}
	p.pick(ctx, ch, options[0])
	p.wait(ctx, 1500)
	if drawn(p.look(ctx)) != first {
		return fails("%q shows another chart the second time", options[0].label)
	}
	return works("%d options draw charts of their own, the first one again the first", len(options))
}

// toggled proves that a single box changes the chart and changes it back.
func (p *prover) toggled(ctx context.Context, o option) answer {
	p.wait(ctx, 1500)
	first := drawn(p.look(ctx))
	p.click(ctx, o.path)
	p.wait(ctx, 1500)
	second := drawn(p.look(ctx))
	p.click(ctx, o.path)
	p.wait(ctx, 1500)
	if first == second || drawn(p.look(ctx)) != first {
		return fails("%q does not change the chart and change it back", o.label)
	}
	return works("%q changes the chart, and back", o.label)
}

// chartOfEntry proves that an entry redraws the chart, and time alone does not.
func (p *prover) chartOfEntry(ctx context.Context, pl *place) answer {
	for _, h := range top(p.forms(p.labels(createWords)), 2) {
		p.open(ctx, pl)
		p.wait(ctx, 1500)
		first := drawn(p.look(ctx))
		p.wait(ctx, 1500)
		if drawn(p.look(ctx)) != first {
			return fails("the chart changes by itself")
		}
		v := p.open(ctx, h.place)
		_, _, why := p.enterAt(ctx, v, h, createWords)
		if why != "" && !strings.Contains(why, "nowhere") {
			continue
		}
		p.visit(ctx, pl)
		p.wait(ctx, 1500)
		if v := p.look(ctx); charted(v) && drawn(v) != first {
			return works("an entry changes the chart, time alone does not")
		}
	}
	return fails("no entry changes the chart")
}
