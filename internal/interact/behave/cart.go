package behave

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var (
	buyWords    = []string{"add to cart", "add to basket", "add to bag", "add to order", "buy", "buy now", "purchase", "add", "cart", "order", "加入购物车", "购买", "立即购买", "添加", "加入", "增加"}
	cartWords   = []string{"cart", "shopping cart", "view cart", "basket", "bag", "my cart", "checkout", "order", "购物车", "结算"}
	removeWords = []string{"remove", "delete", "remove item", "minus", "trash", "移除", "删除", "减少"}
)

// cart proves that a cart adds up: nothing of it is shown before; two different items, one
// of them twice where the cart takes it twice, are named in it, and it shows the sum of
// their prices; taking one out leaves the sum of the rest. Where the instruction wants a count
// of what is in it, that is enough. It cheats who counts a badge up without prices, or shows
// one total for all. (Relation 21.)
func cart(ctx context.Context, p *prover) answer {
	best := absent("nothing can be put into a cart")
	words := p.labels(buyWords)
	for _, pl := range p.site.places {
		goods := priced(p.site.rowControls(pl.view, words))
		if len(goods) < 2 {
			goods = priced(sameButtons(pl.view))
		}
		tries := []func() answer{func() answer { return p.cartQuantities(ctx, pl) }}
		if len(goods) > 1 {
			tries = slices.Insert(tries, 0, func() answer { return p.cartOf(ctx, pl, goods) })
			if countsCart.MatchString(p.need.Quote) && !addsUp.MatchString(p.instruction) {
				tries = append(tries, func() answer { return p.cartCounted(ctx, pl, goods) })
			}
		}
		best = bestOf(tries, len(tries), best, func(try func() answer) answer { return try() })
		if best.verdict == vitrine.VerdictWorks {
			return best
		}
		if len(p.steps) > 60 {
			break
		}
	}
	return best
}

// A good is a row with a price and the control that puts it into the cart.
type good struct {
	act   rowAct
	price float64
	name  string
}

// priced are the rows with prices, the innermost row of each control.
func priced(acts []rowAct) (all []good) {
	seen := map[string]int{}
	for _, a := range acts {
		prices := money.FindAllString(a.text, -1)
		if len(prices) == 0 || len(prices) > 2 {
			continue
		}
		n := 0.0
		for _, price := range prices { // the sum of a row may be none yet
			x, ok := moneyOf(price)
			if lower := n == 0 || x < n || unitPrice.MatchString(a.text); ok && x > 0 && lower { // the lower of two is the sale price
				n = x
			}
		}
		if n == 0 {
			continue
		}
		row := a.group.Rows[a.row]
		t := tableOf(a.group)
		g := good{a, n, t.nameOf(a.row)}
		if len(row.Cells) == 0 || g.name == "" {
			continue
		}
		if i, known := seen[a.control.Path]; known {
			if len(a.text) < len(all[i].act.text) {
				all[i] = g
			}
			continue
		}
		seen[a.control.Path] = len(all)
		all = append(all, g)
	}
	return all
}

// unitPrice are words for unit prices and discounts: the last amount of the row is its price then.
var unitPrice = regexp.MustCompile(`(?i)\b(save|saving|off|per|each|from)\b|/`)

// nameOf is what tells a row from the others: a word that the fewest hold, else the words of
// a cell beside its price, as "Tea 1", that no other row holds.
func (t table) nameOf(i int) string {
	if name := t.telling(i); name != "" {
		return name
	}
	for _, cell := range t.rows[i].Cells {
		name := keyOf(money.ReplaceAllString(cell, ""))
		if hasWords.MatchString(name) && len(t.with(name)) == 1 {
			return name
		}
	}
	return ""
}

// names reports whether a view says a name, in whatever punctuation.
func (v *view) names(name string) bool { return strings.Contains(keyOf(v.Text), name) }

func (p *prover) cartOf(ctx context.Context, pl *place, goods []good) answer {
	i := p.tokens.number(0, len(goods)-1)
	j := (i + p.tokens.number(1, len(goods)-1)) % len(goods)
	a, b := goods[i], goods[j]
	before := p.open(ctx, pl)
	p.click(ctx, a.act.control.Path)
	p.closeOver(ctx, b.act.control.Path)
	if step := p.click(ctx, b.act.control.Path); step.Failed != "" {
		if p.visit(ctx, pl); p.click(ctx, b.act.control.Path).Failed != "" {
			return fails("a second item cannot be put into the cart: %s", step.Failed)
		}
	}
	v := p.cartView(ctx, before, a.price+b.price)
	if v == nil {
		return fails("after %q and %q the cart does not show the sum %.2f", a.name, b.name, a.price+b.price)
	}
	if !v.names(a.name) || !v.names(b.name) {
		return fails("the cart does not name %q and %q", a.name, b.name)
	}
	made := p.takeOut(ctx, v, before, a, b)
	if made.verdict != vitrine.VerdictWorks || near01(b.price, a.price) || near01(b.price, 2*a.price) {
		return made
	}
	if why := p.twice(ctx, pl, a, b); why != "" {
		return fails("%s", why)
	}
	return made
}

var (
	// countsCart are words of requirements for a cart of which only a count is shown.
	countsCart = regexp.MustCompile(`(?i)\b(count|number) of\b.*\bin\b`)
	// addsUp are words of instructions that want sums as well.
	addsUp = regexp.MustCompile(`(?i)\b(sub)?totals?\b|\bsum\b|\bcheck ?out\b`)
)

// cartCounted proves that a count is one more after each of three items that are put into the
// cart, and not after a click where nothing is.
func (p *prover) cartCounted(ctx context.Context, pl *place, goods []good) answer {
	p.open(ctx, pl)
	var counts []map[string]float64
	for _, g := range []good{goods[0], goods[1], goods[0]} {
		p.click(ctx, g.act.control.Path)
		counts = append(counts, quantities(p.look(ctx)))
	}
	p.aside(ctx)
	last := quantities(p.look(ctx))
	for _, key := range sortedKeys(counts[0]) {
		if n := counts[0][key]; counts[1][key] == n+1 && counts[2][key] == n+2 && last[key] == n+2 {
			return works("a count is one more after each item that is put into the cart: %s", clip(strings.ReplaceAll(key, "|", " ")))
		}
	}
	return fails("no count is one more after each item that is put into the cart")
}

// twice puts the first item into the cart once more: where the cart shows its price
// twofold, the sum holds it twofold. Why is empty where that is so.
func (p *prover) twice(ctx context.Context, pl *place, a, b good) (why string) {
	before := p.open(ctx, pl)
	for _, g := range []good{a, b, a} {
		p.closeOver(ctx, g.act.control.Path)
		if p.click(ctx, p.again(ctx, option{g.act.control.Name, g.act.control.Path})).Failed != "" {
			return "" // what is in the cart is not taken again
		}
	}
	doubled := func() bool { return sums(p.look(ctx), 2*a.price) > sums(before, 2*a.price) }
	here := doubled() // before a search for the cart operates anything
	if p.cartView(ctx, before, 2*a.price+b.price) == nil && (here || doubled()) {
		return fmt.Sprintf("with %q twice and %q the cart does not show the sum %.2f", a.name, b.name, 2*a.price+b.price)
	}
	return ""
}

// closeOver closes what lies over a control, as a drawer that opens by itself.
func (p *prover) closeOver(ctx context.Context, path string) {
	v := p.look(ctx)
	if c, _, ok := v.control(path); ok && !c.Covered {
		return
	}
	if path := v.best(closeWords); path != "" {
		p.click(ctx, path)
	} else {
		p.press(ctx, "", "Escape")
	}
}

// cartView looks for a sum that was not shown before, where the page stands and in what the
// controls of the cart open; nil where it is not shown.
func (p *prover) cartView(ctx context.Context, before *view, sum float64) *view {
	v := p.look(ctx)
	if sums(v, sum) > sums(before, sum) {
		return v
	}
	tried := []string{}
	for range 3 {
		most, path := 30.0, ""
		for _, c := range v.Controls {
			s := max(matches(c.Name, cartWords), 0.8*matches(identifier(c.Path), cartWords))
			if s > most && clickable(c) && !off(c) && !slices.Contains(tried, c.Path) && matches(c.Name, []string{"add"}) == 0 {
				most, path = s, c.Path
			}
		}
		if path == "" {
			return nil
		}
		tried = append(tried, path)
		p.click(ctx, path)
		if v = p.look(ctx); sums(v, sum) > sums(before, sum) {
			return v
		}
	}
	return nil
}

// sums counts how often an amount is shown.
func sums(v *view, amount float64) (n int) {
	for _, line := range v.survey.Face {
		for _, x := range numbers(line) {
			if math.Abs(x-amount) < 0.006 {
				n++
			}
		}
	}
	return n
}

// takeOut removes the second item from the cart and looks for the price of the first.
func (p *prover) takeOut(ctx context.Context, v, before *view, a, b good) answer {
	sum := fmt.Sprintf("%.2f", a.price+b.price)
	for _, act := range p.site.rowControls(v, removeWords) {
		row := act.group.Rows[act.row]
		if !strings.Contains(keyOf(act.text), b.name) || strings.Contains(keyOf(act.text), a.name) || hasControl(row, b.act.control.Path) {
			continue
		}
		p.click(ctx, act.control.Path)
		after := p.look(ctx)
		if sums(after, a.price+b.price) >= sums(v, a.price+b.price) {
			after = p.confirm(ctx, after, v, removeWords)
		}
		if sums(after, a.price+b.price) >= sums(v, a.price+b.price) {
			return fails("taking %q out leaves the sum %s", b.name, sum)
		}
		if sums(after, a.price) <= sums(before, a.price) {
			return fails("taking %q out does not leave the sum %.2f", b.name, a.price)
		}
		return works("two items sum up to %s, one taken out leaves %.2f", sum, a.price)
	}
	return works("two items are in the cart with the sum %s; nothing takes them out", sum)
}

func hasControl(r interact.Row, path string) bool { return slices.Contains(r.Controls, path) }
