package behave

import (
	"context"
	"fmt"
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
// the first result. Generated: nothing comes by itself, most of five draws differ in more than
// a count of them, and what says how much is made, and of which characters, is followed. It cheats who repaints at random or shows one result.
// (Relation 25.)
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

// generated draws five times, or as often as the page lets one.
func (p *prover) generated(ctx context.Context, h hit) answer {
	first := p.open(ctx, h.place)
	p.wait(ctx, 2000)
	if calm := p.look(ctx); !slices.Equal(output(first), output(calm)) {
		return fails("results come by themselves")
	}
	before, brought := output(first), [][]string{}
	for range 5 {
		step := p.use(ctx, h.control.Path, first)
		if step.Failed != "" {
			break
		}
		all := drawings(step, p.wait(ctx, 6000))
		now := output(p.look(ctx))
		brought = append(brought, append(all, news(now, before)...))
		before = now
	}
	seen := map[string]bool{}
	for _, lines := range unnumbered(brought) {
		if len(lines) > 0 {
			seen[strings.Join(lines, "\n")] = true
		}
	}
	draws, differ := len(brought), len(seen)
	if draws < 2 || differ*5 < draws*3 {
		return fails("of %d draws with %q %d differ", draws, h.control.Name, differ)
	}
	for _, ignores := range []func(context.Context, hit) string{p.ignoresAmount, p.ignoresKinds} {
		if why := ignores(ctx, h); why != "" {
			return fails("%s", why)
		}
	}
	return works("of %d draws with %q %d differ, none comes by itself", draws, h.control.Name, differ)
}

// drawings are what a page says while something is drawn: in dialogs, and in texts that may
// be gone again.
func drawings(steps ...vitrine.Step) (all []string) {
	for _, s := range steps {
		for _, d := range s.Effect.Dialogs {
			all = append(all, d.Text)
		}
		for _, t := range s.Effect.Appeared {
			all = append(all, clockText.ReplaceAllString(t, ""))
		}
	}
	return all
}

// unnumbered takes out of what several draws brought the lines in which nothing but numbers
// moves, and those by the same amount from each to the next: what only counts the draws is no
// result.
func unnumbered(drawn [][]string) [][]string {
	moves := map[string][][]float64{} // the numbers of a line, by its words and how often they stood before
	keys := make([][]string, len(drawn))
	for i, all := range drawn {
		times := map[string]int{}
		for _, line := range all {
			key := masked(line, nil)
			keys[i] = append(keys[i], fmt.Sprint(key, times[key]))
			times[key]++
			moves[keys[i][len(keys[i])-1]] = append(moves[keys[i][len(keys[i])-1]], numbers(line))
		}
	}
	out := make([][]string, len(drawn))
	for i, all := range drawn {
		for k, line := range all {
			if !counts(moves[keys[i][k]], len(drawn)) {
				out[i] = append(out[i], line)
			}
		}
	}
	return out
}

// counts reports whether numbers, as often as wanted, go on in steps of the same size, or
// stand still.
func counts(all [][]float64, want int) bool {
	if len(all) != want || want < 2 || len(all[0]) == 0 {
		return false
	}
	for i := 1; i < want; i++ {
		if len(all[i]) != len(all[0]) {
			return false
		}
		for k := range all[i] {
			if all[i][k]-all[i-1][k] != all[1][k]-all[0][k] {
				return false
			}
		}
	}
	return true
}

// news are the lines of a list that another one does not have as often.
func news(lines, before []string) (all []string) {
	had := map[string]int{}
	for _, line := range before {
		had[line]++
	}
	for _, line := range lines {
		if had[line]--; had[line] < 0 {
			all = append(all, line)
		}
	}
	return all
}

// output is what a page shows: texts, values of fields that are read only or hold text,
// drawings and backgrounds; times of day left out.
func output(v *view) []string {
	all := slices.Clone(v.survey.Face)
	for _, c := range v.Controls {
		if textField(c) {
			all = append(all, c.Value)
		}
	}
	for i := range all {
		all[i] = clockText.ReplaceAllString(all[i], "")
	}
	return append(all, strings.Join(v.survey.Paint, "|"), drawn(v))
}
