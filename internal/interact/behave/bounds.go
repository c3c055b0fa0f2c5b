package behave

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var (
	mostLabel  = regexp.MustCompile(`(?i)\b(max\w*|up to|at most|until|under|below|highest|budget)\b|≤|最高|最大`)
	leastLabel = regexp.MustCompile(`(?i)\b(min\w*|at least|from|over|above|lowest)\b|≥|最低|最小`)
)

// A bound is a field or a slider that says the most or the least that a value of the rows
// may be.
type bound struct {
	hit
	most bool
}

// bounds are the fields that may bound a value of the rows beside them, sliders last.
func (p *prover) bounds() (all []bound) {
	known := map[string]bool{}
	for _, pl := range p.site.places {
		if len(pl.view.lists()) == 0 {
			continue
		}
		for i, c := range pl.view.Controls {
			f := pl.view.Facts[i]
			slider := c.Type == "range"
			if off(c) || known[c.Path] || !slider && c.Type != "number" && c.Role != "spinbutton" && !(textField(c) && f.InputMode != "") {
				continue
			}
			about := strings.Join([]string{c.Name, f.Placeholder, f.FieldName, identifier(c.Path)}, " ")
			most, least := mostLabel.MatchString(about), leastLabel.MatchString(about)
			if !slider && most == least {
				continue
			}
			known[c.Path] = true
			all = append(all, bound{hit{place: pl, control: c, facts: f}, !least || most})
		}
	}
	slices.SortStableFunc(all, func(a, b bound) int {
		return strings.Compare(a.kind(), b.kind())
	})
	return all
}

// kind sorts fields before sliders.
func (b bound) kind() string {
	if b.control.Type == "range" {
		return "slider"
	}
	return "field"
}

// boundBy proves that a bound leaves the rows whose value is within it, all of them and no
// others, for two random limits, and that without it all rows are there.
func (p *prover) boundBy(ctx context.Context, b bound) answer {
	rows, _ := p.rows(ctx, p.open(ctx, b.place), 3)
	if len(rows.rows) < 3 {
		return fails("there are no rows to filter")
	}
	first := ""
	for _, c := range top(b.values(rows), 3) {
		p.open(ctx, b.place)
		said, why := p.within(ctx, b, rows, c)
		if why != "" {
			first = cmp.Or(first, why)
			continue
		}
		if back := rows.left(p.set(ctx, b, b.loose(), rows, rows.all())); len(back) < len(rows.rows) {
			return fails("without a limit %d of %d rows are there", len(back), len(rows.rows))
		}
		return works("of %d rows %q leaves those within it:%s", len(rows.rows), b.control.Name, said)
	}
	return fails("%s", cmp.Or(first, "no value of the rows can be bounded"))
}

// within sets two limits and says what each leaves, or what is wrong with it.
func (p *prover) within(ctx context.Context, b bound, rows table, c column) (said, why string) {
	last := math.NaN()
	for range 2 {
		limit, want := p.limit(b, c.values, last)
		if len(want) == 0 {
			return "", fmt.Sprintf("%q has no values to tell apart", b.control.Name)
		}
		last = limit
		text := strconv.FormatFloat(limit, 'f', -1, 64)
		if got := rows.left(p.set(ctx, b, text, rows, want)); !slices.Equal(got, want) {
			return "", fmt.Sprintf("%q at %s leaves %d rows, not the %d within it", b.control.Name, text, len(got), len(want))
		}
		said += fmt.Sprintf(" %s %d", text, len(want))
	}
	return said, ""
}

// values are the different columns of numbers that a bound may be for, prices first.
func (b bound) values(rows table) (all []column) {
	columns := rows.columns()
	slices.SortStableFunc(columns, func(x, y column) int { return strings.Compare(y.rank(), x.rank()) })
	for _, c := range columns {
		same := func(o column) bool { return slices.Equal(o.values, c.values) }
		if c.number && len(c.values) > 0 && !ordinal(c.values) && !slices.ContainsFunc(all, same) {
			all = append(all, c)
		}
	}
	return all
}

// rank is greater for prices than for other values.
func (c column) rank() string {
	if c.name == "price" {
		return c.name
	}
	return ""
}

// limit is a random one between two values, other than one before, and the rows within it.
func (p *prover) limit(b bound, values []value, before float64) (limit float64, within []int) {
	var all []float64
	for _, v := range values {
		all = append(all, v.n)
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) < 3 {
		return 0, nil
	}
	for range 12 {
		i := p.tokens.number(1, len(all)-1)
		limit, within = snap(b.facts, (all[i-1]+all[i])/2), nil
		for j, v := range values {
			if b.most && v.n <= limit || !b.most && v.n >= limit {
				within = append(within, j)
			}
		}
		if limit != before && len(within) > 0 && len(within) < len(values) {
			return limit, within
		}
	}
	return 0, nil
}

// snap is the number nearest to one that a field takes: whole steps from its least one.
func snap(f interact.Facts, n float64) float64 {
	low, isLow := number(f.Min)
	if !isLow {
		low = 0
	}
	n = low + math.Round((n-low)/stepOf(f))*stepOf(f)
	if high, ok := number(f.Max); ok {
		n = min(n, high)
	}
	return max(n, low)
}

// stepOf is the step of a field, which is 1 where it names none.
func stepOf(f interact.Facts) float64 {
	if step, ok := number(f.Step); ok && step > 0 {
		return step
	}
	return 1
}

// loose is what a bound is when it bounds nothing: nothing in a field, the end of a slider.
func (b bound) loose() string {
	if b.control.Type != "range" {
		return ""
	}
	if b.most {
		return cmp.Or(b.facts.Max, "100")
	}
	return cmp.Or(b.facts.Min, "0")
}

// set enters a limit, and sends it off by Enter or by what applies filters where that alone
// does not leave the rows that are wanted.
func (p *prover) set(ctx context.Context, b bound, limit string, rows table, want []int) *view {
	if limit == "" {
		p.do(ctx, vitrine.Action{Kind: vitrine.ActClear, Target: at(b.control.Path)})
	} else {
		p.write(ctx, b.control.Path, limit)
	}
	v := p.look(ctx)
	if slices.Equal(rows.left(v), want) {
		return v
	}
	p.press(ctx, b.control.Path, "Enter")
	if v = p.look(ctx); slices.Equal(rows.left(v), want) {
		return v
	}
	if path := v.applier(nil); path != "" {
		p.click(ctx, path)
	}
	return p.look(ctx)
}

// menus are lists of options that are drawn: what opens when a control that looks like one
// is clicked.
func (p *prover) menus(ctx context.Context) (all []chooser) {
	tried := 0
	for _, pl := range top(p.site.places, 2) {
		for i, c := range pl.view.Controls {
			if tried >= 4 || !pl.view.opensMenu(i) || slices.ContainsFunc(all, func(ch chooser) bool { return ch.options[0].path == c.Path }) {
				continue
			}
			tried++
			p.open(ctx, pl)
			p.click(ctx, c.Path)
			after := &place{route: pl.route, way: pl.way, view: p.look(ctx)}
			for _, ch := range after.choosers() {
				if _, _, known := pl.view.control(ch.options[0].path); known || ch.kind != "buttons" {
					continue
				}
				menu := chooser{place: pl, kind: "list", label: c.Name, region: pl.view.Facts[i].Region}
				for _, o := range ch.options {
					menu.options = append(menu.options, option{o.label, c.Path})
				}
				all = append(all, menu)
			}
		}
	}
	return all
}

// opensMenu reports whether a control looks as if it opened a list of options.
func (v *view) opensMenu(i int) bool {
	c, f := v.Controls[i], v.Facts[i]
	if off(c) || c.Covered || f.Region == "nav" || f.Region == "footer" || f.Submits || textField(c) || c.Tag == "select" {
		return false
	}
	return c.Role == "combobox" || (c.Role == "button" || c.Role == "clickable") &&
		(f.Popup == "listbox" || f.Popup == "menu" || f.Popup == "true" || isNeutral(c.Name) || matches(c.Name, filterWords) > 60)
}
