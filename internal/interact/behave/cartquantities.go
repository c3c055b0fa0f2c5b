package behave

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// quantityLabel names fields and lists for the quantity of a product.
var quantityLabel = regexp.MustCompile(`(?i)\b(qty|quantit\w*|amount|count|number|how many|pieces|units|copies|tickets)\b|数量|份数|件数`)

// cartQuantities proves a cart whose rows have a field for the quantity, as an order form: with one of each of
// two products the sum of their prices is shown, which was not before; with two of the first it is
// 2·a + b, and with none of the second 2·a. It cheats who shows a total that does not follow.
func (p *prover) cartQuantities(ctx context.Context, pl *place) answer {
	goods := priced(quantityFields(pl.view))
	if len(goods) < 2 {
		return absent("nothing can be put into a cart")
	}
	i := p.tokens.number(0, len(goods)-1)
	a, b := goods[i], goods[(i+p.tokens.number(1, len(goods)-1))%len(goods)]
	before := p.open(ctx, pl)
	most := 2*a.price + b.price
	shown := 0
	for _, want := range [][2]int{{1, 1}, {2, 1}, {2, 0}} {
		for k, g := range []good{a, b} {
			p.setQuantity(ctx, g.act.control, want[k])
		}
		v, sum := p.look(ctx), float64(want[0])*a.price+float64(want[1])*b.price
		if sums(v, sum) <= sums(before, sum) {
			return fails("with %d of %q and %d of %q the sum %.2f is not shown", want[0], a.name, want[1], b.name, sum)
		}
		if want[1] == 0 && sums(v, most) >= shown {
			return fails("the sum %.2f stays when %q is taken out", most, b.name)
		}
		shown = sums(v, most)
	}
	return works("one of %q and one of %q sum up to %.2f, two of the first and none of the other to %.2f", a.name, b.name, a.price+b.price, 2*a.price)
}

// quantityFields are the fields for quantities of rows that have one each.
func quantityFields(v *view) (all []rowAct) {
	for _, g := range v.survey.Groups {
		for i, r := range g.Rows {
			var own []vitrine.Control
			for _, path := range r.Controls {
				if c, f, ok := v.control(path); ok && !off(c) && takesQuantity(c, f) {
					own = append(own, c)
				}
			}
			if len(own) == 1 {
				all = append(all, rowAct{group: g, row: i, text: r.Text, control: own[0], score: 1})
			}
		}
	}
	return outermost(all)
}

// takesQuantity reports whether a field takes a quantity: a number that starts at 0 or 1, or a list of small
// numbers.
func takesQuantity(c vitrine.Control, f interact.Facts) bool {
	if c.Tag == "select" {
		return slices.Contains(f.Options, "1") && slices.Contains(f.Options, "2")
	}
	n, ok := number(c.Value)
	small := c.Value == "" || ok && (n == 0 || n == 1)
	return c.Role == "spinbutton" && c.Type != "range" && small && (quantityLabel.MatchString(strings.Join([]string{c.Name, f.Context, f.FieldName, identifier(c.Path)}, " ")) || f.Min == "0" || f.Min == "1")
}

func (p *prover) setQuantity(ctx context.Context, c vitrine.Control, n int) {
	if c.Tag == "select" {
		p.choose(ctx, c.Path, fmt.Sprint(n))
		return
	}
	p.write(ctx, c.Path, fmt.Sprint(n))
	p.press(ctx, c.Path, "Tab")
}

// sameButtons are the buttons of rows whose label most rows have, whatever it says: in a shop they put the
// product into the cart.
func sameButtons(v *view) (all []rowAct) {
	labels := map[string]int{}
	for _, g := range v.survey.Groups {
		if g.Region == "nav" || g.Region == "footer" {
			continue
		}
		for i, r := range g.Rows {
			for _, path := range r.Controls {
				if c, _, ok := v.control(path); ok && !off(c) && c.Role == "button" && !c.Covered && c.Name != "" && path != r.Path {
					labels[g.Path+"|"+c.Name]++
					all = append(all, rowAct{g, i, r.Text, c, 1})
				}
			}
		}
	}
	most := ""
	for _, a := range all { // the label of most rows
		if key := a.group.Path + "|" + a.control.Name; labels[key] > labels[most] && !otherAction.MatchString(a.control.Name) {
			most = key
		}
	}
	return outermost(slices.DeleteFunc(all, func(a rowAct) bool {
		return labels[most] < 2 || a.group.Path+"|"+a.control.Name != most
	}))
}

// otherAction are labels of actions on a product other than to buy it.
var otherAction = regexp.MustCompile(`(?i)\b(details?|view|more|info|wishlist|favou?rites?|like|save|compare|share|zoom|remove|delete|edit|close)\b|[♥♡❤🤍☆★]|详情|收藏`)
