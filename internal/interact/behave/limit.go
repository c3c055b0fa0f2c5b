package behave

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// limit proves that what the instruction bounds is bounded: an act is taken, and beyond the limit it is refused, by
// words, by a field that keeps no such number or by a control that is off, and a refused act changes neither a row nor
// a figure. What is not to be done twice is entered twice, a number is one above the limit or, where none is named,
// above all that there can be, and what is counted is done once more than the limit allows. After a number that was
// refused, a small one is taken. It cheats who shows the refusal and takes it all the same, refuses everything,
// or counts below zero. (Chained preconditions of what instructions ask for; frame condition as in Quickstrom, PLDI 2022.)
func limit(ctx context.Context, p *prover) answer {
	words := p.labels(slices.Concat(createWords, submitWords, takeWords, ledgerWords))
	tries := []func(context.Context, []string) answer{p.amountBounded, p.entriesBounded, p.rowsBounded}
	if notTwice.MatchString(p.need.Quote) {
		tries = []func(context.Context, []string) answer{p.enteredOnce, p.rowsBounded}
	}
	best := absent("nothing is taken whose limit could be reached")
	for _, try := range tries {
		if a := try(ctx, words); rank(a.verdict) > rank(best.verdict) {
			best = a
		}
		if best.verdict == vitrine.VerdictWorks {
			break
		}
	}
	return best
}

var (
	// notTwice are limits of what can be done once.
	notTwice = regexp.MustCompile(`(?i)\b(twice|two times|a second time|again|double[- ]?book\w*|duplicates?|the same|already|only once|once (only|each|per))\b`)
	// beyond are words by which a page refuses what goes beyond a limit.
	beyond = regexp.MustCompile(`(?i)\b(full|left|limit|max(imum)?|at most|only|enough|more than|over|above|capacity|no more|up to|twice|taken|already|duplicate|exists|reached|remaining|available|allowed|below)\b`)
	// numbered is the number of a limit with what it counts: "6 people".
	numbered = regexp.MustCompile(`(?i)\b(\d[\d,]*(?:\.\d+)?|` + strings.Join(numberWords, "|") + `|fifteen|twenty)\b(?:[ -]([a-z]+))?`)
)

// countWords are number words at their numbers.
var countWords = append(slices.Clone(numberWords), "", "", "fifteen", "", "", "", "", "twenty")

// limitIn is the number of a limit, with the word for what it counts; false where the instruction names none.
func limitIn(quote string) (high float64, of string, ok bool) {
	m := numbered.FindStringSubmatch(quote)
	if m == nil {
		return 0, "", false
	}
	word := strings.ToLower(m[1])
	if i := slices.Index(countWords, word); i >= 0 {
		return float64(i), m[2], true
	}
	high, ok = number(word)
	return high, m[2], ok
}

// An actAtLimit is a form that was sent off at a limit.
type actAtLimit struct {
	sent    sending
	taken   bool   // a row or a figure is another one, or the page confirms it
	refused string // how it was refused; empty where nothing says so
}

// tryAct fills a form in, sends it off and says what came of it.
func (p *prover) tryAct(ctx context.Context, v *view, h hit, words []string, but omission) (a actAtLimit, ok bool) {
	form, ok := v.form(h.form)
	if !ok {
		return a, false
	}
	a.sent = p.through(ctx, v, form, words, but)
	s, f := a.sent, a.sent.filling
	if len(f.entries) == 0 && but.value == "" {
		return a, false
	}
	after := p.look(ctx, f.tokens()...)
	a.taken = changed(s.early, after)
	if at, shown := after.shownAny(f.words()); shown && at.Row != "" && at.Row != form.Path {
		a.taken = true
	}
	a.refused = refusedBy(s.last.said)
	again, there := s.early.form(form)
	switch {
	case a.refused != "":
	case s.last.invalid:
		a.refused = "a field is marked"
	case there && button(s.early, again, words) == "" && hasButtons(s.early, again):
		a.refused = "the button is off"
	}
	a.taken = a.taken || a.refused == "" && confirms(s.last.said, f.tokens(), false) != ""
	return a, true
}

// refusedBy is the first text that refuses something; empty without one.
func refusedBy(said []string) string {
	if i := slices.IndexFunc(said, func(text string) bool { return refusal.MatchString(text) || beyond.MatchString(text) }); i >= 0 {
		return clip(said[i])
	}
	return ""
}

// changed reports whether a figure that both views show is another one, or there are more rows.
func changed(before, after *view) bool {
	was, is := quantities(before), quantities(after)
	for key, n := range is {
		if old, ok := was[key]; ok && old != n {
			return true
		}
	}
	return rowsIn(after) > rowsIn(before)
}

// rowsIn counts rows, but for those that refuse something.
func rowsIn(v *view) (n int) {
	for _, g := range v.survey.Groups {
		if g.Region == "nav" || strings.HasPrefix(g.Kind, "select|") || g.Total == 1 && refusedBy([]string{g.Rows[0].Text}) != "" {
			continue
		}
		n += g.Total
	}
	return n
}

// fellBelowZero says which figure fell below zero; empty for none.
func fellBelowZero(before, after *view) string {
	was := quantities(before)
	for _, key := range sortedKeys(quantities(after)) {
		if old, ok := was[key]; ok && old >= 0 && quantities(after)[key] < 0 {
			return strings.ReplaceAll(key, "|", " ")
		}
	}
	return ""
}

// amountBounded proves it of a field that takes a number.
func (p *prover) amountBounded(ctx context.Context, words []string) answer {
	wrong := fmt.Sprint(p.tokens.number(70, 90) * 1000)
	high, of, known := limitIn(p.need.Quote)
	if known {
		wrong = fmt.Sprint(high + 1)
	}
	defer func() { p.fixed = nil }()
	return p.onNumbers(words, func(h hit, path string) answer {
		c, f, _ := h.place.view.control(path)
		field := keyOfField(c, f)
		p.fixed = p.namedOptions(h)
		v := p.open(ctx, h.place)
		one, ok := p.tryAct(ctx, v, h, words, omission{field, "1"})
		if ok && !one.taken { // there may be nothing yet
			if made, _ := p.seed(ctx, 1); made != nil {
				one, ok = p.tryAct(ctx, p.visitForm(ctx, h), h, words, omission{field, "1"})
			}
		}
		if !ok || !one.taken {
			return absent("nothing is taken by %q", c.Name)
		}
		v = p.visitForm(ctx, h)
		much, ok := p.tryAct(ctx, v, h, words, omission{field, wrong})
		kept, _, _ := much.sent.early.control(path)
		clipped := kept.Value != "" && kept.Value != wrong
		switch below := fellBelowZero(v, p.look(ctx)); {
		case !ok:
			return fails("the form is not there after %q took 1", c.Name)
		case below != "":
			return fails("with %s in %q, %s is below zero", wrong, c.Name, clip(below))
		case clipped:
			return works("%q keeps %s where %s is typed", c.Name, kept.Value, wrong)
		case much.taken:
			return fails("%s is taken by %q", wrong, c.Name)
		case much.refused == "":
			return fails("nothing says that %s is too much for %q", wrong, c.Name)
		}
		if again, ok := p.tryAct(ctx, p.visitForm(ctx, h), h, words, omission{field, "1"}); !ok || !again.taken {
			return fails("after %s was refused by %q, 1 is, too", wrong, c.Name)
		}
		if known && perPeriod.MatchString(p.need.Quote) {
			maps.Copy(p.fixed, p.kindOf(one.sent.filling, of))
			if all, ok := p.tryAct(ctx, p.visitForm(ctx, h), h, words, omission{field, fmt.Sprint(high)}); ok && all.taken {
				return fails("%q takes 1 and then %v, which is more together", c.Name, high)
			}
		}
		return works("%q takes 1, and %s is refused: %q", c.Name, wrong, much.refused)
	})
}

// perPeriod are words of limits on what is taken together.
var perPeriod = regexp.MustCompile(`(?i)\b(a|per|each|every|one) (day|night|week|weekend|month|year)\b|\b(daily|weekly|monthly|total|altogether|all together|in all)\b`)

// mostEntries bounds how often an act is repeated.
const mostEntries = 20

// entriesBounded proves it of entries that are made by a form, of one kind: what is chosen, and the day, stay the same.
func (p *prover) entriesBounded(ctx context.Context, words []string) answer {
	high, of, known := limitIn(p.need.Quote)
	if high > mostEntries {
		return absent("%v are too many to be entered", high)
	}
	if !known {
		high = mostEntries
	}
	defer func() { p.fixed = nil }()
	forms := slices.DeleteFunc(p.inputs(words), func(h hit) bool { return h.score < 1 || len(h.form.Buttons) == 0 })
	return bestOf(forms, 3, absent("no form takes an entry"), func(h hit) answer {
		p.fixed = p.namedOptions(h)
		v, taken := p.open(ctx, h.place), 0
		first := false // the first entry is the only one in its list
		refused := ""
		for range int(high) + 5 {
			if form, there := v.form(h.form); there && taken > 0 && p.withdrawn(v, form) != "" {
				return works("after %d, %q is not offered any more", taken, clip(p.withdrawn(v, form)))
			}
			a, ok := p.tryAct(ctx, v, h, words, omission{field: "none"})
			switch {
			case !ok && taken == 0:
				return absent("the form takes nothing")
			case !ok:
				return works("after %d, no other one can be entered", taken)
			case a.taken:
				if taken++; known && float64(taken) > high {
					return fails("%d are taken, one after another", taken)
				}
				toks := a.sent.filling.words()
				if at, shown := p.look(ctx, toks...).shownAny(toks); shown && taken == 1 {
					g, _ := p.look(ctx, toks...).group(at.List)
					first = g.Total == 1
				}
				maps.Copy(p.fixed, p.kindOf(a.sent.filling, of))
			case a.refused == "" && len(a.sent.last.said) > 0:
				refused = clip(a.sent.last.said[0])
			case a.refused == "" && taken > 0:
				return fails("after %d, another one is not taken, and nothing says so", taken)
			case a.refused == "":
				return absent("nothing is taken by the form")
			case otherCause.MatchString(a.refused):
				refused = a.refused
			case taken == 0:
				return absent("the form takes nothing: %q", a.refused)
			case known && first && float64(taken) < high:
				return fails("%d are taken, and no more, where there are to be %v", taken, high)
			default:
				return works("after %d, another one is refused: %q", taken, a.refused)
			}
			v = p.visitForm(ctx, h)
		}
		if taken == 0 {
			return absent("the form takes nothing: %q", refused)
		}
		return fails("%d are taken one after another, and none is refused", taken)
	})
}

// otherCause are refusals for something else than how many there are.
var otherCause = regexp.MustCompile(`(?i)\b(at (that|this|the same) time|overlaps?|clash\w*|conflicts?|(end|start|begin|finish)s? (after|before|at)|(must|has to) be (after|before|later|earlier)|same)\b`)

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

// kindOf are the entries by which a thing is of the same kind as the one before: what was chosen, the day of a
// calendar and what the instruction names ("a pupil"), but not what is counted.
func (p *prover) kindOf(f filling, counted string) map[string]string {
	kind, asked := map[string]string{}, stems(wordsOf(p.need.Quote))
	for _, e := range f.entries {
		label := stems(wordsOf(e.control.Name))
		named := e.token != "" && slices.ContainsFunc(label, func(w string) bool { return len(w) > 2 && slices.Contains(asked, w) })
		chosen := e.control.Tag == "select" && !whenLabel.MatchString(e.control.Name) || e.control.Type == "date"
		if (chosen || named) && (counted == "" || !slices.Contains(label, stem(strings.ToLower(counted)))) {
			kind[keyOfField(e.control, e.facts)] = e.value
		}
	}
	return kind
}

// sameOption is the option of a list that another one is now, as "Boat (2 of 4)" may be "Boat (3 of 4)"; empty where it
// is not offered.
func sameOption(list interact.Facts, option string) string {
	if option == "" || slices.Contains(list.Options, option) {
		return option
	}
	name := func(o string) string { return strings.TrimSpace(optionNote.Split(o, 2)[0]) }
	i := slices.IndexFunc(list.Options, func(o string) bool { return offersOne(o) && name(o) == name(option) })
	if i < 0 {
		return ""
	}
	return list.Options[i]
}

// optionNote begins what the label of an option says beside its name.
var optionNote = regexp.MustCompile(`[(\[—–·:|]| - `)

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

// enteredOnce proves it of what must not be entered twice.
func (p *prover) enteredOnce(ctx context.Context, words []string) answer {
	return bestOf(likely(p.forms(words)), 2, absent("no form takes an entry"), func(h hit) answer { return p.refusesTwice(ctx, h, words) })
}
