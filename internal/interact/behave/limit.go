package behave

import (
	"context"
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
	if p.onlyOnce() {
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

// onlyOnce reports whether the limit is that something is not done twice.
func (p *prover) onlyOnce() bool {
	return notTwice.MatchString(p.need.Quote) && !upTo.MatchString(p.need.Quote)
}

var (
	// upTo are words of limits that have a number.
	upTo = regexp.MustCompile(`(?i)\b(most|more than|up to|max(imum)?|limit|full)\b`)
	// notTwice are limits of what can be done once.
	notTwice = regexp.MustCompile(`(?i)\b(twice|two times|two [a-z]+ (on|at|for|in)|a second [a-z]+|a single [a-z]+|again|double[- ]?book\w*|duplicates?|the same|one single|already|(only|just) once|once (only|each|per))\b`)
	// beyond are words by which a page refuses what goes beyond a limit.
	beyond = regexp.MustCompile(`(?i)\b(full|left|limit|max(imum)?|at most|only|enough|more than|over|above|capacity|no more|up to|twice|taken|already|duplicate|exists|reached|remaining|available|allowed|below)\b`)
)

// countWords are the values of number words. An ordinal is that of the limit which it exceeds: "a fourth one" is one
// more than three.
var countWords = func() map[string]float64 {
	values := map[string]float64{"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "eighteen": 18, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100, "pair": 2}
	for n, word := range numberWords {
		values[word] = float64(n)
	}
	for n, word := range []string{"second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth"} {
		values[word] = float64(n + 1)
	}
	return values
}()

// limitIn is the number of a limit, with the word for what it counts: the first number behind what says that it is one,
// or else the first at all. It is false where the instruction names none.
func limitIn(quote string) (high float64, of string, ok bool) {
	from := 0
	if at := limitCue.FindStringIndex(quote); at != nil {
		from = at[1]
	}
	for _, text := range []string{quote[from:], quote} {
		words := strings.Fields(noOneOf.ReplaceAllString(text, " "))
		for i, w := range words {
			w = strings.ToLower(strings.Trim(w, ".,;:!?()€$£"))
			n, known := countWords[w]
			if !known && wholeNumber.MatchString(w) {
				n, known = number(w)
			}
			if known && n >= 1 {
				return n, strings.Trim(strings.Join(words[i+1:min(i+2, len(words))], ""), ".,;:!?()"), true
			}
		}
	}
	return 0, "", false
}

var (
	limitCue    = regexp.MustCompile(`(?i)\b(most|more than|exceeds?|max|maximum|limit|up to|within|only|seats|holds|room for|takes|capped at)\b`)
	noOneOf     = regexp.MustCompile(`(?i)\b(no one|one of)\b`)
	wholeNumber = regexp.MustCompile(`^\d[\d,]*(\.\d+)?$`)
)

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
	a.taken = changed(s.early, after, s.last.said)
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
	if said := s.last.without(f.tokens(), s.typed); !a.taken && a.refused == "" && len(said) > 0 { // in whichever words
		a.refused = clip(said[0])
	}
	return a, true
}

// refusedBy is the first text that refuses something; empty without one.
func refusedBy(said []string) string {
	if i := slices.IndexFunc(said, func(text string) bool { return refusal.MatchString(text) || beyond.MatchString(text) }); i >= 0 {
		return clip(said[i])
	}
	return ""
}

// changed reports whether a figure that both views show is another one, or there are more rows. What is said in a
// paragraph is no row.
func changed(before, after *view, said []string) bool {
	was, is := quantities(before), quantities(after)
	for key, n := range is {
		if old, ok := was[key]; ok && old != n {
			return true
		}
	}
	return rowsIn(after, said) > rowsIn(before, nil)
}

// rowsIn counts rows, but for those that refuse something and paragraphs of which one was just said.
func rowsIn(v *view, said []string) (n int) {
	for _, g := range v.survey.Groups {
		if g.Region == "nav" || strings.HasPrefix(g.Kind, "select|") || g.Total == 1 && refusedBy([]string{g.Rows[0].Text}) != "" {
			continue
		}
		message := func(r interact.Row) bool { return slices.Contains(said, strings.TrimSpace(r.Text)) }
		if strings.HasPrefix(g.Kind, "p|") && slices.ContainsFunc(g.Rows, message) { // a paragraph alone was no group
			continue
		}
		n += g.Total
	}
	return n
}

// fellBelowZero says which figure fell below zero; empty for none.
func fellBelowZero(before, after *view) string {
	was, is := quantities(before), quantities(after)
	for _, key := range sortedKeys(is) {
		if old, ok := was[key]; ok && old >= 0 && is[key] < 0 {
			return strings.ReplaceAll(key, "|", " ")
		}
	}
	return ""
}
