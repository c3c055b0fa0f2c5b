package behave

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var (
	sortWords   = []string{"sort", "sort by", "order by", "newest first", "oldest first", "newest", "price low to high", "ascending", "descending", "asc", "desc", "date", "name", "rating", "排序"}
	rankingText = regexp.MustCompile(`(?i)\b(rank\w*|leader ?boards?|top|latest|newest|most recent|chronolog\w*|highest|best|scoreboard)\b|排行|排名`)
)

// sorted proves that sorting puts the same rows in the order of one of their values: none is
// lost, a column is monotone, and another order or the inverse differs and is monotone, too. What
// the label of an option names and the rows show is monotone after it.
// Where nothing sorts and the instruction asks for a ranking, the rows must stand in the
// order of a number or date. Where it asks for the newest first, two entries may show it: the second
// must stand before the first, and both before all others. It cheats who shuffles or reverses. (Relation 10; ordered and
// complete of Segura et al., TSE 2018.)
func sorted(ctx context.Context, p *prover) answer {
	best := absent("no control sorts rows")
	words := p.labels(sortWords)
	for _, ch := range top(p.sorters(words), 5) {
		a := p.orderBy(ctx, ch)
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
	}
	if best.verdict == vitrine.VerdictAbsent && rankingText.MatchString(p.need.Quote+" "+p.need.Verb+" "+p.need.Entity) {
		if best = p.claimed(); best.verdict == vitrine.VerdictWorks {
			return best
		}
		if a := p.newest(ctx); rank(a.verdict) > rank(best.verdict) {
			best = a
		}
	}
	if best.verdict == vitrine.VerdictAbsent && p.standsSorted() {
		if best = p.claimed(); best.verdict != vitrine.VerdictWorks {
			return unclear("nothing sorts rows, and whether they stand in the order that is asked for cannot be told")
		}
	}
	return best
}

// standsSorted reports whether rows are asked for in an order, and nothing that sorts them.
func (p *prover) standsSorted() bool {
	said := inOrderBy.FindStringSubmatch(p.instruction)
	return inOrderBy.MatchString(p.need.Quote) && said != nil && !choosesOrder.MatchString(said[1])
}

var (
	inOrderBy    = regexp.MustCompile(`(?i)\b(?:sorted|ordered|arranged) by\b([^.;]{0,60})`)
	choosesOrder = regexp.MustCompile(`(?i)\b(any|or|click\w*|choos\w*|select\w*|pick\w*|columns?|headers?)\b`)
)

// sorters are what may sort rows: lists and sets of buttons whose options say so, single
// buttons, and the headers of tables.
func (p *prover) sorters(words []string) []chooser {
	all := p.ranked(func(ch chooser) float64 {
		score, named := 0.0, 0
		for _, o := range ch.options {
			if sortLabel.MatchString(o.label) {
				score = max(score, 60)
			}
			if matches(o.label, p.need.Fields) > 50 {
				named++
			}
		}
		if named > 1 && ch.kind != "list" || named > 2 {
			score = max(score, 70)
		}
		if ch.region == "nav" || ch.kind == "boxes" {
			return 0
		}
		return max(score, matches(ch.label, []string{"sort", "sort by", "order", "sortieren", "排序"}))
	})
	all = top(all, 3)
	var heads []chooser
	for _, pl := range p.site.places {
		if ch := pl.headers(); len(ch.options) > 0 && len(heads) == 0 {
			heads = append(heads, ch)
		}
	}
	all = append(all, heads...)
	for _, h := range top(p.find(words, nil), 3) {
		if h.score > 60 && sortLabel.MatchString(h.control.Name) {
			all = append(all, chooser{place: h.place, kind: "toggle", options: []option{{h.control.Name, h.control.Path}}})
		}
	}
	return all
}

// headers are the heads of columns that can be clicked.
func (pl *place) headers() chooser {
	ch := chooser{place: pl, kind: "headers"}
	for i, c := range pl.view.Controls {
		steps := strings.Split(c.Path, " > ")
		in := slices.ContainsFunc(steps, func(s string) bool { return strings.HasPrefix(s, "th") && !strings.HasPrefix(s, "thead") })
		if (in || c.Role == "columnheader") && !off(c) && pl.view.Facts[i].Href == "" && !textField(c) && c.Name != "" {
			ch.options = append(ch.options, option{c.Name, c.Path})
		}
	}
	return ch
}

// maxOrders is how many options of one list are tried.
const maxOrders = 8

func (p *prover) orderBy(ctx context.Context, ch chooser) answer {
	rows, v := p.rows(ctx, p.unpaged(ctx, p.open(ctx, ch.place)), 3)
	if len(rows.rows) < 3 {
		return fails("there are no rows to sort")
	}
	if _, _, ok := v.control(ch.options[0].path); !ok {
		v = p.visit(ctx, ch.place)
	}
	rows, shown := p.turned(ctx, ch.place, v, rows)
	s := sorting{rows: rows, shown: shown, heads: ch.kind == "headers"}
	for _, o := range top(p.shuffled(ch.options), maxOrders) {
		for i := range ch.presses() {
			if why := s.add(p.pick(ctx, ch, o), o.label, i == 0 && ch.kind != "toggle"); why != "" {
				return fails("%s", why)
			}
		}
	}
	if ch.kind == "toggle" || ch.kind == "headers" || len(s.orders) < 2 {
		return s.answer()
	}
	o := ch.options[p.tokens.number(0, len(ch.options)-1)]
	first := rows.sequence(p.pick(ctx, ch, o))
	p.pick(ctx, ch, ch.options[(slices.Index(ch.options, o)+1)%len(ch.options)])
	if again := rows.sequence(p.pick(ctx, ch, o)); !slices.Equal(first, again) && ch.kind == "list" {
		return fails("%q gives another order the second time", o.label)
	}
	return s.answer()
}

// pageSize names a list of how many rows a page has.
var pageSize = regexp.MustCompile(`(?i)\b(per page|page size|rows|entries|show)\b|每页`)

// unpaged is a view with as many rows as it may show: of a list in pages, sorting puts others on the first.
func (p *prover) unpaged(ctx context.Context, v *view) *view {
	for i, c := range v.Controls {
		if c.Tag != "select" || off(c) || !pageSize.MatchString(c.Name+" "+v.Facts[i].Context+" "+identifier(c.Path)) {
			continue
		}
		largest, most := "", 0.0
		for _, o := range v.Facts[i].Options {
			n, ok := number(strings.TrimSpace(o))
			switch {
			case isNeutral(o):
				largest, most = o, math.Inf(1)
			case ok && n > most:
				largest, most = o, n
			}
		}
		if most > 2 && largest != c.Value {
			p.choose(ctx, c.Path, largest)
			return p.look(ctx)
		}
	}
	return v
}

// presses is how often an option is chosen: twice where the second time asks for the inverse.
func (ch chooser) presses() int {
	switch ch.kind {
	case "list":
		return 1
	case "toggle":
		return 3
	}
	return 2
}

// newest proves that what is entered last stands first, where the rows themselves do not say when
// they came.
func (p *prover) newest(ctx context.Context) answer {
	none := absent("nothing shows what came last")
	if !newestFirst.MatchString(p.need.Quote) {
		return none
	}
	made, entries := p.seed(ctx, 2)
	if made == nil {
		return none
	}
	g, ok := made.holding(entries)
	for _, pl := range top(p.elsewhere(nil), 3) {
		if ok {
			break
		}
		made = p.visit(ctx, pl, slices.Concat(entries...)...)
		g, ok = made.holding(entries)
	}
	if !ok {
		return none
	}
	rows, at := body(g).Rows, []int{-1, -1}
	for i, tokens := range entries {
		at[i] = slices.IndexFunc(rows, func(r interact.Row) bool {
			return slices.ContainsFunc(tokens, func(t string) bool { return strings.Contains(strings.ToLower(r.Text), strings.ToLower(t)) })
		})
	}
	if at[1] != 0 || at[0] != 1 {
		return fails("what was entered last does not stand first, with what was entered before it behind it")
	}
	return works("what was entered last stands first, what was entered before it second")
}

// newestFirst asks for what came last to stand first.
var newestFirst = regexp.MustCompile(`(?i)\b(newest|latest|most recent)\b[^.;,]{0,20}\b(first|on top|at the top|above)\b`)

// claimed proves a ranking that nothing sorts.
func (p *prover) claimed() answer {
	best := absent("no control sorts rows, and no list is a ranking")
	for _, pl := range p.site.places {
		for _, g := range top(pl.view.lists(), 3) {
			t := tableOf(body(g))
			if len(t.rows) < 3 {
				continue
			}
			if name, ok := t.monotone(true); ok {
				return works("%d rows stand in the order of %s", len(t.rows), name)
			}
			best = fails("the rows stand in the order of no number or date")
		}
	}
	return best
}
