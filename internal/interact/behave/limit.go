package behave

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"vitrine"
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
	notTwice = regexp.MustCompile(`(?i)\b(twice|two times|two [a-z]+ (on|at|for|in)|a second time|again|double[- ]?book\w*|duplicates?|the same|one single|already|(only|just) once|once (only|each|per))\b`)
	// beyond are words by which a page refuses what goes beyond a limit.
	beyond = regexp.MustCompile(`(?i)\b(full|left|limit|max(imum)?|at most|only|enough|more than|over|above|capacity|no more|up to|twice|taken|already|duplicate|exists|reached|remaining|available|allowed|below)\b`)
)

// countWords are number words.
var countWords = map[string]float64{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
	"fifteen": 15, "sixteen": 16, "eighteen": 18, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100}

// limitIn is the number of a limit, with the word for what it counts; false where the instruction names none.
func limitIn(quote string) (high float64, of string, ok bool) {
	words := strings.Fields(quote)
	for i, w := range words {
		w = strings.ToLower(strings.Trim(w, ".,;:!?()€$£"))
		n, known := countWords[w]
		if !known {
			n, known = number(w)
		}
		if known {
			return n, strings.Trim(strings.Join(words[i+1:min(i+2, len(words))], ""), ".,;:!?()"), true
		}
	}
	return 0, "", false
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
	if at, shown := after.shownAny(f.words()); shown && at.Row != "" && at.Row != form.Path && slices.ContainsFunc(f.words(), func(w string) bool { return after.rowsWith(w) > 0 }) {
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
			case known && saysOver(a.refused, high):
				return fails("after %d, there are more than %v: %q", taken, high, a.refused)
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

// saysOver reports whether a refusal says that there are more than a limit already.
func saysOver(refused string, high float64) bool {
	for _, m := range alreadyThere.FindAllStringSubmatch(refused, -1) {
		if n, ok := number(m[1] + m[2]); ok && n > high {
			return true
		}
	}
	return false
}

// alreadyThere is how a refusal says how many there are: "has 10 h already".
var alreadyThere = regexp.MustCompile(`(?i)\b(?:have|has|had|are|is) (\d[\d,.]*)\b[^.;]{0,20}\balready\b|\balready (?:have|has|had|at)?\s?(\d[\d,.]*)\b`)

// otherCause are refusals for something else than how many there are.
var otherCause = regexp.MustCompile(`(?i)\b(at (that|this|the same) time|overlaps?|clash\w*|conflicts?|(end|start|begin|finish)s? (after|before|at)|(must|has to) be (after|before|later|earlier)|same|already (taken|booked|checked in|there|exists|in use)|is taken)\b`)
