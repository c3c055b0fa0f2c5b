package behave

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var (
	usesUp = append([]string{"take", "use", "add", "buy", "check in", "check out", "lend", "assign", "seat", "put", "more", "increase", "−", "-", "-1", "–", "+", "+1", "借", "加入"}, takeWords...)
	undoes = regexp.MustCompile(`(?i)^\W*(delete|remove|clear|edit|return|cancel|undo|reset|details?|view|show|close|give back|take (back|off|out)|put back|unassign|withdraw|×|✕)`)
)

// rowsBounded proves it of what the control of a row does: it is operated until it is refused, off or gone, first that
// of one row and then those of different rows.
func (p *prover) rowsBounded(ctx context.Context, _ []string) answer {
	words := slices.Concat(p.need.Words, usesUp, slices.DeleteFunc(wordsOf(p.need.Quote), func(w string) bool { return len(w) < 4 || numeral.MatchString(w) }))
	acts := func(v *view) []rowAct {
		return slices.DeleteFunc(short(p.site.rowControls(v, words)), func(a rowAct) bool {
			return !clickable(a.control) || a.control.Role == "link" || undoes.MatchString(a.control.Name) && !strings.Contains(strings.ToLower(p.need.Quote), strings.ToLower(a.control.Name))
		})
	}
	high, of, known := limitIn(p.need.Quote)
	if p.onlyOnce() {
		high, known = 1, true
	}
	if !known {
		high = mostEntries
	}
	if high > mostEntries {
		return absent("%v are too many to be taken", high)
	}
	places := slices.DeleteFunc(slices.Clone(p.site.places), func(pl *place) bool { return len(acts(pl.view)) == 0 })
	return bestOf(places, 2, absent("no row has a control that takes something"), func(pl *place) answer {
		all := acts(p.open(ctx, pl))
		if len(all) == 0 {
			return absent("what was there before is gone when the page is opened again")
		}
		each := all[:1]
		if known && together.MatchString(p.need.Quote) { // what several rows take counts as one
			each = top(slices.DeleteFunc(slices.Clone(all), func(a rowAct) bool { return a.group.Path != all[0].group.Path }), 2)
		}
		var turns []rowAct
		for i := range int(high) + 1 {
			turns = append(turns, each[i%len(each)])
		}
		best := p.operated(ctx, turns, high, of, known)
		if best.verdict != vitrine.VerdictWorks && known {
			all = acts(p.open(ctx, pl))
			if n := int(high) + 1 - len(all); n > 0 {
				p.seed(ctx, n)
				all = acts(p.look(ctx))
			}
			if a := p.operated(ctx, all, high, of, known); rank(a.verdict) > rank(best.verdict) {
				best = a
			}
		}
		return best
	})
}

// together are words of limits on what all rows take.
var together = regexp.MustCompile(`(?i)\b(together|per (order|person|booking|customer|member)|in (all|total)|altogether|combined)\b`)

// operated operates controls one after another until the page refuses that.
func (p *prover) operated(ctx context.Context, acts []rowAct, high float64, of string, known bool) answer {
	taken, began := 0, p.look(ctx)
	defer func() { p.fixed = nil }()
	p.fixed = map[string]string{}
	for _, a := range acts {
		v := p.look(ctx)
		path, there := a.pathIn(v, a.control.Path)
		c, _, _ := v.control(path)
		enough := !known || float64(taken) == high || a.saysFull(v) && !persons.MatchString(p.need.Quote) // else something else is used up
		switch {
		case taken > 0 && (!there || off(c)) && enough:
			return works("after %d, %q is off", taken, a.control.Name)
		case !there || off(c):
			return absent("%q is not there", a.control.Name)
		case masked(c.Name, nil) != masked(a.control.Name, nil):
			if taken > 0 && enough {
				return works("after %d, %q is %q", taken, a.control.Name, c.Name)
			}
			return absent("%q is another control now", a.control.Name)
		}
		r := p.reacts(ctx, v, func() vitrine.Step { return p.click(ctx, path) })
		if form, ok := opened(v, r.after); ok { // a dialog that asks for more
			s := p.through(ctx, r.after, form, p.labels(usesUp), unrepeated)
			maps.Copy(p.fixed, p.kindOf(s.filling, of))
			r.said, r.after = s.last.said, p.look(ctx)
		}
		if below := fellBelowZero(began, r.after); below != "" {
			return fails("by %q, %s falls below zero", c.Name, clip(below))
		}
		said := refusedBy(r.said)
		if said == "" && len(r.said) > 0 {
			said = clip(r.said[0])
		}
		switch {
		case changed(v, r.after, r.said) || a.textIn(v) != a.textIn(r.after):
			if taken++; known && float64(taken) > high {
				return fails("%q is taken %d times", c.Name, taken)
			}
		case said != "" && taken > 0 && known && float64(taken) < high && !rose(began, r.after, high) && !a.saysFull(r.after):
			return fails("after %d of %v, %q is refused: %q", taken, high, c.Name, said)
		case said != "" && taken > 0:
			return works("after %d, %q is refused: %q", taken, c.Name, said)
		case taken == 0:
			return absent("%q takes nothing", c.Name)
		default:
			return fails("after %d, %q does nothing, and nothing says why", taken, c.Name)
		}
	}
	return fails("%d are taken one after another, and none is refused", taken)
}

// rose reports whether a figure has come to a limit since a view was seen.
func rose(began, now *view, high float64) bool {
	was := quantities(began)
	for key, n := range quantities(now) {
		if old, ok := was[key]; ok && old < high && n == high {
			return true
		}
	}
	return false
}

// textIn is what the row of an act says in a view; empty where it is gone.
func (a rowAct) textIn(v *view) string {
	if g, i, ok := a.again(v); ok {
		return g.Rows[i].Text
	}
	return ""
}

// saysFull reports whether the row of an act says that there is no room left.
func (a rowAct) saysFull(v *view) bool { return noRoom.MatchString(a.textIn(v)) }

// noRoom are words of what is used up.
var noRoom = regexp.MustCompile(`(?i)\b(full|sold out|booked out|none left|0 (\w+ )?(left|free|available|remaining)|no (\w+ )?(left|free|available))\b`)

// opened is a form that a view has and the one before it had not, as that of a dialog.
func opened(before, after *view) (interact.Form, bool) {
	for _, form := range after.survey.Forms {
		i := slices.IndexFunc(form.Fields, func(path string) bool { c, _, ok := after.control(path); return ok && !c.Covered })
		if i < 0 || len(form.Buttons) == 0 {
			continue
		}
		if c, _, known := before.control(form.Fields[i]); !known || c.Covered {
			return form, true
		}
	}
	return interact.Form{}, false
}
