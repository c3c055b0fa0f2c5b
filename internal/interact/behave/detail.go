package behave

import (
	"context"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var (
	detailWords = []string{"view details", "details", "view", "read more", "more", "learn more", "open", "see more", "info", "select", "show", "查看", "详情"}
	otherWords  = []string{"delete", "remove", "add to cart", "edit", "buy", "like", "favorite", "save", "share", "wishlist", "complete", "done", "删除", "编辑"}
)

// detail proves that opening a row shows more of this one: words that the list did not
// show, others for another row, the same for the same row, and none of another row's name.
// It cheats who shows one text for all rows. (Relation 4.)
func detail(ctx context.Context, p *prover) answer {
	best, tried := absent("no row of a list can be opened"), 0
	words := p.labels(detailWords)
	for _, pl := range p.site.places {
		for _, g := range pl.view.lists() {
			if tried >= 5 || len(openable(pl.view, body(g), words)) < 2 {
				continue
			}
			tried++
			a := p.detailOf(ctx, pl, body(g), words)
			if a.verdict == vitrine.VerdictWorks {
				return a
			}
			if rank(a.verdict) > rank(best.verdict) {
				best = a
			}
		}
	}
	if best.verdict == vitrine.VerdictAbsent {
		return p.detailMade(ctx, best, words)
	}
	return best
}

// detailMade proves it of two entries that were made, where a site begins without any: what opens names its own
// entry more often than what opens for the other one, says something else besides, and the same when the first is
// opened again.
func (p *prover) detailMade(ctx context.Context, best answer, words []string) answer {
	made, entries := p.seed(ctx, 2)
	if made == nil {
		return best
	}
	g, ok := made.holding(entries)
	if !ok {
		return best
	}
	t := tableOf(g)
	doors := openable(made, g, words)
	if len(doors) < 2 {
		return best
	}
	var shown [3][]string
	for i := range shown {
		d := doors[i%2]
		for _, back := range []func(){func() { p.aside(ctx) }, func() { p.visit(ctx, p.site.places[0]) }} {
			if c, _, there := p.look(ctx).control(d.path); !there || c.Covered {
				back()
			}
		}
		step := p.click(ctx, d.path)
		if step.Failed != "" {
			return fails("the row %s cannot be opened: %s", rowName(t, d.row), step.Failed)
		}
		shown[i] = p.look(ctx).read()
		for _, dialog := range step.Effect.Dialogs {
			shown[i] = append(shown[i], termsOf(dialog.Text)...)
		}
	}
	a, b := doors[0].row, doors[1].row
	more := func(row int, x, y []string) bool {
		return slices.ContainsFunc(t.marks(row), func(w string) bool { return count(x, w) > count(y, w) })
	}
	own := func(x, y []string, row int) []string { return lacking(lacking(x, y), t.marks(row)) }
	switch {
	case !more(a, shown[0], shown[1]) || !more(b, shown[1], shown[0]):
		return fails("what opens does not name %q or %q", rowName(t, a), rowName(t, b))
	case len(own(shown[0], shown[1], a)) == 0 || len(own(shown[1], shown[0], b)) == 0:
		return fails("%q and %q show the same", rowName(t, a), rowName(t, b))
	case len(lacking(shown[0], shown[2])) > 0 || len(lacking(shown[2], shown[0])) > 0:
		return fails("%q shows other things the second time", rowName(t, a))
	}
	return works("%q and %q show more when they are opened, each its own", rowName(t, a), rowName(t, b))
}

// A door is what opens a row.
type door struct {
	row  int
	path string
}

// openable are the rows with what opens each, the likeliest control of it.
func openable(v *view, g interact.Group, words []string) (all []door) {
	for i, r := range g.Rows {
		best, path := 0.0, ""
		for _, control := range r.Controls {
			c, f, ok := v.control(control)
			if !ok || off(c) || !clickable(c) || c.Type == "checkbox" || c.Type == "radio" || strings.Contains(f.Href, "://") {
				continue
			}
			score := 10 + matches(c.Name, words)
			if control == r.Path || c.Role == "link" {
				score += 20
			}
			if matches(c.Name, otherWords) > matches(c.Name, words) && control != r.Path {
				score = 0
			}
			if score > best {
				best, path = score, control
			}
		}
		if path != "" {
			all = append(all, door{i, path})
		}
	}
	return all
}

func (p *prover) detailOf(ctx context.Context, pl *place, g interact.Group, words []string) answer {
	doors, t := openable(pl.view, g, words), tableOf(g)
	a := p.tokens.number(0, len(doors)-1)
	b := (a + p.tokens.number(1, len(doors)-1)) % len(doors)
	first, why := p.opened(ctx, pl, t, doors[a], doors[b].row)
	if why != "" {
		return fails("%s", why)
	}
	second, why := p.opened(ctx, pl, t, doors[b], doors[a].row)
	if why != "" {
		return fails("%s", why)
	}
	if len(lacking(first, second)) == 0 || len(lacking(second, first)) == 0 {
		return fails("%q and %q show the same", rowName(t, doors[a].row), rowName(t, doors[b].row))
	}
	again, why := p.opened(ctx, pl, t, doors[a], doors[b].row)
	if why != "" || len(lacking(first, again))*3 > len(first) {
		return fails("%q shows other things the second time", rowName(t, doors[a].row))
	}
	return works("%q and %q show more than the list, each its own", rowName(t, doors[a].row), rowName(t, doors[b].row))
}

// opened opens a row from a fresh state and gives the words that are shown then, on the page
// or in a dialog of the browser, and were not before.
func (p *prover) opened(ctx context.Context, pl *place, t table, d door, other int) (fresh []string, why string) {
	before := p.open(ctx, pl)
	step := p.click(ctx, d.path)
	if step.Failed != "" {
		return nil, "the row " + rowName(t, d.row) + " cannot be opened: " + step.Failed
	}
	after := p.look(ctx)
	read := after.read()
	for _, dialog := range step.Effect.Dialogs {
		read = append(read, termsOf(dialog.Text)...)
	}
	fresh = lacking(read, before.read())
	if len(fresh) < 3 {
		return nil, "opening " + rowName(t, d.row) + " shows nothing that the list does not"
	}
	own, foreign := t.marks(d.row), t.marks(other)
	listed := len(t.left(after))*2 > len(t.rows)
	now, was := after.read(), before.read()
	gains := func(words []string) (n int) {
		for _, w := range words {
			if count(now, w) > count(was, w) {
				n++
			}
		}
		return n
	}
	switch {
	case !listed && len(own) > 0 && !slices.ContainsFunc(own, func(w string) bool { return slices.Contains(now, w) }):
		return nil, "what opens does not name " + rowName(t, d.row)
	case listed && gains(foreign) > gains(own):
		return nil, "what opens is another row than " + rowName(t, d.row)
	}
	return fresh, ""
}

func rowName(t table, i int) string { return strings.Join(top(strings.Fields(t.rows[i].Text), 6), " ") }

// read are the words that can be read without operating the page.
func (v *view) read() []string { return termsOf(strings.Join(v.survey.Face, " ")) }

// lacking are the words of a that b lacks, each once.
func lacking(a, b []string) (all []string) {
	in := map[string]bool{}
	for _, w := range b {
		in[w] = true
	}
	for _, w := range a {
		if !in[w] {
			in[w] = true
			all = append(all, w)
		}
	}
	return all
}

func count(words []string, word string) (n int) {
	for _, w := range words {
		if w == word {
			n++
		}
	}
	return n
}
