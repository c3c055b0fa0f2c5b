package behave

import (
	"context"
	"strings"

	"vitrine"
)

// drag proves that what is dragged ends up elsewhere: the order of the rows, or the list
// that one is in, is another afterwards, and what was dragged is still there. (Of the further
// relations; Genie's frame condition, OOPSLA 2021.)
func drag(ctx context.Context, p *prover) answer {
	best := absent("nothing can be dragged")
	for _, pl := range p.site.places {
		for i, c := range pl.view.Controls {
			f := pl.view.Facts[i]
			if !f.Draggable && !f.Drags || c.Tag == "img" && !f.Draggable {
				continue
			}
			a := p.dragFrom(ctx, pl, c, f.DropsAt)
			if a.verdict == vitrine.VerdictWorks {
				return a
			}
			if rank(a.verdict) > rank(best.verdict) {
				best = a
			}
			break
		}
	}
	return best
}

func (p *prover) dragFrom(ctx context.Context, pl *place, c vitrine.Control, drops []string) answer {
	ways := []vitrine.Action{}
	for _, to := range drops {
		ways = append(ways, vitrine.Action{Kind: vitrine.ActDrag, Target: at(c.Path), To: at(to)})
	}
	for _, by := range [][2]float64{{0, 90}, {260, 0}, {0, -90}, {-260, 0}} {
		ways = append(ways, vitrine.Action{Kind: vitrine.ActDrag, Target: at(c.Path), DX: by[0], DY: by[1]})
	}
	for _, a := range ways {
		before := p.open(ctx, pl)
		if p.do(ctx, a).Failed != "" {
			continue
		}
		after := p.look(ctx)
		if order(before) == order(after) && c.Box == boxOf(after, c.Path) {
			continue
		}
		if text := keyOf(c.Name); strings.Count(keyOf(before.Text), text) > 0 && strings.Count(keyOf(after.Text), text) == 0 {
			return fails("%q is gone after it was dragged", c.Name)
		}
		return works("%q lies elsewhere after it was dragged", c.Name)
	}
	return fails("dragging %q leaves everything where it was", c.Name)
}

func boxOf(v *view, path string) vitrine.Box {
	c, _, _ := v.control(path)
	return c.Box
}

// order is the texts of the rows in the order in which they stand.
func order(v *view) string {
	var all []string
	for _, g := range v.survey.Groups {
		for _, r := range g.Rows {
			all = append(all, g.Path+":"+keyOf(r.Text))
		}
	}
	return strings.Join(all, "\n")
}
