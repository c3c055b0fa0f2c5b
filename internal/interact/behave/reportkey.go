package behave

import (
	"context"
	"slices"
	"strings"

	"vitrine/internal/interact"
)

// reportOfKey proves that a report is made of a record whose key is typed into a form, as a stock's code: two
// keys that the site shows or names as examples make two reports with numbers, the first the same one
// again, and a key of the same shape that no page foresees makes none.
func (p *prover) reportOfKey(ctx context.Context, h hit, form interact.Form) answer {
	for _, path := range form.Fields {
		c, f, ok := h.place.view.control(path)
		if !ok || !textField(c) || c.Tag == "textarea" || off(c) {
			continue
		}
		field := hit{place: h.place, control: c, facts: f, form: form}
		made := func(key string) []string {
			before := p.open(ctx, h.place)
			p.write(ctx, path, key)
			p.click(ctx, h.control.Path)
			p.wait(ctx, 3000)
			fresh := p.look(ctx).fresh(before)
			if len(fresh) < 6 || len(numbers(strings.Join(fresh, " "))) == 0 {
				return nil
			}
			return fresh
		}
		keys := p.keys(field)
		if len(keys) == 0 || made(p.unlike(keys[0])) != nil {
			continue
		}
		var first []string
		of := ""
		for _, key := range top(keys, 4) {
			report := made(key)
			switch {
			case report == nil:
			case first == nil:
				first, of = report, key
			case differs(masked(strings.Join(first, " "), []string{of, key}), masked(strings.Join(report, " "), []string{of, key}), 4) && slices.Equal(made(of), first):
				return works("%q makes a report of %q and another one of %q, and none of an unknown key", h.control.Name, of, key)
			}
		}
	}
	return fails("%q shows no report of a key", h.control.Name)
}
