package behave

import (
	"context"
	"math"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// shiftWords are labels of acts without a form whose time is recorded.
var shiftWords = []string{"clock in", "check in", "punch in", "punch", "clock", "start shift", "start work", "start break", "clock out", "check out", "打卡", "签到"}

// shifts are the controls of the site for such acts, but for those that lead elsewhere.
func (p *prover) shifts(words []string) []hit {
	return slices.DeleteFunc(p.find(words, brief), func(h hit) bool {
		return p.site.leads(h.control.Path) || strings.HasPrefix(h.facts.Href, "#") || h.facts.Region == "nav"
	})
}

// recordStamped acts by a control without a form: a row of a record comes or changes and
// holds the time of the act; the same, or its opposite, once more leaves another trace.
// Where nothing is done no row does.
func (p *prover) recordStamped(ctx context.Context, h hit) answer {
	places := []*place{h.place}
	for _, pl := range p.site.places {
		beside := pl != h.place && p.site.depth(pl) == 1 && pl.gate == h.place.gate
		if beside && recordLabel.MatchString(pl.via.Name) && len(places) < 3 {
			places = append(places, pl)
		}
	}
	p.open(ctx, h.place)
	p.aside(ctx)
	p.wait(ctx, 6500)
	base, restless := p.stamped(ctx, places, h), map[string]bool{}
	p.visit(ctx, h.place)
	p.wait(ctx, 1500)
	for key, text := range p.stamped(ctx, places, h) {
		if base[key] == "" {
			restless[masked(text, nil)] = true
		}
	}
	r := p.pressOnce(ctx, p.open(ctx, h.place), h.control.Path)
	one := p.stamped(ctx, places, h)
	first := came(base, one, restless)
	if first == "" {
		return absent("%q leaves no record with a time", h.control.Name)
	}
	v := p.visit(ctx, h.place)
	next := v.opposite(h.control.Name)
	if c, _, ok := v.control(h.control.Path); next == "" && ok && !off(c) {
		next = c.Path
	}
	if next == "" {
		return fails("after %q nothing can be recorded any more", h.control.Name)
	}
	p.pressOnce(ctx, v, next)
	if came(one, p.stamped(ctx, places, h), restless) == "" {
		return fails("%q is recorded, and nothing after it", h.control.Name)
	}
	return works("%q is recorded: %q", h.control.Name, clip(strings.TrimSpace(strings.Join(append(r.toks, first), " "))))
}

// stamped are the rows with a time or a date on several places, by their words; the last
// place is where the page then stands.
func (p *prover) stamped(ctx context.Context, places []*place, h hit) map[string]string {
	rows := map[string]string{}
	for _, pl := range places {
		v := p.look(ctx)
		if len(places) > 1 {
			v = p.visit(ctx, pl)
		}
		for _, g := range v.survey.Groups {
			if bare(g.Kind) || g.Region == "nav" || g.Region == "footer" || v.sections(g) {
				continue
			}
			for _, r := range g.Rows {
				if stamp.MatchString(r.Text) && len(wordsOf(r.Text)) < 40 && len(r.Cells) > 1 && !slices.Contains(r.Controls, h.control.Path) {
					rows[keyOf(r.Text)] = r.Text
				}
			}
		}
	}
	return rows
}

// came is a row that was not there before and that does not change by itself.
func came(before, after map[string]string, restless map[string]bool) string {
	var all []string
	for key, text := range after {
		if before[key] == "" && !restless[masked(text, nil)] {
			all = append(all, text)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return slices.Min(all)
}

// actWords are labels of further acts from which statistics follow.
var actWords = []string{"spin", "roll", "play", "buy", "vote", "complete", "like", "borrow", "join", "start", "掷骰子", "抽奖", "旋转"}

// aggregateActs proves that statistics follow from an act without a form.
func (p *prover) aggregateActs(ctx context.Context, h hit) answer {
	return p.movesFigure(ctx, h, func(v *view) string {
		p.pressOnce(ctx, v, h.control.Path)
		return ""
	})
}

// movesFigure proves that statistics follow from an act: a number of theirs is another after it,
// and twice the same where nothing is done. Rows of records and times do not count.
func (p *prover) movesFigure(ctx context.Context, h hit, act func(*view) (why string)) answer {
	name, failed := h.control.Name, ""
	for _, pl := range top(p.statistics(), 3) {
		at := func(acts bool) *view {
			v := p.open(ctx, h.place)
			if acts {
				failed = act(v)
			} else {
				p.aside(ctx)
				p.wait(ctx, 6500)
			}
			if pl == h.place {
				return p.look(ctx)
			}
			return p.visit(ctx, pl)
		}
		calm, done := at(false), at(true)
		if failed != "" {
			return fails("%s", failed)
		}
		key, was, is := moved(calm, done)
		if key == "" {
			continue
		}
		if again, now, _ := moved(at(false), done); again != key || now != was {
			return fails("statistics change by themselves: %s", clip(key))
		}
		return works("%q changes a statistic from %g to %g: %s", clip(name), was, is, clip(strings.ReplaceAll(key, "|", " ")))
	}
	return absent("no statistic follows from %q", clip(name))
}

// statistics are the places that are named as statistics, likeliest first.
func (p *prover) statistics() (all []*place) {
	words := append(slices.Clone(aggregateWords[:8]), "analysis", "admin", "administrator", "insights", "monitor", "monitoring", "分析", "监控")
	score := map[*place]float64{}
	for _, pl := range p.site.places {
		score[pl] = matches(pl.via.Name, words)
		for _, heading := range pl.view.survey.Headings {
			score[pl] = max(score[pl], 0.8*matches(heading, words))
		}
		if score[pl] > 0 && len(quantities(pl.view)) > 0 {
			all = append(all, pl)
		}
	}
	slices.SortStableFunc(all, func(a, b *place) int { return int(score[b] - score[a]) })
	return all
}

// moved is a number that differs between two views of a place, outside of lists that grew:
// a count by one, a share by any amount.
func moved(a, b *view) (key string, was, is float64) {
	records := map[string]bool{}
	for _, pair := range [][2]*view{{a, b}, {b, a}} {
		for _, g := range pair[0].survey.Groups {
			if pair[1].rowsAt(g.Path, g.Kind) != g.Total {
				cellsOf(g, records)
			}
		}
	}
	lines := func(v *view) (kept []string) {
		for _, line := range v.survey.Lines {
			if !records[line] && !stamp.MatchString(line) {
				kept = append(kept, line)
			}
		}
		return kept
	}
	before, after := quantitiesOf(lines(a)), quantitiesOf(lines(b))
	for _, key := range sortedKeys(before) {
		n, ok := after[key]
		if step := math.Abs(n - before[key]); ok && (near01(step, 1) || step > 0 && strings.Contains(key, "#%")) {
			return key, before[key], n
		}
	}
	return "", 0, 0
}

func cellsOf(g interact.Group, into map[string]bool) {
	for _, r := range g.Rows {
		into[r.Text] = true
		for _, cell := range r.Cells {
			into[cell] = true
		}
	}
}

// actsThen tries acts in turn.
func (p *prover) actsThen(ctx context.Context, best answer, words []string, try func(context.Context, hit) answer) answer {
	if best.verdict == vitrine.VerdictWorks {
		return best
	}
	return bestOf(p.shifts(words), 2, best, func(h hit) answer { return try(ctx, h) })
}

// rowsAt is the number of rows of one kind below a path.
func (v *view) rowsAt(path, kind string) int {
	for _, g := range v.survey.Groups {
		if g.Path == path && g.Kind == kind {
			return g.Total
		}
	}
	return 0
}
