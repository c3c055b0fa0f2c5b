package behave

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// A typedRow is a row with fields for numbers.
type typedRow struct {
	path   string
	fields []vitrine.Control
}

// typedRows are the rows of a list that have as many fields for numbers each; where there is but one row, a
// button adds another.
func (p *prover) typedRows(ctx context.Context, v *view) (*view, []typedRow) {
	all := v.numberRows()
	for i, c := range v.Controls {
		if len(all) >= 2 || p.err != nil || p.spent {
			break
		}
		fields := slices.ContainsFunc(v.Controls, func(c vitrine.Control) bool { return c.Role == "spinbutton" && !off(c) })
		if !fields || !clickable(c) || off(c) || c.Covered || v.Facts[i].Region == "nav" || v.Facts[i].Submits || matches(c.Name, createWords) < 60 || takesPerson(v, v.formOf(c.Path)) {
			continue
		}
		p.click(ctx, c.Path)
		now := p.look(ctx)
		return now, now.numberRows()
	}
	return v, all
}

// numberRows are rows of one list with one to three fields for numbers.
func (v *view) numberRows() (best []typedRow) {
	for _, g := range v.survey.Groups {
		var all []typedRow
		for _, r := range body(g).Rows {
			row := typedRow{path: r.Path}
			for _, path := range r.Controls {
				if c, _, ok := v.control(path); ok && c.Role == "spinbutton" && !off(c) && !c.Covered {
					row.fields = append(row.fields, c)
				}
			}
			if n := len(row.fields); n > 0 && n <= 3 && (len(all) == 0 || len(all[0].fields) == n) {
				all = append(all, row)
			}
		}
		if len(all) >= 2 && len(all) > len(best) {
			best = all
		}
	}
	return best
}

// typings are the ways in which the numbers of a row may count.
var typings = []struct {
	name string
	of   func([]float64) float64
}{
	{"the products of its rows", func(n []float64) float64 { return product(n) }},
	{"the sums of its rows", func(n []float64) float64 { return added(n) }},
	{"the first number of each row", func(n []float64) float64 { return n[0] }},
	{"the last number of each row", func(n []float64) float64 { return n[len(n)-1] }},
}

func product(all []float64) float64 {
	n := 1.0
	for _, a := range all {
		n *= a
	}
	return n
}

func added(all []float64) (n float64) {
	for _, a := range all {
		n += a
	}
	return n
}

// totalsTyped proves that a total follows from what is typed into the rows of a list, as those of an invoice:
// with the numbers of one row, of another one and with another number in that, it moves by what they come
// to, or by the same share of that, as with a tax; a click where nothing is leaves it, and it falls by as much
// when the row is deleted, where it can be. The amount of a single row does not change with another one.
func (p *prover) totalsTyped(ctx context.Context) answer {
	none := absent("no list has rows with fields for numbers")
	places := slices.DeleteFunc(slices.Clone(p.site.places), func(pl *place) bool {
		return !slices.ContainsFunc(pl.view.Controls, func(c vitrine.Control) bool { return c.Role == "spinbutton" })
	})
	return bestOf(places, 2, none, func(pl *place) answer {
		v, rows := p.typedRows(ctx, p.open(ctx, pl))
		if len(rows) < 2 {
			return none
		}
		read, typed := []map[string]float64{quantities(v)}, [][2][]float64{}
		for _, act := range []struct{ row, from int }{{0, 0}, {1, 0}, {1, len(rows[1].fields) - 1}} {
			was, now := p.typeRow(ctx, rows[act.row], act.from)
			typed = append(typed, [2][]float64{was, now})
			read = append(read, quantities(p.look(ctx)))
		}
		p.aside(ctx)
		read = append(read, quantities(p.look(ctx)))
		for _, key := range sortedKeys(read[0]) {
			for _, way := range typings {
				share, ok := followsTyped(read, key, typed, way.of)
				if !ok {
					continue
				}
				figure := clip(strings.ReplaceAll(key, "|", " "))
				if p.keepsRemoved(ctx, rows[1], key, read[4][key], share*way.of(typed[2][1])) {
					return fails("a total follows %s, and does not when one is removed: %s", way.name, figure)
				}
				return works("a total follows %s: %s", way.name, figure)
			}
		}
		return none
	})
}

// typeRow types other numbers into the fields of a row, from one on, and gives all numbers of it before and after.
func (p *prover) typeRow(ctx context.Context, row typedRow, from int) (was, now []float64) {
	v := p.look(ctx)
	for i, f := range row.fields {
		old := 0.0
		if c, _, ok := v.control(f.Path); ok && len(numbers(c.Value)) == 1 {
			old = numbers(c.Value)[0]
		}
		value := old
		if i >= from {
			value = float64(p.tokens.number(3, 39))
			if value == old {
				value++
			}
			p.write(ctx, f.Path, fmt.Sprint(value))
		}
		was, now = append(was, old), append(now, value)
	}
	return was, now
}

// followsTyped reports whether a figure moved by the same share of what was typed at each of three acts, and by
// nothing else.
func followsTyped(read []map[string]float64, key string, typed [][2][]float64, of func([]float64) float64) (share float64, ok bool) {
	for i, t := range typed {
		before, had := read[i][key]
		after, has := read[i+1][key]
		by := of(t[1]) - of(t[0])
		if !had || !has || by == 0 {
			return 0, false
		}
		s := (after - before) / by
		if i == 0 {
			share = s
		}
		if math.Abs(s) < 0.2 || math.Abs(s-share)*math.Abs(by) > 0.021 {
			return 0, false
		}
	}
	last, has := read[4][key]
	return share, has && last == read[3][key]
}

// keepsRemoved removes a row, where it has a control for that, and reports whether a total does not fall by
// what the row came to.
func (p *prover) keepsRemoved(ctx context.Context, row typedRow, key string, was, by float64) bool {
	v := p.look(ctx)
	acts := slices.DeleteFunc(p.site.rowControls(v, deleteWords), func(a rowAct) bool { return a.group.Rows[a.row].Path != row.path })
	if len(acts) == 0 {
		return false
	}
	after := p.deleteBy(ctx, v, acts[0])
	if g, ok := after.list(interact.Group{Path: acts[0].group.Path, Kind: acts[0].group.Kind}); ok && g.Total >= acts[0].group.Total {
		return false // nothing was removed
	}
	now, ok := quantities(after)[key]
	return ok && math.Abs(was-by-now) > 0.021
}
