package behave

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"vitrine/internal/interact"
)

// A figure of a known calculation, by how a field or a result is labelled.
type named struct {
	label *regexp.Regexp
	other *regexp.Regexp // a line that matches this, too, has another figure
	what  string         // a result by its name; empty for a field
}

func field(label string) named { return named{regexp.MustCompile(`(?i)` + label), nil, ""} }

func result(what, label, other string) named {
	return named{regexp.MustCompile(`(?i)` + label), regexp.MustCompile(`(?i)` + other), what}
}

// An identity holds between figures of calculators that people ask for again and again: the
// last is a function of the others, unless a form has a field for something further that may
// go into it.
type identity struct {
	figures []named
	further *regexp.Regexp // nil where nothing does
	of      func(x []float64) float64
}

const each = `(\bper|/) ?(person|people|head|guest)\b|\beach\b`

var (
	billed   = field(`\b(bill|check|amount|price)\b`)
	percents = field(`\btip\b.*(%|percent)|(%|percent).*\btip\b`)
	heads    = field(`\b(people|persons|guests|diners|split)\b`)
	tipped   = result("tip", `^\W*(the )?tip( amount)?\b|\bgratuity\b`, each)
	summedUp = result("total", `^\W*(grand )?total\b`, each)
	apiece   = result("share of each", each, `\b(tip|gratuity|tax|bill|subtotal)\b`)
	charged  = regexp.MustCompile(`(?i)\b(tax(es)?|vat|gst|services?|fees?|delivery|discount|coupon)\b`)
	reduced  = field(`\bdiscount\b.*(%|percent)|(%|percent).*\bdiscount\b`)
	saved    = result("discount", `\b(you save|savings?|saved|discount amount)\b`, each)
	several  = regexp.MustCompile(`(?i)\b(quantity|qty|units?|items?|count|number of|how many)\b`)
)

var identities = []identity{
	{[]named{billed, percents, tipped}, charged, func(x []float64) float64 { return x[0] * x[1] / 100 }},
	{[]named{billed, tipped, summedUp}, charged, func(x []float64) float64 { return x[0] + x[1] }},
	{[]named{summedUp, heads, apiece}, nil, func(x []float64) float64 { return x[0] / x[1] }},
	{[]named{field(`\b(price|original)\b`), reduced, saved}, several, func(x []float64) float64 { return x[0] * x[1] / 100 }},
	{[]named{field(`\bweight\b.*\bkg\b`), field(`\bheight\b.*\bcm\b`), result("BMI", `\bbmi\b`, each)}, nil, func(x []float64) float64 { return x[0] / (x[1] * x[1] / 1e4) }},
	{[]named{field(`\b(reach|visitors?|views|traffic)\b`), field(`\bconversion\b.*%`), result("number of sales", `^\W*(conversions|sales|buyers)\b`, each)}, nil, func(x []float64) float64 { return x[0] * x[1] / 100 }},
}

// misknown says what is wrong with a result that can be known: of the identities above, of
// words that are counted, of Roman numerals, of the date of a Unix time, and of the parts of
// a colour. Empty where it is right, or where a form calculates something else.
func (p *prover) misknown(ctx context.Context, h hit, words []string) string {
	v := p.open(ctx, h.place)
	form, ok := v.form(h.form)
	if !ok {
		return ""
	}
	for _, path := range form.Fields {
		c, f, _ := v.control(path)
		about := strings.Join([]string{c.Name, f.Placeholder, f.FieldName, identifier(path)}, " ")
		titled := strings.Join([]string{v.survey.Title, form.Title, p.need.Quote}, " ")
		switch {
		case off(c):
		case c.Tag == "textarea":
			if why := p.miscounts(ctx, h, words, path); why != "" {
				return why
			}
		case c.Type == "color" && v.pickers() > 1: // what is shown may be a mixture, or the other colour
		case c.Type == "color":
			if why := p.mismixes(ctx, h, words, path); why != "" {
				return why
			}
		case romanLabel.MatchString(titled) && !romanLabel.MatchString(about) && (c.Role == "spinbutton" || textField(c)):
			if why := p.misnumerals(ctx, h, words, path); why != "" {
				return why
			}
		case unixLabel.MatchString(about) && (c.Role == "spinbutton" || textField(c)):
			if why := p.misdates(ctx, h, words, path, milliLabel.MatchString(about)); why != "" {
				return why
			}
		}
	}
	return p.misidentifies(ctx, h, words)
}

var (
	romanLabel = regexp.MustCompile(`(?i)\broman\b`)
	unixLabel  = regexp.MustCompile(`(?i)\b(unix|epoch|time ?stamp)\b`)
	rgbLabel   = regexp.MustCompile(`(?i)rgb\w*\W+(\d+)\W+(\d+)\W+(\d+)`)
	wordLabel  = regexp.MustCompile(`(?i)^\W*(\d+\W*)?(total |number of )?words?\b\W*(count\W*)?(\d+\W*)?($|and\b)`)
	romanShape = regexp.MustCompile(`\b[MDCLXVI]{2,}\b`)
	milliLabel = regexp.MustCompile(`(?i)\b(ms|milli\w*)\b`)
	yearShape  = regexp.MustCompile(`\b(19|20)\d\d\b`)
)

// entered writes a value into one field from a fresh state, sends it off, and gives the page
// before and after.
func (p *prover) entered(ctx context.Context, h hit, words []string, path, value string) (before, after *view) {
	before = p.open(ctx, h.place)
	p.write(ctx, path, value)
	c, f, _ := before.control(path)
	after = p.look(ctx)
	if form, ok := after.form(h.form); ok {
		after = p.send(ctx, before, form, filling{entries: []entry{{control: c, facts: f, value: value}}}, words)
	}
	return before, after
}

// newText is the texts and values that a view has and the one before it has not, without the
// value of the control at a path, one a line.
func (v *view) newText(before *view, except string) string {
	all := v.fresh(before)
	for _, c := range v.Controls {
		if old, _, _ := before.control(c.Path); c.Path != except && c.Value != old.Value {
			all = append(all, c.Value)
		}
	}
	return strings.Join(all, "\n")
}

// miscounts counts the words of a text of several lines.
func (p *prover) miscounts(ctx context.Context, h hit, words []string, path string) string {
	n, text := 0, ""
	for _, line := range []int{p.tokens.number(2, 4), p.tokens.number(1, 3), p.tokens.number(3, 5)} {
		for range line {
			text += strings.ToLower(p.tokens.word()) + " "
			n++
		}
		text = strings.TrimSpace(text) + "\n"
	}
	before, after := p.entered(ctx, h, words, path, strings.TrimSpace(text))
	got := after.figures(before, named{label: wordLabel})
	if len(got) > 0 && !slices.Contains(got, float64(n)) {
		return fmt.Sprintf("%d words on three lines are counted as %g", n, got[0])
	}
	return ""
}

func (p *prover) misnumerals(ctx context.Context, h hit, words []string, path string) string {
	n, got := 0, []string{}
	for _, ends := range []int{904, 449} {
		n = 1000*p.tokens.number(1, 3) + ends + 10*p.tokens.number(0, 5)
		before, after := p.entered(ctx, h, words, path, fmt.Sprint(n))
		lines := strings.Split(after.newText(before, path), "\n")
		lines = slices.DeleteFunc(lines, func(l string) bool { return refusal.MatchString(l) || limits.MatchString(l) })
		got = romanShape.FindAllString(strings.Join(lines, "\n"), -1)
		if len(got) > 0 && !slices.Contains(got, roman(n)) {
			return fmt.Sprintf("%d is written %s, not %s", n, got[0], roman(n))
		}
	}
	if len(got) > 0 && backWords.MatchString(p.need.Quote) {
		before, after := p.entered(ctx, h, words, path, roman(n))
		if !slices.Contains(numbers(after.newText(before, path)), float64(n)) && len(h.form.Fields) == 1 {
			return fmt.Sprintf("%s is not read as %d", roman(n), n)
		}
	}
	return ""
}

var backWords = regexp.MustCompile(`(?i)\b(and back|vice versa|both ways|the other way)\b`)

func roman(n int) (s string) {
	signs := []string{"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"}
	for i, worth := range []int{1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1} {
		for ; n >= worth; n -= worth {
			s += signs[i]
		}
	}
	return s
}

func (p *prover) misdates(ctx context.Context, h hit, words []string, path string, milli bool) string {
	at := time.Date(p.tokens.number(2003, 2023), time.June, p.tokens.number(2, 27), 12, 0, 0, 0, time.UTC)
	stamp := at.Unix()
	if milli {
		stamp = at.UnixMilli()
	}
	before, after := p.entered(ctx, h, words, path, fmt.Sprint(stamp))
	got := yearShape.FindAllString(after.newText(before, path), -1)
	if len(got) > 0 && !slices.Contains(got, fmt.Sprint(at.Year())) {
		return fmt.Sprintf("%d is said to be in %s, not %d", stamp, got[0], at.Year())
	}
	return ""
}

// pickers counts the fields that take a colour.
func (v *view) pickers() (n int) {
	for _, c := range v.Controls {
		if c.Type == "color" {
			n++
		}
	}
	return n
}

func (p *prover) mismixes(ctx context.Context, h hit, words []string, path string) string {
	r, g, b := p.tokens.number(16, 250), p.tokens.number(16, 250), p.tokens.number(16, 250)
	before, after := p.entered(ctx, h, words, path, fmt.Sprintf("#%02x%02x%02x", r, g, b))
	all := rgbLabel.FindAllStringSubmatch(after.newText(before, path), -1)
	if len(all) > 0 && !slices.ContainsFunc(all, func(m []string) bool {
		return slices.Equal(m[1:], []string{fmt.Sprint(r), fmt.Sprint(g), fmt.Sprint(b)})
	}) {
		return fmt.Sprintf("#%02x%02x%02x is said to be %s", r, g, b, all[0][0])
	}
	return ""
}

// figures are the new numbers with a label: on its line, or on an adjacent line without words.
func (v *view) figures(before *view, n named) (all []float64) {
	lines := v.survey.Lines
	fresh := v.fresh(before)
	alone := func(i int) bool {
		return i >= 0 && i < len(lines) && !hasWords.MatchString(lines[i]) && slices.Contains(fresh, lines[i])
	}
	bare := func(i int) bool {
		return i >= 0 && i < len(lines) && hasWords.MatchString(lines[i]) && !numeral.MatchString(lines[i])
	}
	for i, line := range lines {
		if !n.label.MatchString(line) || n.other != nil && n.other.MatchString(line) {
			continue
		}
		if slices.Contains(fresh, line) && numeral.MatchString(line) {
			all = append(all, numbers(line)...)
			continue
		}
		// Labels and numbers take turns: which of them begins and ends says where a label stands.
		from, to := i, i
		for alone(from-1) && bare(from) || bare(from-1) && alone(from) {
			from--
		}
		for alone(to+1) && bare(to) || bare(to+1) && alone(to) {
			to++
		}
		above, below := bare(from) && alone(to), alone(from) && bare(to)
		if alone(i-1) && !above {
			all = append(all, numbers(lines[i-1])...)
		}
		if alone(i+1) && !below {
			all = append(all, numbers(lines[i+1])...)
		}
	}
	return all
}

// misidentifies says which identity the results of a form break; none where its fields or
// results are others.
func (p *prover) misidentifies(ctx context.Context, h hit, words []string) string {
	before := p.open(ctx, h.place)
	form, ok := before.form(h.form)
	if !ok {
		return ""
	}
	f := p.fill(ctx, before, form)
	if len(f.entries) == 0 {
		return ""
	}
	now := p.send(ctx, before, form, f, words)
	for _, id := range identities {
		args, known := [][]float64{}, !before.asks(form, id.further)
		for _, n := range id.figures {
			args = append(args, n.values(before, now, f))
			known = known && len(args[len(args)-1]) > 0
		}
		if last := len(args) - 1; known && !satisfies(args[:last], nil, args[last], id.of) {
			return fmt.Sprintf("the %s is %g, and does not follow from what was entered", id.figures[last].what, args[last][0])
		}
	}
	return ""
}

// asks reports whether a form has a field with a label.
func (v *view) asks(form interact.Form, label *regexp.Regexp) bool {
	return label != nil && slices.ContainsFunc(form.Fields, func(path string) bool {
		c, f, ok := v.control(path)
		return ok && label.MatchString(labelled(c.Name, f))
	})
}

func (n named) values(before, now *view, f filling) (all []float64) {
	if n.what != "" {
		return now.figures(before, n)
	}
	for _, e := range f.entries {
		if e.isNum && n.label.MatchString(labelled(e.control.Name, e.facts)) {
			return []float64{e.amount}
		}
	}
	return nil
}

func labelled(name string, f interact.Facts) string {
	return strings.Join([]string{name, f.Placeholder, f.FieldName}, " ")
}

// satisfies reports whether some choice of the figures satisfies an identity but for rounding.
func satisfies(args [][]float64, chosen, results []float64, of func([]float64) float64) bool {
	if len(args) == 0 {
		want := of(chosen)
		return slices.ContainsFunc(results, func(got float64) bool {
			exact := 0.011
			if got == math.Trunc(got) && want >= 1 {
				exact = 0.51
			}
			return math.Abs(got-want) <= max(exact, 0.006*math.Abs(want))
		})
	}
	return slices.ContainsFunc(args[0], func(x float64) bool { return satisfies(args[1:], append(slices.Clone(chosen), x), results, of) })
}
