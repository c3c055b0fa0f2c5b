package behave

import (
	"context"
	"regexp"
	"slices"

	"vitrine/internal/interact"
)

var (
	downLabel = regexp.MustCompile(`(?i)^(move\b.*\s)?(one )?down\b|^\W*[↓▼⬇]\W*$|下移`)
	upLabel   = regexp.MustCompile(`(?i)^(move\b.*\s)?(one )?up\b|^\W*[↑▲⬆]\W*$|上移`)
	pulls     = regexp.MustCompile(`(?i)\b(drag|pull|slide|carry|grab)|拖`)
)

// moved proves that rows can be put in another order by steps, where the instruction does not ask
// for dragging: one that is moved down changes places with the next and with no other, and is back
// once it is moved up.
func (p *prover) moved(ctx context.Context) answer {
	none := absent("nothing can be dragged")
	if pulls.MatchString(p.need.Quote) {
		return none
	}
	for _, pl := range p.site.places {
		for _, g := range pl.view.lists() {
			g = body(g)
			if len(g.Rows) < 3 {
				continue
			}
			rows, first := orderOf(g), p.tokens.number(0, len(g.Rows)-2)
			for n := range len(g.Rows) - 1 {
				k := (first + n) % (len(g.Rows) - 1)
				if rows[k] != rows[k+1] && upper(g.Rows[k].Path, 1) == upper(g.Rows[k+1].Path, 1) && pl.view.step(g.Rows[k], downLabel) != "" {
					return p.movedBy(ctx, p.open(ctx, pl), g, k)
				}
			}
		}
	}
	return none
}

// step is the control of a row with a label; empty without one.
func (v *view) step(r interact.Row, label *regexp.Regexp) string {
	for _, path := range r.Controls {
		if c, _, ok := v.control(path); ok && clickable(c) && !off(c) && label.MatchString(c.Name) {
			return path
		}
	}
	return ""
}

func (p *prover) movedBy(ctx context.Context, v *view, g interact.Group, k int) answer {
	before := orderOf(g)
	p.click(ctx, v.step(g.Rows[k], downLabel))
	now := p.look(ctx)
	after, ok := now.list(g)
	want := slices.Clone(before)
	want[k], want[k+1] = want[k+1], want[k]
	if !ok || !slices.Equal(orderOf(after), want) {
		return fails("%q does not change places with the next row when it is moved down", clip(g.Rows[k].Text))
	}
	up := now.step(after.Rows[k+1], upLabel)
	if up == "" {
		return works("%q changes places with the next row", clip(g.Rows[k].Text))
	}
	p.click(ctx, up)
	if back, ok := p.look(ctx).list(g); p.err == nil && !p.spent && (!ok || !slices.Equal(orderOf(back), before)) {
		return fails("%q is not back after it was moved down and up", clip(g.Rows[k].Text))
	}
	return works("%q changes places with the next row, and is back when it is moved up", clip(g.Rows[k].Text))
}

// list is a list of another view as this one shows it, without its head.
func (v *view) list(of interact.Group) (interact.Group, bool) {
	for _, g := range v.lists() {
		if g.Path == of.Path && g.Kind == of.Kind {
			return body(g), true
		}
	}
	return interact.Group{}, false
}

// orderOf is the rows of a group by their words, without numbers, which may count them.
func orderOf(g interact.Group) (all []string) {
	for _, r := range g.Rows {
		all = append(all, numeral.ReplaceAllString(keyOf(r.Text), ""))
	}
	return all
}
