package behave

import (
	"cmp"
	"context"
	"slices"

	"vitrine"
	"vitrine/internal/interact"
)

// numberFields are the fields of a form that hold numbers.
func numberFields(v *view, form interact.Form) (all []vitrine.Control) {
	for _, path := range form.Fields {
		if c, _, ok := v.control(path); ok && !off(c) && c.Role == "spinbutton" {
			if _, isNum := number(c.Value); isNum {
				all = append(all, c)
			}
		}
	}
	return all
}

// reorder enters the numbers of a form that was refused in falling order, or in rising order where they
// fall already: the page that one has read up to is not behind the last page. Numbers that would lie
// outside of the limits of a field stay.
func (p *prover) reorder(ctx context.Context, f *filling, v *view, form interact.Form) {
	fields := numberFields(v, form)
	up := func(a, b vitrine.Control) int {
		x, _ := number(a.Value)
		y, _ := number(b.Value)
		return cmp.Compare(x, y)
	}
	sorted := slices.SortedFunc(slices.Values(fields), func(a, b vitrine.Control) int { return up(b, a) })
	if slices.IsSortedFunc(fields, func(a, b vitrine.Control) int { return up(b, a) }) {
		slices.Reverse(sorted)
	}
	for i, c := range fields {
		_, facts, _ := v.control(c.Path)
		n, _ := number(sorted[i].Value)
		if low, ok := number(facts.Min); ok && n < low {
			return
		}
		if high, ok := number(facts.Max); ok && n > high {
			return
		}
	}
	for i, c := range fields {
		if c.Value == sorted[i].Value {
			continue
		}
		p.write(ctx, c.Path, sorted[i].Value)
		for k, e := range f.entries {
			if e.control.Path == c.Path {
				f.entries[k].value = sorted[i].Value
				f.entries[k].amount, f.entries[k].isNum = number(sorted[i].Value)
			}
		}
	}
}
