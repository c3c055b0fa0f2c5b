package behave

import (
	"context"
	"slices"
	"strings"

	"vitrine"
)

var compareWords = []string{"compare", "compare now", "add to compare", "versus", "vs", "对比", "比较"}

// compare proves that two things that are chosen stand side by side: by two lists of
// options, or by a control in each row and one that shows the comparison. Both are named
// with more than their names; with another second one, its name and values take the place
// of the former, and the first one stays. It cheats who shows one table for all. (Further
// relations: compare.)
func compare(ctx context.Context, p *prover) answer {
	best := absent("nothing compares two things")
	try := func(a answer) bool {
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
		return best.verdict == vitrine.VerdictWorks
	}
	for _, pl := range p.site.places {
		if acts := sameList(p.site.rowControls(pl.view, p.labels(compareWords))); len(acts) >= 3 && try(p.compareRows(ctx, pl, acts)) {
			return best
		}
		if try(p.compareTexts(ctx, pl)) {
			return best
		}
		var lists []chooser
		for _, ch := range pl.choosers() {
			if ch.kind == "list" && len(ch.options) >= 3 {
				lists = append(lists, ch)
			}
		}
		for i := 0; i+1 < len(lists); i++ {
			if slices.Equal(lists[i].labels(), lists[i+1].labels()) || len(lacking(lists[i].labels(), lists[i+1].labels())) < 2 {
				if try(p.compareLists(ctx, pl, lists[i], lists[i+1])) {
					return best
				}
			}
		}
	}
	return best
}

func (p *prover) compareLists(ctx context.Context, pl *place, a, b chooser) answer {
	options := p.shuffled(slices.DeleteFunc(slices.Clone(a.options), func(o option) bool { return isNeutral(o.label) }))
	if len(options) < 3 {
		return fails("there are fewer than three things to compare")
	}
	x, y, z := options[0].label, options[1].label, options[2].label
	choose := func(second string, press bool) *view {
		p.open(ctx, pl)
		p.choose(ctx, a.options[0].path, x)
		p.choose(ctx, b.options[0].path, second)
		v := p.look(ctx)
		if path := v.best(compareWords); path != "" && press {
			p.click(ctx, path)
			v = p.look(ctx)
		}
		return v
	}
	if at := compared(choose(y, false).read(), choose(z, false).read(), x, y, z); at.verdict == vitrine.VerdictWorks || pl.view.best(compareWords) == "" {
		return at
	}
	return compared(choose(y, true).read(), choose(z, true).read(), x, y, z)
}

// compared says whether two views compare x with y and x with z.
func compared(xy, xz []string, x, y, z string) answer {
	shows := func(words []string, label string) bool { return index(words, termsOf(label)) >= 0 }
	own, other := lacking(xy, xz), lacking(xz, xy)
	switch {
	case !shows(xy, x) || !shows(xy, y) || !shows(xz, x) || !shows(xz, z):
		return fails("comparing %q with %q does not name both", x, y)
	case len(lacking(own, termsOf(y))) == 0 || len(lacking(other, termsOf(z))) == 0:
		return fails("%q and %q have the same values in the comparison", y, z)
	}
	return works("%q is compared with %q and with %q, each with values of its own", x, y, z)
}

// naming is the word that tells the row of an act from the others.
func naming(a rowAct) string { return tableOf(a.group).telling(a.row) }

func (p *prover) compareRows(ctx context.Context, pl *place, acts []rowAct) answer {
	n := p.tokens.number(0, len(acts)-1)
	a, b, c := acts[n], acts[(n+1)%len(acts)], acts[(n+2)%len(acts)]
	mark := func(second rowAct) ([]string, []string) {
		before := p.open(ctx, pl)
		p.click(ctx, a.control.Path)
		p.click(ctx, second.control.Path)
		v := p.look(ctx)
		most, path := 40.0, ""
		for _, o := range v.Controls {
			inRow := slices.ContainsFunc(acts, func(r rowAct) bool { return r.control.Path == o.Path })
			if s := matches(o.Name, compareWords); s > most && !inRow && clickable(o) && !off(o) {
				most, path = s, o.Path
			}
		}
		if path != "" {
			p.click(ctx, path)
			v = p.look(ctx)
		}
		return v.read(), before.read()
	}
	xy, before := mark(b)
	xz, _ := mark(c)
	x, y, z := naming(a), naming(b), naming(c)
	more := func(words []string, name string) bool {
		return count(words, name) > count(before, name) || count(words, name) > 0 && len(words) < len(before)
	}
	if x == "" || y == "" || z == "" || !more(xy, x) || !more(xy, y) || !more(xz, z) || more(xz, y) && count(xz, y) >= count(xy, y) {
		return fails("choosing %q and %q does not set them side by side", x, y)
	}
	if slices.Equal(xy, xz) || strings.Join(lacking(xy, before), " ") == "" {
		return fails("the comparison shows nothing that the list does not")
	}
	return works("%q is compared with %q and with %q", x, y, z)
}
