package behave

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var ledgerWords = []string{"buy", "upgrade", "deposit", "withdraw", "transfer", "pay", "purchase", "sell", "record sale", "train", "hire", "add income", "add expense", "add transaction", "top up", "donate", "invest", "build", "购买", "升级", "充值"}

// spends are acts that must be refused when there is not enough.
var spends = regexp.MustCompile(`(?i)\b(buy|upgrade|withdraw|transfer|purchase|train|hire|build)\b|购买|升级`)

// ledger proves that quantities follow what is done: by a random amount of a form, twice,
// one moves by exactly that, and another one the other way or a record holds it; by a
// control with a price, one falls by the price while another rises, until it does not
// suffice, and is never negative. It cheats who moves one side alone, or by a fixed
// amount. (Relation 14.)
func ledger(ctx context.Context, p *prover) answer {
	words := p.labels(ledgerWords)
	forms := slices.DeleteFunc(p.forms(append(words, createWords...)), func(h hit) bool { return !takesAmount(h) })
	best := bestOf(forms, 3, absent("nothing moves a quantity"), func(h hit) answer { return p.bookBy(ctx, h, append(words, createWords...)) })
	if best.verdict == vitrine.VerdictWorks {
		return best
	}
	buttons := p.find(words, func(c vitrine.Control, f interact.Facts) bool {
		return clickable(c) && c.Role != "link" && f.Region != "nav"
	})
	return bestOf(buttons, 3, best, func(h hit) answer { return p.priceOf(ctx, h) })
}

func takesAmount(h hit) bool {
	return slices.ContainsFunc(h.form.Fields, func(path string) bool {
		c, f, ok := h.place.view.control(path)
		return ok && (c.Type == "number" || c.Role == "spinbutton" || textField(c) && numericLabel.MatchString(c.Name+" "+f.Placeholder))
	})
}

// bookBy enters two amounts by a form.
func (p *prover) bookBy(ctx context.Context, h hit, words []string) answer {
	places := top(p.numbered(h.place), 2)
	p.open(ctx, h.place)
	read := [][]map[string]float64{p.readings(ctx, h, places)}
	var acts []filling
	for range 2 {
		f, _, why := p.actAt(ctx, p.visitForm(ctx, h), h, words)
		if why != "" {
			return fails("%s", why)
		}
		acts = append(acts, f)
		read = append(read, p.readings(ctx, h, places))
	}
	p.aside(ctx)
	read = append(read, p.readings(ctx, h, places))
	moved, falls, rises := "", false, false
	for i := range read[0] {
		for _, key := range sortedKeys(read[0][i]) {
			q, ok := series(read, i, key)
			if !ok || q[3] != q[2] || !movesBy(q, acts) {
				continue
			}
			moved = key
			falls, rises = falls || q[1] < q[0], rises || q[1] > q[0]
		}
	}
	if moved == "" {
		return fails("no quantity moves by the amounts that are entered")
	}
	if _, ok := p.recorded(ctx, p.look(ctx), h.place, append(acts[0].marks(), acts[1].marks()...), acts); !ok && !(falls && rises) {
		return fails("one quantity moves by what is entered; nothing else does, and no record holds it")
	}
	if button, _, ok := h.place.view.control(button(h.place.view, h.form, words)); ok && falls && spends.MatchString(button.Name) {
		if why := p.overdraws(ctx, h, words); why != "" {
			return fails("%s", why)
		}
	}
	return works("a quantity moves by each of two amounts: %s", clip(strings.ReplaceAll(moved, "|", " ")))
}

func movesBy(q [4]float64, acts []filling) bool {
	a, b := amounts(acts[0]), amounts(acts[1])
	for i := range min(len(a), len(b)) {
		if near01(math.Abs(q[1]-q[0]), a[i]) && near01(math.Abs(q[2]-q[1]), b[i]) {
			return true
		}
	}
	return false
}

// overdraws is the negative control: more than there is must be refused.
func (p *prover) overdraws(ctx context.Context, h hit, words []string) (why string) {
	v := p.look(ctx)
	form, ok := v.form(h.form)
	if !ok {
		return ""
	}
	p.fill(ctx, v, form)
	for _, path := range form.Fields {
		if c, f, ok := v.control(path); ok && (c.Type == "number" || numericLabel.MatchString(c.Name+" "+f.Placeholder)) && f.Max == "" {
			p.write(ctx, path, "98765432")
		}
	}
	before := quantities(p.look(ctx))
	p.submit(ctx, p.look(ctx), form, words)
	after := quantities(p.look(ctx))
	for key, n := range after {
		if was, ok := before[key]; ok && n < 0 && was >= 0 {
			return "more is spent than there is"
		}
	}
	return ""
}

// priceOf clicks a control that costs something, until it is refused.
func (p *prover) priceOf(ctx context.Context, h hit) answer {
	v := p.open(ctx, h.place)
	c, _, ok := v.control(h.control.Path)
	if !ok {
		return absent("%q is not there when the page is opened again", h.control.Name)
	}
	p.wait(ctx, 1000)
	calm := quantities(p.look(ctx))
	drift := map[string]float64{}
	for key, n := range quantities(v) {
		drift[key] = math.Abs(calm[key]-n) * 3
	}
	prices := p.pricesAround(v, c)
	if len(prices) == 0 {
		return absent("%q has no price", c.Name)
	}
	now, paid := calm, ""
	for n := range 14 {
		step := p.click(ctx, h.control.Path)
		if step.Failed != "" {
			break
		}
		view := p.look(ctx)
		if n == 0 {
			view = p.confirm(ctx, view, v, p.labels(ledgerWords))
		}
		next := quantities(view)
		fell, rose := "", len(view.survey.Lines) > len(v.survey.Lines)
		for _, key := range sortedKeys(now) {
			was, is := now[key], next[key]
			if _, ok := next[key]; !ok {
				continue
			}
			if is < 0 && was >= 0 {
				return fails("%q is carried out though there is not enough", c.Name)
			}
			if slices.ContainsFunc(prices, func(price float64) bool { return price > 1 && math.Abs(was-is-price) <= drift[key]+0.011 }) {
				fell = key
			} else if is > was {
				rose = true
			}
		}
		if n == 0 && (fell == "" || !rose) {
			return fails("%q, which costs something, takes nothing or gives nothing", c.Name)
		}
		if fell == "" {
			break
		}
		paid, now = fell, next
		if c, _, ok := view.control(h.control.Path); ok {
			prices = p.pricesAround(view, c)
		}
	}
	return works("%q takes its price, gives something, and is refused when there is not enough: %s", c.Name, clip(strings.ReplaceAll(paid, "|", " ")))
}

// pricesAround are the numbers in the label of a control and in its row.
func (p *prover) pricesAround(v *view, c vitrine.Control) (all []float64) {
	all = numbers(c.Name)
	short := ""
	for _, g := range v.survey.Groups {
		for _, r := range g.Rows {
			if slices.Contains(r.Controls, c.Path) && (short == "" || len(r.Text) < len(short)) && r.Path != c.Path {
				short = strings.Join(r.Cells, "\n")
			}
		}
	}
	return append(all, numbers(short)...)
}
