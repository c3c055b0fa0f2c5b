package behave

import (
	"cmp"
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

// An arg is a number that goes into a calculation: it was entered, or stands in a slider, a
// list or on a button that was chosen.
type arg struct {
	path, label string
	value       float64
	born        bool // a date, in seconds
}

// A shown is a number that a page shows, with what its last digit is worth.
type shown struct{ value, step float64 }

// is reports whether a number is one but for rounding, with digits enough to tell.
func (s shown) is(want float64) bool {
	exact := 1.02*s.step + 2e-5*math.Abs(want)
	if s.step == 1 {
		exact = max(0.51, 2e-5*math.Abs(want))
	}
	return math.Abs(s.value-want) <= exact && math.Abs(want) > 3*exact
}

// A trial is one calculation: what was given, and the numbers that are new.
type trial struct {
	given []arg
	shown []shown
}

var decimals = regexp.MustCompile(`(-|−)?\d[\d,]*(\.\d+)?(e[-+]?\d+)?`)

// shownIn are the numbers of a text, of a long one those at its beginning: a page that shows any
// number shows the right one, too.
func shownIn(text string) (all []shown) {
	for _, m := range top(decimals.FindAllStringSubmatch(text, -1), 40) {
		n, ok := number(m[0])
		if !ok {
			continue
		}
		step := math.Pow(10, -float64(max(0, len(m[2])-1)))
		if power, ok := number(strings.TrimPrefix(m[3], "e")); ok {
			step *= math.Pow(10, power)
		}
		all = append(all, shown{n, step})
	}
	return all
}

// settled is a form in which something is chosen in each list and set of radio buttons: until then
// its fields may be hidden or off. What lies outside of it without a button of its own belongs to it.
func (p *prover) settled(ctx context.Context, h hit) (*view, interact.Form) {
	v := p.open(ctx, h.place)
	form, _ := v.form(h.form)
	return p.settle(ctx, v, form)
}

// settle chooses something in each list and set of radio buttons of a form.
func (p *prover) settle(ctx context.Context, v *view, form interact.Form) (*view, interact.Form) {
	for _, path := range form.Fields {
		c, f, ok := v.control(path)
		switch {
		case !ok || off(c) || c.Covered:
		case c.Tag == "select" && placeholder.MatchString(c.Value):
			if i := slices.IndexFunc(f.Options, func(o string) bool { return !strings.HasPrefix(o, "\x00") && !placeholder.MatchString(o) }); i >= 0 {
				p.choose(ctx, path, f.Options[i])
			}
		case c.Role == "radio" && path == v.firstOf(form, c, f):
			p.do(ctx, vitrine.Action{Kind: vitrine.ActCheck, Target: at(path)})
		}
	}
	now := p.look(ctx)
	if known, ok := now.form(form); ok {
		form = known
	}
	for _, other := range now.survey.Forms {
		if len(other.Buttons) == 0 && len(form.Buttons) > 0 && other.Path != form.Path {
			form.Fields = append(slices.Clone(form.Fields), other.Fields...)
		}
	}
	return now, form
}

// firstOf is the first of the radio buttons of which a control is one, where none is chosen.
func (v *view) firstOf(form interact.Form, c vitrine.Control, f interact.Facts) (first string) {
	for _, path := range form.Fields {
		o, of, _ := v.control(path)
		if o.Role != "radio" || radioGroup(o, of) != radioGroup(c, f) {
			continue
		}
		if slices.Contains(o.States, "checked") {
			return ""
		}
		first = cmp.Or(first, path)
	}
	return first
}

// attempt enters numbers into all fields of a form, and of the steps that follow it, as the roles
// of formulas have them.
func (p *prover) attempt(ctx context.Context, h hit, words []string, known []formula) (t trial) {
	before, form := p.settled(ctx, h)
	f := filling{form: form, entries: p.enterNumbers(ctx, before, form, &t, known)}
	now, text := p.results(ctx, before, form, f, words)
	t.addStanding(now, form)
	last := p.furtherSteps(ctx, before, now, form, words, func(v *view, next interact.Form) filling {
		v, next = p.settle(ctx, v, next)
		step := filling{form: next, entries: p.enterNumbers(ctx, v, next, &t, known)}
		t.addStanding(p.look(ctx), next)
		f.entries = append(f.entries, step.entries...)
		return step
	})
	if last != now {
		text = fresh(before, last, f) + "\n" + text
	}
	t.shown = shownIn(text)
	return t
}

// addStanding adds the numbers that stand in the lists and sliders of a form, or on what is chosen of its radio
// buttons, and were not entered.
func (t *trial) addStanding(v *view, form interact.Form) {
	for i, c := range v.Controls {
		text := c.Value
		if c.Role == "radio" {
			text = c.Name
		}
		chosen := c.Tag == "select" || c.Type == "range" || c.Role == "radio" && slices.Contains(c.States, "checked")
		if slices.Contains(form.Fields, c.Path) && chosen {
			if all := numbers(text); len(all) > 0 {
				t.given = append(t.given, arg{c.Path, about(c, v.Facts[i]), all[0], false})
			}
		}
	}
}

// enterNumbers enters numbers into the fields of a form and clicks a share that it offers.
func (p *prover) enterNumbers(ctx context.Context, before *view, form interact.Form, t *trial, known []formula) (entered []entry) {
	typed := slices.ContainsFunc(form.Fields, func(path string) bool {
		c, _, _ := before.control(path)
		return textField(c) || c.Role == "spinbutton"
	})
	extra := before.extra(form, known)
	for _, path := range form.Fields {
		c, facts, ok := before.control(path)
		if !ok || off(c) || c.Covered {
			continue
		}
		switch {
		case slices.Contains(extra, path) && c.Tag == "select": // counts as it stands
		case c.Tag == "select" && len(facts.Options) >= 10 && !slices.ContainsFunc(facts.Options, func(o string) bool { return !onlyNumber.MatchString(o) }):
			p.choose(ctx, path, facts.Options[p.tokens.number(2, len(facts.Options)-1)]) // as of hours and minutes
		case c.Type == "date" || c.Type == "datetime-local":
			p.birthday(ctx, t, c, facts)
		case c.Type == "range" && !typed:
			p.write(ctx, path, fmt.Sprint(p.enters(c, facts, known)))
		case (textField(c) || c.Role == "spinbutton") && (slices.Contains(extra, path) || further(c, facts, known)):
			if all := numbers(c.Value); len(all) == 1 {
				t.given = append(t.given, arg{path, about(c, facts), all[0], false})
			}
		case textField(c) || c.Role == "spinbutton":
			e := entry{control: c, facts: facts, value: p.numbersFor(t, c, facts, known)}
			p.write(ctx, path, e.value)
			entered = append(entered, e)
		}
	}
	for _, path := range form.Buttons { // such as 15 %
		if c, _, ok := before.control(path); ok && !off(c) && shareOption.MatchString(c.Name) && len(t.given) > 0 {
			p.click(ctx, path)
			t.given = append(t.given, arg{path, "%", numbers(c.Name)[0], false})
			break
		}
	}
	return entered
}

var onlyNumber = regexp.MustCompile(`^\s*\d+\s*$`)

// further reports whether a field is for none of the roles of formulas and has no effect as it
// stands, with a one, as a quantity, or a zero.
func further(c vitrine.Control, f interact.Facts, known []formula) bool {
	labels := false
	for _, k := range known {
		for _, r := range k.roles {
			if r.label.MatchString(about(c, f)) {
				return false
			}
			labels = labels || r.label != anyOf.label
		}
	}
	return labels && (c.Value == "1" || c.Value == "0")
}

// ofPerson are labels of fields that many forms have and no formula needs.
var ofPerson = regexp.MustCompile(`(?i)\b(age|gender|sex|names?|units?|currency|country|notes?|date)\b|年龄|性别|姓名|单位`)

// extra are fields of a form for none of the roles of formulas, where one of these has a field for each
// of its roles: what is calculated is more than the formula.
func (v *view) extra(form interact.Form, known []formula) (paths []string) {
	var labels []string
	for _, path := range slices.Concat(form.Fields, form.Buttons) {
		if c, f, ok := v.control(path); ok && (slices.Contains(form.Fields, path) || shareOption.MatchString(c.Name)) {
			labels = append(labels, about(c, f))
		}
	}
	complete := slices.ContainsFunc(known, func(k formula) bool {
		return len(k.roles) > 0 && !slices.ContainsFunc(k.roles, func(r role) bool { return (r.high > 0 || r.date) && !slices.ContainsFunc(labels, r.label.MatchString) })
	})
	for _, path := range form.Fields {
		c, f, ok := v.control(path)
		number := textField(c) || c.Role == "spinbutton" || c.Type == "range" || c.Tag == "select" && len(numbers(c.Value)) == 1
		if !complete || !ok || off(c) || c.Covered || !number || ofPerson.MatchString(about(c, f)) {
			continue
		}
		if !slices.ContainsFunc(known, func(k formula) bool {
			adds := k.extra != nil && k.extra.MatchString(about(c, f))
			return !adds && slices.ContainsFunc(k.roles, func(r role) bool { return r.label.MatchString(about(c, f)) })
		}) {
			paths = append(paths, path)
		}
	}
	return paths
}

// birthday enters a date of birth and, into a second field that is empty, the day of the page.
func (p *prover) birthday(ctx context.Context, t *trial, c vitrine.Control, f interact.Facts) {
	day := time.Date(p.tokens.number(1961, 2005), time.Month(p.tokens.number(3, 11)), p.tokens.number(2, 27), 0, 0, 0, 0, time.UTC)
	if slices.ContainsFunc(t.given, func(a arg) bool { return a.born }) {
		if c.Value != "" {
			return
		}
		day = clock
	} else {
		t.given = append(t.given, arg{c.Path, about(c, f), float64(day.Unix()), true})
	}
	value := day.Format(time.DateOnly)
	if c.Type != "date" {
		value += "T00:00"
	}
	p.write(ctx, c.Path, value)
}

// numbersFor is what is entered into a field: a number, or several where it takes a list.
func (p *prover) numbersFor(t *trial, c vitrine.Control, f interact.Facts, known []formula) string {
	if c.Tag != "textarea" && (c.Role != "textbox" || len(known[0].roles) > 0) {
		n := p.enters(c, f, known)
		t.given = append(t.given, arg{c.Path, about(c, f), float64(n), false})
		return fmt.Sprint(n)
	}
	var all []string
	for i := range 4 {
		n := p.tokens.number(13, 97)
		all = append(all, fmt.Sprint(n))
		t.given = append(t.given, arg{fmt.Sprint(c.Path, i), "", float64(n), false})
	}
	return strings.Join(all, ", ")
}

// results is what a page shows of what was entered into a form: at once, and when it is sent off.
func (p *prover) results(ctx context.Context, before *view, form interact.Form, f filling, words []string) (now *view, text string) {
	at := fresh(before, p.look(ctx), f)
	now, text = p.calculated(ctx, before, form, f, words)
	return now, text + "\n" + at
}

var shareOption = regexp.MustCompile(`^\W*\d{1,2} ?%\W*$`)

func about(c vitrine.Control, f interact.Facts) string {
	return strings.Join([]string{labelled(c.Name, f), identifier(c.Path)}, " ")
}

// enters is a number that a person would enter into a field.
func (p *prover) enters(c vitrine.Control, f interact.Facts, known []formula) int {
	label, low, high := about(c, f), 13, 97
	for _, k := range slices.Backward(known) {
		for _, r := range k.roles { // the last one tells more, as of "loan term" and "number of people"
			if r.label.MatchString(label) && r.high > 0 {
				low, high = r.low, r.high
			}
		}
	}
	if n, ok := number(f.Max); ok && float64(high) > n {
		high = int(n)
		low = min(low, max(1, high/2))
	}
	if n, ok := number(f.Min); ok && float64(low) < n {
		low = int(n)
		high = max(high, low+20)
	}
	return p.tokens.number(low, high)
}

// misformed says that no number which a form shows follows from what is entered by one of some
// formulas, in two trials by the same one.
func (p *prover) misformed(ctx context.Context, h hit, words []string, known []formula) string {
	one := p.attempt(ctx, h, words, known)
	switch {
	case len(one.given) == 0:
		return "nothing can be entered"
	case len(one.shown) == 0:
		return "what is entered gives no number"
	}
	two, given := p.attempt(ctx, h, words, known), statedNumbers(p.instruction)
	one.given, two.given = append(one.given, given...), append(two.given, given...)
	for _, f := range known {
		if f.holds(one, two) {
			return ""
		}
	}
	var entered []string
	for _, g := range one.given {
		if g.born {
			entered = append(entered, time.Unix(int64(g.value), 0).UTC().Format(time.DateOnly))
		} else {
			entered = append(entered, fmt.Sprintf("%g", g.value))
		}
	}
	return fmt.Sprintf("no number that it shows is the %s of %s", cmp.Or(p.need.Entity, "result"), strings.Join(entered, ", "))
}
