package behave

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"

	"vitrine/internal/interact"
)

// fillOptional ticks the first box of each few that lie side by side, moves sliders and raises a
// number that has buttons in the place of a field.
func (p *prover) fillOptional(ctx context.Context, v *view, form interact.Form) {
	groups := map[string]bool{}
	for _, path := range form.Fields {
		c, f, ok := v.control(path)
		if !ok || off(c) {
			continue
		}
		group := f.FieldName + upper(path, 2)
		switch {
		case (c.Type == "checkbox" || c.Role == "checkbox") && !groups[group]:
			groups[group] = true
			if !slices.Contains(c.States, "checked") {
				p.click(ctx, path)
			}
		case c.Role == "slider":
			p.press(ctx, path, "ArrowRight")
		}
	}
	for _, path := range p.picks(v, form) {
		p.click(ctx, path)
	}
	if path := raises(v, form); path != "" {
		p.click(ctx, path)
	}
}

// raises is the first button of a form that makes a number larger which has no field, as of
// tickets: right behind one that makes it smaller. Where a form has none, it is one of the page.
func raises(v *view, form interact.Form) string {
	var all []string
	for i, c := range v.Controls {
		if region := v.Facts[i].Region; clickable(c) && region != "nav" && region != "header" && !listed(v, c.Path) {
			all = append(all, c.Path)
		}
	}
	return cmp.Or(raisesIn(v, form.Buttons), raisesIn(v, all))
}

// listed reports whether a control belongs to an entry that can be removed.
func listed(v *view, control string) bool {
	return slices.ContainsFunc(v.survey.Groups, func(g interact.Group) bool {
		return slices.ContainsFunc(g.Rows, func(r interact.Row) bool {
			return slices.Contains(r.Controls, control) && slices.ContainsFunc(r.Controls, func(path string) bool {
				o, _, ok := v.control(path)
				return ok && matches(o.Name, deleteWords) >= 60
			})
		})
	})
}

func raisesIn(v *view, buttons []string) string {
	for i := 1; i < len(buttons); i++ {
		path := buttons[i]
		lower, _, _ := v.control(buttons[i-1])
		c, f, ok := v.control(path)
		beside := upper(path, 1) == upper(buttons[i-1], 1) && lowerLabel.MatchString(lower.Name)
		if ok && beside && !off(c) && !f.Submits && !refuses.MatchString(c.Name) && matches(c.Name, submitLabels) < 60 {
			return path
		}
	}
	return ""
}

// lowerLabel labels a button that makes a number smaller.
var lowerLabel = regexp.MustCompile(`(?i)^\s*[-−–➖]\s*$|^(one )?(\w+ )?(fewer|less|minus|decrease|decrement)\b|减少`)

// picks are the first of three and more buttons or clickable elements side by side among the
// fields of a form or above them, none of which sends off or leads to another part of the site:
// what is chosen by them has no field.
func (p *prover) picks(v *view, form interact.Form) (all []string) {
	from, to := math.Inf(1), math.Inf(-1)
	for _, path := range slices.Concat(form.Fields, form.Buttons) {
		if c, _, ok := v.control(path); ok {
			from, to = min(from, c.Box.Y), max(to, c.Box.Y+c.Box.H)
		}
	}
	if len(form.Fields) == 0 {
		from -= pickedAbove // of a step that has nothing else
	}
	away := map[string]bool{} // where one of several hides the form, they are a navigation
	for _, o := range p.site.openers {
		if o.view == nil {
			continue
		}
		if _, shown := o.view.form(form); !shown {
			away[upper(o.control.Path, 1)] = true
		}
	}
	parts := map[string][]string{}
	for i, c := range v.Controls {
		side := c.Box.Y >= from-pickedAbove && c.Box.Y <= to && isCell(c, v.Facts[i].Region) && !away[upper(c.Path, 1)]
		if !side || off(c) || c.Covered || refuses.MatchString(c.Name) {
			continue
		}
		if matches(c.Name, submitLabels) > 60 || matches(c.Name, createWords) > 60 {
			continue
		}
		above := upper(c.Path, 1)
		if parts[above] = append(parts[above], c.Path); len(parts[above]) == 3 {
			all = append(all, parts[above][0])
		}
	}
	return all
}
