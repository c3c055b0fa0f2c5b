package behave

import (
	"context"
	"regexp"
	"slices"

	"vitrine/internal/interact"
)

// maxChoices bounds what is chosen on the way to a form, and maxContinues how often a button that goes
// on is clicked.
const (
	maxChoices   = 14
	maxContinues = 6
)

// reached are the forms that show only once something was chosen: a treatment, a day and a time, or
// one of the rows that are free on some days. What was found is remembered for later tries.
func (p *prover) reached(ctx context.Context, words []string) (all []hit) {
	if len(p.site.chosen) == 0 {
		starts := slices.DeleteFunc(slices.Clone(p.site.places), func(pl *place) bool {
			return p.site.depth(pl) > 1 || pl != p.site.places[0] && matches(pl.via.Name, words) < 60
		})
		for _, pl := range top(starts, 3) {
			if h, ok := p.reach(ctx, pl, words, takesPerson); ok {
				p.site.chosen = append(p.site.chosen, h)
				break
			}
		}
	}
	return p.site.chosen
}

// reach chooses one of all that a place offers until a form stands there that takes what is wanted.
func (p *prover) reach(ctx context.Context, from *place, words []string, takes func(*view, interact.Form) bool) (hit, bool) {
	v := p.open(ctx, from)
	began, used, before := len(p.steps), map[string]int{}, v
	for range maxChoices {
		known := v
		if !p.chooseNext(ctx, before, v, words, used) || p.spent || p.err != nil {
			break
		}
		v, before = p.look(ctx), known
		if p.orders() && p.checkout(v, used) != "" {
			continue // a cart asks for coupons
		}
		for _, form := range v.survey.Forms {
			if was, known := from.view.form(form); known && (!from.view.locked(was) || v.locked(form)) || !takes(v, form) {
				continue
			}
			to := &place{route: from.route, way: slices.Clone(from.way), view: v, gate: from.gate}
			for _, step := range p.steps[began:] {
				if step.Failed == "" {
					to.way = append(to.way, step.Action)
				}
				if step.Control != nil {
					to.via = *step.Control
				}
			}
			return hit{place: to, form: form}, true
		}
	}
	return hit{}, false
}

// locked reports whether no button of a form can be clicked, as before something is chosen.
func (v *view) locked(form interact.Form) bool {
	return len(form.Buttons) > 0 && !slices.ContainsFunc(form.Buttons, func(path string) bool { c, _, ok := v.control(path); return ok && !off(c) })
}

// takenRow counts the rows that were taken on a way.
const takenRow = "row"

// takesPerson reports whether a form takes text of the one who fills it in.
func takesPerson(v *view, form interact.Form) bool {
	return slices.ContainsFunc(form.Fields, func(path string) bool {
		c, f, ok := v.control(path)
		return ok && textField(c) && !off(c) && !c.Covered && !searchLabel.MatchString(c.Name+" "+f.Placeholder)
	})
}

// takesNumber reports whether a form takes a number.
func takesNumber(v *view, form interact.Form) bool {
	return slices.ContainsFunc(form.Fields, func(path string) bool {
		c, _, ok := v.control(path)
		return ok && (c.Role == "spinbutton" || c.Type == "range") && !off(c) && !c.Covered
	})
}

// chooseNext chooses one of a set that was not chosen of before: a row by its control, one of several
// buttons side by side, the values of a form without text; then it goes on. False where nothing is left.
func (p *prover) chooseNext(ctx context.Context, before, v *view, words []string, used map[string]int) bool {
	if path := p.checkout(v, used); p.orders() && path != "" {
		used[path]++
		return p.click(ctx, path).Failed == ""
	}
	rows := p.takesRows(v)
	if len(rows) == 0 && p.orders() {
		rows = p.rowsBy(v, []string{"add to cart", "add to basket", "add to bag", "buy", "add", "加入购物车"})
	}
	if len(rows) == 0 {
		rows = p.rowsBy(v, []string{"choose", "select", "pick", "选择"})
	}
	if len(rows) > 0 && used[takenRow] == 0 {
		used[takenRow]++
		return p.click(ctx, rows[p.tokens.number(0, len(rows)-1)].control.Path).Failed == ""
	}
	for _, set := range v.sets(before) {
		if used[set.label] == 0 {
			used[set.label]++
			o := set.options[p.tokens.number(0, len(set.options)-1)]
			return p.click(ctx, o.path).Failed == ""
		}
	}
	for _, form := range v.survey.Forms {
		texts := slices.ContainsFunc(form.Fields, func(path string) bool { c, _, ok := v.control(path); return ok && textField(c) })
		if key := "form|" + form.Path; len(form.Fields) > 0 && len(form.Buttons) > 0 && !texts && used[key] == 0 {
			used[key]++
			p.fill(ctx, v, form)
			return p.submit(ctx, p.look(ctx), form, words).Failed == ""
		}
	}
	goes := append(slices.Clone(nextWords), words...)
	for i, c := range v.Controls {
		region := v.Facts[i].Region
		toCart := p.orders() && cartLabel.MatchString(c.Name) && used[takenRow] > 0 && used["next|cart"] == 0
		apart := region == "nav" || region == "header" || region == "footer"
		if !clickable(c) || off(c) || c.Covered || apart && !toCart || refuses.MatchString(c.Name) {
			continue
		}
		key := "next|" + keyOf(c.Name)
		if toCart {
			key = "next|cart"
		}
		if (toCart || matches(c.Name, goes) >= 60) && used[key] < maxContinues {
			used[key]++
			return p.click(ctx, c.Path).Failed == ""
		}
	}
	return false
}

// sets are buttons side by side, and radio buttons of a group, of which one is chosen: two and more, or one
// that came with the last choice. A set that offers everything, too, filters.
func (v *view) sets(before *view) (all []chooser) {
	at := map[string]int{}
	for i, c := range v.Controls {
		f := v.Facts[i]
		key := upper(c.Path, 1)
		switch {
		case off(c) || c.Covered || refuses.MatchString(c.Name) || !hasWords.MatchString(c.Name) && len(numbers(c.Name)) == 0:
			continue
		case c.Role == "radio":
			key = "radio|" + radioGroup(c, f)
		case !isCell(c, f.Region) || f.Submits && f.Form != "":
			continue
		}
		n, known := at[key]
		if !known {
			n = len(all)
			at[key] = n
			all = append(all, chooser{label: key})
		}
		all[n].options = append(all[n].options, option{c.Name, c.Path})
	}
	for i := range all {
		for _, o := range all[i].options {
			all[i].label += "|" + keyOf(o.label)
		}
	}
	return slices.DeleteFunc(all, func(s chooser) bool {
		_, _, known := before.control(s.options[0].path)
		return len(s.options) < 2 && (known || matches(s.options[0].label, nextWords) > 0) || slices.ContainsFunc(s.options, func(o option) bool { return isNeutral(o.label) })
	})
}

// takesRows are the controls of rows by which one takes what the row offers: a class, a book, a seat.
func (p *prover) takesRows(v *view) []rowAct { return p.rowsBy(v, p.labels(takeWords)) }

func (p *prover) rowsBy(v *view, words []string) []rowAct {
	acts := slices.DeleteFunc(p.site.rowControls(v, words), func(a rowAct) bool {
		brief := len(wordsOf(a.control.Name)) <= 5 || takesLabel.MatchString(a.control.Name) && len(wordsOf(a.control.Name)) < 16
		return !brief || textField(a.control) || a.score < 50 || a.whole() || callsOff.MatchString(a.control.Name)
	})
	rows := rowsOf(acts)
	return slices.DeleteFunc(acts, func(a rowAct) bool { return len(rows[a.key()]) < 2 })
}

// orders reports whether what is sent off is an order, for which something must be in a cart.
func (p *prover) orders() bool { return ordersAsked.MatchString(p.need.Entity + " " + p.need.Quote) }

var (
	ordersAsked = regexp.MustCompile(`(?i)\b(orders?|ordering|check ?out|purchas\w+|buy(s|ing)?)\b|订单|下单|结算`)
	cartLabel   = regexp.MustCompile(`(?i)^\W*(your |my |view |open |go to )?(shopping )?(cart|basket|bag)\b|购物车|🛒`)
	toCheckout  = regexp.MustCompile(`(?i)\bcheck ?out\b|结算`)
)

// checkout is a control that leads from a cart to where it is ordered, which was not used yet.
func (p *prover) checkout(v *view, used map[string]int) string {
	for _, c := range v.Controls {
		if clickable(c) && !off(c) && !c.Covered && toCheckout.MatchString(c.Name) && used[c.Path] == 0 {
			return c.Path
		}
	}
	return ""
}

// takesLabel is a label that begins with the act and goes on with what the row is called.
var takesLabel = regexp.MustCompile(`(?i)^\W*(book|reserve|sign up|join|enrol+|register|rsvp|attend|request|claim|borrow|rent|choose|select|pick)\b`)

var takeWords = []string{"book", "reserve", "sign up", "join", "enroll", "register", "rsvp", "attend", "request", "claim", "borrow", "rent", "预订", "预约", "报名"}

// submitRows proves that what a row offers is taken by its control alone, without a form: the row
// says so, and no other.
func (p *prover) submitRows(ctx context.Context) answer {
	places := slices.DeleteFunc(slices.Clone(p.site.places), func(pl *place) bool { return len(p.takesRows(pl.view)) == 0 })
	return bestOf(places, 2, absent("no form takes a %s", p.thing("message")), func(pl *place) answer {
		v := p.open(ctx, pl)
		if acts := p.takesRows(v); len(acts) > 0 {
			return p.flipRows(ctx, v, acts, p.takesRows)
		}
		return fails("what could be taken is gone when the page is opened again")
	})
}

// takeRow takes what a row offers, and gives the place where that was.
func (p *prover) takeRow(ctx context.Context) *place {
	for _, pl := range p.site.places {
		acts := p.takesRows(pl.view)
		if len(acts) < 2 {
			continue
		}
		now := p.takesRows(p.open(ctx, pl))
		if len(now) > 0 && p.click(ctx, now[0].control.Path).Failed == "" {
			return pl
		}
	}
	return nil
}
