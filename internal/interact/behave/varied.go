package behave

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/interact"
)

// varied proves that a result follows from one field, while the others keep what stands in them: many
// calculators refuse numbers that do not fit together, as of a person's height and weight, and
// of some only the last two that were typed in count. All fields of the page are one form, as each may
// stand in a part of its own; those that are empty are filled first.
func (p *prover) varied(ctx context.Context, h hit, words []string) answer {
	v := p.open(ctx, h.place)
	form := v.all(h.form)
	var typed, chosen []string
	for _, path := range form.Fields {
		c, f, ok := v.control(path)
		switch {
		case !ok || off(c) || c.Covered || p.near(c, f) == "":
		case c.Tag == "select" || c.Type == "range":
			chosen = append(chosen, path)
		default:
			typed = append(typed, path)
		}
	}
	best := fails("nothing can be entered")
	for _, path := range append(top(typed, 3), top(chosen, 2)...) {
		c, f, _ := v.control(path)
		var values []string
		for try := 0; try < 20 && len(values) < 3; try++ {
			if value := p.near(c, f); !slices.Contains(values, value) {
				values = append(values, value)
			}
		}
		if len(values) < 2 {
			continue
		}
		first := p.evaluateOne(ctx, h, words, path, values[0], nil)
		if first.result == "" {
			best = fails("what is entered gives no result")
			continue
		}
		other, again := p.evaluateOne(ctx, h, words, path, values[1], &first), p.evaluateOne(ctx, h, words, path, values[0], &first)
		a := first.follows(other, again, func(same evaluation) evaluation {
			return p.evaluateOne(ctx, h, words, path, same.entries[len(same.entries)-1].value, &same)
		})
		masked := func(e evaluation) string { return mask(e.result, e.filling) }
		switch {
		case a.verdict != vitrine.VerdictWorks:
		case slices.Contains(chosen, path) && slices.Equal(numbers(masked(first)), numbers(masked(other))):
			a = fails("another option changes no number") // but its own label, or the name of a unit
		case len(values) > 2: // of three one may be refused, and two that are echoed are alike
			third := p.evaluateOne(ctx, h, words, path, values[2], &first)
			if masked(third) == masked(first) || masked(third) == masked(other) {
				a = fails("two different inputs give the same result, or an echo of them")
			}
		}
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		best = a
	}
	return best
}

// all is a form with the fields of all forms of the page, its own first, and with their buttons where
// it has none.
func (v *view) all(own interact.Form) interact.Form {
	var buttons []string
	own.Fields = slices.Clone(own.Fields)
	for _, form := range v.survey.Forms {
		for _, path := range form.Fields {
			if !slices.Contains(own.Fields, path) {
				own.Fields = append(own.Fields, path)
			}
		}
		buttons = append(buttons, form.Buttons...)
	}
	if len(own.Buttons) == 0 {
		own.Buttons = buttons
	}
	return own
}

// evaluateOne enters a value into one field, after the empty ones were filled, as in an earlier
// evaluation where one is given.
func (p *prover) evaluateOne(ctx context.Context, h hit, words []string, path, value string, earlier *evaluation) (e evaluation) {
	v := p.open(ctx, h.place)
	form, from := v.all(h.form), len(p.steps)
	c, f, _ := v.control(path)
	if earlier == nil {
		for _, other := range form.Fields {
			c, f, ok := v.control(other)
			if !ok || off(c) || c.Covered || other == path || c.Value != "" || c.Tag == "select" || len(e.entries) >= 8 {
				continue
			}
			if value := p.near(c, f); value != "" {
				p.write(ctx, other, value)
				e.entries = append(e.entries, entry{control: c, facts: f, value: value})
			}
		}
		for _, step := range p.steps[from:] {
			e.acts = append(e.acts, step.Action)
		}
	} else {
		e.acts, e.entries = earlier.acts, slices.Clone(earlier.entries[:len(earlier.entries)-1])
		p.redo(ctx, e)
	}
	if c.Tag == "select" {
		p.choose(ctx, path, value)
	} else {
		p.write(ctx, path, value)
	}
	e.entries = append(e.entries, entry{control: c, facts: f, value: value, isNum: c.Role == "spinbutton"})
	_, e.result = p.calculated(ctx, v, form, e.filling, words)
	return e
}

// near is a value that a person would enter into a field in the place of the one that stands there:
// a number of its size, a day or a time near by, another option; empty where it takes none of them.
func (p *prover) near(c vitrine.Control, f interact.Facts) string {
	text := strings.TrimSpace(c.Value)
	switch {
	case c.Tag == "select":
		return p.option(c, f)
	case c.Type == "date":
		day := clock.AddDate(0, 0, -p.tokens.number(20, 150))
		if stands, err := time.Parse(time.DateOnly, text); err == nil {
			day = stands.AddDate(0, 0, -p.tokens.number(3, 60))
		}
		return day.Format(time.DateOnly)
	case c.Type == "time":
		return fmt.Sprintf("%02d:%02d", p.tokens.number(6, 10), 5*p.tokens.number(1, 11))
	case c.Type == "range":
		return p.position(c, f)
	case !textField(c) && c.Role != "spinbutton" || c.Tag == "textarea":
		return ""
	}
	if text == "" {
		text = f.Placeholder
	}
	all := shownIn(text)
	if len(all) == 0 || all[0].value <= 0 {
		if c.Value != "" && len(all) == 0 {
			return "" // a word
		}
		return fmt.Sprint(p.enters(c, f, nil))
	}
	n := all[0].value
	low, high := math.Ceil(0.6*n), math.Floor(1.5*n)
	if n < 5 {
		low, high = 1, 9
	}
	if most, ok := number(f.Max); ok {
		high = min(high, most)
	}
	if least, ok := number(f.Min); ok {
		low = max(low, least)
	}
	return fmt.Sprint(p.tokens.number(int(low), int(high)))
}

// sliderRange is the bounds of a slider, and its step, as HTML has them where it gives none.
func sliderRange(f interact.Facts) (low, high, step float64) {
	low, high, step = 0, 100, 1
	for to, text := range map[*float64]string{&low: f.Min, &high: f.Max, &step: f.Step} {
		if n, ok := number(text); ok {
			*to = n
		}
	}
	return low, high, step
}

// position is another one of a slider, in the middle of its way.
func (p *prover) position(c vitrine.Control, f interact.Facts) string {
	low, high, step := sliderRange(f)
	steps := int((high - low) / max(step, 1e-6))
	return fmt.Sprintf("%g", math.Round((low+step*float64(p.tokens.number(max(1, steps/5), max(2, steps*4/5))))*1e6)/1e6)
}

// stepLabel names a button that makes a number larger.
var stepLabel = regexp.MustCompile(`(?i)^\s*[+＋➕]\s*(\d+)?$|\b(plus|increase|increment)\b|^(one|a) ([a-z]+ )?more$|^more$|增加`)

// stepped proves that a result follows from buttons that make a number larger, on a page without
// fields: a second click changes more than a count of clicks, and one click the same again.
func (p *prover) stepped(ctx context.Context) answer {
	for _, pl := range top(p.site.places, 2) {
		if slices.ContainsFunc(pl.view.Controls, func(c vitrine.Control) bool { return !off(c) && (textField(c) || c.Role == "spinbutton") }) {
			continue
		}
		tried := 0
		for _, c := range pl.view.Controls {
			if !clickable(c) || off(c) || c.Covered || !stepLabel.MatchString(c.Name) || tried == 3 {
				continue
			}
			tried++
			clicked := func(times int) []string {
				p.open(ctx, pl)
				for range times {
					p.click(ctx, c.Path)
				}
				return p.look(ctx).survey.Lines
			}
			one, two, again := clicked(1), clicked(2), clicked(1)
			if slices.Equal(one, again) && moreThanCounts(numbers(strings.Join(one, "\n")), numbers(strings.Join(two, "\n")), numbers(c.Name)) {
				return works("the result follows from %q: the same after as many clicks, another after more", clip(c.Name))
			}
		}
	}
	return fails("no button makes a number larger")
}

// moreThanCounts reports whether of as many numbers one has changed by more than one, and not by what
// a label says that it adds.
func moreThanCounts(one, two, adds []float64) bool {
	if len(one) != len(two) {
		return false
	}
	for i, n := range one {
		if change := math.Abs(two[i] - n); change > 1 && !slices.Contains(adds, change) {
			return true
		}
	}
	return false
}
