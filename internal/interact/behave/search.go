package behave

import (
	"context"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var searchWords = []string{"search", "find", "look up", "query", "filter", "type to search", "搜索", "查找", "查询"}

// search proves that a word leaves the rows that hold it: for a word of a random row no
// row that holds it is lost and others go; a word that no page foresees leaves none; an
// empty one brings all back. It cheats who has one canned result, or marks words alone.
// (Relation 8; subset and complete of Segura et al., TSE 2018.)
func search(ctx context.Context, p *prover) answer {
	fields := p.find(p.labels(searchWords), func(c vitrine.Control, _ interact.Facts) bool { return textField(c) })
	best := absent("no field to search with")
	for _, h := range top(fields, 2) {
		a := p.searchBy(ctx, h)
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
	}
	return best
}

func (p *prover) searchBy(ctx context.Context, h hit) answer {
	v := p.open(ctx, h.place)
	rows, v := p.rows(ctx, v, 2)
	if len(rows.rows) < 2 {
		return fails("there are no rows to search in")
	}
	if _, _, ok := v.control(h.control.Path); !ok {
		v = p.visit(ctx, h.place)
	}
	i := p.tokens.number(0, len(rows.rows)-1)
	q := rows.telling(i)
	if q == "" {
		return fails("the rows have no words that tell them apart")
	}
	want := rows.with(q)
	got := rows.left(p.ask(ctx, v, h, q, rows, len(want)))
	switch {
	case len(got) == len(rows.rows) && len(want) < len(rows.rows):
		return fails("searching for %q leaves all %d rows", q, len(rows.rows))
	case !subset(want, got):
		return fails("searching for %q loses a row that holds it", q)
	case len(got) > len(want) && len(got) >= len(rows.rows)-1 && len(rows.rows) > 2:
		return fails("searching for %q leaves %d of %d rows, of which %d hold it", q, len(got), len(rows.rows), len(want))
	}
	nonsense := strings.ToLower(p.tokens.word())
	if left := rows.left(p.ask(ctx, v, h, nonsense, rows, 0)); len(left) > 0 {
		return fails("searching for %q, which no row holds, leaves %d rows", nonsense, len(left))
	}
	if back := rows.left(p.ask(ctx, v, h, "", rows, len(rows.rows))); len(back) < len(rows.rows) {
		return fails("an empty search brings %d of %d rows back", len(back), len(rows.rows))
	}
	return works("searching for %q leaves the %d of %d rows that hold it, nonsense none, nothing all", q, len(got), len(rows.rows))
}

// ask enters a query, and sends it off by Enter or a button where typing alone does not
// leave the number of rows that is wanted.
func (p *prover) ask(ctx context.Context, v *view, h hit, q string, rows table, want int) *view {
	path := h.control.Path
	if q == "" {
		p.do(ctx, vitrine.Action{Kind: vitrine.ActClear, Target: at(path)})
	} else {
		p.write(ctx, path, q)
	}
	after := p.look(ctx)
	if len(rows.left(after)) == want {
		return after
	}
	p.press(ctx, path, "Enter")
	if after = p.look(ctx); len(rows.left(after)) == want {
		return after
	}
	for _, f := range v.survey.Forms {
		if f.Path != h.form.Path && !slices.Contains(f.Fields, path) {
			continue
		}
		if b := button(v, f, p.labels(searchWords)); b != "" {
			p.click(ctx, b)
			return p.look(ctx)
		}
	}
	return after
}
