package behave

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/interact"
)

var (
	// wantsItems are refusals of an order that nothing was put into.
	wantsItems = regexp.MustCompile(`(?i)\b(add|choose|select|pick)\b[^.!]{0,16}\b(at least one|an|one|some|any|something)\b[^.!]{0,16}\b(items?|products?|dish|dishes|pizzas?|meals?|articles?)\b|\b(cart|basket|bag|order)( is|'s)? (still |currently )?empty\b|购物车为空`)
	// wantsMoney are refusals to spend or to assign more than there is.
	wantsMoney = regexp.MustCompile(`(?i)\b(not enough|insufficient|exceed(s|ed)?|only|no|more than|set|enter)\b[^!]{0,40}\b(left|money|funds|income|budget|balance|assign|available|cash)\b`)
	// noneYet are refusals by which there is nothing of something that another form takes: "the car has only 0 km".
	noneYet = regexp.MustCompile(`(?i)\b(only|just)( has| have)? 0(\.0+)?\b`)
	// moneyLabel names what there is to be spent.
	moneyLabel = regexp.MustCompile(`(?i)\b(income|budget|balance|deposit|funds|capital|allowance|salary|starting (amount|cash|money))\b`)
)

// supply does what a form that was not taken needs first by what the page says: an item is put into the cart, or
// there is money to be spent. It reports whether something was done that shows.
func (p *prover) supply(ctx context.Context, form interact.Form, r *reaction) bool {
	var done bool
	switch {
	case slices.ContainsFunc(r.said, wantsItems.MatchString):
		goods := priced(p.site.rowControls(r.after, buyWords))
		if len(goods) == 0 {
			goods = priced(sameButtons(r.after))
		}
		done = len(goods) > 0 && p.click(ctx, goods[0].act.control.Path).Failed == ""
	case slices.ContainsFunc(r.said, wantsMoney.MatchString), slices.ContainsFunc(r.said, noneYet.MatchString):
		field, button := r.after.moneyForm(form, slices.ContainsFunc(r.said, noneYet.MatchString))
		if field == "" {
			return false
		}
		p.write(ctx, field, fmt.Sprint(p.tokens.number(70, 90)*1000))
		done = p.click(ctx, button).Failed == ""
	}
	if now := p.look(ctx); done && len(now.fresh(r.after)) > 0 {
		r.after, r.said = now, nil
		return true
	}
	return false
}

// moneyForm are the field and the button of another form that takes what there is to be spent, or any number, and
// nothing else.
func (v *view) moneyForm(than interact.Form, unlabelled bool) (field, button string) {
	for _, form := range v.survey.Forms {
		if form.Path == than.Path || len(form.Fields) != 1 || len(form.Buttons) == 0 {
			continue
		}
		c, f, ok := v.control(form.Fields[0])
		numeric := c.Type == "number" || c.Role == "spinbutton" || f.InputMode == "decimal" || f.InputMode == "numeric"
		if ok && numeric && !off(c) && !inRow(v, c) && (unlabelled || moneyLabel.MatchString(strings.Join([]string{c.Name, f.Placeholder, form.Title}, " "))) {
			return c.Path, form.Buttons[0]
		}
	}
	return "", ""
}
