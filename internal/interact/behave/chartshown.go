package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// chartPointed proves that the marks of a drawing tell their values: pointing at two of them shows
// two texts with numbers, on the page or on its canvas; pointing elsewhere shows what stood there
// before, and time alone changes nothing.
func (p *prover) chartPointed(ctx context.Context, pl *place) answer {
	for _, d := range top(pl.view.survey.Drawings, 3) {
		p.open(ctx, pl)
		p.do(ctx, vitrine.Action{Kind: vitrine.ActHover, Target: nowhere()})
		p.wait(ctx, 1500)
		first := p.look(ctx)
		p.wait(ctx, 1500)
		if textAndCharts(p.look(ctx)) != textAndCharts(first) {
			continue
		}
		values := map[string]bool{}
		for _, s := range d.Spots {
			p.do(ctx, vitrine.Action{Kind: vitrine.ActHover, Target: at(d.Path), DX: s.X, DY: s.Y})
			p.wait(ctx, 800)
			v := p.look(ctx)
			said := strings.Join(slices.Concat(v.fresh(first), lacking(v.survey.Written, first.survey.Written)), "\n")
			if len(numbers(said)) > 0 {
				values[said] = true
			}
			if len(values) > 1 {
				break
			}
		}
		p.do(ctx, vitrine.Action{Kind: vitrine.ActHover, Target: nowhere()})
		p.wait(ctx, 1500)
		if len(values) > 1 && textAndCharts(p.look(ctx)) == textAndCharts(first) {
			return works("pointing at the marks of the chart shows values of their own, and pointing elsewhere none")
		}
	}
	return fails("pointing at the chart tells no values")
}

// textAndCharts is the text of a view with what its charts show.
func textAndCharts(v *view) string { return strings.Join(v.survey.Lines, "\n") + charting(v) }

// chartShown proves that a chart which only has to be shown can be read: it has at least three marks
// that differ, three labels, two of them numbers or dates, and a heading or label that names its
// subject; it does not change over time. Bars made of plain elements must be as long as their numbers say.
// A chart on a canvas has no marks that can be read.
func (p *prover) chartShown(ctx context.Context, pl *place) answer {
	v := p.open(ctx, pl)
	p.wait(ctx, 1500)
	first := charting(p.look(ctx))
	p.wait(ctx, 3000)
	if charting(p.look(ctx)) != first {
		return fails("the chart changes by itself")
	}
	if barred(v) && p.namesSubject(strings.Join(append(slices.Clone(v.survey.Headings), v.survey.Title), " ")) {
		return works("the bars follow the numbers beside them")
	}
	best := fails("what is drawn has no labels to read it by")
	for _, d := range v.survey.Drawings {
		short := slices.DeleteFunc(slices.Clone(d.Texts), func(t string) bool { return len([]rune(t)) > 40 })
		slices.Sort(short)
		short = slices.Compact(short)
		dated := slices.DeleteFunc(slices.Clone(short), func(t string) bool { return len(numbers(t)) == 0 && !dates.MatchString(t) })
		switch {
		case len(short) < 3 || len(dated) < 2:
		case !p.namesSubject(strings.Join(append([]string{d.About}, d.Texts...), " ")):
			best = fails("no chart says that it is of a %s", p.need.Entity)
		case d.Canvas:
			best = fails("a chart is painted, and nothing tells what its marks stand for")
		case d.Marks < 3:
			best = fails("fewer than three marks of the chart differ")
		default:
			return works("a chart of %d marks with labels such as %q", d.Marks, clip(dated[0]))
		}
	}
	return best
}

// dates are labels of an axis of time.
var dates = regexp.MustCompile(`(?i)^(mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?$`)

// chartNouns are words of an entity that say how something is drawn and not what.
var chartNouns = regexp.MustCompile(`^(bar|line|pie|area|donut|column|scatter|charts?|graphs?|plots?|diagrams?|visuali[sz]ations?|dashboards?|data)$`)

// namesSubject reports whether a text has a word of the subject of the chart, where the
// instruction gives one.
func (p *prover) namesSubject(text string) bool {
	low := strings.ToLower(text)
	of := slices.DeleteFunc(wordsOf(p.need.Entity), func(w string) bool { return chartNouns.MatchString(w) })
	return len(of) == 0 || slices.ContainsFunc(of, func(w string) bool { return strings.Contains(low, strings.TrimSuffix(w, "s")) })
}
