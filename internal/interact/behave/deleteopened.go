package behave

import (
	"context"
	"slices"

	"vitrine"
)

// removeBehind proves it of rows that are opened to be deleted: of the first list whose rows
// open, one is opened by what opens it, deleted there, and is gone from the list then, while all
// others that stood there do.
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
	p.confirm(ctx, p.look(ctx), opened, words)
	left := rows.left(p.visit(ctx, pl))
	switch {
	case p.err != nil || p.spent:
		return absent("no row has a control that deletes it")
	case slices.Contains(left, d.row):
		return fails("the row stays: %q", clip(rows.rows[d.row].Text))
	case len(left) < len(rows.rows)-1:
		return fails("deleting one of %d rows leaves %d", len(rows.rows), len(left))
	}
	return works("the row %q, which was opened, is gone, the other %d stay", clip(rows.rows[d.row].Text), len(left))
}
