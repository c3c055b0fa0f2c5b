package behave

import (
	"context"
	"slices"

	"vitrine"
	"vitrine/internal/interact"
)

// removeBehind proves it of rows that are opened to be deleted: one row of a list is opened and
// deleted there. In the list its title must be gone then, and all other rows must be left.
func (p *prover) removeBehind(ctx context.Context, words []string) answer {
	none := absent("no row has a control that deletes it")
	tried := 0
	for _, pl := range p.site.places {
		for _, g := range pl.view.lists() {
			doors := openable(pl.view, body(g), detailWords)
			if len(doors) < 2 || p.ofOthers(pl, g) || tried == 2 {
				continue
			}
			tried++
			a := p.removeAt(ctx, pl, tableOf(body(g)), doors[p.tokens.number(0, len(doors)-1)], words)
			if a.verdict != vitrine.VerdictAbsent {
				return a
			}
		}
	}
	return none
}

func (p *prover) removeAt(ctx context.Context, pl *place, rows table, d door, words []string) answer {
	before := p.open(ctx, pl)
	p.click(ctx, d.path)
	opened := p.look(ctx)
	path := opened.remover(words, nil, before)
	if _, _, known := before.control(path); path == "" || known { // what was there deletes something else
		return absent("no row has a control that deletes it")
	}
	p.click(ctx, path)
	asked := p.look(ctx)
	pressed, _, _ := opened.control(path)
	if c, _, still := asked.control(path); still && c.Name == pressed.Name { // else the list is back already
		p.confirm(ctx, asked, opened, words)
	}
	now := p.visit(ctx, pl)
	left, title := rows.left(now), rowName(rows, d.row)
	stays := slices.ContainsFunc(now.lists(), func(g interact.Group) bool {
		return slices.ContainsFunc(g.Rows, func(r interact.Row) bool { return hasPhrase(r.Text, title) })
	})
	switch {
	case p.err != nil || p.spent:
		return absent("no row has a control that deletes it")
	case slices.Contains(left, d.row) || stays:
		return fails("the row stays: %q", clip(rows.rows[d.row].Text))
	case len(left) < len(rows.rows)-1:
		return fails("deleting one of %d rows leaves %d", len(rows.rows), len(left))
	}
	return works("the row %q, which was opened, is gone, the other %d stay", clip(rows.rows[d.row].Text), len(left))
}
