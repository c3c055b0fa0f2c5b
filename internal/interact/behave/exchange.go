package behave

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// currencyOption is an option that names a currency, such as "USD - US dollar".
var currencyOption = regexp.MustCompile(`\b[A-Z]{3}\b|(?i:euro|dollar|pound|yen|yuan|rupee|peso|franc|krona|real|rand|won)|元|镑`)

// misexchanges says that a form does not convert currencies: twice the amount must give twice as
// much, and of lists of currencies another one another factor, and the way back the amount.
func (p *prover) misexchanges(ctx context.Context, h hit, words []string) string {
	v := p.open(ctx, h.place)
	form, _ := v.form(h.form)
	var lists, fields []string
	options := map[string][]string{}
	for _, path := range form.Fields {
		c, f, ok := v.control(path)
		switch {
		case !ok || off(c) || c.Covered:
		case c.Tag == "select":
			options[path] = slices.DeleteFunc(slices.Clone(f.Options), func(o string) bool { return !currencyOption.MatchString(o) })
			if len(options[path]) > 1 {
				lists = append(lists, path)
			}
		case textField(c) || c.Role == "spinbutton":
			fields = append(fields, path)
		}
	}
	if len(fields) == 0 {
		return "nothing can be entered"
	}
	if len(lists) >= 2 {
		from, to := options[lists[0]], options[lists[1]]
		others := slices.DeleteFunc(slices.Clone(to), func(o string) bool { return o == from[0] || !slices.Contains(from, o) })
		if len(others) >= 2 {
			return p.misexchangesLists(ctx, h, words, fields[0], lists, []string{from[0], others[0], others[1]})
		}
	}
	n := float64(p.tokens.number(113, 371))
	one, two := p.exchanged(ctx, h, words, fields[0], nil, n), p.exchanged(ctx, h, words, fields[0], nil, 2*n)
	switch {
	case !slices.ContainsFunc(one, func(s shown) bool { return s.value != n && s.doubled(two) }):
		return "twice the amount does not give twice as much"
	case len(lists) >= 2:
		return ""
	}
	return p.misexchangesPair(ctx, h, words, v, fields)
}

// doubled reports whether twice a number, which has digits enough to tell, is among others.
func (s shown) doubled(others []shown) bool {
	return s.value > 10*s.step && slices.ContainsFunc(others, func(o shown) bool { return math.Abs(o.value-2*s.value) <= 3*s.step+1e-4*o.value })
}

// misexchangesLists says it of two lists of currencies, by three of them.
func (p *prover) misexchangesLists(ctx context.Context, h hit, words []string, field string, lists, names []string) string {
	n := float64(p.tokens.number(113, 371))
	between := func(from, to string, n float64) []shown {
		return p.exchanged(ctx, h, words, field, map[string]string{lists[0]: from, lists[1]: to}, n)
	}
	there, twice, other := between(names[0], names[1], n), between(names[0], names[1], 2*n), between(names[0], names[2], n)
	var results []shown
	for i, got := range there {
		same := slices.ContainsFunc(other, func(s shown) bool { return s.value == got.value })
		if at := len(other) - len(there) + i; at >= 0 && same { // a table of all currencies has it elsewhere
			same = other[at].value == got.value
		}
		if got.value != n && got.doubled(twice) && !same && !slices.Contains(results, got) {
			results = append(results, got)
		}
	}
	if len(results) > 2 {
		results = []shown{results[0], results[len(results)-1]} // in a text, or in a field
	}
	for _, got := range results {
		back := between(names[1], names[0], got.value)
		if slices.ContainsFunc(back, func(s shown) bool { return math.Abs(s.value-n) <= max(2*s.step, 0.02*n) }) {
			return ""
		}
	}
	if len(results) > 0 {
		return fmt.Sprintf("%g %s are %g %s, and that is another amount when it is converted back", n, names[0], results[0].value, names[1])
	}
	return fmt.Sprintf("no number that it shows is %g %s in another currency, of which twice the amount is twice as much and which differs from a third", n, names[0])
}

// misexchangesPair says it of a form without two lists of currencies: two must be named on the page
// or in the instruction, and a second field must be the other currency, or the rate.
func (p *prover) misexchangesPair(ctx context.Context, h hit, words []string, v *view, fields []string) string {
	text := strings.Join(append(slices.Clone(v.survey.Lines), p.request()), " ")
	for i, c := range v.Controls {
		text += " " + strings.Join(append([]string{about(c, v.Facts[i])}, v.Facts[i].Options...), " ")
	}
	named := map[string]bool{}
	for _, name := range currencyNames.FindAllString(text, -1) {
		named[strings.TrimSuffix(strings.ToLower(name), "s")] = true
	}
	switch {
	case len(fields) == 2 && p.misformed(ctx, h, words, rateTimes) == "":
		return ""
	case len(named) < 2:
		return "no two currencies are offered"
	case len(fields) > 2:
		return "what it shows is not the amount at a rate"
	case len(fields) == 2:
		n := fmt.Sprint(p.tokens.number(113, 371))
		before, after := p.entered(ctx, h, words, fields[1], n)
		was, _, _ := before.control(fields[0])
		if is, _, _ := after.control(fields[0]); is.Value == was.Value {
			return "of two fields one does not follow from the other"
		}
	}
	return ""
}

var (
	currencyNames = regexp.MustCompile(`(?i)\b(euros?|dollars?|pounds?|yen|yuan|rupees?|pesos?|francs?|usd|eur|gbp|jpy|cny|inr|cad|aud|chf)\b|[$€£¥₹]`)
	rateTimes     = []formula{known(``, func(x []float64) []float64 { return []float64{x[0] * x[1], x[0] / x[1]} }, anyOf, anyOf)}
)

// exchanged are the numbers that are new once options are chosen and an amount is entered.
func (p *prover) exchanged(ctx context.Context, h hit, words []string, field string, options map[string]string, n float64) []shown {
	before := p.open(ctx, h.place)
	for _, path := range h.form.Fields {
		if o := options[path]; o != "" {
			p.choose(ctx, path, o)
		}
	}
	c, facts, _ := before.control(field)
	f := filling{form: h.form, entries: []entry{{control: c, facts: facts, value: fmt.Sprintf("%g", n)}}}
	p.write(ctx, field, f.entries[0].value)
	_, text := p.results(ctx, before, h.form, f, words)
	return shownIn(text)
}
