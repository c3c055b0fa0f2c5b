package behave

import (
	"context"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var (
	makeWords   = []string{"generate", "spin", "randomize", "random", "shuffle", "roll", "new", "create", "get", "draw", "make", "pick", "surprise", "生成", "随机", "抽"}
	optionWords = []string{"color", "size", "style", "material", "option", "customize", "length", "shape", "font", "layout", "pattern", "颜色", "尺寸"}
)

// customize proves that options make the result what it is, or that what is generated is
// new each time. Options: each of three shows another result, and the first one again shows
// the first result. Generated: nothing comes by itself, and most of five draws differ. It
// cheats who repaints at random or shows one result. (Relation 25.)
func customize(ctx context.Context, p *prover) answer {
	best := absent("nothing to customise or generate")
	try := func(a answer) bool {
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
		return best.verdict == vitrine.VerdictWorks
	}
	about := wordsOf(p.need.Verb + " " + p.need.Quote + " " + strings.Join(p.need.Words, " "))
	draws := len(about) == 0 || slices.ContainsFunc(makeWords[:5], func(w string) bool { return slices.Contains(stems(about), stem(w)) })
	if draws {
		for _, h := range top(p.find(p.labels(makeWords), func(c vitrine.Control, _ interact.Facts) bool { return clickable(c) && c.Role != "link" }), 3) {
			if h.score > 40 && try(p.generated(ctx, h)) {
				return best
			}
		}
	}
	words := p.labels(optionWords)
	score := func(ch chooser) float64 {
		if ch.region == "nav" || ch.region == "footer" || ch.kind == "boxes" || ch.narrows() {
			return 0
		}
		most := 10 + matches(ch.label, words)
		for _, o := range ch.options {
			most = max(most, 10+matches(o.label, p.need.Values), 10+0.7*matches(o.label, words))
		}
		return most
	}
	for _, ch := range top(p.ranked(score), 4) {
		a := p.customizeBy(ctx, ch)
		if a.verdict == vitrine.VerdictFail && ch.score < 30 {
			continue
		}
		if try(a) {
			return best
		}
	}
	return best
}

func (p *prover) customizeBy(ctx context.Context, ch chooser) answer {
	p.open(ctx, ch.place)
	options := top(p.shuffled(ch.options), 3)
	var views []*view
	for _, o := range options {
		v := p.pick(ctx, ch, o)
		for i, other := range views {
			if changes(other, v, ch.labels()...) == "" {
				return fails("%q and %q show the same", options[i].label, o.label)
			}
		}
		views = append(views, v)
	}
	p.wait(ctx, 1000)
	if what := changes(views[len(views)-1], p.look(ctx), ch.labels()...); what != "" {
		return fails("it changes by itself: %s", what)
	}
	if what := changes(views[0], p.pick(ctx, ch, options[0]), ch.labels()...); what != "" {
		return fails("%q shows other things the second time: %s", options[0].label, what)
	}
	return works("%d options each show a result of their own, the first one again the first", len(options))
}

// generated draws five times.
func (p *prover) generated(ctx context.Context, h hit) answer {
	first := p.open(ctx, h.place)
	p.wait(ctx, 2000)
	if output(first) != output(p.look(ctx)) {
		return fails("results come by themselves")
	}
	seen := map[string]bool{output(first): true}
	for range 5 {
		if step := p.click(ctx, h.control.Path); step.Failed != "" {
			p.wait(ctx, 6000)
			p.click(ctx, h.control.Path)
		}
		p.wait(ctx, 6000)
		seen[output(p.look(ctx))] = true
	}
	if len(seen) < 4 {
		return fails("of five draws with %q %d differ", h.control.Name, len(seen)-1)
	}
	return works("of five draws with %q %d differ, none comes by itself", h.control.Name, len(seen)-1)
}

// output is what a page shows: texts, values of fields that are read only or hold text,
// drawings and backgrounds; times of day left out.
func output(v *view) string {
	all := slices.Clone(v.survey.Face)
	for _, c := range v.Controls {
		if textField(c) {
			all = append(all, c.Value)
		}
	}
	return clockText.ReplaceAllString(strings.Join(all, "\n"), "") + strings.Join(v.survey.Paint, "|") + drawn(v)
}
