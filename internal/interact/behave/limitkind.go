package behave

import (
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// limitForms are forms with a button, those first whose labels share the most words with the limit.
func (p *prover) limitForms(words []string) []hit {
	asked := stems(slices.DeleteFunc(wordsOf(p.need.Quote), func(w string) bool { return len(w) < 3 }))
	shared := func(h hit) (n int) {
		labels := h.form.Title
		for _, path := range slices.Concat(h.form.Fields, h.form.Buttons) {
			c, f, _ := h.place.view.control(path)
			labels += " " + strings.Join([]string{c.Name, f.Placeholder}, " ")
		}
		for _, w := range stems(wordsOf(labels)) {
			if i := slices.Index(asked, w); i >= 0 && !slices.Contains(asked[:i], w) {
				n++
			}
		}
		return n
	}
	forms := slices.DeleteFunc(p.inputs(words), func(h hit) bool { return h.score < 1 || len(h.form.Buttons) == 0 })
	slices.SortStableFunc(forms, func(a, b hit) int { return shared(b) - shared(a) })
	return forms
}

// namedOptions are the options of a form that the instruction names, by field: those of lists, and radio buttons.
func (p *prover) namedOptions(h hit) map[string]string {
	named, quote := map[string]string{}, strings.ToLower(p.need.Quote)
	for _, path := range h.form.Fields {
		c, f, ok := h.place.view.control(path)
		if ok && c.Role == "radio" && len(c.Name) > 2 && index(stems(wordsOf(quote)), stems(wordsOf(c.Name))) >= 0 {
			named[keyOfField(c, f)] = c.Name
		}
		for _, o := range f.Options {
			if ok && len(o) > 2 && offersOne(o) && strings.Contains(quote, strings.ToLower(o)) {
				named[keyOfField(c, f)] = o
			}
		}
	}
	return named
}

// limited is the smallest number of a limit that the instruction has, or a guess where it names none ("what is left");
// 0 without any.
func (p *prover) limited() (least float64) {
	for _, n := range p.others {
		high, _, ok := limitIn(n.Quote)
		if !ok {
			high = 120
		}
		if n.Behavior == vitrine.BehaviorLimit && (least == 0 || high < least) {
			least = high
		}
	}
	return least
}

// fixedRadio is the radio button of a group that is fixed, else another one.
func (p *prover) fixedRadio(v *view, form interact.Form, group, otherwise string) string {
	for _, path := range form.Fields {
		if c, f, ok := v.control(path); ok && c.Role == "radio" && radioGroup(c, f) == group && p.fixed[keyOfField(c, f)] != "" {
			return path
		}
	}
	return otherwise
}

// whenLabel names lists of days and times.
var whenLabel = regexp.MustCompile(`(?i)\b(days?|dates?|times?|from|to|until|start|end|begins?|slots?|hours?)\b`)

// kindOf are the entries by which a thing is of the same kind as the one before: those in fields that the instruction
// names ("a pupil"), but for what is counted; or else what was chosen. The day of a calendar stays the same.
func (p *prover) kindOf(f filling, counted string) map[string]string {
	named, chosen := p.namedEntries(f, counted), map[string]string{}
	for _, e := range f.entries {
		if e.control.Tag == "select" && !whenLabel.MatchString(e.control.Name) || e.control.Type == "date" {
			chosen[keyOfField(e.control, e.facts)] = e.value
		}
	}
	if len(named) > 0 {
		return named
	}
	return chosen
}

// namedEntries are what was entered in fields that the instruction names, by their labels or as persons.
func (p *prover) namedEntries(f filling, counted string) map[string]string {
	named := map[string]string{}
	for _, e := range f.entries {
		about := e.control.Name + " " + e.facts.Placeholder
		of := p.names(about) || e.token != "" && nameLabel.MatchString(e.control.Name) && persons.MatchString(p.need.Quote) && !persons.MatchString(counted)
		of = of || e.control.Type == "date" && perPeriod.MatchString(p.need.Quote)
		if of && (counted == "" || !slices.Contains(stems(wordsOf(about)), stem(strings.ToLower(counted)))) {
			named[keyOfField(e.control, e.facts)] = e.value
		}
	}
	return named
}

var (
	persons   = regexp.MustCompile(`(?i)\b(members?|persons?|people|guests?|kids?|child(ren)?|students?|pupils?|players?|customers?|visitors?|volunteers?|users?|employees?|patients?|donors?|riders?|nurses?|tenants?|famil(y|ies)|nobody|no one|everyone|everybody|each of us)\b`)
	nameLabel = regexp.MustCompile(`(?i)\b(name|who|person|member)\b`)
)

// sameOption is the option of a list that another one is now, as "Boat (2 of 4)" may be "Boat (3 of 4)"; empty where it
// is not offered.
func sameOption(list interact.Facts, option string) string {
	if option == "" || slices.Contains(list.Options, option) {
		return option
	}
	name := func(o string) string { return strings.TrimSpace(optionNote.Split(o, 2)[0]) }
	same := slices.DeleteFunc(slices.Clone(list.Options), func(o string) bool { return !offersOne(o) || name(o) != name(option) })
	if len(same) != 1 {
		return ""
	}
	return same[0]
}

// optionNote separates the name of an option from a remark, as in "Boat (2 of 4)".
var optionNote = regexp.MustCompile(`[(\[—–·|]| - |: `)

// withdrawn is a chosen option that a form does not offer any more; empty for none.
func (p *prover) withdrawn(v *view, form interact.Form) string {
	for _, path := range form.Fields {
		c, f, ok := v.control(path)
		if option := p.fixed[keyOfField(c, f)]; ok && option != "" && c.Tag == "select" && sameOption(f, option) == "" {
			return option
		}
	}
	return ""
}
