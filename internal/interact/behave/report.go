package behave

import (
	"context"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var reportWords = []string{"generate report", "generate", "report", "reports", "view report", "run report", "create report", "summary", "show report", "生成报告", "报告", "报表"}

// report proves that a report is made of what was asked for: it appears with numbers only
// when it is asked for, another option makes another one, and the first one again the
// first. It cheats who shows one report for all. (Relation 16.)
func report(ctx context.Context, p *prover) answer {
	best := absent("nothing makes a report")
	for _, h := range top(p.find(p.labels(reportWords), nil), 3) {
		if h.score < 35 {
			continue
		}
		a := p.reportBy(ctx, h)
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
	}
	return best
}

func (p *prover) reportBy(ctx context.Context, h hit) answer {
	before := p.open(ctx, h.place)
	for _, form := range before.survey.Forms {
		if slices.Contains(form.Buttons, h.control.Path) {
			if a := p.reportOfForm(ctx, h, form); a.verdict == vitrine.VerdictWorks {
				return a
			}
			if a := p.reportOfKey(ctx, h, form); a.verdict == vitrine.VerdictWorks {
				return a
			}
			before = p.open(ctx, h.place)
		}
	}
	p.click(ctx, h.control.Path)
	p.wait(ctx, 3000)
	first := p.look(ctx)
	fresh := lacking(first.read(), before.read())
	if len(fresh) < 6 || len(numbers(strings.Join(fresh, " "))) == 0 {
		return fails("%q shows no report with numbers", h.control.Name)
	}
	here := &place{route: h.place.route, way: append(append([]vitrine.Action{}, h.place.way...), vitrine.Action{Kind: vitrine.ActClick, Target: at(h.control.Path)}), view: first}
	for _, ch := range top(append(h.place.choosers(), here.choosers()...), 4) {
		if ch.region == "nav" || len(ch.options) < 2 || ch.kind == "boxes" || p.leadsAway(ch) {
			continue
		}
		made := func(o option) string {
			p.open(ctx, ch.place)
			p.pick(ctx, ch, o)
			if ch.place == h.place || p.look(ctx).best([]string{h.control.Name}) == h.control.Path {
				p.click(ctx, h.control.Path)
			}
			p.wait(ctx, 3000)
			v := p.look(ctx)
			return strings.Join(v.read(), " ") + drawn(v)
		}
		options := p.shuffled(ch.options)
		one, two := made(options[0]), made(options[1])
		if !differs(one, two, 4) {
			continue
		}
		if again := made(options[0]); again != one {
			return fails("%q makes another report the second time", options[0].label)
		}
		return works("%q makes a report, %q and %q make different ones", h.control.Name, options[0].label, options[1].label)
	}
	return p.reportOfEntry(ctx, h)
}

// reportOfForm proves that a report is made of what is typed into a form: it names what was
// typed, in several lines that were not there before, and other entries make another one.
func (p *prover) reportOfForm(ctx context.Context, h hit, form interact.Form) answer {
	var toks []string
	for range 2 {
		v := p.open(ctx, h.place)
		f := p.fill(ctx, v, form)
		filled := p.look(ctx)
		p.click(ctx, h.control.Path)
		p.wait(ctx, 3000)
		fresh := p.look(ctx).fresh(filled)
		said := strings.ToLower(strings.Join(fresh, " "))
		i := slices.IndexFunc(f.tokens(), func(t string) bool { return strings.Contains(said, strings.ToLower(t)) })
		old := slices.ContainsFunc(toks, func(t string) bool { return strings.Contains(said, strings.ToLower(t)) })
		if i < 0 || old || len(fresh) < 6 || len(termsOf(said)) < 20 {
			return fails("%q shows no report of what was entered", h.control.Name)
		}
		toks = f.tokens()
	}
	return works("%q makes a report of what was entered, such as %q, and another one of other entries", h.control.Name, toks[0])
}

// leadsAway reports whether what may choose a report is buttons that act on rows, or lead to
// other places.
func (p *prover) leadsAway(ch chooser) bool {
	return ch.kind == "buttons" && slices.ContainsFunc(ch.options, func(o option) bool {
		if matches(o.label, otherWords) >= 60 || matches(o.label, detailWords) >= 60 {
			return true
		}
		return slices.ContainsFunc(p.site.openers, func(known opener) bool {
			return known.control.Name == o.label && known.view != nil && known.depth == 0
		})
	})
}

// reportOfEntry proves that what was entered before stands in the report, or is counted in
// it: a number is more by one than without the entry, and stays so when the
// report is shown once more.
func (p *prover) reportOfEntry(ctx context.Context, h hit) answer {
	for _, f := range top(p.forms(p.labels(createWords)), 2) {
		shown := func() *view {
			p.click(ctx, h.control.Path)
			p.wait(ctx, 3000)
			return p.look(ctx)
		}
		p.open(ctx, h.place)
		before := shown()
		entered, _, why := p.enterAt(ctx, p.open(ctx, f.place), f, createWords)
		if len(entered.entries) == 0 {
			continue
		}
		p.visit(ctx, h.place)
		after := shown()
		for _, token := range entered.tokens() {
			if w := strings.ToLower(token); why == "" && count(after.read(), w) > count(before.read(), w) {
				return works("the report shows %q, which was entered before", token)
			}
		}
		p.visit(ctx, h.place)
		same := slices.Equal(after.survey.Lines, shown().survey.Lines)
		if line := countsOne(before, after); same && line != "" {
			return works("with one more entry the report counts one more: %q", clip(line))
		}
	}
	return fails("neither an option nor an entry changes the report")
}

// countsOne is a line of which a number is more by one than it was; empty without any.
func countsOne(before, after *view) string {
	was, now := map[string][]string{}, map[string][]string{}
	for _, line := range before.survey.Lines {
		was[masked(line, nil)] = append(was[masked(line, nil)], line)
	}
	for _, line := range after.survey.Lines {
		now[masked(line, nil)] = append(now[masked(line, nil)], line)
	}
	for _, line := range after.survey.Lines {
		key := masked(line, nil)
		if len(was[key]) != len(now[key]) {
			continue
		}
		i := slices.Index(now[key], line)
		a, b := numbers(was[key][i]), numbers(line)
		for k := range b {
			if k < len(a) && b[k] == a[k]+1 {
				return line
			}
		}
	}
	return ""
}
