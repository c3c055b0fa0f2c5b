package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// stamp is a time or a date of the page's clock, as it stands in a record.
var stamp = regexp.MustCompile(`(?i)\d{1,2}:\d{2}|\b2026[-/.]0?1[-/.]0?[1-9]\b|\b0?[1-9][-/.]0?[1-9][-/.](20)?26\b|\bjan(uary)? 0?[1-9]\b|\b0?[1-9]\.? jan(uary)?\b`)

// A pressed is what came of operating a control of the page once it was calm.
type pressed struct {
	calm, after *view
	restless    map[string]bool // texts that change by themselves
	toks        []string        // what had to be entered first
}

// pressOnce operates a control; where the page asks for more, what stands beside it is filled
// in first.
func (p *prover) pressOnce(ctx context.Context, v *view, path string) (r pressed) {
	r.restless = map[string]bool{}
	p.aside(ctx)
	p.wait(ctx, 1500)
	r.calm = p.look(ctx)
	for _, line := range r.calm.fresh(v) {
		r.restless[masked(line, nil)] = true
	}
	step := p.click(ctx, path)
	r.after = p.look(ctx)
	if refused(r.calm, r.after, step) {
		for _, form := range r.calm.survey.Forms {
			if !slices.Contains(form.Buttons, path) {
				continue
			}
			f := p.fill(ctx, r.calm, form)
			r.toks = f.tokens()
			p.click(ctx, path)
			break
		}
	}
	p.wait(ctx, 5000)
	r.after = p.look(ctx)
	return r
}

// refused reports whether a page answers an act by asking for something.
func refused(before, after *view, step vitrine.Step) bool {
	for _, d := range step.Effect.Dialogs {
		if refusal.MatchString(d.Text) {
			return true
		}
	}
	return slices.ContainsFunc(slices.Concat(step.Effect.Appeared, after.fresh(before)), refusal.MatchString)
}

// said are the texts that came with the act and lasted, without those that change anyway.
func (r pressed) said(label string) (all []string) {
	return slices.DeleteFunc(r.after.fresh(r.calm), func(line string) bool {
		echo := strings.Contains(line, label) && len(line) < len(label)+4
		says := hasWords.MatchString(line) || numeral.MatchString(line)
		return echo || !says || r.calm.has(line) || r.restless[masked(line, nil)] || refusal.MatchString(line)
	})
}

// flipPage proves it of a control that the page has once, such as "Clock in": it turns into
// another one, or a text with the time of the act comes and lasts. Where there is a control
// for the opposite then, that brings another text.
func (p *prover) flipPage(ctx context.Context, h hit) answer {
	v := p.open(ctx, h.place)
	c, _, ok := v.control(h.control.Path)
	if !ok {
		return fails("%q is not there when the page is opened again", h.control.Name)
	}
	r := p.pressOnce(ctx, v, c.Path)
	now, _, there := r.after.control(c.Path)
	calm, _, _ := r.calm.control(c.Path)
	turned := !there || now.Name != c.Name || off(now) || isSelected(now) != isSelected(c)
	said := r.said(now.Name)
	switch {
	case calm.Name != c.Name || isSelected(calm) != isSelected(c):
		return fails("a click where nothing is has the same effect as %q", c.Name)
	case !turned && !slices.ContainsFunc(said, func(line string) bool { return stamp.MatchString(line) }):
		return fails("%q stays as it was when it is clicked, and no time is recorded", c.Name)
	case len(said) == 0:
		return fails("%q changes, and no state with it", c.Name)
	}
	if other := r.after.opposite(c.Name); other != "" && !p.oneSided(c.Name) {
		p.click(ctx, other)
		p.wait(ctx, 3000)
		next := pressed{calm: r.after, after: p.look(ctx), restless: r.restless}
		label, _, _ := next.after.control(other)
		known := map[string]bool{}
		for _, line := range said {
			known[masked(line, r.toks)] = true
		}
		if !slices.ContainsFunc(next.said(label.Name), func(line string) bool { return !known[masked(line, r.toks)] }) {
			return fails("the opposite of %q changes nothing else", c.Name)
		}
	}
	return works("%q changes the state: %q", c.Name, clip(said[0]))
}

var opposites = map[string]string{"in": "out", "start": "stop", "begin": "end", "open": "close", "activate": "deactivate", "borrow": "return"}

// oneSided reports whether what asks for an act names it and not its opposite.
func (p *prover) oneSided(label string) bool {
	asked := stems(wordsOf(p.need.Quote))
	for _, w := range wordsOf(label) {
		for one, other := range opposites {
			if w == one && slices.Contains(asked, stem(one)) && !slices.Contains(asked, stem(other)) {
				return true
			}
		}
	}
	return false
}

// opposite is the control that undoes what one of a label does, where it can be operated.
func (v *view) opposite(label string) string {
	words := wordsOf(label)
	for i, w := range words {
		for one, other := range opposites {
			switch w {
			case one:
				words[i] = other
			case other:
				words[i] = one
			}
		}
	}
	if slices.Equal(words, wordsOf(label)) {
		return ""
	}
	for _, c := range v.Controls {
		if clickable(c) && !off(c) && !c.Covered && slices.Equal(wordsOf(c.Name), words) {
			return c.Path
		}
	}
	return ""
}
